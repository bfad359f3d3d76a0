// Runs bots for the rules: what the module of `web/engine` imports as `guests`. Bots are metered modules, which count
// their own fuel and stack, and come from `rules/meter.js`.

import { promising, suspending } from './stacks.js';

/** The exports that are called, in the order of `Entry::ALL` in `arena/check/src/calls.rs`. */
const FUNCTIONS = ['~start', '_initialize', 'arena_observation', 'arena_turn'];
const TURN = FUNCTIONS.indexOf('arena_turn');

/** How a call ended: `Guests::call` in `web/engine/src/guests.rs`. Bits from the fifth are kinds of traps. */
const RETURNED = 0;
const NONE_SUCH = 1;
const BAD_LOG = 2;
const ENGINE_FAILED = 3;
const TRAPS_FROM = 4;

/** What the arena keeps of a bot's log in a game: `LOG_LINES_MAX` and `LOG_BYTES_MAX`. */
const LOG_LINES_MAX = 64;
const LOG_BYTES_MAX = 8 << 10;

/**
 * What engines say of a trap, and the kinds that it can have been, in the order of `Trap::ALL`: unreachable, memory,
 * table, empty element, other type, overflow, division by zero, no integer. The first that fits.
 * @type {[RegExp, number[]][]}
 */
const TRAPS = [
  [/unreachable/i, [0]],
  [/element segment|table (index|access|init)|bounds (table|call_indirect)/i, [2]],
  [/data segment|memory/i, [1]],
  [/null function or function signature/i, [3, 4]],
  [/indirect call to null|to a null table|null function/i, [3]],
  [/signature/i, [4]],
  [/index out of bounds/i, [1, 2]],
  [/(divide|division|remainder) by zero/i, [6]],
  [/invalid conversion/i, [7]],
  [/float unrepresentable|trunc/i, [5, 7]],
  [/unrepresentable|overflow/i, [5]],
];

/** `arena.log` was given what is not in memory. */
class BadLog extends Error {
  /** @param {number} address @param {number} length */
  constructor(address, length) {
    super();
    /** @readonly */
    this.given = (BigInt(length) << 32n) | BigInt(address);
  }
}

/** A bot in a seat of a game. */
class Guest {
  /** @type {string[]} */
  lines = [];
  dropped = 0;
  /** How many lines there were when each turn began. @type {number[]} */
  turns = [];
  #logged = 0;
  #module;
  /** @type {any} */
  #exports = null;
  /** Those of `FUNCTIONS` that it has. @type {(import('./stacks.js').Call | undefined)[]} */
  #functions = [];

  /** @param {WebAssembly.Module} module metered */
  constructor(module) {
    this.#module = module;
  }

  instantiate() {
    const arena = {
      log: (/** @type {number} */ address, /** @type {number} */ length) => this.#log(address >>> 0, length >>> 0),
      fuel: () => 0n,
    };
    // No code of the bot runs here: the meter has made its start function an export.
    this.#exports = new WebAssembly.Instance(this.#module, { arena }).exports;
    this.#functions = FUNCTIONS.map((name) => this.#exports[name] && promising(this.#exports[name]));
  }

  /** @returns {Uint8Array} */
  get memory() {
    return new Uint8Array(this.#exports?.memory.buffer ?? []);
  }

  /** The fuel that its code has left. @returns {bigint} */
  get fuel() {
    return this.#exports?.['~fuel'].value ?? 0n;
  }

  set fuel(fuel) {
    this.#exports['~fuel'].value = fuel;
  }

  /** @param {number} which */
  function(which) {
    return this.#functions[which];
  }

  /** @param {number} address @param {number} length */
  #log(address, length) {
    const { memory } = this;
    if (address + length > memory.length) throw new BadLog(address, length);
    if (this.lines.length >= LOG_LINES_MAX || this.#logged + length > LOG_BYTES_MAX) {
      this.dropped += 1;
      return;
    }
    this.#logged += length;
    this.lines.push(new TextDecoder('utf-8', { ignoreBOM: true }).decode(memory.slice(address, address + length)));
  }
}

/** How a call ended that threw an error, and what it returned instead. @param {unknown} error @returns {[number, bigint]} */
export function ended(error) {
  if (error instanceof BadLog) return [BAD_LOG, error.given];
  const kinds = error instanceof WebAssembly.RuntimeError ? TRAPS.find(([words]) => words.test(error.message))?.[1] : undefined;
  // Its own stack or memory ended, or this is a trap that nothing here knows. That is no verdict.
  if (kinds === undefined) return [ENGINE_FAILED, 0n];
  return [kinds.reduce((bits, kind) => bits | (1 << (kind + TRAPS_FROM)), 0), 0n];
}

/** The bots of one game after another, by seat. */
export class Guests {
  /** @type {Map<number, Guest>} */
  #seated = new Map();
  #returned = 0n;
  /** Whether a bot trapped and it was not told how: the engine says the same of several kinds. */
  untold = false;
  /** The memory of the module that asks. @type {WebAssembly.Memory | null} */
  #asking = null;
  /** Called before each turn. @type {(seat: number) => void} */
  onTurn = () => {};

  /** What the module imports. */
  imports = {
    guests: {
      instantiate: (/** @type {number} */ seat) => this.#ended(() => this.#guest(seat).instantiate()),
      call: suspending((seat, which, argument) => this.#call(seat, which, argument)),
      returned: () => this.#returned,
      fuel: (/** @type {number} */ seat) => this.#guest(seat).fuel,
      set_fuel: (/** @type {number} */ seat, /** @type {bigint} */ fuel) => {
        this.#guest(seat).fuel = fuel;
      },
      memory_bytes: (/** @type {number} */ seat) => this.#guest(seat).memory.length,
      read: (/** @type {number} */ seat, /** @type {number} */ from, /** @type {number} */ into, /** @type {number} */ bytes) =>
        this.#asked(into, bytes).set(this.#guest(seat).memory.subarray(from >>> 0, (from >>> 0) + bytes)),
      write: (/** @type {number} */ seat, /** @type {number} */ into, /** @type {number} */ from, /** @type {number} */ bytes) =>
        this.#guest(seat).memory.set(this.#asked(from, bytes), into >>> 0),
    },
  };

  /** @param {WebAssembly.Memory} memory of the module that imports these */
  serve(memory) {
    this.#asking = memory;
  }

  /** Seats a bot, in place of the one before. @param {number} seat @param {WebAssembly.Module} module metered */
  seat(seat, module) {
    this.#seated.set(seat, new Guest(module));
  }

  /** What bots have left: the log, and the size of memory in bytes. */
  get left() {
    return [...this.#seated].map(([seat, { lines, dropped, turns, memory }]) => ({ seat, lines, dropped, turns, memory: memory.length }));
  }

  /** Takes all bots from their seats. */
  clear() {
    this.#seated.clear();
    this.untold = false;
  }

  /** @param {number} seat @returns {Guest} */
  #guest(seat) {
    const guest = this.#seated.get(seat);
    if (guest === undefined) throw new Error(`no bot in seat ${seat}`);
    return guest;
  }

  /** @param {number} at @param {number} bytes */
  #asked(at, bytes) {
    return new Uint8Array(/** @type {WebAssembly.Memory} */ (this.#asking).buffer, at >>> 0, bytes);
  }

  /** @param {number} seat @param {number} which @param {number} argument */
  #call(seat, which, argument) {
    const guest = this.#guest(seat);
    const called = guest.function(which);
    if (called === undefined) return NONE_SUCH;
    if (which === TURN) {
      guest.turns.push(guest.lines.length);
      this.onTurn(seat);
    }
    return this.#ended(() => called(argument));
  }

  /** @param {() => any} call @returns {number | Promise<number>} how it ended */
  #ended(call) {
    try {
      const value = call();
      if (!(value instanceof Promise)) return this.#gave(value);
      return value.then(
        (value) => this.#gave(value),
        (error) => this.#threw(error),
      );
    } catch (error) {
      return this.#threw(error);
    }
  }

  /** @param {number | bigint | undefined} value that a call returned */
  #gave(value) {
    this.#returned = typeof value === 'bigint' ? BigInt.asUintN(64, value) : BigInt((value ?? 0) >>> 0);
    return RETURNED;
  }

  /** @param {unknown} error in which a call ended */
  #threw(error) {
    const [code, instead] = ended(error);
    const kinds = code >> TRAPS_FROM;
    this.untold ||= (kinds & (kinds - 1)) !== 0;
    this.#returned = instead;
    return code;
  }
}
