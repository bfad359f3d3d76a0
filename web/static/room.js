// The page of a live room, for all games: decides what the board shows and what inputs mean, by asking the engine. It
// knows a game only by its tools, never by its name.

/** @import { Call, Engine, Pair, Position } from './rules/engine.js' */
/** @import { Wire } from './rooms/live-room.js' */
/** @import { Outline, Scene } from './board/paint.js' */

import { Board, wait } from './board/board.js';
import { LiveRoom, canvas, openRoom } from './rooms/live-room.js';
import { byId, layBoard, write } from './page/page.js';
import { turnChanges } from './board/picture.js';
import { choice, same } from './board/piece.js';
import { markedScene, marksOf, playTurn } from './board/play-turn.js';
import { phaseOf } from './rooms/state.js';
import { render } from './rooms/view.js';
import { Scoreboard } from './board/scoreboard.js';
import { seatOf } from './board/seats.js';
import { guidedAtFirst, rememberGuided } from './page/settings.js';
import { layTools, toolKeys } from './rooms/tools.js';
import { TurnMaking } from './rooms/turn-making.js';
import { Voice } from './rooms/voice.js';
import { cellName, phrased, seatLabel, sentence } from './board/words.js';
import {
  scriptBoardEmpty,
  scriptBoardIsChosen,
  scriptBoardIsOpen,
  scriptBoardMayGoThere,
  scriptBoardNoWayForPiece,
  scriptBoardPlacedAs,
} from './text/en/script-board.js';

/** How long a ply is animated, and the pause after it, in milliseconds. */
const PLY_MS = 600;
const AFTER_PLY_MS = 60;

const guided = /** @type {HTMLInputElement} */ (byId('guided'));

class RoomPage {
  #live;
  #turn;
  /** @type {Board | null} created when the game is known */
  #board = null;
  /** @type {Scoreboard | null} */
  #scoreboard = null;
  /** @type {HTMLButtonElement[]} of all tools except the usual */
  #buttons = [];
  #voice = new Voice();

  /** @param {Engine} engine @param {Wire} wire */
  constructor(engine, wire) {
    this.engine = engine;
    this.#live = new LiveRoom(this, wire);
    this.#turn = new TurnMaking(engine, () => this.state);
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

  /** Takes a position; the first one lays out the page. @param {Position} position */
  follow(position) {
    this.#turn.know(position);
    if (this.#board !== null) return;
    const { rows, cols, tools } = position;
    layBoard(position);
    this.#board = new Board(canvas, position);
    this.#scoreboard = new Scoreboard(position);
    this.#buttons = layTools(tools);
    // If one call is a whole turn, its result is always previewed.
    byId('guided-line').hidden = !tools.some(({ input }) => input === 'cells');
    this.#live.cursor = [Math.floor(rows / 2), Math.floor(cols / 2)];
    const fixed = ['send', 'undo', 'clear'].map((id) => /** @type {const} */ ([/** @type {HTMLButtonElement} */ (byId(id)), id]));
    const own = this.#buttons.map((button) => /** @type {const} */ ([button, `tool ${button.dataset.tool}`]));
    const keys = [...toolKeys(tools)].map(([letter, name]) => /** @type {const} */ ([letter, `tool ${name}`]));
    this.#live.listen(this.#board, new Map([...fixed, ...own]), new Map(keys));
  }

  /** @param {number} ply */
  forget(ply) {
    this.#turn.forget(ply);
  }

  /** The cell under the pointer or cursor. */
  #pointed() {
    const { hover, cursor, focused } = this.#live;
    return hover ?? (focused ? cursor : null);
  }

  /** @param {number} ply */
  async play(ply) {
    const plays = this.#live.played(ply);
    const [now, after] = [this.#turn.position(ply), this.#turn.position(ply + 1)];
    if (plays.length > 0) this.#voice.played(ply, plays, (ply) => this.#turn.position(ply));
    if (plays.length > 0 && this.#board) {
      // A turn of several seats has no stage of its own before the generation.
      const before = plays.length === 1 ? this.#turn.checkAt(ply, plays[0].seat, plays[0].calls).before : null;
      const calls = plays.flatMap(({ calls }) => calls);
      await playTurn(this.#board, { now: now.cells, stage: before?.cells ?? null, after: after.cells, calls }, now.tools, PLY_MS);
    }
    await wait(AFTER_PLY_MS);
  }

  show() {
    const { state } = this;
    const phase = phaseOf(state);
    // The rules know nothing of an agreed draw: their position still awaits answers. What was left of the tools does
    // not matter any more.
    const position = phase === 'over' ? { ...this.#turn.shown, awaiting: [], open: [], limits: [] } : this.#turn.shown;
    const yours = phase === 'yours';
    const making = yours || phase === 'sending';
    const call = making ? this.#turn.call() : null;
    const check = call && this.#turn.check(call);
    const looked = making ? this.#turn.looked(this.#pointed()) : null;
    const seen = looked && this.#turn.check(looked);
    const coming = seen?.after
      ? { changes: turnChanges(position.cells, seen.before?.cells ?? null, seen.after.cells, position.cols), tally: seen.after.tally }
      : null;
    const previewed = guided.checked || byId('guided-line').hidden ? coming : null;
    const [last, next] = [this.#live.played(state.shown - 1), this.#live.played(state.shown)];
    const possible = yours ? position.tools.filter((tool) => this.#turn.possible(tool)) : [];
    render({ state, phase, position, last, next, call, check, possible, coming: previewed, buttons: this.#buttons });
    // With simultaneous turns, seats that have yet to answer are marked once another has answered.
    const asked = phase === 'animating' ? position.awaiting : (state.latest?.awaiting ?? []);
    const moving = asked.length === 1 || asked.length < position.awaiting.length ? asked : [];
    this.#scoreboard?.show(position, position, new Set(state.latest?.forfeits.map(({ seat }) => seat)), moving);
    this.#voice.show({
      state,
      phase,
      call,
      coming: seen?.after && coming ? { changes: coming.changes, cells: seen.after.cells } : null,
      at: (ply) => this.#turn.position(ply),
    });
    canvas.dataset.cursor = cellName(this.#live.cursor);
    canvas.dataset.next = yours && check ? check.next.map(cellName).join(' ') : '';
    if (phase === 'animating') return;
    const scene = {
      // A tool that acts around its cell is aimed on the current board.
      cells: (this.#turn.tool.spread === 0 ? seen?.before?.cells : null) ?? position.cells,
      ...this.#marks(call, making),
      births: previewed?.changes.births ?? [],
      deaths: [...(coming?.changes.cleared ?? []), ...(previewed?.changes.deaths ?? [])],
      outlines: this.#outlines(yours ? call : null),
    };
    this.#board?.show(scene);
    if (this.#live.moved) write('cell', this.#cellWords(scene, yours));
  }

  /** The marks besides cells. @param {Call | null} call @param {boolean} making @returns {Partial<Scene>} */
  #marks(call, making) {
    const played = this.#live.played(this.state.shown - 1);
    const last = marksOf(
      played.flatMap(({ calls }) => calls),
      this.#turn.shown.tools,
    );
    if (!making || call === null) return { last };
    const { chosen = null, ...marked } = markedScene(call, this.#turn.shown.tools);
    const open =
      this.#turn.tool === this.#turn.usual && this.state.draft.whole === null
        ? this.#turn.usually(call.cells.slice(0, chosen ? 1 : undefined)).next
        : [];
    // A chosen piece's targets matter more than the marks of the last move; movable pieces show when they are pointed
    // at.
    if (chosen) return { chosen, targets: open, last: [] };
    return { ...marked, last, open: this.#turn.usual.input === 'piece' ? [] : open };
  }

  /** @param {Call | null} call being made @returns {Outline[]} */
  #outlines(call) {
    const { hover, cursor, focused } = this.#live;
    const target = this.#turn.usual.input === 'piece' ? (call?.cells[1] ?? null) : null;
    const cells = [hover, focused ? cursor : null, target].filter((cell) => cell !== null);
    if (call === null) return cells.map((cell) => ({ cell, look: 'plain' }));
    const tool = this.#turn.tool;
    if (tool.spread > 0) return cells.map((cell) => ({ cell, look: 'aim', spread: tool.spread }));
    const piece = tool.input === 'piece' && call.tool === tool.name;
    const open = piece
      ? [...this.#turn.usually([]).next, ...(call.cells.length > 0 ? this.#turn.usually(call.cells.slice(0, 1)).next : [])]
      : this.#turn.check(call).next;
    return cells.map((cell) => {
      if (!piece && call.cells.some((placed) => same(placed, cell))) return { cell, look: 'plain' };
      return { cell, look: open.some((one) => same(one, cell)) ? 'legal' : 'illegal' };
    });
  }

  /** Describes the cell under the cursor. @param {Scene} scene @param {boolean} yours */
  #cellWords({ cells, placed = [], open = [], targets = [], chosen = null }, yours) {
    const { cursor } = this.#live;
    const { cols, seat_names: seats } = this.#turn.shown;
    const seat = seatOf(cells[cursor[0] * cols + cursor[1]]);
    const order = placed.findIndex((cell) => same(cell, cursor)) + 1;
    const able = (/** @type {readonly Pair[]} */ list) => yours && list.some((cell) => same(cell, cursor));
    const more =
      order > 0
        ? scriptBoardPlacedAs({ number: order })
        : chosen && same(chosen, cursor)
          ? scriptBoardIsChosen()
          : able(targets)
            ? scriptBoardMayGoThere()
            : able(open)
              ? scriptBoardIsOpen()
              : '';
    return `${cellName(cursor)}: ${seat < 0 ? scriptBoardEmpty() : seatLabel(seat, seats)}${more}`;
  }

  /** @param {string} meaning */
  press(meaning) {
    switch (meaning) {
      case 'undo':
      case 'clear':
        return this.#live.dispatch({ type: meaning });
      case 'leave':
        if (this.state.tool !== null) return this.#live.dispatch({ type: 'tool', tool: null });
        return this.#turn.usual.input === 'piece' ? this.#live.dispatch({ type: 'clear' }) : undefined;
      case 'send':
        return this.#sendDraft();
      default:
        return this.#take(meaning.slice('tool '.length));
    }
  }

  /** Takes a tool in hand, or puts it away; a tool without cells is a turn at once. @param {string} name */
  #take(name) {
    if (phaseOf(this.state) !== 'yours') return;
    const tool = this.#turn.shown.tools.find((tool) => tool.name === name);
    if (!tool) return;
    if (this.state.tool === name) return this.#live.dispatch({ type: 'tool', tool: null });
    if (!this.#turn.possible(tool))
      return this.#live.dispatch({ type: 'why', why: sentence(phrased(this.#turn.check({ tool: name, cells: [] }).why_not)) });
    this.#live.dispatch(tool.input === 'nothing' ? { type: 'whole', call: { tool: name, cells: [] } } : { type: 'tool', tool: name });
  }

  /** Why a cell cannot be added next; empty where most cells cannot, or none can. @param {Pair} cell */
  whyNot(cell) {
    if (phaseOf(this.state) !== 'yours' || this.#turn.tool.input !== 'cells') return '';
    return this.#turn.call().cells.length >= this.#turn.tool.most ? '' : this.#turn.refusal(cell);
  }

  /** Uses the current tool on a cell. @param {Pair} cell */
  act(cell) {
    if (phaseOf(this.state) !== 'yours') return;
    if (this.#turn.tool !== this.#turn.usual) return this.#aim(cell);
    switch (this.#turn.usual.input) {
      case 'piece':
        return this.#actWithPiece(cell);
      case 'cells':
      case 'cell': {
        const { cells } = this.state.draft;
        if (cells.some((placed) => same(placed, cell))) return this.#live.dispatch({ type: 'cells', cells: this.#turn.without(cell) });
        // Tapping another cell once a turn is complete gets no error message.
        if (cells.length >= this.#turn.usual.most) return;
        const whyNot = this.#turn.refusal(cell);
        return this.#live.dispatch(whyNot === '' ? { type: 'place', cell } : { type: 'why', why: whyNot });
      }
    }
  }

  /** Gives a tool other than the usual its next cell, or the first one again if it has all. @param {Pair} cell */
  #aim(cell) {
    const { name, most } = this.#turn.tool;
    const given = this.state.draft.whole?.cells ?? [];
    this.#live.dispatch({ type: 'whole', call: { tool: name, cells: given.length < most ? [...given, cell] : [cell] } });
  }

  /** Chooses a piece or its target, or sends the move. @param {Pair} cell */
  #actWithPiece(cell) {
    const { cells: drafted } = this.state.draft;
    const [piece, target] = drafted;
    const targets = piece ? this.#turn.usually([piece]).next : [];
    switch (choice({ pieces: this.#turn.usually([]).next, targets }, drafted, cell)) {
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
        const { cells, cols } = this.#turn.shown;
        const own = seatOf(cells[cell[0] * cols + cell[1]]) === this.#turn.mover;
        const why = own ? scriptBoardNoWayForPiece() : sentence(phrased(this.#turn.usually([piece ?? cell, cell]).why_not));
        return this.#live.dispatch({ type: 'why', why });
      }
    }
  }

  #sendDraft() {
    if (phaseOf(this.state) !== 'yours') return;
    const call = this.#turn.call();
    const { legal, why_not: whyNot, action, next } = this.#turn.check(call);
    if (legal && action !== null) return this.#live.send(action);
    // While cells can be added, the number of missing cells says more than the rule.
    const missing =
      next.length > 0 ? (this.#turn.tool.input === 'cells' ? this.#turn.tool.most : this.#turn.tool.least) - call.cells.length : 0;
    this.#live.dispatch({ type: 'why', why: missing > 0 ? '' : sentence(phrased(whyNot)), missing });
  }
}

await openRoom((engine, wire) => new RoomPage(engine, wire));
