// The wire between a room and this page: a WebSocket that comes back by itself, and a command that is said again until it is answered.
// Where sockets do not get through, requests that wait for news take its place, and a socket is tried again now and then.
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
/** A socket that is not open after so long, or open and silent for so long, does not get through. */
const OPEN_MS_MAX = 4_000;
const FIRST_WORD_MS_MAX = 3_500;
/** When a socket is tried again while requests stand in for it: after `OPEN_MS_MAX`, then twice as long each time, up to this. */
const SOCKET_AGAIN_MS = 60_000;

/** What a browser tab remembers of `?net=`. */
const NET = 'net';

/**
 * @typedef {{type: 'turn', ply: number, client_seq: number, action: string} | {type: 'resign', ply: number}} Command
 * @typedef {{type: 'draw', ply: number} | {type: 'rematch'} | {type: 'chat', text: string} | {type: 'report', number: number}} Word what is said once: who sees no effect says it again
 * @typedef {'applied' | 'rejected' | 'lost'} Came what came of it: of what is lost nobody knows whether the room heard it
 * @typedef {{events: string, commands: string, forced: boolean}} Polling addresses that stand in for the socket, and whether they have to
 */

/**
 * Where a page at this address finds a path's WebSocket.
 * @param {string} path
 * @param {{protocol: string, host: string}} address
 */
export function socketUrl(path, { protocol, host }) {
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${path}`;
}

/**
 * Whether the pages of this tab talk without sockets: `?net=poll` says so for all that follow, and `?net=` with anything else ends it.
 * @param {{search: string}} address
 * @param {Pick<Storage, 'getItem' | 'setItem'> | null} tab
 */
export function pollsOnly({ search }, tab = ofThisTab()) {
  const said = new URLSearchParams(search).get(NET);
  if (said !== null) tab?.setItem(NET, said);
  return (said ?? tab?.getItem(NET)) === 'poll';
}

/** What a tab remembers; nothing where the browser does not let it. */
function ofThisTab() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/**
 * Where a page at this address talks to a room, a world or whatever has a socket, and what stands in for that.
 * @param {string} path
 * @param {{protocol: string, host: string, search: string}} address
 * @returns {{url: string, poll: Polling}}
 */
export function pathsOf(path, address) {
  const poll = { events: `${path}/events`, commands: `${path}/commands`, forced: pollsOnly(address) };
  return { url: socketUrl(`${path}/socket`, address), poll };
}

/** How long requests stand in for a socket before it is tried again. @param {number} tries so far */
export const tryAfter = (tries) => Math.min(SOCKET_AGAIN_MS, OPEN_MS_MAX * 2 ** Math.min(tries, 10));

/**
 * The longest wait before the next attempt.
 * @param {number} failures in a row
 */
export const backOff = (failures) => Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** Math.min(failures, 10));

/**
 * What a request is answered. Like a socket it can be dead without anybody saying so.
 * @param {string} url
 * @param {RequestInit} how
 * @param {number} longest how long an answer may take, in milliseconds
 * @param {AbortSignal} [ended] ends it before
 * @returns {Promise<any>} null where nothing is
 */
async function asked(url, how, longest, ended) {
  const end = new AbortController();
  const stop = () => end.abort();
  const dead = setTimeout(stop, longest);
  ended?.addEventListener('abort', stop, { once: true });
  try {
    const answer = await fetch(url, { ...how, signal: end.signal });
    // What never was, and what was removed.
    if (answer.status === 404 || answer.status === 410) return null;
    const told = await answer.json();
    // A share that is used up is said as the socket says it.
    if (!answer.ok && told.type !== 'rejected') throw new Error(String(answer.status));
    return told;
  } finally {
    clearTimeout(dead);
    ended?.removeEventListener('abort', stop);
  }
}

/** Whether a message answers a command. @param {any} message @param {Command} command */
const isAnswer = (message, command) =>
  message.what === command.type && message.ply === command.ply && (message.client_seq ?? null) === (command.type === 'turn' ? command.client_seq : null);

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
  /** @type {ReturnType<typeof setTimeout> | undefined} until sockets are taken not to get through: from the first try to the first word */
  #through;
  /** Whether one was open since. */
  #opened = false;
  /** @type {{what: string, settle: (came: Came) => void}[]} what was said once on the socket and not yet answered, in this order */
  #told = [];
  /** @type {AbortController | null} of the requests that stand in for a socket */
  #polling = null;
  /** @type {WebSocket | null} a socket that is tried while requests stand in for it */
  #tried = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} until a socket is tried again */
  #probe;
  /** How often one was tried since requests stand in. */
  #tries = 0;
  #url;
  #hear;
  #connected;
  #poll;
  #known;

  /**
   * @param {object} parts
   * @param {string} parts.url
   * @param {(message: any) => void} parts.hear takes each message
   * @param {(open: boolean) => void} parts.connected learns whether there is a connection
   * @param {Polling} [parts.poll] what stands in for the socket, if anything does
   * @param {() => Record<string, number>} [parts.known] what is known already, such as how many turns: only what came later is told then
   */
  constructor({ url, hear, connected, poll, known }) {
    this.#poll = poll;
    this.#known = known;
    this.#url = url;
    this.#hear = hear;
    this.#connected = connected;
  }

  /** Connects now, unless it is connected. */
  connect() {
    clearTimeout(this.#timer);
    if (this.#closed || this.#socket !== null || this.#polling !== null) return;
    if (this.#poll?.forced) return this.#fallBack();
    const socket = new WebSocket(this.#asking(this.#url));
    this.#socket = socket;
    this.#alive();
    // Counted over all tries: one that is refused fails at once, however often.
    if (this.#poll) this.#through ??= setTimeout(() => this.#fallBack(), OPEN_MS_MAX);
    // What a socket says after it was left is no news.
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

  /** An address with what is known. @param {string} url @param {number | null} [after] */
  #asking(url, after = null) {
    const known = Object.entries({ ...(after === null ? {} : { after }), ...this.#known?.() });
    return known.length === 0 ? url : `${url}?${known.map(([name, value]) => `${name}=${value}`).join('&')}`;
  }

  /** How the room is talked to. */
  get kind() {
    return this.#polling === null ? 'socket' : 'poll';
  }

  /**
   * Says something once.
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

  /** Connects now, unless the connection was heard of lately: for a page that was away or without a network. */
  wake() {
    // Where requests stand in for the socket, it may get through again.
    if (this.#polling !== null && !this.#poll?.forced) this.#tryAgain();
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
    clearTimeout(this.#probe);
    this.#polling?.abort();
    this.#polling = null;
    this.#tried?.close();
    this.#getsThrough();
    this.#leave();
  }

  /** Sockets get through, or it does not matter any more. */
  #getsThrough() {
    clearTimeout(this.#through);
    this.#through = undefined;
    this.#opened = false;
  }

  /** What was said on a socket that is left is answered by nobody. */
  #lose() {
    for (const { settle } of this.#told.splice(0)) settle('lost');
  }

  /** Ends the connection without waiting for the other side, which may be gone; and comes back later. */
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

  /** Takes note of a sign of life. */
  #alive() {
    this.#heardAt = Date.now();
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#leave(), SILENCE_MS_MAX);
  }

  /** Lets requests stand in for the socket, which does not get through. */
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

  /** Lets a socket be tried in a while. */
  #tryLater() {
    if (this.#closed || this.#polling === null || this.#poll?.forced) return;
    clearTimeout(this.#probe);
    this.#probe = setTimeout(() => this.#tryAgain(), tryAfter(this.#tries++));
  }

  /** Asks for news again and again. @param {Polling} poll @param {AbortController} mine */
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
        // A server that was gone takes sockets again.
        if (failures > 0 && !this.#poll?.forced) this.#tryAgain();
        failures = 0;
        if (!up) this.#connected(true);
        for (const message of [...messages, { type: 'beat', watching, here }]) this.#heard(message);
        // What was said before, and not answered, once it is known who is who.
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

  /** Tries a socket beside the requests, and goes back to it once it says something. */
  #tryAgain() {
    clearTimeout(this.#probe);
    if (this.#closed || this.#polling === null || this.#tried !== null) return;
    const socket = new WebSocket(this.#asking(this.#url));
    this.#tried = socket;
    const failed = setTimeout(() => socket.close(), OPEN_MS_MAX + FIRST_WORD_MS_MAX);
    socket.addEventListener('message', () => {
      clearTimeout(failed);
      this.#tried = null;
      socket.close();
      this.#polling?.abort();
      this.#polling = null;
      this.connect();
    }, { once: true });
    socket.addEventListener('close', () => {
      clearTimeout(failed);
      if (this.#tried === socket) this.#tried = null;
      this.#tryLater();
    }, { once: true });
  }

  /** Says something by a request; a command again, if nobody answers. @param {Command | Word} command @returns {Promise<Came>} */
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

  /** @param {any} message */
  #heard(message) {
    if (message.type === 'beat' && message.watching === undefined) return;
    if (message.what !== undefined) {
      if (this.#open !== null && isAnswer(message, this.#open)) {
        this.#open = null;
        clearTimeout(this.#answer);
      }
      const at = this.#told.findIndex(({ what }) => what === message.what);
      if (at >= 0) this.#told.splice(at, 1)[0].settle(message.type === 'rejected' ? 'rejected' : 'applied');
    } else if (message.type === 'error' && message.code === 'rate_limited') {
      // It may have been the command that was dropped; hearing it twice does no harm.
      setTimeout(() => this.#say(), AGAIN_MS);
    } else if (message.type === 'error' && message.code === 'gone') {
      this.close();
    }
    this.#hear(message);
  }
}
