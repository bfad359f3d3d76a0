// The page of a live room of Conquerors: what is on the board and what an input means, asked of the engine.

/** @import { Draft, Engine, Pair, Position, Preview } from './engine.js' */
/** @import { Scene } from './paint.js' */
/** @import { Event } from './room-state.js' */

import { Board, wait } from './board.js';
import { cellName, describeCell, sentence } from './describe.js';
import { LiveRoom, canvas, openRoom } from './live-room.js';
import { byId, layZones, write } from './page.js';
import { marksOf, playTurn } from './play-turn.js';
import { drafted, phaseOf } from './room-state.js';
import { render } from './room-view.js';
import { guidedAtFirst, rememberGuided } from './settings.js';

const guided = /** @type {HTMLInputElement} */ (byId('guided'));

/** Rest between two plies that are shown one after the other, in milliseconds. */
const AFTER_PLY_MS = 60;

class RoomPage {
  #live = new LiveRoom(this);
  /** @type {Position[]} by ply, as far as they were asked for */
  #positions = [];

  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    this.rules = engine.rules();
    this.board = new Board(canvas, this.rules);
    this.#live.cursor = [Math.floor(this.rules.rows / 2), Math.floor(this.rules.cols / 2)];
    this.#live.listen(this.board, ['send', 'undo', 'clear', 'bomb', 'skip', 'pass']);
    layZones(this.rules);
    guided.checked = guidedAtFirst(location.search);
    guided.addEventListener('change', () => (rememberGuided(guided.checked), this.#live.show()));
  }

  open() {
    this.#live.open();
  }

  get state() {
    return this.#live.state;
  }

  /** @param {number} ply @returns {Position} */
  #position(ply) {
    const { latest } = this.state;
    if (latest === null) throw new Error('nothing is known of the room yet');
    return (this.#positions[ply] ??= this.engine.state(latest.options, latest.turns.slice(0, ply).flat().map(({ action }) => action)));
  }

  /** @param {number} ply */
  async play(ply) {
    const call = this.#live.played(ply)?.calls[0];
    const [before, after] = [this.#position(ply), this.#position(ply + 1)];
    if (!call) this.board.show({ board: after.board });
    else await playTurn(this.board, { preview: this.engine.preview(before, call), call, after });
    await wait(AFTER_PLY_MS);
  }

  /** What the engine says of the cells placed so far. @param {Pair[]} [more] @returns {Draft} */
  #check(more = []) {
    return this.engine.checkDraft(this.#position(this.state.shown), [...this.state.draft.cells, ...more]);
  }

  show() {
    const { state } = this;
    const phase = phaseOf(state);
    const position = this.#position(state.shown);
    const check = phase === 'yours' ? this.#check() : null;
    const call = drafted(state);
    const preview = call && phase !== 'animating' && phase !== 'over' ? this.engine.preview(position, call) : null;
    const complete = phase === 'yours' && (preview?.turn.legal ?? false);
    const [last, next] = [this.#live.played(state.shown - 1), this.#live.played(state.shown)];
    render({ state, phase, position, last, next, check, preview: guided.checked ? preview : null, complete, rules: this.rules });
    if (check) canvas.dataset.placeable = check.placeable;
    else delete canvas.dataset.placeable;
    canvas.dataset.cursor = cellName(this.#live.cursor);
    if (phase === 'animating') return;
    const scene = this.#scene(position, check, preview);
    this.board.show(scene);
    if (this.#live.moved) write('cell', describeCell(this.#live.cursor, scene));
  }

  /** @param {Position} position @param {Draft | null} check @param {Preview | null} preview @returns {Scene} */
  #scene(position, check, preview) {
    const { state } = this;
    const { shown, draft, mode } = state;
    const whole = draft.whole;
    const bombs = mode === 'bomb';
    return {
      board: preview && !whole ? preview.before : whole || bombs ? position.board : (check?.board ?? position.board),
      placeable: check && !bombs && !whole ? check.placeable : undefined,
      placed: whole || bombs ? [] : draft.cells,
      bomb: whole?.tool === 'bomb' ? whole.cells[0] : null,
      births: guided.checked ? preview?.births : [],
      deaths: [...(preview?.cleared ?? []), ...(guided.checked ? (preview?.deaths ?? []) : [])],
      ...marksOf(this.#live.played(shown - 1)?.calls[0] ?? null),
      outlines: this.#outlines(check),
    };
  }

  /** @param {Draft | null} check @returns {Scene['outlines']} */
  #outlines(check) {
    const { hover, cursor, focused } = this.#live;
    const cells = [hover, focused ? cursor : null].filter((cell) => cell !== null);
    return cells.map((cell) => {
      if (check === null) return { cell, look: 'plain' };
      if (this.state.mode === 'bomb') return { cell, look: 'bomb' };
      if (drafted(this.state)?.cells.some((placed) => cellName(placed) === cellName(cell))) return { cell, look: 'plain' };
      return { cell, look: check.placeable.split('/')[cell[0]][cell[1]] === 'x' ? 'legal' : 'illegal' };
    });
  }

  /** @param {string} meaning */
  press(meaning) {
    const { mode } = this.state;
    switch (meaning) {
      case 'undo':
      case 'clear':
        return this.#live.dispatch({ type: meaning });
      case 'bomb':
        return mode === 'bomb' ? this.#live.dispatch({ type: 'mode', mode: 'place' }) : this.#whenLegal('bomb', { type: 'mode', mode: 'bomb' });
      case 'leave':
        return mode === 'bomb' ? this.#live.dispatch({ type: 'mode', mode: 'place' }) : undefined;
      case 'skip':
      case 'pass':
        return this.#whenLegal(meaning, { type: 'whole', call: { tool: meaning, cells: [] } });
      case 'send':
        return this.#sendDraft();
    }
  }

  /** @param {'bomb' | 'skip' | 'pass'} what @param {Event} event */
  #whenLegal(what, event) {
    if (phaseOf(this.state) !== 'yours') return;
    const { legal, why_not } = this.#position(this.state.shown)[what];
    this.#live.dispatch(legal ? event : { type: 'why', why: sentence(why_not) });
  }

  /** Why a cell cannot be the next; empty when it can, when no cell can be, or when it is not the page's turn. @param {Pair} cell */
  whyNot(cell) {
    // When the turn is full no cell can be the next, which is not worth saying at each.
    const full = phaseOf(this.state) === 'yours' && this.#check().placements_left === 0;
    return full ? '' : this.#refusal(cell);
  }

  /** @param {Pair} cell */
  #refusal(cell) {
    if (phaseOf(this.state) !== 'yours' || this.state.mode === 'bomb') return '';
    return sentence(this.#check([cell]).cells.at(-1)?.why_not ?? null);
  }

  /** Places a cell, or aims the bomb. @param {Pair} cell */
  act(cell) {
    if (phaseOf(this.state) !== 'yours') return;
    if (this.state.mode === 'bomb') return this.#live.dispatch({ type: 'whole', call: { tool: 'bomb', cells: [cell] } });
    const whyNot = this.#refusal(cell);
    this.#live.dispatch(whyNot === '' ? { type: 'place', cell } : { type: 'why', why: whyNot });
  }

  #sendDraft() {
    if (phaseOf(this.state) !== 'yours') return;
    const call = drafted(this.state);
    const missing = this.state.mode === 'place' && !this.state.draft.whole ? this.#check().placements_left : 0;
    if (call === null) return this.#live.dispatch({ type: 'why', why: missing > 0 ? '' : 'Choose where the bomb falls first.', missing });
    const { turn } = this.engine.preview(this.#position(this.state.shown), call);
    if (!turn.legal) return this.#live.dispatch({ type: 'why', why: sentence(turn.why_not), missing });
    this.#live.send(this.engine.compose(/** @type {any} */ (this.state.latest).ruleset, [call]));
  }
}

await openRoom((engine) => new RoomPage(engine));
