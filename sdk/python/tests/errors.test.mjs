// What an author reads when a script fails: place, message, line, the calls that led there, and what to do instead.
import assert from "node:assert/strict";
import { test } from "node:test";
import { logged } from "./module.mjs";

/** Each script, and the log of its only turn, which ends by a trap. */
const FAILURES = [
  ["a syntax error", "def turn(o):\n\tx = = 3", ["bot.py:2:6: SyntaxError: invalid syntax", "\tx = = 3", "\t    ^"]],
  ["a wrong indent", "def turn(o):\nx = 1", ["bot.py:2:1: SyntaxError: invalid syntax", "x = 1", "^"]],
  [
    "an error in a function",
    "def size(a): return len(a.cells)\ndef turn(o):\n    return size(o)",
    ["bot.py:1: AttributeError: 'Observation' object has no attribute 'cells'", "def size(a): return len(a.cells)", "    in size (bot.py:1)", "    in turn (bot.py:3)"],
  ],
  ["an error at the start", "a = None\na.x = 1", [/^bot.py:2: AttributeError/, "a.x = 1", "    in the start (bot.py:2)"]],
  ["an error within a module", "import json\ndef turn(o):\n    json.loads('x')", [/^bot.py:3: ValueError/, /json.loads/, "    in turn (bot.py:3)"]],
  ["no function", "x = 1", ["bot.py: there is no function `turn`", /^hint: write `def turn/]],
  ["no return", "def turn(o): skip()", [/^bot.py: TypeError: turn must return an action.*, not nothing: is a `return` missing\?$/]],
  ["a coroutine", "async def turn(o): return skip()", [/not a generator: leave out `yield` and `async`$/]],
  ["NumPy", "import numpy as np", [/^bot.py:1: ImportError/, /numpy/, /the start/, /^hint: there is no NumPy here/]],
  ["JavaScript", "import js", [/^bot.py:1: ImportError/, /js/, /the start/, /^hint: a bot is Python alone/]],
  ["another module", "import kit", [/^bot.py:1: ImportError/, /kit/, /the start/, /^hint: a bot is one file/]],
  ["a clock", "import time", [/^bot.py:1: ImportError/, /time/, /the start/, /^hint: a bot has no clock/]],
  ["a question", "def turn(o): input()", [/^bot.py:1: NameError/, /input/, /turn/, /^hint: nothing can be asked/]],
  ["a file", "def turn(o): open('x')", [/^bot.py:1: OSError/, /open/, /turn/, /^hint: a bot has no files/]],
  ["match", "def turn(o):\n    match o:\n        case 1: pass", [/^bot.py:2:11: SyntaxError/, /match/, /\^/, /^hint: there is no `match` here/]],
  ["a star in a list", "def turn(o): return [*o.legal()]", [/^bot.py:1: SyntaxError/, /legal/, /^hint: there is no `\*` in lists/]],
  ["another game's action", "def turn(o): return move((1, 2), (1, 3))", [/Conway's Conquerors has no `move`; its actions are place, bomb, skip, pass$/]],
  ["half a cell", "def turn(o):\n    return place([(1, 2), (3,)])", ["bot.py:2: TypeError: place: a cell is written as [12, 3], not (3,)", /place/, "    in turn (bot.py:2)"]],
  ["random numbers too early", "import random\na = random.random()", [/^bot.py:2: TypeError: random numbers begin with the first turn/, /random/, /the start/]],
  ["no end", "def turn(o):\n    n = 0\n    while True:\n        n += 1", [/^bot.py:[34]: OutOfFuel: the turn has used up its fuel here$/, /n|while/, /in turn/]],
  ["no end of the start", "\nwhile True: pass", ["bot.py:2: OutOfFuel: the start has used up its fuel here", "while True: pass", "    in the start (bot.py:2)"]],
  ["no end under an except", "def turn(o):\n    while True:\n        try:\n            while True: pass\n        except: pass", [/^bot.py:4: OutOfFuel/, /while/, /in turn/]],
  ["too deep", "def down(n):\n    return down(n + 1) + 1\ndef turn(o): down(0)", ["bot.py:2: RuntimeError: maximum recursion depth exceeded", /down/, ...Array(8).fill("    in down (bot.py:2)"), /^hint: calls nest/]],
  ["too much", "def turn(o):\n    a = []\n    while True: a.append(bytearray(9000))", [/^bot.py:3: MemoryError/, /append/, /in turn/, /^hint: a bot has 1.4 MB/]],
  ["too much at the top", "a = []\ndef turn(o):\n    while True: a.append(str(len(a)))", [/^bot.py:3: MemoryError/, /append/, /in turn/, /^hint: a bot has 1.4 MB/]],
];

for (const [name, script, expected] of FAILURES) {
  test(name, () => {
    const { log, trapped } = logged(script, 500_000_000n);
    assert.ok(trapped);
    assert.equal(log.length, expected.length, log.join("\n"));
    expected.forEach((line, at) => (line instanceof RegExp ? assert.match(log[at], line) : assert.equal(log[at], line)));
  });
}

test("what a script prints leaves room for its error", () => {
  const { log } = logged("def turn(o):\n    for i in range(500): print('x' * i)\n    1 / 0");
  assert.ok(log.length <= 64 && log.join("").length <= 8_192);
  assert.match(log.at(-1), /in turn/);
});

test("what is printed without an end of line is written, too", () => {
  assert.deepEqual(logged("def turn(o):\n    print('a', end='')\n    print('b', 'c', sep='-', end='')\n    return skip()").log, ["ab-c"]);
});

test("errors that are caught end nothing: too deep in functions, constructors, operators, generators, lists", () => {
  const script = `
class Deep:
    def __init__(self, n): Deep(n + 1)
class Sum:
    def __add__(self, n): return self + (n + 1)
def down(n): return down(n + 1)
def steps(n): yield from steps(n + 1)
def order(n): return sorted([n, n + 1], key=order)
nested, other, pair = [], [], ()
for _ in range(3000): nested, other, pair = [nested], [other], (pair,)
def turn(o):
    for deed in (lambda: down(0), lambda: Deep(0), lambda: Sum() + 0, lambda: list(steps(0)), lambda: order(0),
                 lambda: repr(nested), lambda: nested == other, lambda: hash(pair)):
        try: deed()
        except RecursionError as e: print(e)
    return skip()`;
  assert.deepEqual(logged(script), { log: Array(8).fill("maximum recursion depth exceeded"), trapped: false });
});

test("without a script there is a word about it", () => {
  assert.match(logged("").log[0], /no script: bundle one/);
});
