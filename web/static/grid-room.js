// The page of a live room of a game in which two seats move a piece in turn: what is on the board and what an input means.

/** @import { Engine, GridGame, GridPosition, Making, Pair, Picture, Verdict } from './engine.js' */
/** @import { GridScene } from './grid.js' */

import { Board, wait } from './board.js';
import { cellName, sentence } from './describe.js';
import { changes, paintGrid } from './grid.js';
import { renderGrid } from './grid-room-view.js';
import { cellsOf, describePicture } from './grid-words.js';
import { Legend } from './legend.js';
import { LiveRoom, canvas, openRoom } from './live-room.js';
import { byId, write } from './page.js';
import { choice, same } from './piece.js';
import { gameOf, phaseOf } from './room-state.js';
import { seatLabel, seatOf } from './seats.js';

/** How long a move stands before its generation, and how long that takes, in milliseconds. */
const MOVED_MS = 300;
const GENERATION_MS = 350;

class GridRoomPage {
  #live = new LiveRoom(this);
  /** @type {GridPosition[]} by ply, as far as they were asked for */
  #positions = [];
  /** @type {Map<string, Verdict & Making>} what the rules said, by ply and cells */
  #checks = new Map();
  /** @type {Board<GridScene> | null} made when the size of the board is known */
  #board = null;
  /** @type {Legend | null} */
  #legend = null;

  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    byId('words').addEventListener('toggle', () => this.#live.show());
  }

  open() {
    this.#live.open();
  }

  get state() {
    return this.#live.state;
  }

  /** The game up to a ply. @param {number} ply @returns {GridGame} */
  #game(ply) {
    const { latest } = this.state;
    if (latest === null) throw new Error('nothing is known of the room yet');
    return gameOf(latest, ply);
  }

  /** @param {number} ply @returns {GridPosition} */
  #position(ply) {
    return (this.#positions[ply] ??= this.engine.gridPosition(this.#game(ply)));
  }

  /** What the board is like, the first time that something is known of the game. @param {GridPosition} position */
  follow({ rows, cols, seat_names: seats }) {
    if (this.#board !== null) return;
    this.#board = new Board(canvas, { rows, cols }, paintGrid);
    this.#legend = new Legend(seats);
    this.#live.cursor = [Math.floor(rows / 2), Math.floor(cols / 2)];
    this.#live.listen(this.#board, ['send', 'clear']);
  }

  /** The cells that were named in a ply. @param {number} ply */
  #cells(ply) {
    const played = this.#live.played(ply);
    return played ? cellsOf(played) : [];
  }

  /** @param {number} ply */
  async play(ply) {
    const cells = this.#cells(ply);
    const [before, after] = [this.#position(ply), this.#position(ply + 1)];
    this.#board?.show({ cells: before.cells, chosen: cells[0], targets: cells.slice(1) });
    await wait(MOVED_MS);
    await this.#board?.evolve({ cells: after.cells, last: cells }, changes(before.cells, after.cells, after.cols), GENERATION_MS);
  }

  show() {
    const { state } = this;
    const phase = phaseOf(state);
    const position = this.#position(state.shown);
    const after = phase === 'yours' ? this.#after() : null;
    renderGrid({ state, phase, position, last: this.#live.played(state.shown - 1), next: this.#live.played(state.shown), after });
    this.#legend?.show(position, { movers: position.awaiting, out: new Set(state.latest?.forfeits.map(({ seat }) => seat)) });
    this.#describe(position);
    const yours = phase === 'yours';
    canvas.dataset.cursor = cellName(this.#live.cursor);
    canvas.dataset.pieces = yours ? this.#pieces().map(cellName).join(' ') : '';
    canvas.dataset.targets = yours ? this.#targets().map(cellName).join(' ') : '';
    if (phase === 'animating') return;
    this.#board?.show(this.#scene(position, after, yours));
    if (this.#live.moved) write('cell', this.#words(position, this.#live.cursor));
  }

  /** The cell that the reader points at, by hand or by keys. */
  #pointed() {
    const { hover, cursor, focused } = this.#live;
    return hover ?? (focused ? cursor : null);
  }

  /** The pieces that can move. */
  #pieces() {
    return this.#check([]).next;
  }

  /** Where the chosen piece may go. */
  #targets() {
    const { cells } = this.state.draft;
    return cells.length === 0 ? [] : this.#check(cells.slice(0, 1)).next;
  }

  /** The board after the move at hand: the target that is pointed at, or else the one chosen. @returns {Picture | null} */
  #after() {
    const [piece, chosen] = this.state.draft.cells;
    if (!piece) return null;
    const pointed = this.#pointed();
    const aimed = pointed && this.#targets().some((open) => same(open, pointed)) ? pointed : chosen;
    return aimed ? this.#check([piece, aimed]).after : null;
  }

  /** What the rules say to a move of who is to move, or to the beginning of one. @param {Pair[]} cells */
  #check(cells) {
    const { shown } = this.state;
    const key = `${shown}: ${cells.join(' ')}`;
    const known = this.#checks.get(key);
    if (known) return known;
    const { awaiting: [seat], tools: [tool] } = this.#position(shown);
    const check = this.engine.gridCheck(this.#game(shown), seat, [{ tool: tool.name, cells }]);
    this.#checks.set(key, check);
    return check;
  }

  /** @param {GridPosition} position @param {Picture | null} after @param {boolean} yours @returns {GridScene} */
  #scene(position, after, yours) {
    const { shown, draft } = this.state;
    const [piece = null, target] = draft.cells;
    const open = yours ? this.#targets() : [];
    const able = yours ? [...this.#pieces(), ...open] : null;
    const { hover, cursor, focused } = this.#live;
    const outlined = [hover, focused ? cursor : null, target ?? null].filter((cell) => cell !== null);
    return {
      cells: position.cells,
      last: piece ? [] : this.#cells(shown - 1),
      chosen: piece,
      targets: open,
      ...(after ? changes(position.cells, after.cells, position.cols) : {}),
      outlines: outlined.map((cell) => ({ cell, look: able === null ? 'plain' : able.some((one) => same(one, cell)) ? 'legal' : 'illegal' })),
    };
  }

  /** @param {GridPosition} position @param {Pair} cell */
  #words({ cells, cols, seat_names: seats }, cell) {
    const seat = seatOf(cells[cell[0] * cols + cell[1]]);
    const [piece] = this.state.draft.cells;
    const target = piece && this.#targets().some((open) => same(open, cell));
    const more = piece && same(piece, cell) ? ', chosen' : target ? ', it may go there' : '';
    return `${cellName(cell)}: ${seat < 0 ? 'empty' : seatLabel(seat, seats)}${more}`;
  }

  /** @param {GridPosition} position */
  #describe(position) {
    if (!(/** @type {HTMLDetailsElement} */ (byId('words')).open)) return;
    const texts = describePicture(position, { players: this.state.names, seats: position.seat_names });
    if (byId('description').textContent === texts.join('')) return;
    byId('description').replaceChildren(...texts.map((text) => Object.assign(document.createElement('p'), { textContent: text })));
  }

  /** @param {string} meaning */
  press(meaning) {
    switch (meaning) {
      case 'undo':
        return this.#live.dispatch({ type: 'undo' });
      case 'clear':
      case 'leave':
        return this.#live.dispatch({ type: 'clear' });
      case 'send':
        return this.#sendDraft();
    }
  }

  /** Pointing says nothing here: most cells are neither a piece that can go nor where one goes. */
  whyNot() {
    return '';
  }

  /** Chooses a piece, or where it goes, or sends the move. @param {Pair} cell */
  act(cell) {
    if (phaseOf(this.state) !== 'yours') return;
    const [piece, target] = this.state.draft.cells;
    switch (choice({ pieces: this.#pieces(), targets: this.#targets() }, this.state.draft.cells, cell)) {
      case 'send':
        return this.#sendDraft();
      case 'aim':
        if (target) this.#live.dispatch({ type: 'undo' });
        return this.#live.dispatch({ type: 'place', cell });
      case 'choose':
        this.#live.dispatch({ type: 'clear' });
        return this.#live.dispatch({ type: 'place', cell });
      case 'drop':
        return this.#live.dispatch({ type: 'clear' });
      case 'none':
        return this.#live.dispatch({ type: 'why', why: this.#refusal(piece, cell) });
    }
  }

  /** Why a cell is none to choose. @param {Pair | undefined} piece the one that is chosen @param {Pair} cell */
  #refusal(piece, cell) {
    const { cells, cols, awaiting } = this.#position(this.state.shown);
    if (seatOf(cells[cell[0] * cols + cell[1]]) === awaiting[0]) return 'This piece has nowhere to go.';
    return sentence(this.#check([piece ?? cell, cell]).why_not);
  }

  #sendDraft() {
    if (phaseOf(this.state) !== 'yours') return;
    const { cells } = this.state.draft;
    if (cells.length < 2) return this.#live.dispatch({ type: 'why', why: cells.length === 0 ? 'Choose a piece first.' : 'Choose where it goes first.' });
    const { legal, why_not: whyNot, action } = this.#check(cells);
    if (!legal || action === null) return this.#live.dispatch({ type: 'why', why: sentence(whyNot) });
    this.#live.send(action);
  }
}

await openRoom((engine) => new GridRoomPage(engine));
