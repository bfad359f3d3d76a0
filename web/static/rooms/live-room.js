// The live part of a room's page: its state, the messages to and from the room, the animation of plies, and the cell
// under the cursor or pointer. room.js decides what the board shows and what inputs mean.

/** @import { Engine, Pair, Position } from '../rules/engine.js' */
/** @import { Board } from '../board/board.js' */
/** @import { Played } from '../board/words.js' */
/** @import { Event, Message, RoomState, State } from './state.js' */
/** @import { Command } from '../net/transport.js' */

import { wakeWithPage } from '../net/transport.js';
import { notify } from './bar.js';
import { listen, stepped } from '../board/input.js';
import { EngineError, loadEngine } from '../rules/engine.js';
import { reasonOf } from '../board/words.js';
import { loadFont } from '../page/font.js';
import { byId, copy, moduleUrl, write, writeOrHide } from '../page/page.js';
import { inThisPage } from './practice.js';
import { INITIAL, gameOf, phaseOf, reduce, sequence } from './state.js';
import { onTheServer } from './server-room.js';
import { scriptPageGameNotShown, scriptPageRulesNotLoaded } from '../text/en/script-page.js';
import * as rooms from '../text/en/script-rooms.js';

export const room = byId('room');
export const canvas = /** @type {HTMLCanvasElement} */ (byId('board'));

/**
 * What the page does in a room.
 * @typedef {object} Page
 * @property {Engine} engine
 * @property {(position: Position) => void} follow takes the room's current position
 * @property {(ply: number) => void} forget forgets plies above this one after turns were taken back
 * @property {(ply: number) => Promise<void>} play animates a ply
 * @property {() => void} show shows the state, once the game is known
 * @property {(meaning: string) => void} press handles the meaning of a key or button
 * @property {(cell: Pair) => void} act handles a tap on a cell
 * @property {(cell: Pair) => string} whyNot why the cell pointed at cannot be used; mostly empty
 */

/**
 * A page's connection to a room.
 * @typedef {object} Talk
 * @property {() => void} connect
 * @property {() => void} [begin] starts passing on messages, including those that came before the page was ready
 * @property {() => void} wake
 * @property {(command: Command) => void} send
 * @property {(state: State) => void} [show] shows what a room has besides its game
 * @property {string} [kind] how messages are sent and received
 * @property {(cell: Pair) => boolean} [take] takes a cell pointed at while the board is being edited, and returns
 *   whether it did
 * @typedef {{hear: (message: Message) => void, connected: (open: boolean) => void}} Ears
 * @typedef {(ears: Ears) => Talk} Wire
 */

export class LiveRoom {
  state = INITIAL;
  /** Whether the rules in this page can no longer follow the room. */
  lost = false;
  /** @type {Pair} */
  cursor = [0, 0];
  /** @type {Pair | null} */
  hover = null;
  /** Whether the cursor was ever moved; until then its place is not announced. */
  moved = false;
  /** @type {Played[][]} by ply, as far as they were requested */
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

  /** Starts the connection to the room; the page is ready for its messages. */
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

  /** Shows the state, once the page can show it. */
  show() {
    const { state } = this;
    this.#talk.show?.(state);
    this.#showConnection();
    if (phaseOf(state) !== 'loading' && !this.lost) return this.#page.show();
    room.dataset.phase = 'loading';
    writeOrHide('trouble', state.fault);
    if (state.gone) write('status', state.why);
  }

  #showConnection() {
    const { connected, gone, latest } = this.state;
    room.dataset.connection = connected ? 'open' : 'closed';
    if (gone)
      return notify('offline', { words: rooms.scriptRoomsRoomGone(), choices: [{ text: rooms.scriptRoomsToLobby(), href: '/lobby' }] });
    // Before the first state, no connection has been lost.
    if (connected || latest === null) return notify('offline', null);
    const words = rooms.scriptRoomsReconnecting();
    notify('offline', { words, choices: [{ text: rooms.scriptRoomsTryNow(), act: () => this.#talk.wake(), stays: true }] });
  }

  /** The answers of a ply in seat order; empty until the ply is over. @param {number} ply @returns {Played[]} */
  played(ply) {
    const { latest } = this.state;
    const plays = latest?.turns[ply];
    if (!latest || !plays) return [];
    const described = () => {
      const told = this.#page.engine.describe(
        latest.ruleset,
        plays.map(({ action }) => action),
      );
      return plays.map(({ seat }, at) => ({ ...(told[at] ?? { calls: [] }), seat }));
    };
    return (this.#plays[ply] ??= described());
  }

  /** Reports that this page can no longer show the room. @param {string} fault */
  fail(fault) {
    this.state = reduce(this.state, { type: 'fault', fault });
  }

  /**
   * Checks that the rules in this page lead to the server's digest, and takes the position.
   * @param {RoomState} latest
   */
  #follow(latest) {
    try {
      const position = this.#page.engine.position(gameOf(latest));
      if (position.digest !== latest.digest) this.fail(rooms.scriptRoomsPositionDiffers());
      this.#page.follow(position);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.lost = true;
      this.fail(rooms.scriptRoomsTurnsRefused({ why: reasonOf(error) }));
    }
  }

  /** Animates the plies that have not been shown yet, one after the other. */
  async #catchUp() {
    if (this.#animating || this.lost) return;
    this.#animating = true;
    while (phaseOf(this.state) === 'animating') {
      await this.#page.play(this.state.shown);
      this.state = reduce(this.state, { type: 'shown' });
      this.show();
    }
    this.#animating = false;
  }

  /** @param {Pair} cell */
  #act(cell) {
    if (!this.#talk.take?.(cell)) this.#page.act(cell);
  }

  /** Whether the board's cursor is in use, by keys or by the buttons that replace them. */
  get focused() {
    return document.activeElement === canvas || this.#nudged;
  }

  /**
   * Listens to the board, to buttons, and to buttons that replace keys.
   * @param {Board} board
   * @param {ReadonlyMap<HTMLButtonElement, string>} buttons with their meanings
   * @param {ReadonlyMap<string, string>} keys the meanings of letters in this game
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
        // A tool's target is chosen on the board; and a button that is hidden or disabled would swallow the next keys.
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

  /** Sends an answer for the seat whose turn it is. @param {string | null} action as hex; null is a resignation */
  send(action) {
    const ply = this.state.latest?.ply;
    const phase = phaseOf(this.state);
    // In games between people, one may resign while the other thinks.
    if (action === null && phase === 'waiting' && ply !== undefined) return this.#talk.send({ type: 'resign', ply });
    if (ply === undefined || phase !== 'yours') return;
    const client_seq = action === null ? null : this.#next();
    this.dispatch({ type: 'sent', client_seq });
    if (action === null || client_seq === null) this.#talk.send({ type: 'resign', ply });
    else this.#talk.send({ type: 'turn', ply, client_seq, action });
  }
}

/**
 * Connects at once, so that on a slow line the room's first messages load together with the rules. Messages are held
 * back until the page is ready.
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
 * Opens a page once the rules are loaded.
 * @param {(engine: Engine, wire: Wire) => {open(): void}} page
 */
export async function openRoom(page) {
  try {
    const rules = loadEngine(moduleUrl('engine'));
    // A page without a room on the server is a practice page.
    const server = room.dataset.room ? ahead(onTheServer) : null;
    const engine = await rules;
    page(engine, server ?? (await inThisPage(engine))).open();
    loadFont();
  } catch (error) {
    write('status', scriptPageGameNotShown());
    writeOrHide('trouble', scriptPageRulesNotLoaded({ why: error instanceof Error ? error.message : error }));
  }
}

/** @param {() => void} resign called after confirmation */
function offerResignation(resign) {
  const button = /** @type {HTMLButtonElement} */ (byId('resign'));
  const asked = (/** @type {boolean} */ sure) => {
    button.textContent = sure ? rooms.scriptRoomsResignSure() : rooms.scriptRoomsResign();
    button.classList.toggle('danger', sure);
    byId('resign-not').hidden = !sure;
  };
  button.addEventListener('click', ({ detail }) => {
    // The second half of a double click does not confirm.
    if (detail > 1) return;
    if (byId('resign-not').hidden) return asked(true);
    asked(false);
    resign();
  });
  byId('resign-not').addEventListener('click', () => asked(false));
}

/** Offers the room's address for copying. */
function offerLink() {
  const link = /** @type {HTMLInputElement} */ (byId('room-link'));
  const button = /** @type {HTMLButtonElement} */ (byId('copy'));
  link.value = location.origin + location.pathname + (room.dataset.room ? '' : location.search);
  button.addEventListener('click', () => copy(link.value, button, link));
}
