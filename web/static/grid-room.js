// The page of a live room of a game in which two seats move a piece in turn: asks the engine, keeps the state, talks to the room.

/** @import { Engine, GridGame, GridPosition, Pair, Picture } from './engine.js' */
/** @import { GridScene } from './grid.js' */
/** @import { Event } from './room-state.js' */

import { readAction, writeAction } from './actions.js';
import { Board, wait } from './board.js';
import { listen, stepped } from './board-input.js';
import { cellName, sentence } from './describe.js';
import { EngineError, loadEngine } from './engine.js';
import { changes, paintGrid } from './grid.js';
import { renderGrid } from './grid-room-view.js';
import { describePicture } from './grid-words.js';
import { Legend } from './legend.js';
import { ENGINE_URL, byId, write, writeOrHide } from './page.js';
import { choice, piecesOf, same, targetsOf } from './piece.js';
import { offerLink, offerResignation, wakeWithPage } from './room-parts.js';
import { INITIAL, phaseOf, reduce } from './room-state.js';
import { showConnection } from './room-view.js';
import { seatLabel, seatOf } from './seats.js';
import { Transport, sequence, socketUrl } from './transport.js';

/** How long a move stands before its generation, and how long that takes, in milliseconds. */
const MOVED_MS = 300;
const GENERATION_MS = 350;

const room = byId('room');
const canvas = /** @type {HTMLCanvasElement} */ (byId('board'));

class GridRoomPage {
  state = INITIAL;
  /** @type {GridPosition[]} by ply, as far as they were asked for */
  #positions = [];
  /** @type {Board<GridScene> | null} made when the size of the board is known */
  #board = null;
  /** @type {Legend | null} */
  #legend = null;
  #animating = false;
  /** Whether the rules in this page cannot follow the room any more. */
  #lost = false;
  /** @type {Pair} */
  #cursor = [0, 0];
  /** @type {Pair | null} */
  #hover = null;
  #nudged = false;
  /** Whether the cursor was ever moved: before that nobody needs to hear where it is. */
  #moved = false;
  #next = sequence(Math.random());
  #transport;

  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    this.#transport = new Transport({
      url: socketUrl(`/api/v1/rooms/${room.dataset.room}/socket`, location),
      hear: (message) => this.dispatch(message),
      connected: (open) => this.dispatch({ type: 'connection', open }),
    });
    byId('words').addEventListener('toggle', () => this.#show());
    offerResignation(() => this.#send(null));
    offerLink();
    wakeWithPage(this.#transport);
    this.dispatch({ type: 'ready' });
    this.#transport.connect();
  }

  /** @param {Event} event */
  dispatch(event) {
    const before = this.state.latest;
    this.state = reduce(this.state, event);
    if (this.state.latest !== before) {
      this.#follow();
      this.#catchUp();
    }
    this.#show();
  }

  /** The game up to a ply. @param {number} ply @returns {GridGame} */
  #game(ply) {
    const { latest } = this.state;
    if (latest === null) throw new Error('nothing is known of the room yet');
    return { ruleset: latest.ruleset, options: latest.options, turns: latest.game.turns.slice(0, ply) };
  }

  /** @param {number} ply @returns {GridPosition} */
  #position(ply) {
    return (this.#positions[ply] ??= this.engine.gridPosition(this.#game(ply)));
  }

  /** Whether the rules in this page can follow what was played; the first time, what the board is like. */
  #follow() {
    const { latest } = this.state;
    if (latest === null) return;
    try {
      const { rows, cols, seat_names: seats } = this.#position(latest.plays.length);
      if (this.#board !== null) return;
      this.#board = new Board(canvas, { rows, cols }, paintGrid);
      this.#legend = new Legend(seats);
      this.#cursor = [Math.floor(rows / 2), Math.floor(cols / 2)];
      this.#listen(this.#board);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#lost = true;
      this.state = { ...this.state, fault: `The rules in this page refuse what was played: ${error.message}. Reload the page.` };
    }
  }

  /** Shows the plies that were played and not yet shown, one after the other. */
  async #catchUp() {
    if (this.#animating || this.#lost) return;
    this.#animating = true;
    while (phaseOf(this.state) === 'animating') {
      const { latest, shown } = this.state;
      const cells = readAction(latest?.plays[shown].action ?? '')?.cells ?? [];
      const [before, after] = [this.#position(shown), this.#position(shown + 1)];
      this.#board?.show({ cells: before.cells, chosen: cells[0], targets: cells.slice(1) });
      await wait(MOVED_MS);
      await this.#board?.evolve({ cells: after.cells, last: cells }, changes(before.cells, after.cells, after.cols), GENERATION_MS);
      this.state = reduce(this.state, { type: 'shown' });
      this.#show();
    }
    this.#animating = false;
    this.#show();
  }

  #show() {
    const { state } = this;
    const phase = phaseOf(state);
    if (phase === 'loading' || this.#lost) {
      room.dataset.phase = 'loading';
      showConnection(state);
      writeOrHide('trouble', state.fault);
      if (state.gone) write('status', state.why);
      return;
    }
    const position = this.#position(state.shown);
    const after = phase === 'yours' ? this.#after(position) : null;
    renderGrid({ state, phase, position, after });
    this.#legend?.show(position, { movers: position.awaiting, out: new Set(state.latest?.forfeits.map(({ seat }) => seat)) });
    this.#describe(position);
    const [piece] = state.draft.cells;
    const yours = phase === 'yours';
    canvas.dataset.cursor = cellName(this.#cursor);
    canvas.dataset.pieces = yours ? piecesOf(position.moves).map(cellName).join(' ') : '';
    canvas.dataset.targets = yours && piece ? targetsOf(position.moves, piece).map(cellName).join(' ') : '';
    if (phase === 'animating') return;
    this.#board?.show(this.#scene(position, after, yours));
    if (this.#moved) write('cell', this.#words(position, this.#cursor));
  }

  /** The cell that the reader points at, by hand or by keys. */
  #pointed() {
    return this.#hover ?? (document.activeElement === canvas || this.#nudged ? this.#cursor : null);
  }

  /** The board after the move at hand: the target that is pointed at, or else the one chosen. @param {GridPosition} position @returns {Picture | null} */
  #after(position) {
    const [piece, chosen] = this.state.draft.cells;
    if (!piece) return null;
    const pointed = this.#pointed();
    const aimed = pointed && targetsOf(position.moves, piece).some((open) => same(open, pointed)) ? pointed : chosen;
    return aimed ? this.#check([piece, aimed]).after : null;
  }

  /** What the rules say to a move. @param {Pair[]} cells */
  #check(cells) {
    const { shown } = this.state;
    const [seat] = this.#position(shown).awaiting;
    return this.engine.gridCheck(this.#game(shown), { seat, action: writeAction(cells) });
  }

  /** @param {GridPosition} position @param {Picture | null} after @param {boolean} yours @returns {GridScene} */
  #scene(position, after, yours) {
    const { latest, shown, draft } = this.state;
    const [piece = null, target] = draft.cells;
    const play = shown > 0 ? latest?.plays[shown - 1] : undefined;
    const open = yours && piece ? targetsOf(position.moves, piece) : [];
    const able = yours ? [...piecesOf(position.moves), ...open] : null;
    const focused = document.activeElement === canvas || this.#nudged;
    const outlined = [this.#hover, focused ? this.#cursor : null, target ?? null].filter((cell) => cell !== null);
    return {
      cells: position.cells,
      last: piece ? [] : (readAction(play?.action ?? '')?.cells ?? []),
      chosen: piece,
      targets: open,
      ...(after ? changes(position.cells, after.cells, position.cols) : {}),
      outlines: outlined.map((cell) => ({ cell, look: able === null ? 'plain' : able.some((one) => same(one, cell)) ? 'legal' : 'illegal' })),
    };
  }

  /** @param {GridPosition} position @param {Pair} cell */
  #words({ cells, cols, seat_names: seats, moves }, cell) {
    const seat = seatOf(cells[cell[0] * cols + cell[1]]);
    const [piece] = this.state.draft.cells;
    const target = piece && targetsOf(moves, piece).some((open) => same(open, cell));
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

  /** @param {Board<GridScene>} board */
  #listen(board) {
    listen(board, {
      tap: (cell) => (this.#moveTo(cell), this.#act(cell)),
      hover: (cell) => {
        if (String(cell) === String(this.#hover)) return;
        this.#hover = cell;
        this.#show();
      },
      key: (meaning) => this.#key(meaning),
      focus: () => this.#show(),
    });
    for (const id of ['send', 'clear']) {
      byId(id).addEventListener('click', () => {
        const byKeyboard = byId(id).matches(':focus-visible');
        this.#key(id);
        // A button that can no longer be pressed would swallow the next keys.
        if (byKeyboard) canvas.focus({ preventScroll: true });
      });
    }
    byId('nudge').addEventListener('click', ({ target }) => {
      const key = target instanceof HTMLElement ? target.dataset.key : undefined;
      if (key === undefined) return;
      this.#nudged = true;
      this.#key(key);
    });
  }

  /** @param {string} meaning */
  #key(meaning) {
    const to = this.#board && stepped(this.#cursor, meaning, this.#board.size);
    if (to) return this.#moveTo(to);
    switch (meaning) {
      case 'act':
        return this.#act(this.#cursor);
      case 'undo':
        return this.dispatch({ type: 'undo' });
      case 'clear':
      case 'leave':
        return this.dispatch({ type: 'clear' });
      case 'send':
        return this.#sendDraft();
    }
  }

  /** @param {Pair} cell */
  #moveTo(cell) {
    this.#cursor = cell;
    this.#moved = true;
    this.dispatch({ type: 'why', why: '' });
  }

  /** Chooses a piece, or where it goes, or sends the move. @param {Pair} cell */
  #act(cell) {
    if (phaseOf(this.state) !== 'yours') return;
    const { moves } = this.#position(this.state.shown);
    const [piece, target] = this.state.draft.cells;
    switch (choice(moves, this.state.draft.cells, cell)) {
      case 'send':
        return this.#sendDraft();
      case 'aim':
        if (target) this.dispatch({ type: 'undo' });
        return this.dispatch({ type: 'place', cell });
      case 'choose':
        this.dispatch({ type: 'clear' });
        return this.dispatch({ type: 'place', cell });
      case 'drop':
        return this.dispatch({ type: 'clear' });
      case 'none':
        return this.dispatch({ type: 'why', why: this.#whyNot(piece, cell) });
    }
  }

  /** Why a cell is none to choose. @param {Pair | undefined} piece the one that is chosen @param {Pair} cell */
  #whyNot(piece, cell) {
    const { cells, cols, awaiting } = this.#position(this.state.shown);
    if (seatOf(cells[cell[0] * cols + cell[1]]) === awaiting[0]) return 'This piece has nowhere to go.';
    return sentence(this.#check([piece ?? cell, cell]).why_not);
  }

  #sendDraft() {
    if (phaseOf(this.state) !== 'yours') return;
    const { cells } = this.state.draft;
    if (cells.length < 2) return this.dispatch({ type: 'why', why: cells.length === 0 ? 'Choose a piece first.' : 'Choose where it goes first.' });
    const { legal, why_not: whyNot } = this.#check(cells);
    if (!legal) return this.dispatch({ type: 'why', why: sentence(whyNot) });
    this.#send(cells);
  }

  /** @param {Pair[] | null} cells null is a resignation */
  #send(cells) {
    const ply = this.state.latest?.ply;
    if (ply === undefined || phaseOf(this.state) !== 'yours') return;
    const clientSeq = cells === null ? null : this.#next();
    this.dispatch({ type: 'sent', client_seq: clientSeq });
    if (cells === null || clientSeq === null) this.#transport.send({ type: 'resign', ply });
    else this.#transport.send({ type: 'turn', ply, client_seq: clientSeq, action: writeAction(cells) });
  }
}

try {
  new GridRoomPage(await loadEngine(ENGINE_URL));
} catch (error) {
  write('status', 'The rules could not be loaded.');
  writeOrHide('trouble', `This page needs WebAssembly: ${error instanceof Error ? error.message : error}`);
}
