// The connection between a room and this page: a WebSocket that reconnects by itself, and a command that is repeated
// until it is answered. If sockets do not get through, long-polling requests replace them, and a socket is retried now
// and then. A connection can be dead without being closed: it is then silent, although the room sends a message every
// ten seconds.

/** @import { RoomCommand, RoomMessage, TournamentMessage, WorldCommand, WorldMessage } from '../../types/wire.d.ts' */

import { pollsOnly } from './polls-only.js';

/** The wait before reconnecting, in milliseconds: doubled at each failure, minus a random part. */
const WAIT_MS_MIN = 500;
const WAIT_MS_MAX = 10_000;
/** The wait before a command is repeated after the room's rate limit refused it, in milliseconds. */
const AGAIN_MS = 2_000;
/** A command without an answer for this long, in milliseconds, was lost with its connection. */
const ANSWER_MS_MAX = 8_000;
/** A connection that is silent for this long, in milliseconds, is dead. */
const SILENCE_MS_MAX = 40_000;
/** The same for a page that was just shown again: a dead connection is then more likely. */
const ASLEEP_MS_MAX = 15_000;
/**
 * A socket that has not opened, or not delivered a message, within this time, in milliseconds, does not get through.
 */
const OPEN_MS_MAX = 4_000;
const FIRST_WORD_MS_MAX = 3_500;
/**
 * The maximum wait before a socket is retried while requests replace it: first `OPEN_MS_MAX`, then twice as long each
 * time.
 */
const SOCKET_AGAIN_MS = 60_000;

/**
 * @typedef {Extract<RoomCommand, {type: 'turn' | 'resign'}>} Command
 * @typedef {Exclude<RoomCommand, Command> | WorldCommand} Word a message sent only once
 * @typedef {RoomMessage | TournamentMessage | WorldMessage} Message
 * @typedef {'applied' | 'rejected' | 'lost'} Came the result; `lost`: unknown whether the room received it
 * @typedef {{events: string, commands: string, forced: boolean}} Polling the addresses that replace the socket, and
 *   whether no socket may be used
 */

/**
 * The address of a path's WebSocket.
 * @param {string} path
 * @param {{protocol: string, host: string}} address
 */
export function socketUrl(path, { protocol, host }) {
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${path}`;
}

/**
 * The addresses of the socket of a room, world or tournament, and of the requests that replace it.
 * @param {string} path
 * @param {{protocol: string, host: string, search: string}} address
 * @returns {{url: string, poll: Polling}}
 */
export function pathsOf(path, address) {
  const poll = { events: `${path}/events`, commands: `${path}/commands`, forced: pollsOnly(address) };
  return { url: socketUrl(`${path}/socket`, address), poll };
}

/** How long requests replace a socket before it is retried, in milliseconds. @param {number} tries so far */
export const tryAfter = (tries) => Math.min(SOCKET_AGAIN_MS, OPEN_MS_MAX * 2 ** Math.min(tries, 10));

/**
 * The maximum wait before the next attempt, in milliseconds.
 * @param {number} failures in a row
 */
export const backOff = (failures) => Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** Math.min(failures, 10));

/**
 * Sends a request. Like a socket, it can be dead without being closed.
 * @param {string} url
 * @param {RequestInit} how
 * @param {number} longest the time limit for the answer, in milliseconds
 * @param {AbortSignal} [ended] aborts the request
 * @returns {Promise<any>} null if the address does not exist
 */
async function asked(url, how, longest, ended) {
  const end = new AbortController();
  const stop = () => end.abort();
  const dead = setTimeout(stop, longest);
  ended?.addEventListener('abort', stop, { once: true });
  try {
    const answer = await fetch(url, { ...how, signal: end.signal });
    // The room never existed, or was removed.
    if (answer.status === 404 || answer.status === 410) return null;
    const told = await answer.json();
    // Reaching a rate limit is reported as on the socket.
    if (!answer.ok && told.type !== 'rejected') throw new Error(String(answer.status));
    return told;
  } finally {
    clearTimeout(dead);
    ended?.removeEventListener('abort', stop);
  }
}

/**
 * Whether a message answers a command.
 * @param {Extract<RoomMessage, {what: string}>} message
 * @param {Command} command
 */
const isAnswer = (message, command) =>
  message.what === command.type &&
  message.ply === command.ply &&
  (message.client_seq ?? null) === (command.type === 'turn' ? command.client_seq : null);

/** Reconnects as soon as the page is visible or has a network again. @param {{wake(): void}} connection */
export function wakeWithPage(connection) {
  addEventListener('online', () => connection.wake());
  document.addEventListener('visibilitychange', () => document.hidden || connection.wake());
}

/** @template {Message} M what is received */
export class Transport {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Command | null} the command that has not been answered yet */
  #open = null;
  #failures = 0;
  #closed = false;
  /** When the last message arrived, or the connection was started. */
  #heardAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} until the next attempt */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} until the command counts as lost */
  #answer;
  /** @type {ReturnType<typeof setTimeout> | undefined} until the connection counts as dead */
  #silence;
  /**
   * @type {ReturnType<typeof setTimeout> | undefined} until sockets count as not getting through: from the first
   *   attempt to the first message
   */
  #through;
  /** Whether a socket has opened since then. */
  #opened = false;
  /**
   * @type {{what: string, settle: (came: Came) => void}[]} messages sent once on the socket that have not been answered
   *   yet, in this order
   */
  #told = [];
  /** @type {AbortController | null} stops the requests that replace a socket */
  #polling = null;
  /** @type {WebSocket | null} a socket that is tried while requests replace it */
  #tried = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} until a socket is retried */
  #probe;
  /** The number of retries since requests replaced the socket. */
  #tries = 0;
  #url;
  #hear;
  #connected;
  #poll;
  #known;

  /**
   * @param {object} parts
   * @param {string} parts.url
   * @param {(message: M) => void} parts.hear receives each message
   * @param {(open: boolean) => void} parts.connected told whether there is a connection
   * @param {Polling} [parts.poll] what replaces the socket, if anything does
   * @param {() => Record<string, number>} [parts.known] what the page knows, such as the number of turns: the room then
   *   sends only later ones
   */
  constructor({ url, hear, connected, poll, known }) {
    this.#poll = poll;
    this.#known = known;
    this.#url = url;
    this.#hear = hear;
    this.#connected = connected;
  }

  /** Connects now, unless there is a connection. */
  connect() {
    clearTimeout(this.#timer);
    if (this.#closed || this.#socket !== null || this.#polling !== null) return;
    if (this.#poll?.forced) return this.#fallBack();
    const socket = new WebSocket(this.#asking(this.#url));
    this.#socket = socket;
    this.#alive();
    // The timer runs over all attempts: a refused socket fails at once, again and again.
    if (this.#poll) this.#through ??= setTimeout(() => this.#fallBack(), OPEN_MS_MAX);
    // Messages of an abandoned socket are ignored.
    const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ act) =>
      socket.addEventListener(type, (event) => this.#socket === socket && act(event));
    on('open', () => {
      this.#alive();
      if (this.#poll && !this.#opened) {
        clearTimeout(this.#through);
        this.#through = setTimeout(() => this.#fallBack(), FIRST_WORD_MS_MAX);
      }
      this.#opened = true;
      this.#connected(true);
      this.#say();
    });
    on('message', ({ data }) => {
      this.#failures = 0;
      this.#alive();
      this.#getsThrough();
      this.#heard(JSON.parse(data));
    });
    // An error is always followed by a close.
    on('close', () => this.#leave());
  }

  /** An address with what the page knows. @param {string} url @param {number | null} [after] */
  #asking(url, after = null) {
    const known = Object.entries({ ...(after === null ? {} : { after }), ...this.#known?.() });
    return known.length === 0 ? url : `${url}?${known.map(([name, value]) => `${name}=${value}`).join('&')}`;
  }

  /** How the page talks to the room. */
  get kind() {
    return this.#polling === null ? 'socket' : 'poll';
  }

  /**
   * Sends a message once.
   * @param {Word} word
   * @returns {Promise<Came>}
   */
  async tell(word) {
    if (this.#polling !== null) return this.#post(word);
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return 'lost';
    socket.send(JSON.stringify(word));
    return new Promise((settle) => this.#told.push({ what: word.type, settle }));
  }

  /** Connects now, unless a message arrived lately: for a page that was hidden or without a network. */
  wake() {
    // While requests replace the socket, one may get through again.
    if (this.#polling !== null && !this.#poll?.forced) this.#tryAgain();
    if (this.#socket !== null && Date.now() - this.#heardAt > ASLEEP_MS_MAX) this.#leave();
    this.connect();
  }

  /**
   * Sends a command, and repeats it after every loss of the connection until it is answered.
   * @param {Command} command
   */
  send(command) {
    this.#open = command;
    this.#say();
  }

  /** Closes the connection for good. */
  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#probe);
    this.#polling?.abort();
    this.#polling = null;
    this.#tried?.close();
    this.#getsThrough();
    this.#leave();
  }

  /** Stops the check whether sockets get through: one did, or it no longer matters. */
  #getsThrough() {
    clearTimeout(this.#through);
    this.#through = undefined;
    this.#opened = false;
  }

  /** Messages on an abandoned socket will not be answered. */
  #lose() {
    for (const { settle } of this.#told.splice(0)) settle('lost');
  }

  /** Drops the connection without waiting for the other side, which may be gone, and reconnects later. */
  #leave() {
    const socket = this.#socket;
    if (socket === null) return;
    this.#socket = null;
    clearTimeout(this.#answer);
    clearTimeout(this.#silence);
    this.#lose();
    socket.close();
    this.#connected(false);
    if (this.#closed) return;
    const longest = backOff(this.#failures++);
    this.#timer = setTimeout(() => this.connect(), longest * (0.5 + Math.random() / 2));
  }

  /** Notes that the connection is alive. */
  #alive() {
    this.#heardAt = Date.now();
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#leave(), SILENCE_MS_MAX);
  }

  /** Replaces the socket, which does not get through, by requests. */
  #fallBack() {
    const socket = this.#socket;
    this.#socket = null;
    for (const timer of [this.#silence, this.#answer, this.#timer]) clearTimeout(timer);
    this.#getsThrough();
    this.#lose();
    if (socket !== null) {
      socket.close();
      this.#connected(false);
    }
    if (this.#closed || !this.#poll || this.#polling !== null) return;
    this.#polling = new AbortController();
    this.#tries = 0;
    this.#follow(this.#poll, this.#polling);
    this.#tryLater();
  }

  /** Schedules the next attempt with a socket. */
  #tryLater() {
    if (this.#closed || this.#polling === null || this.#poll?.forced) return;
    clearTimeout(this.#probe);
    this.#probe = setTimeout(() => this.#tryAgain(), tryAfter(this.#tries++));
  }

  /** Requests news in a loop. @param {Polling} poll @param {AbortController} mine */
  async #follow({ events }, mine) {
    /** @type {number | null} */
    let after = null;
    let up = false;
    let failures = 0;
    while (this.#polling === mine) {
      try {
        const told = await asked(this.#asking(events, after), {}, SILENCE_MS_MAX, mine.signal);
        if (this.#polling !== mine) return;
        if (told === null) return this.#heard({ type: 'error', code: 'gone', message: 'there is no such room' });
        const { version, watching, here, messages } = told;
        after = version;
        // A server that was gone may accept sockets again.
        if (failures > 0 && !this.#poll?.forced) this.#tryAgain();
        failures = 0;
        if (!up) this.#connected(true);
        for (const message of [...messages, { type: 'beat', watching, here }]) this.#heard(message);
        // The pending command, once the server has said who this page is.
        if (!up) this.#say();
        up = true;
      } catch {
        if (this.#polling !== mine) return;
        if (up) this.#connected(false);
        up = false;
        const longest = backOff(failures++);
        await new Promise((done) => setTimeout(done, longest * (0.5 + Math.random() / 2)));
      }
    }
  }

  /** Tries a socket beside the requests, and returns to it once a message arrives on it. */
  #tryAgain() {
    clearTimeout(this.#probe);
    if (this.#closed || this.#polling === null || this.#tried !== null) return;
    const socket = new WebSocket(this.#asking(this.#url));
    this.#tried = socket;
    const failed = setTimeout(() => socket.close(), OPEN_MS_MAX + FIRST_WORD_MS_MAX);
    socket.addEventListener(
      'message',
      () => {
        clearTimeout(failed);
        this.#tried = null;
        socket.close();
        this.#polling?.abort();
        this.#polling = null;
        this.connect();
      },
      { once: true },
    );
    socket.addEventListener(
      'close',
      () => {
        clearTimeout(failed);
        if (this.#tried === socket) this.#tried = null;
        this.#tryLater();
      },
      { once: true },
    );
  }

  /**
   * Sends by a request, and repeats a command if there is no answer.
   * @param {Command | Word} command
   * @returns {Promise<Came>}
   */
  async #post(command) {
    if (!this.#poll) return 'lost';
    const headers = { 'content-type': 'application/json' };
    try {
      const told = await asked(this.#poll.commands, { method: 'POST', headers, body: JSON.stringify(command) }, ANSWER_MS_MAX);
      if (told === null) throw new Error('404');
      this.#heard(told);
      return told.type === 'rejected' || told.type === 'error' ? 'rejected' : 'applied';
    } catch {
      setTimeout(() => this.#open === command && this.#say(), AGAIN_MS);
      return 'lost';
    }
  }

  #say() {
    if (this.#open !== null && this.#polling !== null) {
      this.#post(this.#open);
      return;
    }
    if (this.#open === null || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify(this.#open));
    clearTimeout(this.#answer);
    this.#answer = setTimeout(() => this.#leave(), ANSWER_MS_MAX);
  }

  /** @param {Message} message */
  #heard(message) {
    if (message.type === 'beat' && !('watching' in message && message.watching !== undefined)) return;
    if ('what' in message) {
      if (this.#open !== null && 'ply' in message && isAnswer(message, this.#open)) {
        this.#open = null;
        clearTimeout(this.#answer);
      }
      const at = this.#told.findIndex(({ what }) => what === message.what);
      if (at >= 0) this.#told.splice(at, 1)[0].settle(message.type === 'rejected' ? 'rejected' : 'applied');
    } else if (message.type === 'error' && message.code === 'rate_limited') {
      // The refused message may have been the command; receiving it twice does no harm.
      setTimeout(() => this.#say(), AGAIN_MS);
    } else if (message.type === 'error' && message.code === 'gone') {
      this.close();
    }
    this.#hear(/** @type {M} */ (message));
  }
}
