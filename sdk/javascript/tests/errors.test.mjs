// What an author reads when a script fails: place, message, line, caret, stack, and what to do instead.
import assert from "node:assert/strict";
import { test } from "node:test";
import { logged } from "./module.mjs";

/** Each script, and the log of its only turn, which ends by a trap. */
const FAILURES = [
  ["a syntax error", "function turn(o) {\n\tlet x = ;\n}", ["bot.js:2:10: SyntaxError: unexpected token in expression: ';'", "\tlet x = ;", "\t        ^"]],
  [
    "an error in a function",
    "function size(a) { return a.cells.length; }\nfunction turn(o) {\n  return size(o);\n}",
    [
      "bot.js:1:27: TypeError: cannot read property 'length' of undefined",
      "function size(a) { return a.cells.length; }",
      "                          ^",
      "    at size (bot.js:1:27)",
      "    at turn (bot.js:3:15)",
    ],
  ],
  ["an error at the start", "let a;\na.x = 1;", ["bot.js:2:1: TypeError: cannot set property 'x' of undefined", "a.x = 1;", "^", "    at the start (bot.js:2:1)"]],
  ["no function", "const x = 1;", ["bot.js: there is no function `turn`", "hint: write `function turn(o) { return place(...) }`: it is called in each turn and returns an action"]],
  ["an export", "export default function turn(o) {}", [/^bot.js:1:1: SyntaxError/, /export/, "^", "hint: leave out `export`: a function with the name turn is enough"]],
  ["an import", "import fs from 'fs';", [/^bot.js:1:8: SyntaxError/, /import/, "       ^", "hint: a bot is one file: paste what you need into it; there are no modules"]],
  ["a require", "const fs = require('fs');", [/^bot.js:1:12: ReferenceError: require/, /const/, /\^/, /at the start/, "hint: a bot is one file: paste what you need into it; there are no modules"]],
  ["an export of CommonJS", "module.exports = (o) => skip();", [/^bot.js:1:1: ReferenceError: module/, /module/, /\^/, /at the start/, "hint: leave out `module.exports`: a function with the name turn is enough"]],
  ["another one", "exports.turn = (o) => skip();", [/^bot.js:1:1: ReferenceError: exports/, /exports/, /\^/, /at the start/, "hint: leave out `exports`: a function with the name turn is enough"]],
  ["a constant that is exported", "export const turn = (o) => skip();", [/^bot.js:1:1: SyntaxError/, /export/, "^", "hint: leave out `export`: a function with the name turn is enough"]],
  ["a file that is imported later", "async function turn(o) {\n  const kit = await import('./kit.js');\n}", [/^bot.js: ReferenceError: could not load module/, "hint: a bot is one file: paste what you need into it; there are no modules"]],
  ["a clock", "function turn() { Date.now(); }", [/ReferenceError: Date is not defined/, /Date.now/, /\^/, /at turn/, "hint: a bot has no clock: fuel() tells how much of the turn is left, o.ply which turn it is"]],
  ["no return", "function turn(o) { skip(); }", [/^bot.js: TypeError: turn must return an action.*, not nothing: is a `return` missing\?$/]],
  ["a promise", "async function turn(o) { return skip(); }", [/not a promise: leave out `async`$/]],
  ["a rejected promise", "function turn(o) { Promise.reject(new RangeError('far')); return skip(); }", [/^bot.js:1:\d+: RangeError: far$/, /turn/, /\^/, /at turn/]],
  ["another game's action", "function turn(o) { return move([1, 2], [1, 3]); }", [/Conway's Conquerors has no `move`; its actions are place, bomb, skip, pass$/]],
  ["half a cell", "function turn(o) {\n  return place([[1, 2], [3]]);\n}", [/^bot.js:2:10: TypeError: place: a cell is written as \[12, 3\], not \[3\]$/, /place/, /\^/, /native/, /at turn/]],
  ["random numbers too early", "const a = Math.random();", [/^bot.js:1:\d+: TypeError: random numbers begin with the first turn/, /random/, /\^/, /native/, /the start/]],
  ["what is thrown is no error", "function turn() { throw 'away'; }", ["bot.js: uncaught away"]],
  ["no end", "function turn() {\n  let n = 0;\n  for (;;)\n    n++;\n}", ["bot.js:4:5: OutOfFuel: the turn has used up its fuel here", "    n++;", "    ^", "    at turn (bot.js:4:5)"]],
  ["no end of the start", "\nfor (;;) {}", [/^bot.js:2:\d+: OutOfFuel: the start/, /for/, /\^/, /the start/]],
  ["no end under a catch", "function turn() {\n  for (;;) {\n    try { for (;;) ; } catch {} finally {}\n  }\n}", [/^bot.js:3:\d+: OutOfFuel/, /try/, /\^/, /at turn/]],
  ["too deep", "function down(n) {\n  return down(n + 1) + 1;\n}\nfunction turn() { down(0); }", [/^bot.js:2:\d+: RangeError: Maximum call stack size exceeded$/, /down/, /\^/, /down/, /down/, /down/, /down/, /down/, /down/, /down/, /down/, /^hint: calls nest/]],
];

for (const [name, script, expected] of FAILURES) {
  test(name, () => {
    const { log, trapped } = logged(script, 2_000_000n);
    assert.ok(trapped);
    assert.equal(log.length, expected.length, log.join("\n"));
    expected.forEach((line, at) => (line instanceof RegExp ? assert.match(log[at], line) : assert.equal(log[at], line)));
  });
}

test("what a script logs leaves room for its error", () => {
  const { log } = logged("function turn() { for (let i = 0; i < 500; i++) log('x'.repeat(i)); null.x; }");
  assert.ok(log.length <= 64 && log.join("").length <= 8_192);
  assert.match(log.at(-1), /at turn/);
});

test("an error that is caught ends nothing", () => {
  const script = "function down() { return down() + 1; } function turn() { try { down(); } catch (e) { log(e.name); } return skip(); }";
  assert.deepEqual(logged(script), { log: ["RangeError"], trapped: false });
});

test("without a script there is a word about it", () => {
  assert.match(logged("").log[0], /no script: bundle one/);
});
