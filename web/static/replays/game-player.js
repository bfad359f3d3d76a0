// A small game player for pages with many games: a tournament's report, the page that opens tournament folders, and the
// workshop.

/** @import { Engine, Film, Replay } from '../rules/engine.js' */

import { Board } from '../board/board.js';
import { frameAt } from '../board/picture.js';
import { marksOf } from '../board/play-turn.js';
import { divergence } from './divergence.js';
import { animateTurn, callsOf } from './replayed.js';
import * as replays from '../text/en/script-replays.js';

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const scrubber = /** @type {HTMLInputElement} */ (byId('scrubber'));
const speed = /** @type {HTMLSelectElement} */ (byId('speed'));

class Player {
  /** Stops the turn that is being shown. */
  #stop = new AbortController();
  #turn = 0;

  /** @param {Replay} replay @param {Film} film @param {(turn: number) => void} tell */
  constructor(replay, film, tell) {
    this.replay = replay;
    this.film = film;
    this.tell = tell;
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', replays.scriptReplaysTheBoard());
    byId('stage').replaceChildren(canvas);
    this.board = new Board(canvas, film);
    scrubber.max = String(replay.turns.length);
    this.show(0);
  }

  /** @param {number} turn */
  show(turn) {
    this.#stop.abort();
    this.#show(Math.min(Math.max(turn, 0), this.replay.turns.length));
  }

  step(/** @type {number} */ by) {
    this.show(this.#turn + by);
  }

  async play() {
    const { replay, film } = this;
    this.show(this.#turn === replay.turns.length ? 0 : this.#turn);
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    while (this.#turn < replay.turns.length && !signal.aborted) {
      const turn = this.#turn + 1;
      await animateTurn(this.board, replay, film, { turn, perSecond: Number(speed.value), signal });
      if (!signal.aborted) this.#show(turn);
    }
  }

  /** @param {number} turn */
  #show(turn) {
    const { film, replay } = this;
    this.#turn = turn;
    const last = turn === 0 ? [] : marksOf(callsOf(replay, turn), film.tools);
    this.board.show({ cells: frameAt(film.frames, turn), last });
    scrubber.value = String(turn);
    byId('turn').textContent = replays.scriptReplaysTurnAndScore({
      turn,
      turns: replay.turns.length,
      score: film.tallies[turn].join(' : '),
    });
    this.tell(turn);
  }
}

/** @type {Player | null} */
let player = null;

byId('prev').addEventListener('click', () => player?.step(-1));
byId('next').addEventListener('click', () => player?.step(1));
byId('play').addEventListener('click', () => void player?.play());
scrubber.addEventListener('input', () => player?.show(Number(scrubber.value)));

/**
 * Shows a game, replayed by the rules.
 * @param {Engine} engine
 * @param {string} record its text, with its newline
 * @param {string} title
 */
export const watch = (engine, record, title) => void showGame(engine.replay(record), title);

/**
 * Shows a game.
 * @param {Replay} replay
 * @param {string} title
 * @param {(turn: number) => void} [tell] called with each turn that is shown
 * @returns {Player | null} null if the rules do not agree with its record
 */
export function showGame(replay, title, tell = () => {}) {
  byId('player').hidden = false;
  byId('title').textContent = title;
  byId('verified').textContent = replay.verified
    ? replays.scriptReplaysRulesAgree()
    : replays.scriptReplaysNotByTheRules({ why: divergence(replay.why_not) });
  player?.show(0);
  player = replay.film === null ? null : new Player(replay, replay.film, tell);
  byId('stage').scrollIntoView({ block: 'nearest' });
  return player;
}
