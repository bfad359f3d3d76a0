// A world's page in Node alone: its modules, its template and the module that steps it, and a site that answers as the
// server does.

import { readFileSync } from 'node:fs';
import { mock } from 'node:test';
import { phrasesBy } from '../../static/page/messages.js';
import * as life2 from '../../static/text/en/script-life2.js';
import { asked } from '../../static/worlds/alone.js';
import { GENERATION_MS } from '../../static/worlds/feed.js';
import { pointOf, wrapped } from '../../static/worlds/camera.js';
import { openDocument } from './document.mjs';
import * as setting from './setting.mjs';

/** @import { Spot } from '../../static/worlds/engine.js' */
/** @import { ServedWorld } from './world_log.mjs' */
/** @import { Element, Note } from './document.mjs' */

/** The sizes of the board and of the small map, in CSS pixels. */
export const SIZE = { width: 800, height: 600 };
export const SMALL = { width: 160, height: 160 };

/** Cells row by row. @param {readonly (readonly number[])[]} spots @returns {Spot[]} */
export const inOrder = (spots) => spots.map(([x, y]) => /** @type {Spot} */ ([x, y])).sort(([x, y], [col, row]) => y - row || x - col);

/** What the rules tell. */
const told = phrasesBy(life2);

/** Modules that run on import run once for each address. */
let pages = 0;

/** The socket of the page. */
class Socket extends EventTarget {
  static OPEN = 1;
  /** @type {Socket | null} */
  static last = null;
  /** @type {(call: any) => void} */
  static hears = () => {};
  readyState = 0;

  constructor() {
    super();
    Socket.last = this;
  }

  /** @param {string} text */
  send(text) {
    Socket.hears(JSON.parse(text));
  }

  close() {}
}

/** An open page. */
export class WorldPage {
  #now = 10_000;
  #page;
  #world;
  #account;

  /** @param {ReturnType<typeof openDocument>} page @param {ServedWorld} world @param {number | null} account */
  constructor(page, world, account) {
    [this.#page, this.#world, this.#account] = [page, world, account];
  }

  /** @param {string} id @returns {Element} */
  byId(id) {
    return this.#page.byId(id);
  }

  /** @param {string} id */
  text(id) {
    return this.byId(id).textContent;
  }

  /** The latest drawing calls of one kind. @param {string} name @param {string} [on] a canvas @returns {Note[]} */
  drawn(name, on = 'board') {
    return this.byId(on).notes.filter((note) => note.name === name);
  }

  /** The cells on which rectangles were drawn, row by row. @param {Note[]} notes @returns {Spot[]} */
  spots(notes) {
    const { side } = this.#world.look();
    const { x, y, scale } = this.camera;
    const cell = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ from) => wrapped(Math.floor(from + (at - size / 2) / scale + 0.25), side);
    return inOrder(notes.map(({ args: [left, top] }) => [cell(left, SIZE.width, x), cell(top, SIZE.height, y)]));
  }

  /** The camera's place. */
  get camera() {
    const { scale, middle } = this.byId('board').dataset;
    const [x, y] = middle.split(' ').map(Number);
    return { x, y, scale: Number(scale) };
  }

  /** Sends a message from the site. @param {object} message */
  hears(message) {
    Socket.last?.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }

  /** Answers a call as the site does, and sends the world's news. @param {any} call */
  answers(call) {
    const { type } = call;
    if (type === 'get_slots_info') return this.hears({ type: 'answer', what: type, answer: this.#world.snapshot().slots });
    if (this.#account === null) return;
    const done = this.#world.call(this.#account, asked(call));
    this.hears('why' in done ? { type: 'rejected', what: type, code: 'refused', message: told(done.why) } : { type: 'answer', what: type, ...done });
    this.hears(this.#world.news());
  }

  /** Runs the next animation frame. @param {number} [ms] since the one before */
  frame(ms = GENERATION_MS) {
    this.#page.frame((this.#now += ms));
    return this.#now;
  }

  /** Steps the world, and the page with it. @param {number} [generations] */
  goOn(generations = 1) {
    this.#world.step(generations);
    this.hears(this.#world.news());
    while (Number(this.byId('world').dataset.generation) < this.#world.generation) this.frame();
  }

  /** Presses a button, if a visitor could. @param {string} id */
  press(id) {
    const button = this.byId(id);
    if (!button.isShown || button.disabled) throw new Error(`#${id} cannot be pressed`);
    button.does('click');
    this.frame();
  }

  /** The position of a cell on the board. @param {Spot} spot */
  at(spot) {
    const corner = pointOf(this.camera, spot, SIZE, this.#world.look().side);
    // The camera's place is known to the nearest cell only.
    return { clientX: corner.x + this.camera.scale / 4, clientY: corner.y + this.camera.scale / 4 };
  }

  /** Chooses a cell. @param {Spot} spot */
  tap(spot) {
    const pointer = { pointerId: 1, pointerType: 'mouse', button: 0, ...this.at(spot) };
    for (const type of ['pointerdown', 'pointerup']) this.byId('board').does(type, pointer);
    this.frame();
  }

  /** Points at a cell. @param {Spot} spot */
  point(spot) {
    this.byId('board').does('pointermove', { pointerId: 1, pointerType: 'mouse', ...this.at(spot) });
    this.frame();
  }

  /** @param {string} key */
  key(key) {
    this.byId('board').does('keydown', { key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false });
    this.frame();
  }

  /** Chooses a pattern from the library. @param {string} id */
  choose(id) {
    this.byId('pattern').value = id;
    this.byId('pattern').does('change');
    this.frame();
  }
}

/**
 * Opens the page of a world, and closes it after `act`.
 * @param {ServedWorld} world
 * @param {{account?: number | null, stored?: Map<string, string>}} visitor who opens the page, and the browser's
 *   storage
 * @param {(page: WorldPage) => void} act
 */
export async function opened(world, { account = null, stored }, act) {
  const page = openDocument('world', { signedIn: account !== null, values: { name: 'meadow' }, stored });
  page.byId('board').box = { left: 0, top: 0, ...SIZE };
  page.byId('minimap').box = { left: 0, top: 0, ...SMALL };
  const fetched = async (/** @type {string | URL} */ from) =>
    String(from).endsWith('.wasm')
      ? new Response(readFileSync(setting.worldModule), { headers: { 'content-type': 'application/wasm' } })
      : new Response(JSON.stringify(world.snapshot()));
  Object.assign(globalThis, { WebSocket: Socket, fetch: fetched });
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  try {
    await import(`../../static/world.js?${++pages}`);
    const open = new WorldPage(page, world, account);
    Socket.hears = (call) => open.answers(call);
    const socket = /** @type {Socket} */ (Socket.last);
    socket.readyState = Socket.OPEN;
    socket.dispatchEvent(new Event('open'));
    open.hears({ type: 'hello', account });
    open.frame();
    act(open);
  } finally {
    mock.timers.reset();
  }
}
