// The wire between a room and this page: a WebSocket that comes back by itself, and a command that is said again until it is answered.
// A connection can be dead without anyone closing it: then nothing is heard on it, although the room says something every ten seconds.

/** How long to wait before connecting again, in milliseconds: doubled at each failure, a random part of it left out. */
const WAIT_MS_MIN = 500;
const WAIT_MS_MAX = 10_000;
/** When a command is said again after the room was asked too often. */
const AGAIN_MS = 2_000;
/** A command without an answer for so long was lost with its connection. */
const ANSWER_MS_MAX = 8_000;
/** A connection without a word for so long is dead. */
const SILENCE_MS_MAX = 40_000;
/** The same for a page that has just come back, where it is likely. */
const ASLEEP_MS_MAX = 15_000;
/** Numbers that one page may give to its commands, and pages that may be told apart: together below 2^53. */
const COMMANDS_MAX = 2 ** 13;
const PAGES = 2 ** 39;

/**
 * @typedef {{type: 'turn', ply: number, client_seq: number, action: string} | {type: 'resign', ply: number}} Command
 */

/**
 * Numbers for commands that no other page is likely to give: a random part of the page, then a counter.
 * @param {number} random at least 0 and less than 1
 * @returns {() => number}
 */
export function sequence(random) {
  const page = Math.floor(random * PAGES) * COMMANDS_MAX;
  let counter = 0;
  return () => page + (counter++ % COMMANDS_MAX);
}

/**
 * Where a page at this address finds a path's WebSocket.
 * @param {string} path
 * @param {{protocol: string, host: string}} address
 */
export function socketUrl(path, { protocol, host }) {
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${path}`;
}

/**
 * The longest wait before the next attempt.
 * @param {number} failures in a row
 */
export const backOff = (failures) => Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** Math.min(failures, 10));

export class Transport {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Command | null} what was said and not yet answered */
  #open = null;
  #failures = 0;
  #closed = false;
  /** When something was heard last, or the connection begun. */
  #heardAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} until the next attempt */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} until the command is taken for lost */
  #answer;
  /** @type {ReturnType<typeof setTimeout> | undefined} until the connection is taken for dead */
  #silence;
  #url;
  #hear;
  #connected;

  /**
   * @param {object} parts
   * @param {string} parts.url
   * @param {(message: any) => void} parts.hear takes each message
   * @param {(open: boolean) => void} parts.connected is told whether there is a connection
   */
  constructor({ url, hear, connected }) {
    this.#url = url;
    this.#hear = hear;
    this.#connected = connected;
  }

  /** Connects now, unless it is connected. */
  connect() {
    clearTimeout(this.#timer);
    if (this.#closed || this.#socket !== null) return;
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    this.#alive();
    // What a socket says after it was left is no news.
    const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ act) =>
      socket.addEventListener(type, (event) => this.#socket === socket && act(event));
    on('open', () => {
      this.#failures = 0;
      this.#alive();
      this.#connected(true);
      this.#say();
    });
    on('message', ({ data }) => {
      this.#alive();
      this.#heard(JSON.parse(data));
    });
    // An error is always followed by a close.
    on('close', () => this.#leave());
  }

  /** Connects now, unless the connection was heard of lately: for a page that was away or without a network. */
  wake() {
    if (this.#socket !== null && Date.now() - this.#heardAt > ASLEEP_MS_MAX) this.#leave();
    this.connect();
  }

  /**
   * Says a command, and again after every loss of the connection until it is answered.
   * @param {Command} command
   */
  send(command) {
    this.#open = command;
    this.#say();
  }

  /** Ends it for good. */
  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#leave();
  }

  /** Ends the connection without waiting for the other side, which may be gone; and comes back later. */
  #leave() {
    const socket = this.#socket;
    if (socket === null) return;
    this.#socket = null;
    clearTimeout(this.#answer);
    clearTimeout(this.#silence);
    socket.close();
    this.#connected(false);
    if (this.#closed) return;
    const longest = backOff(this.#failures++);
    this.#timer = setTimeout(() => this.connect(), longest * (0.5 + Math.random() / 2));
  }

  /** Takes note of a sign of life. */
  #alive() {
    this.#heardAt = Date.now();
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#leave(), SILENCE_MS_MAX);
  }

  #say() {
    if (this.#open === null || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify(this.#open));
    clearTimeout(this.#answer);
    this.#answer = setTimeout(() => this.#leave(), ANSWER_MS_MAX);
  }

  /** @param {any} message */
  #heard(message) {
    if (message.type === 'beat') return;
    if (message.type === 'applied' || message.type === 'rejected') {
      const mine = this.#open?.type === 'turn' ? this.#open.client_seq : null;
      if (message.client_seq === mine) {
        this.#open = null;
        clearTimeout(this.#answer);
      }
    } else if (message.type === 'error' && message.code === 'rate_limited') {
      // It may have been the command that was dropped; hearing it twice does no harm.
      setTimeout(() => this.#say(), AGAIN_MS);
    } else if (message.type === 'error' && message.code === 'gone') {
      this.close();
    }
    this.#hear(message);
  }
}
