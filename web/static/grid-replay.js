// The page of a finished game of any ruleset: its record, played again by the rules in this page.

/** @import { Engine, Film, GridReplay } from './engine.js' */
/** @import { Names } from './grid-words.js' */

import { Board, wait } from './board.js';
import { loadEngine } from './engine.js';
import { changes, frameAt, paintGrid } from './grid.js';
import { cellsOf, describeChanges, describeGridForfeit, describeGridOutcome, describePicture, describePlays } from './grid-words.js';
import { Legend } from './legend.js';
import { ENGINE_URL, byId, write } from './page.js';
import { Playback, fetchRecord, showFailure, showVerdict } from './playback.js';
import { offerRecompute } from './recompute-button.js';
import { SharesChart } from './shares.js';

/** From so many turns a second on, cells change at once. */
const SMOOTH_PER_SECOND_MAX = 5;

const speed = /** @type {HTMLSelectElement} */ (byId('speed'));

class GridReplayPage {
  /** @type {string} the frame in words, as it was written last */
  #described = '';

  /**
   * @param {GridReplay} replay
   * @param {Film} film
   * @param {Legend} legend
   * @param {Names} names
   */
  constructor(replay, film, legend, names) {
    this.replay = replay;
    this.film = film;
    this.legend = legend;
    this.names = names;
    /** @type {Board<import('./grid.js').GridScene>} */
    this.board = new Board(/** @type {HTMLCanvasElement} */ (byId('board')), film, paintGrid);
    this.shares = new SharesChart(/** @type {HTMLCanvasElement} */ (byId('chart')), film.tallies, film.seat_names);
    const words = /** @type {HTMLDetailsElement} */ (byId('words'));
    const playback = new Playback({
      turns: replay.turns.length,
      show: (turn) => this.#show(turn),
      step: (turn, signal) => this.#step(turn, signal),
    });
    // Thousands of cells are only put into words where somebody reads them.
    words.addEventListener('toggle', () => playback.again());
    speed.disabled = false;
  }

  /** @param {number} turn @param {AbortSignal} signal */
  async #step(turn, signal) {
    const perSecond = Number(speed.value);
    const { cols, frames } = this.film;
    if (perSecond > SMOOTH_PER_SECOND_MAX) return wait(1000 / perSecond, signal);
    await wait(400 / perSecond, signal);
    if (signal.aborted) return;
    const cells = frameAt(frames, turn);
    const scene = { cells, last: this.#named(turn) };
    await this.board.evolve(scene, changes(frameAt(frames, turn - 1), cells, cols), 600 / perSecond, signal);
  }

  /** The cells that were named in a turn, from 1. @param {number} turn */
  #named(turn) {
    return this.replay.turns[turn - 1].plays.flatMap(cellsOf);
  }

  /** @param {number} turn */
  #show(turn) {
    const { rows, cols, frames, tallies, seat_names: seats } = this.film;
    const cells = frameAt(frames, turn);
    this.board.show({ cells, last: turn === 0 ? [] : this.#named(turn) });
    const out = this.replay.forfeits.filter((forfeit) => forfeit.turn === null || forfeit.turn < turn || turn === this.replay.turns.length);
    this.legend.show({ cells, tally: tallies[turn] }, { out: new Set(out.map(({ seat }) => seat)) });
    this.shares.show(turn);
    if (turn === 0) {
      write('words-of-turn', 'The start.');
    } else {
      const done = changes(frameAt(frames, turn - 1), cells, cols);
      write('words-of-turn', `${describePlays(this.replay.turns[turn - 1].plays, seats)} ${describeChanges(done)}`);
    }
    if (/** @type {HTMLDetailsElement} */ (byId('words')).open) this.#describe({ rows, cols, cells });
  }

  /** @param {{rows: number, cols: number, cells: string}} picture */
  #describe(picture) {
    if (this.#described === picture.cells) return;
    this.#described = picture.cells;
    const paragraphs = describePicture(picture, this.names).map((text) => Object.assign(document.createElement('p'), { textContent: text }));
    byId('description').replaceChildren(...paragraphs);
  }
}

async function start() {
  const [engine, record] = await Promise.all([loadEngine(ENGINE_URL), fetchRecord()]);
  const replay = engine.gridReplay(record.text);
  const seats = replay.film?.seat_names ?? [];
  const legend = new Legend(seats);
  const names = { players: legend.players(), seats };
  showVerdict(replay, replay.forfeits.map((forfeit) => describeGridForfeit(forfeit, names)));
  if (replay.film === null) return;
  // The same as the page says already, with the names of the seats that stand beside the board.
  write('outcome', describeGridOutcome(replay.outcome, names));
  new GridReplayPage(replay, replay.film, legend, names);
  offerRecompute(record.url);
}

start().catch(showFailure);
