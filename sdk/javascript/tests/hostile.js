// Deeds of hostile scripts: each with its name and how the turn ends that does it. On its board, blue has as many cells as deeds come
// before the one that is wanted. `arena/interpreter/tests/it/scripts.rs` does them all.

const deep = (n) => { let list = []; for (let i = 0; i < n; i++) list = [list]; return list; };
const hoard = () => { const all = []; for (;;) all.push(new Uint8Array(16_000)); };
const through = (name) => { const o = { get [name]() { return o[name] + 1; } }; return o[name]; };

const DEEDS = [
  ["an honest turn", "done", (o) => place(o.legal().slice(0, 4))],
  // Without end.
  ["a loop that catches all errors", "OutOfFuel", () => { for (;;) { try { for (;;); } catch {} finally { continue; } } }],
  ["a loop of promises", "OutOfFuel", () => { (async () => { for (;;) await 0; })(); }],
  ["a loop in an iterator's return", "OutOfFuel", () => { for (const n of { [Symbol.iterator]: () => ({ next: () => ({}), return() { for (;;); } }) }) break; }],
  ["a regular expression that tries all ways", "fuel_exhausted", () => /^(a+)+$/.test("a".repeat(60) + "b")],
  ["a sum that squares itself", "fuel_exhausted", () => { let n = 3n; for (;;) n *= n; }],
  ["a list that is read while it grows", "fuel_exhausted", () => { const list = [1]; for (const n of list) list.push(n, n, n, n); }],
  ["a stack trace that does not end", "TypeError", () => { Error.prepareStackTrace = () => { for (;;); }; null.x; }],
  ["an error whose text does not end", "fuel_exhausted", () => { throw { toString() { for (;;); } }; }],
  // Too deep.
  ["getters that get themselves", "Maximum call stack", () => through("x")],
  ["comparing by sorting", "Maximum call stack", function sort() { [2, 1].sort(sort); }],
  ["replacing by replacing", "Maximum call stack", function again() { "a".replace(/a/, again); }],
  ["text that is made of itself", "stack_overflow", () => { const o = { toString: () => `${o}` }; return `${o}`; }],
  ["JSON of 30,000 brackets", "Maximum call stack", () => JSON.parse("[".repeat(30_000))],
  ["a list in a list in a list, as JSON", "fuel_exhausted", () => JSON.stringify(deep(3_000))],
  ["a list in a list in a list, as text", "stack_overflow", () => String(deep(3_000))],
  ["30,000 brackets as a program", "stack_overflow", () => eval("(".repeat(30_000))],
  ["30,000 groups of a regular expression", "SyntaxError: stack overflow", () => new RegExp("(".repeat(30_000))],
  ["generators that delegate", "stack_overflow", () => { const all = function* (n) { yield* all(n + 1); }; for (const n of all(0)); }],
  // Too much.
  ["memory to the brim", "InternalError", hoard],
  ["memory to the brim, and on", "done", () => { try { hoard(); } catch {} }],
  ["a text of half a gigabyte", "RangeError: invalid string length", () => "x".repeat(2 ** 30)],
  ["a text that doubles", "out of memory", () => { let text = "x"; for (;;) text += text, text.charCodeAt(0); }],
  ["a list of four billion", "fuel_exhausted", () => new Array(2 ** 32 - 1).fill(0)],
  ["a buffer of two gigabytes", "RangeError", () => new ArrayBuffer(2 ** 31 + 8)],
  ["a generation of a billion", "RangeError", (o) => o.board.generation(1e9)],
  ["a log without end", "OutOfFuel", () => { for (;;) log("x".repeat(1_000)); }],
  // Tampering.
  ["prototypes with traps", "done", () => {
    for (const name of ["kind", "cells", "generations", "fuel", "near", "weights", "length", "0"]) {
      Object.defineProperty(Object.prototype, name, { get() { throw "seen"; }, set() { throw "set"; }, configurable: true });
    }
  }],
  ["no prototypes", "done", () => {
    const all = [Array, Object, Function, Promise, String].map(({ prototype }) => [prototype, Reflect.ownKeys(prototype)]);
    for (let i = 0; i < all.length; i++) for (let j = 0; j < all[i][1].length; j++) if (all[i][1][j] !== "length") delete all[i][0][all[i][1][j]];
  }],
  ["no global names", "done", () => { const all = globalThis; for (const name of Reflect.ownKeys(all)) delete all[name]; }],
  ["other iterators", "done", () => { Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; }; }],
  ["what it sees without a prototype", "done", (o) => { Object.setPrototypeOf(o, null); Object.freeze(o); }],
  ["a list that shrinks while it is shuffled", "done", (o) => { const list = { get length() { return 9; }, get 3() { delete this[4]; return 1; } }; try { o.rng.shuffle(list); } catch {} }],
  ["cells that change while they are read", "done", (o) => {
    const cells = [[1, 1], [1, 2], [2, 1], [2, 2]];
    Object.defineProperty(cells, 1, { get() { cells.length = 0; return [1, 2]; } });
    try { o.check({ kind: "place", cells }); } catch {}
  }],
  ["numbers that change the board", "done", (o) => { const board = o.board.copy(); try { board.set({ valueOf() { board.set(0, 0, 1); return 1; } }, 1, 1); } catch {} }],
  ["methods of something else", "done", (o) => { for (const f of [o.board.get, o.legal, o.rng.word, o.apply]) try { f.call({}, 1); } catch {} }],
  ["buffers that shrink while they are sorted", "done", () => {
    const buffer = new ArrayBuffer(64, { maxByteLength: 128 });
    const list = new Uint8Array(buffer);
    list.sort((a, b) => { buffer.resize(0); return a - b; });
  }],
  ["answers that throw", "TypeError", () => ({ get kind() { null.x; } })],
  ["answers that are not what they say", "a list of cells", () => ({ kind: "place", cells: { length: 4 } })],
  ["errors that hide", "an error without a message", () => { throw Object.defineProperty(new Error("x"), "stack", { get() { throw 1; } }); }],
  // Text.
  ["every character", "done", () => { for (let n = 0; n < 0x110000; n += 997) log(String.fromCodePoint(n).normalize("NFKD").toUpperCase()); }],
  ["half characters", "done", () => { log("\ud800", JSON.stringify("\udfff"), "\udc00\ud800".toWellFormed()); }],
  ["every character of a name", "done", () => { for (let n = 0x80; n < 0x110000; n += 9_973) try { eval(`let ${String.fromCodePoint(n)} = 1;`); } catch {} }],
];

// How the tests learn what there is.
for (const [name, ending] of DEEDS) log(`${name}: ${ending}`);

function turn(o) {
  const [, , deed] = DEEDS[o.board.count(0)];
  const done = skip();
  return deed(o) ?? done;
}
