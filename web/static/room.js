// The page of a live room: asks the engine, keeps the state, talks to the room.

/** @import { Action, Draft, Engine, Pair, Position, Preview } from './engine.js' */
/** @import { Scene } from './paint.js' */
/** @import { Event } from './room-state.js' */

import { cellsOf, decodeAction } from './actions.js';
import { Board, wait } from './board.js';
import { listen, stepped } from './board-input.js';
import { cellName, describeCell, sentence } from './describe.js';
import { EngineError, loadEngine } from './engine.js';
import { ENGINE_URL, byId, layZones, write, writeOrHide } from './page.js';
import { marksOf, playTurn } from './play-turn.js';
import { offerLink, offerResignation, wakeWithPage } from './room-parts.js';
import { INITIAL, drafted, phaseOf, reduce } from './room-state.js';
import { render, showConnection } from './room-view.js';
import { guidedAtFirst, rememberGuided } from './settings.js';
import { Transport, sequence, socketUrl } from './transport.js';

const room = byId('room');
const canvas = /** @type {HTMLCanvasElement} */ (byId('board'));
const guided = /** @type {HTMLInputElement} */ (byId('guided'));

class RoomPage {
  state = INITIAL;
  /** @type {Position[]} by ply, as far as they were asked for */
  #positions = [];
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
    this.rules = engine.rules();
    this.#cursor = [Math.floor(this.rules.rows / 2), Math.floor(this.rules.cols / 2)];
    this.board = new Board(canvas, this.rules);
    this.#transport = new Transport({
      url: socketUrl(`/api/v1/rooms/${room.dataset.room}/socket`, location),
      hear: (message) => this.dispatch(message),
      connected: (open) => this.dispatch({ type: 'connection', open }),
    });
    layZones(this.rules);
    this.#listen();
    this.dispatch({ type: 'ready' });
    this.#transport.connect();
  }

  /** @param {Event} event */
  dispatch(event) {
    const before = this.state.latest;
    this.state = reduce(this.state, event);
    if (this.state.latest !== before) {
      if (this.state.latest?.options !== before?.options) this.#positions = [];
      this.#compare();
      this.#catchUp();
    }
    this.#show();
  }

  /** @param {number} ply @returns {Position} */
  #position(ply) {
    const { latest } = this.state;
    if (latest === null) throw new Error('nothing is known of the room yet');
    return (this.#positions[ply] ??= this.engine.state(latest.options, latest.plays.slice(0, ply).map(({ action }) => action)));
  }

  /** Whether the rules in this page and the server agree on the board. */
  #compare() {
    const { latest, fault } = this.state;
    if (latest === null || fault !== '') return;
    try {
      if (this.#position(latest.plays.length).board === latest.game.board) return;
      this.state = { ...this.state, fault: 'The board of the server is not the one that these turns lead to. Please report this room.' };
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
      const action = decodeAction(latest?.plays[shown].action ?? '');
      const before = this.#position(shown);
      const after = this.#position(shown + 1);
      if (action === null) this.board.show({ board: after.board });
      else await playTurn(this.board, { preview: this.engine.preview(before, action), action, after });
      await wait(60);
      this.state = reduce(this.state, { type: 'shown' });
      this.#show();
    }
    this.#animating = false;
    this.#show();
  }

  /** What the engine says of the cells placed so far. @param {Pair[]} [more] @returns {Draft} */
  #check(more = []) {
    return this.engine.checkDraft(this.#position(this.state.shown), [...this.state.draft.cells, ...more]);
  }

  #show() {
    const { state } = this;
    const phase = phaseOf(state);
    if (phase === 'loading') {
      room.dataset.phase = phase;
      showConnection(state);
      writeOrHide('trouble', state.fault);
      if (state.gone) write('status', state.why);
      return;
    }
    const position = this.#position(state.shown);
    const check = phase === 'yours' ? this.#check() : null;
    const action = drafted(state);
    const preview = action && phase !== 'animating' && phase !== 'over' ? this.engine.preview(position, action) : null;
    const complete = phase === 'yours' && (preview?.turn.legal ?? false);
    render({ state, phase, position, check, preview: guided.checked ? preview : null, complete, rules: this.rules });
    if (check) canvas.dataset.placeable = check.placeable;
    else delete canvas.dataset.placeable;
    canvas.dataset.cursor = cellName(this.#cursor);
    if (phase === 'animating') return;
    const scene = this.#scene(position, check, preview);
    this.board.show(scene);
    if (this.#moved) write('cell', describeCell(this.#cursor, scene));
  }

  /** @param {Position} position @param {Draft | null} check @param {Preview | null} preview @returns {Scene} */
  #scene(position, check, preview) {
    const { state } = this;
    const { latest, shown, draft, mode } = state;
    const whole = draft.whole;
    const play = shown > 0 ? latest?.plays[shown - 1] : undefined;
    const bombs = mode === 'bomb';
    return {
      board: preview && !whole ? preview.before : whole || bombs ? position.board : (check?.board ?? position.board),
      placeable: check && !bombs && !whole ? check.placeable : undefined,
      placed: whole || bombs ? [] : draft.cells,
      bomb: whole?.kind === 'bomb' ? whole.centre : null,
      births: guided.checked ? preview?.births : [],
      deaths: [...(preview?.cleared ?? []), ...(guided.checked ? (preview?.deaths ?? []) : [])],
      ...marksOf(decodeAction(play?.action ?? '')),
      outlines: this.#outlines(check),
    };
  }

  /** @param {Draft | null} check @returns {Scene['outlines']} */
  #outlines(check) {
    const focused = document.activeElement === canvas || this.#nudged;
    const cells = [this.#hover, focused ? this.#cursor : null].filter((cell) => cell !== null);
    return cells.map((cell) => {
      if (check === null) return { cell, look: 'plain' };
      if (this.state.mode === 'bomb') return { cell, look: 'bomb' };
      if (cellsOf(drafted(this.state)).some((placed) => cellName(placed) === cellName(cell))) return { cell, look: 'plain' };
      return { cell, look: check.placeable.split('/')[cell[0]][cell[1]] === 'x' ? 'legal' : 'illegal' };
    });
  }

  #listen() {
    listen(this.board, {
      tap: (cell) => (this.#moveTo(cell), this.#act(cell)),
      hover: (cell) => {
        if (String(cell) === String(this.#hover)) return;
        this.#hover = cell;
        this.#show();
      },
      key: (meaning) => this.#key(meaning),
      focus: () => this.#show(),
    });
    for (const id of ['send', 'undo', 'clear', 'bomb', 'skip', 'pass']) {
      byId(id).addEventListener('click', () => {
        const byKeyboard = byId(id).matches(':focus-visible');
        this.#key(id);
        // A target is chosen on the board; and a button that can no longer be pressed would swallow the next keys.
        const spent = byId(id).hidden || byId(id).matches(':disabled');
        if (byKeyboard && (spent || this.state.mode === 'bomb')) canvas.focus({ preventScroll: true });
      });
    }
    byId('nudge').addEventListener('click', ({ target }) => {
      const key = target instanceof HTMLElement ? target.dataset.key : undefined;
      if (key === undefined) return;
      this.#nudged = true;
      this.#key(key);
    });
    guided.checked = guidedAtFirst(location.search);
    guided.addEventListener('change', () => (rememberGuided(guided.checked), this.#show()));
    offerResignation(() => this.#send(null));
    offerLink();
    wakeWithPage(this.#transport);
  }

  /** @param {string} meaning */
  #key(meaning) {
    const to = stepped(this.#cursor, meaning, this.rules);
    if (to) return this.#moveTo(to);
    const { mode } = this.state;
    switch (meaning) {
      case 'act':
        return this.#act(this.#cursor);
      case 'undo':
      case 'clear':
        return this.dispatch({ type: meaning });
      case 'bomb':
        return mode === 'bomb' ? this.dispatch({ type: 'mode', mode: 'place' }) : this.#whenLegal('bomb', { type: 'mode', mode: 'bomb' });
      case 'leave':
        return mode === 'bomb' ? this.dispatch({ type: 'mode', mode: 'place' }) : undefined;
      case 'skip':
      case 'pass':
        return this.#whenLegal(meaning, { type: 'whole', action: { kind: meaning } });
      case 'send':
        return this.#sendDraft();
    }
  }

  /** @param {'bomb' | 'skip' | 'pass'} what @param {Event} event */
  #whenLegal(what, event) {
    if (phaseOf(this.state) !== 'yours') return;
    const { legal, why_not } = this.#position(this.state.shown)[what];
    this.dispatch(legal ? event : { type: 'why', why: sentence(why_not) });
  }

  /** @param {Pair} cell */
  #moveTo(cell) {
    this.#cursor = cell;
    if (phaseOf(this.state) === 'loading') return;
    this.#moved = true;
    // When the turn is full no cell can be the next, which is not worth saying at each.
    const full = phaseOf(this.state) === 'yours' && this.#check().placements_left === 0;
    this.dispatch({ type: 'why', why: full ? '' : this.#whyNot(cell) });
  }

  /** Why a cell cannot be the next; empty when it can, or when it is not the page's turn. @param {Pair} cell */
  #whyNot(cell) {
    if (phaseOf(this.state) !== 'yours' || this.state.mode === 'bomb') return '';
    return sentence(this.#check([cell]).cells.at(-1)?.why_not ?? null);
  }

  /** Places a cell, or aims the bomb. @param {Pair} cell */
  #act(cell) {
    if (phaseOf(this.state) !== 'yours') return;
    if (this.state.mode === 'bomb') return this.dispatch({ type: 'whole', action: { kind: 'bomb', centre: cell } });
    const whyNot = this.#whyNot(cell);
    this.dispatch(whyNot === '' ? { type: 'place', cell } : { type: 'why', why: whyNot });
  }

  #sendDraft() {
    if (phaseOf(this.state) !== 'yours') return;
    const action = drafted(this.state);
    const missing = this.state.mode === 'place' && !this.state.draft.whole ? this.#check().placements_left : 0;
    if (action === null) return this.dispatch({ type: 'why', why: missing > 0 ? '' : 'Choose where the bomb falls first.', missing });
    const { turn } = this.engine.preview(this.#position(this.state.shown), action);
    if (!turn.legal) return this.dispatch({ type: 'why', why: sentence(turn.why_not), missing });
    this.#send(action);
  }

  /** @param {Action | null} action null is a resignation */
  #send(action) {
    const ply = this.state.latest?.ply;
    if (ply === undefined || phaseOf(this.state) !== 'yours') return;
    const client_seq = action === null ? null : this.#next();
    this.dispatch({ type: 'sent', client_seq });
    if (action === null || client_seq === null) this.#transport.send({ type: 'resign', ply });
    else this.#transport.send({ type: 'turn', ply, client_seq, action: this.engine.encodeAction(action) });
  }
}

try {
  new RoomPage(await loadEngine(ENGINE_URL));
} catch (error) {
  write('status', 'The rules could not be loaded.');
  writeOrHide('trouble', `This page needs WebAssembly: ${error instanceof Error ? error.message : error}`);
}
