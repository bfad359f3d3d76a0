// The page of a finished game of Conquerors: its record, played again by the rules in this page.

/** @import { Preview, Replay } from './engine.js' */

import { Board, wait } from './board.js';
import { paintChart } from './chart.js';
import { capital, describeForfeit, describePreview, describeStart, describeTurn } from './describe.js';
import { loadEngine } from './engine.js';
import { ENGINE_URL, byId, layZones, showPosition, write } from './page.js';
import { marksOf, placedScene, playTurn } from './play-turn.js';
import { Playback, fetchRecord, showFailure, showVerdict } from './playback.js';
import { offerRecompute } from './recompute-button.js';

/** How long the result of a turn stands before the next one, in milliseconds. */
const BETWEEN_MS = 350;

const before = /** @type {HTMLInputElement} */ (byId('before'));

class ReplayPage {
  /** @param {import('./engine.js').Engine} engine @param {Replay} replay a verified one */
  constructor(engine, replay) {
    this.engine = engine;
    this.replay = replay;
    this.rules = engine.rules();
    this.board = new Board(/** @type {HTMLCanvasElement} */ (byId('board')), this.rules);
    layZones(this.rules);
    const playback = new Playback({
      turns: replay.turns.length,
      show: (turn) => this.#show(turn),
      step: (turn, signal) => this.#step(turn, signal),
    });
    before.addEventListener('change', () => playback.again());
  }

  /** @param {number} turn @param {AbortSignal} signal */
  async #step(turn, signal) {
    await wait(BETWEEN_MS, signal);
    if (signal.aborted) return;
    const [call] = this.replay.turns[turn - 1].calls;
    await playTurn(this.board, { preview: this.#preview(turn), call, after: this.replay.positions[turn] }, signal);
  }

  /** What turn `turn`, from 1, led to. @param {number} turn @returns {Preview} */
  #preview(turn) {
    return this.engine.preview(this.replay.positions[turn - 1], this.replay.turns[turn - 1].calls[0]);
  }

  /** @param {number} turn */
  #show(turn) {
    const position = this.replay.positions[turn];
    showPosition(position, this.rules);
    this.#showTurn(turn);
    paintChart(/** @type {HTMLCanvasElement} */ (byId('chart')), this.replay.positions, turn);
  }

  /** @param {number} turn */
  #showTurn(turn) {
    const position = this.replay.positions[turn];
    if (turn === 0) {
      this.board.show({ board: position.board });
      write('words-of-turn', describeStart(position));
      write('fuel', '');
      return;
    }
    const { calls: [call], words, colour, fuel } = this.replay.turns[turn - 1];
    const preview = this.#preview(turn);
    if (before.checked) {
      const deaths = [...preview.cleared, ...preview.deaths];
      this.board.show({ ...placedScene(preview, call), births: preview.births, deaths });
    } else {
      this.board.show({ board: position.board, ...marksOf(call) });
    }
    write('words-of-turn', `${describeTurn({ words }, colour)} ${describePreview(preview)}`);
    write('fuel', fuel === null ? `${capital(colour)} is not metered.` : `Fuel of the turn: ${fuel.toLocaleString('en')}`);
  }
}

async function start() {
  const [engine, record] = await Promise.all([loadEngine(ENGINE_URL), fetchRecord()]);
  const replay = engine.replay(record.text);
  const names = ['blue', 'red'].map((/** @type {string} */ colour) => byId(`name-${colour}`).textContent?.trim() ?? colour);
  showVerdict(replay, replay.forfeits.map((forfeit) => describeForfeit(forfeit, names)));
  if (!replay.verified) return;
  new ReplayPage(engine, replay);
  offerRecompute(record.url);
}

start().catch(showFailure);
