// The page of a live room of any game: what is on the board and what an input means, asked of the engine. A game's tools say what a
// turn is made with; nothing here knows a game by its name.

/** @import { Call, Engine, GameText, Legality, Making, Pair, Position, Tool } from './engine.js' */
/** @import { Outline, Scene } from './paint.js' */

import { Board, wait } from './board.js';
import { LiveRoom, canvas, openRoom } from './live-room.js';
import { byId, layBoard, write } from './page.js';
import { turnChanges } from './picture.js';
import { choice, same } from './piece.js';
import { markedScene, marksOf, playTurn } from './play-turn.js';
import { drafted, gameOf, phaseOf } from './room-state.js';
import { render } from './room-view.js';
import { Scoreboard } from './scoreboard.js';
import { seatLabel, seatOf } from './seats.js';
import { guidedAtFirst, rememberGuided } from './settings.js';
import { layTools, toolKeys } from './tools.js';
import { cellName, sentence } from './words.js';

/** How long a ply is shown, and rest after it, in milliseconds. */
const PLY_MS = 600;
const AFTER_PLY_MS = 60;

const guided = /** @type {HTMLInputElement} */ (byId('guided'));

class RoomPage {
  #live = new LiveRoom(this);
  /** @type {Position[]} by ply, as far as they were asked for */
  #positions = [];
  /** @type {Map<string, Legality & Making>} what the rules said, by ply and call */
  #checks = new Map();
  /** @type {Board | null} made when the game is known */
  #board = null;
  /** @type {Scoreboard | null} */
  #scoreboard = null;
  /** @type {HTMLButtonElement[]} of the tools but the usual */
  #buttons = [];

  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    guided.checked = guidedAtFirst(location.search);
    guided.addEventListener('change', () => (rememberGuided(guided.checked), this.#live.show()));
    byId('words').addEventListener('toggle', () => this.#live.show());
  }

  open() {
    this.#live.open();
  }

  get state() {
    return this.#live.state;
  }

  /** Lays out the page, the first time that something is known of the game. @param {Position} position */
  follow(position) {
    if (this.#board !== null) return;
    const { rows, cols, tools } = position;
    layBoard(position);
    this.#board = new Board(canvas, position);
    this.#scoreboard = new Scoreboard(position);
    this.#buttons = layTools(tools);
    // Where one call is a turn, what it leads to is always shown.
    byId('guided-line').hidden = !tools.some(({ input }) => input === 'cells');
    this.#live.cursor = [Math.floor(rows / 2), Math.floor(cols / 2)];
    const fixed = ['send', 'undo', 'clear'].map((id) => /** @type {const} */ ([/** @type {HTMLButtonElement} */ (byId(id)), id]));
    const own = this.#buttons.map((button) => /** @type {const} */ ([button, `tool ${button.dataset.tool}`]));
    const keys = [...toolKeys(tools)].map(([letter, name]) => /** @type {const} */ ([letter, `tool ${name}`]));
    this.#live.listen(this.#board, new Map([...fixed, ...own]), new Map(keys));
  }

  /** The game up to a ply. @param {number} ply @returns {GameText} */
  #game(ply) {
    const { latest } = this.state;
    if (latest === null) throw new Error('nothing is known of the room yet');
    return gameOf(latest, ply);
  }

  /** @param {number} ply @returns {Position} */
  #position(ply) {
    return (this.#positions[ply] ??= this.engine.position(this.#game(ply)));
  }

  /** The position on the board. */
  get #shown() {
    return this.#position(this.state.shown);
  }

  /** @returns {Tool} */
  get #usual() {
    return this.#shown.tools[0];
  }

  /** The tool in hand. @returns {Tool} */
  get #tool() {
    return this.#shown.tools.find(({ name }) => name === this.state.tool) ?? this.#usual;
  }

  /** What the rules say to a call of who is to move, or to the beginning of one. @param {Call} call */
  #check(call) {
    const { shown } = this.state;
    const key = `${shown} ${call.tool}: ${call.cells.join(' ')}`;
    const known = this.#checks.get(key);
    if (known) return known;
    const check = this.engine.check(this.#game(shown), this.#shown.awaiting[0], [call]);
    this.#checks.set(key, check);
    return check;
  }

  /** What the rules say to the usual tool on these cells. @param {Pair[]} cells */
  #usually(cells) {
    return this.#check({ tool: this.#usual.name, cells });
  }

  /** The call in the making, which may have no cell yet. @returns {Call} */
  #call() {
    return drafted(this.state, this.#usual.name) ?? { tool: this.#tool.name, cells: [] };
  }

  /** The same, with the target that is pointed at. @returns {Call} */
  #looked() {
    const call = this.#call();
    const [piece] = call.cells;
    const pointed = this.#pointed();
    if (this.#usual.input !== 'piece' || call.tool !== this.#usual.name || !piece || !pointed) return call;
    return this.#usually([piece]).next.some((open) => same(open, pointed)) ? { ...call, cells: [piece, pointed] } : call;
  }

  /** The cell that the reader points at, by hand or by keys. */
  #pointed() {
    const { hover, cursor, focused } = this.#live;
    return hover ?? (focused ? cursor : null);
  }

  /** What can be done with a tool now. @param {Tool} tool */
  #possible({ name }) {
    const { legal, next } = this.#check({ tool: name, cells: [] });
    return legal || next.length > 0;
  }

  /** @param {number} ply */
  async play(ply) {
    const play = this.#live.played(ply);
    const [now, after] = [this.#position(ply), this.#position(ply + 1)];
    if (play && this.#board) {
      const { before } = this.engine.check(this.#game(ply), play.seat, play.calls);
      await playTurn(this.#board, { now: now.cells, stage: before?.cells ?? null, after: after.cells, calls: play.calls }, now.tools, PLY_MS);
    }
    await wait(AFTER_PLY_MS);
  }

  show() {
    const { state } = this;
    const phase = phaseOf(state);
    const position = this.#shown;
    const yours = phase === 'yours';
    const making = yours || phase === 'sending';
    const call = making ? this.#call() : null;
    const check = call && this.#check(call);
    const looked = making ? this.#looked() : null;
    const preview = looked && looked.cells.length + Number(looked.tool !== this.#usual.name) > 0 ? this.#check(looked) : null;
    const coming = preview?.after ? turnChanges(position.cells, preview.before?.cells ?? null, preview.after.cells, position.cols) : null;
    const previews = guided.checked || byId('guided-line').hidden;
    const [last, next] = [this.#live.played(state.shown - 1), this.#live.played(state.shown)];
    const possible = yours ? position.tools.filter((tool) => this.#possible(tool)) : [];
    const tally = preview?.after?.tally;
    render({ state, phase, position, last, next, call, check, possible, coming: previews && coming && tally ? { changes: coming, tally } : null, buttons: this.#buttons });
    this.#scoreboard?.show(position, position, new Set(state.latest?.forfeits.map(({ seat }) => seat)));
    canvas.dataset.cursor = cellName(this.#live.cursor);
    canvas.dataset.next = yours && check ? check.next.map(cellName).join(' ') : '';
    if (phase === 'animating') return;
    const stage = looked && this.#tool.spread === 0 && looked.cells.length > 0 ? this.#check(looked).before : null;
    const scene = {
      cells: stage?.cells ?? position.cells,
      ...this.#marks(call, making),
      ...(coming ? { births: previews ? coming.births : [], deaths: [...(coming.cleared ?? []), ...(previews ? coming.deaths : [])] } : {}),
      outlines: this.#outlines(yours ? call : null),
    };
    this.#board?.show(scene);
    if (this.#live.moved) write('cell', this.#cellWords(scene, yours));
  }

  /** What is marked besides cells. @param {Call | null} call @param {boolean} making @returns {Partial<Scene>} */
  #marks(call, making) {
    const played = this.#live.played(this.state.shown - 1);
    const last = played ? marksOf(played.calls, this.#shown.tools) : [];
    if (!making || call === null) return { last };
    const { chosen = null, ...marked } = markedScene(call, this.#shown.tools);
    const open = this.#tool === this.#usual && this.state.draft.whole === null ? this.#usually(call.cells.slice(0, chosen ? 1 : undefined)).next : [];
    // A piece's own targets say more than those of the move before; that pieces can move is seen when they are pointed at.
    if (chosen) return { chosen, targets: open, last: [] };
    return { ...marked, last, open: this.#usual.input === 'piece' ? [] : open };
  }

  /** @param {Call | null} call in the making @returns {Outline[]} */
  #outlines(call) {
    const { hover, cursor, focused } = this.#live;
    const target = this.#usual.input === 'piece' ? (call?.cells[1] ?? null) : null;
    const cells = [hover, focused ? cursor : null, target].filter((cell) => cell !== null);
    if (call === null) return cells.map((cell) => ({ cell, look: 'plain' }));
    const tool = this.#tool;
    if (tool.spread > 0) return cells.map((cell) => ({ cell, look: 'aim', spread: tool.spread }));
    const piece = tool.input === 'piece' && call.tool === tool.name;
    const open = piece ? [...this.#usually([]).next, ...(call.cells.length > 0 ? this.#usually(call.cells.slice(0, 1)).next : [])] : this.#check(call).next;
    return cells.map((cell) => {
      if (!piece && call.cells.some((placed) => same(placed, cell))) return { cell, look: 'plain' };
      return { cell, look: open.some((one) => same(one, cell)) ? 'legal' : 'illegal' };
    });
  }

  /** What is to be seen at the cursor. @param {Scene} scene @param {boolean} yours */
  #cellWords({ cells, placed = [], open = [], targets = [], chosen = null }, yours) {
    const { cursor } = this.#live;
    const { cols, seat_names: seats } = this.#shown;
    const seat = seatOf(cells[cursor[0] * cols + cursor[1]]);
    const order = placed.findIndex((cell) => same(cell, cursor)) + 1;
    const able = (/** @type {readonly Pair[]} */ list) => yours && list.some((cell) => same(cell, cursor));
    const more = order > 0 ? `, placed as number ${order}` : chosen && same(chosen, cursor) ? ', chosen' : able(targets) ? ', it may go there' : able(open) ? ', open' : '';
    return `${cellName(cursor)}: ${seat < 0 ? 'empty' : seatLabel(seat, seats)}${more}`;
  }

  /** @param {string} meaning */
  press(meaning) {
    switch (meaning) {
      case 'undo':
      case 'clear':
        return this.#live.dispatch({ type: meaning });
      case 'leave':
        if (this.state.tool !== null) return this.#live.dispatch({ type: 'tool', tool: null });
        return this.#usual.input === 'piece' ? this.#live.dispatch({ type: 'clear' }) : undefined;
      case 'send':
        return this.#sendDraft();
      default:
        return this.#take(meaning.slice('tool '.length));
    }
  }

  /** Takes a tool in hand, or puts it away; one without cells is a turn at once. @param {string} name */
  #take(name) {
    if (phaseOf(this.state) !== 'yours') return;
    const tool = this.#shown.tools.find((tool) => tool.name === name);
    if (!tool) return;
    if (this.state.tool === name) return this.#live.dispatch({ type: 'tool', tool: null });
    if (!this.#possible(tool)) return this.#live.dispatch({ type: 'why', why: sentence(this.#check({ tool: name, cells: [] }).why_not) });
    this.#live.dispatch(tool.input === 'nothing' ? { type: 'whole', call: { tool: name, cells: [] } } : { type: 'tool', tool: name });
  }

  /** Why a cell that is pointed at cannot be the next. It is not said where most cells cannot, or none. @param {Pair} cell */
  whyNot(cell) {
    if (phaseOf(this.state) !== 'yours' || this.#tool.input !== 'cells') return '';
    return this.#call().cells.length >= this.#tool.most ? '' : this.#refusal(cell);
  }

  /** @param {Pair} cell */
  #refusal(cell) {
    const { cells } = this.state.draft;
    return this.#usually(cells).next.some((open) => same(open, cell)) ? '' : sentence(this.#usually([...cells, cell]).why_not);
  }

  /** Uses the tool in hand on a cell. @param {Pair} cell */
  act(cell) {
    if (phaseOf(this.state) !== 'yours') return;
    if (this.#tool !== this.#usual) return this.#aim(cell);
    switch (this.#usual.input) {
      case 'piece':
        return this.#actWithPiece(cell);
      case 'cells':
      case 'cell': {
        const whyNot = this.#refusal(cell);
        return this.#live.dispatch(whyNot === '' ? { type: 'place', cell } : { type: 'why', why: whyNot });
      }
    }
  }

  /** Gives another tool its next cell, or the first one when it has all. @param {Pair} cell */
  #aim(cell) {
    const { name, most } = this.#tool;
    const given = this.state.draft.whole?.cells ?? [];
    this.#live.dispatch({ type: 'whole', call: { tool: name, cells: given.length < most ? [...given, cell] : [cell] } });
  }

  /** Chooses a piece, or where it goes, or sends the move. @param {Pair} cell */
  #actWithPiece(cell) {
    const { cells: drafted } = this.state.draft;
    const [piece, target] = drafted;
    const targets = piece ? this.#usually([piece]).next : [];
    switch (choice({ pieces: this.#usually([]).next, targets }, drafted, cell)) {
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
      case 'none': {
        const { cells, cols, awaiting } = this.#shown;
        const own = seatOf(cells[cell[0] * cols + cell[1]]) === awaiting[0];
        const why = own ? 'This piece has nowhere to go.' : sentence(this.#usually([piece ?? cell, cell]).why_not);
        return this.#live.dispatch({ type: 'why', why });
      }
    }
  }

  #sendDraft() {
    if (phaseOf(this.state) !== 'yours') return;
    const call = this.#call();
    const { legal, why_not: whyNot, action, next } = this.#check(call);
    if (legal && action !== null) return this.#live.send(action);
    // While cells can be added, how many are missing says more than the rule.
    const missing = next.length > 0 ? (this.#tool.input === 'cells' ? this.#tool.most : this.#tool.least) - call.cells.length : 0;
    this.#live.dispatch({ type: 'why', why: missing > 0 ? '' : sentence(whyNot), missing });
  }
}

await openRoom((engine) => new RoomPage(engine));
