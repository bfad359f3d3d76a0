// What is live about a room's page: the state, the talk with the room, the plies shown one after the other, and the cell that is
// pointed at. What is on the board and what an input means is room.js.

/** @import { Engine, Pair, Position } from './engine.js' */
/** @import { Board } from './board.js' */
/** @import { Played } from './words.js' */
/** @import { Event, RoomState, State } from './room-state.js' */
/** @import { Command } from './transport.js' */

import { listen, stepped } from './board-input.js';
import { EngineError, loadEngine } from './engine.js';
import { byId, copy, moduleUrl, write, writeOrHide } from './page.js';
import { inThisPage } from './practice.js';
import { INITIAL, gameOf, phaseOf, reduce, sequence } from './room-state.js';
import { showConnection } from './room-view.js';
import { say } from './say.js';
import { onTheServer } from './server-room.js';

export const room = byId('room');
export const canvas = /** @type {HTMLCanvasElement} */ (byId('board'));

/**
 * What the page does in a room.
 * @typedef {object} Page
 * @property {Engine} engine
 * @property {(position: Position) => void} follow takes the position that the room is in now
 * @property {(ply: number) => void} forget forgets plies above this one, which were taken back
 * @property {(ply: number) => Promise<void>} play shows what was played in a ply
 * @property {() => void} show shows the state, once something is known of the game
 * @property {(meaning: string) => void} press does what a key or a button means
 * @property {(cell: Pair) => void} act does what a tap on a cell means
 * @property {(cell: Pair) => string} whyNot what is to be said of a cell that is pointed at; mostly nothing
 */

/**
 * What a page talks to a room by.
 * @typedef {object} Talk
 * @property {() => void} connect
 * @property {() => void} [begin] lets the page hear what came before it was there
 * @property {() => void} wake
 * @property {(command: Command) => void} send
 * @property {(state: State) => void} [show] shows what a room has besides its game
 * @property {string} [kind] how the room is talked to
 * @property {(cell: Pair) => boolean} [take] whether it takes a cell that is pointed at, because its board is being laid
 * @typedef {{hear: (message: any) => void, connected: (open: boolean) => void}} Ears
 * @typedef {(ears: Ears) => Talk} Wire
 */

export class LiveRoom {
  state = INITIAL;
  /** Whether the rules in this page cannot follow the room any more. */
  lost = false;
  /** @type {Pair} */
  cursor = [0, 0];
  /** @type {Pair | null} */
  hover = null;
  /** Whether the cursor was ever moved: before that nobody needs to hear where it is. */
  moved = false;
  /** @type {Played[][]} by ply, as far as they were asked for */
  #plays = [];
  #nudged = false;
  #animating = false;
  #next = sequence(Math.random());
  /** @type {Page} */
  #page;
  #talk;

  /** @param {Page} page @param {Wire} wire */
  constructor(page, wire) {
    this.#page = page;
    this.#talk = wire({
      hear: (message) => this.dispatch(message),
      connected: (open) => {
        room.dataset.transport = this.#talk.kind ?? '';
        this.dispatch({ type: 'connection', open });
      },
    });
  }

  /** Begins the talk with the room: the page is ready for it. */
  open() {
    offerResignation(() => this.send(null));
    offerLink();
    wakeWithPage(this.#talk);
    this.dispatch({ type: 'ready' });
    this.#talk.begin?.();
    this.#talk.connect();
  }

  /** @param {Event} event */
  dispatch(event) {
    const before = this.state.latest;
    this.state = reduce(this.state, event);
    const taken = before !== null && this.state.latest !== null && this.state.latest.turns.length < before.turns.length;
    const laid = before !== null && this.state.latest !== null && this.state.latest.from !== before.from;
    if (taken || laid) {
      const kept = laid ? -1 : this.state.shown;
      this.#plays.length = Math.min(this.#plays.length, Math.max(0, kept));
      this.#page.forget(kept);
    }
    if (this.state.latest !== null && this.state.latest !== before) {
      this.#follow(this.state.latest);
      this.#catchUp();
    }
    this.show();
  }

  /** Shows the state: by the page, once there is something that it can show. */
  show() {
    const { state } = this;
    this.#talk.show?.(state);
    if (phaseOf(state) !== 'loading' && !this.lost) return this.#page.show();
    room.dataset.phase = 'loading';
    showConnection(state);
    writeOrHide('trouble', state.fault);
    if (state.gone) write('status', state.why);
  }

  /** What was played in a ply, in seat order; nothing before it is over. @param {number} ply @returns {Played[]} */
  played(ply) {
    const { latest } = this.state;
    const plays = latest?.turns[ply];
    if (!latest || !plays) return [];
    const described = () => {
      const told = this.#page.engine.describe(latest.ruleset, plays.map(({ action }) => action));
      return plays.map(({ seat }, at) => ({ ...(told[at] ?? { calls: [], words: 'plays' }), seat }));
    };
    return (this.#plays[ply] ??= described());
  }

  /** Something is wrong with this page's view of the room. @param {string} fault */
  fail(fault) {
    this.state = { ...this.state, fault };
  }

  /** Whether the rules in this page lead where they do on the server. @param {RoomState} latest */
  #follow(latest) {
    try {
      const position = this.#page.engine.position(gameOf(latest));
      if (position.digest !== latest.digest) this.fail(say('These turns do not lead to the server’s position. Please report this room.'));
      this.#page.follow(position);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.lost = true;
      this.fail(say('The rules in this page refuse what was played: {0}. Reload the page.', error.message));
    }
  }

  /** Shows the plies that were played and not yet shown, one after the other. */
  async #catchUp() {
    if (this.#animating || this.lost) return;
    this.#animating = true;
    while (phaseOf(this.state) === 'animating') {
      await this.#page.play(this.state.shown);
      this.state = reduce(this.state, { type: 'shown' });
      this.show();
    }
    this.#animating = false;
    this.show();
  }

  /** @param {Pair} cell */
  #act(cell) {
    if (!this.#talk.take?.(cell)) this.#page.act(cell);
  }

  /** Whether the cursor is in use, by keys or by the buttons that stand for them. */
  get focused() {
    return document.activeElement === canvas || this.#nudged;
  }

  /**
   * Listens to the board, to buttons, and to those that stand for keys.
   * @param {Board} board
   * @param {ReadonlyMap<HTMLButtonElement, string>} buttons and what each means
   * @param {ReadonlyMap<string, string>} keys what letters mean in this game
   */
  listen(board, buttons, keys) {
    const key = (/** @type {string} */ meaning) => {
      const to = stepped(this.cursor, meaning, board.size);
      if (to) return this.#moveTo(to);
      if (meaning === 'act') return this.#act(this.cursor);
      this.#page.press(meaning);
    };
    listen(board, keys, {
      tap: (cell) => (this.#moveTo(cell), this.#act(cell)),
      hover: (cell) => {
        if (String(cell) === String(this.hover)) return;
        this.hover = cell;
        this.show();
      },
      key,
      focus: () => this.show(),
    });
    for (const [button, meaning] of buttons) {
      button.addEventListener('click', () => {
        const byKeyboard = button.matches(':focus-visible');
        this.#page.press(meaning);
        // A target is chosen on the board; and a button that can no longer be pressed would swallow the next keys.
        const spent = button.hidden || button.matches(':disabled');
        if (byKeyboard && (spent || this.state.tool !== null)) canvas.focus({ preventScroll: true });
      });
    }
    byId('nudge').addEventListener('click', ({ target }) => {
      const meaning = target instanceof HTMLElement ? target.dataset.key : undefined;
      if (meaning === undefined) return;
      this.#nudged = true;
      key(meaning);
    });
  }

  /** @param {Pair} cell */
  #moveTo(cell) {
    this.cursor = cell;
    if (phaseOf(this.state) === 'loading') return;
    this.moved = true;
    this.dispatch({ type: 'why', why: this.#page.whyNot(cell) });
  }

  /** Sends the turn of who has it. @param {string | null} action as hex; null is a resignation */
  send(action) {
    const ply = this.state.latest?.ply;
    const phase = phaseOf(this.state);
    // Among people one may give up while the other thinks.
    if (action === null && phase === 'waiting' && ply !== undefined) return this.#talk.send({ type: 'resign', ply });
    if (ply === undefined || phase !== 'yours') return;
    const client_seq = action === null ? null : this.#next();
    this.dispatch({ type: 'sent', client_seq });
    if (action === null || client_seq === null) this.#talk.send({ type: 'resign', ply });
    else this.#talk.send({ type: 'turn', ply, client_seq, action });
  }
}

/**
 * Begins to talk at once: a slow line brings the room's first words together with the rules. What is said before the page is there waits
 * for it.
 * @param {Wire} wire
 * @returns {Wire}
 */
function ahead(wire) {
  /** @type {((ears: Ears) => void)[]} */
  let waiting = [];
  /** @type {Ears | null} */
  let listening = null;
  const tell = (/** @type {(ears: Ears) => void} */ said) => (listening === null ? void waiting.push(said) : said(listening));
  const talk = wire({ hear: (message) => tell((ears) => ears.hear(message)), connected: (open) => tell((ears) => ears.connected(open)) });
  talk.connect();
  return (ears) => {
    const begin = () => {
      listening = ears;
      for (const said of waiting) said(ears);
      waiting = [];
    };
    return Object.assign(talk, { begin });
  };
}

/**
 * Opens a page as soon as the rules are there.
 * @param {(engine: Engine, wire: Wire) => {open(): void}} page
 */
export async function openRoom(page) {
  try {
    const rules = loadEngine(moduleUrl('engine'));
    // A page without a room on the server is one for practice.
    const server = room.dataset.room ? ahead(onTheServer) : null;
    const engine = await rules;
    page(engine, server ?? (await inThisPage(engine))).open();
  } catch (error) {
    write('status', say('The rules could not be loaded.'));
    writeOrHide('trouble', say('This page needs WebAssembly: {0}', error instanceof Error ? error.message : error));
  }
}

/** @param {() => void} resign is called once it was asked for twice */
function offerResignation(resign) {
  const button = /** @type {HTMLButtonElement} */ (byId('resign'));
  const asked = (/** @type {boolean} */ sure) => {
    button.textContent = sure ? say('Yes, resign') : say('Resign');
    button.classList.toggle('danger', sure);
    byId('resign-not').hidden = !sure;
  };
  button.addEventListener('click', ({ detail }) => {
    // The second half of a double click is no answer.
    if (detail > 1) return;
    if (byId('resign-not').hidden) return asked(true);
    asked(false);
    resign();
  });
  byId('resign-not').addEventListener('click', () => asked(false));
}

/** The room's address, to be copied. */
function offerLink() {
  const link = /** @type {HTMLInputElement} */ (byId('room-link'));
  const button = /** @type {HTMLButtonElement} */ (byId('copy'));
  link.value = location.origin + location.pathname + (room.dataset.room ? '' : location.search);
  button.addEventListener('click', () => copy(link.value, button, link));
}

/** Connects again as soon as somebody looks at the page. @param {Talk} transport */
function wakeWithPage(transport) {
  addEventListener('online', () => transport.wake());
  document.addEventListener('visibilitychange', () => document.hidden || transport.wake());
}
