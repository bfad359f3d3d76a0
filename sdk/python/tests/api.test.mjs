// What scripts are given is the same in both languages: the same questions have the same answers, in all games.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as javascript from "../../javascript/tests/module.mjs";
import * as python from "./module.mjs";

const { FIRST, LENGTH } = python;

/** The first observation of Conway's Conquerors with these cells, or one of a recorded game. */
function seen(game) {
  if (game === "conquerors") {
    const bytes = [...FIRST, ...new Array(LENGTH - FIRST.length).fill(0)];
    const cells = [[12, 3, 1], [12, 4, 1], [13, 3, 1], [13, 4, 1], [3, 22, 2], [3, 23, 2], [3, 24, 2]];
    for (const [row, col, value] of cells) bytes[48 + 28 * row + col] = value;
    return bytes;
  }
  const lines = readFileSync(new URL(`../../templates/rust-games/${game}/tests/recorded.txt`, import.meta.url), "utf8").split("\n");
  return [...Buffer.from(lines.find((line) => /^[0-9a-f]/.test(line)), "hex")];
}

/** What a turn logs, and its bytes. */
function played(module, script, observation) {
  const bot = module.start(script, 500_000_000n, observation.length);
  bot.begin();
  const action = bot.turn(observation);
  return { action, said: bot.log.map((line) => JSON.parse(line)) };
}

/** Each question in both languages. */
const CONQUERORS = [
  ["[o.game, o.seat, o.seats, o.ply, o.colour, o.round, o.cooldown, o.skipUsed, o.bombReady, o.chainNeedsHome, o.weightedMajority]",
    "[o.game, o.seat, o.seats, o.ply, o.colour, o.round, o.cooldown, o.skip_used, o.bomb_ready, o.chain_needs_home, o.weighted_majority]"],
  ["[o.legal().length, o.legal([[1, 1]])[300]]", "[len(o.legal()), o.legal([(1, 1)])[300]]"],
  ["[o.check(place([[1, 12]])), o.check(skip()), o.check(bomb(3, 3))]", "[o.check(place([(1, 12)])), o.check(skip()), o.check(bomb(3, 3))]"],
  ["[o.board.rows, o.board.cols, o.board.get(12, 3), o.board.count(), o.board.count(1), o.board.score(1), o.board.cells(0), o.board.neighbours(11, 3), o.board.neighbours(11, 3, 1)]",
    "[o.board.rows, o.board.cols, o.board.get(12, 3), o.board.count(), o.board.count(1), o.board.score(1), o.board.cells(0), o.board.neighbours(11, 3), o.board.neighbours(11, 3, 1)]"],
  ["String(o.board.generation(2))", "str(o.board.generation(2))"],
  ["[o.board.generation().equals(o.board), o.board.copy().equals(o.board), new Board().set(1, 2, 1).cells()]",
    "[o.board.generation() == o.board, o.board.copy() == o.board, Board().set(1, 2, 1).cells()]"],
  ["o.apply(place([[1, 1], [1, 2], [2, 1], [2, 2]])).cells(0)", "o.apply(place([(1, 1), (1, 2), (2, 1), (2, 2)])).cells(0)"],
  ["candidates(o).slice(0, 60).map((a) => [a.kind, a.cells])", "[[a.kind, a.cells] for a in candidates(o)[:60]]"],
  ["candidates(o, { near: place([[4, 4], [4, 5], [5, 4], [5, 5]]) }).slice(0, 60).map((a) => a.cells)",
    "[a.cells for a in candidates(o, near=place([(4, 4), (4, 5), (5, 4), (5, 5)]))[:60]]"],
  ["worths(o, candidates(o).slice(0, 60), { generations: 3, weights: { own: 2, ownAbroad: 5 } })",
    "worths(o, candidates(o)[:60], generations=3, weights={'own': 2, 'own_abroad': 5})"],
  ["[o.rng.word(), o.rng.below(10), o.rng.shuffle([0, 1, 2, 3, 4, 5])]", "[o.rng.word(), o.rng.below(10), o.rng.shuffle([0, 1, 2, 3, 4, 5])]"],
  ["Math.random()", "random.random()"],
  ["(() => { const b = best(o, { generations: 3 }); return worths(o, [b], { generations: 3 }); })()", "worths(o, [best(o, generations=3)], generations=3)"],
];

const OTHERS = {
  "war-of-life": [
    ["[o.game, o.colour, o.board.count(), o.legal().map((a) => [a.kind, a.cells])]", "[o.game, o.colour, o.board.count(), [[a.kind, a.cells] for a in o.legal()]]"],
    ["String(o.apply(o.legal()[0]))", "str(o.apply(o.legal()[0]))"],
    ["[1, 2, 3].map((n) => worths(o, o.legal(), { generations: n, weights: { enemy: -2 } }))", "[worths(o, o.legal(), generations=n, weights={'enemy': -2}) for n in (1, 2, 3)]"],
    ["[best(o).cells, best(o, { generations: 2 }).cells, best(o, { generations: 4, fuel: 9_000_000 }).cells]", "[best(o).cells, best(o, generations=2).cells, best(o, generations=4, fuel=9_000_000).cells]"],
  ],
  "game-of-game-of-life": [
    ["[o.generation, o.last, o.legal().length, o.board.get(-1, -1), String(o.board.generation())]", "[o.generation, o.last, len(o.legal()), o.board.get(-1, -1), str(o.board.generation())]"],
    ["best(o, { generations: 3 }).cells", "best(o, generations=3).cells"],
    ["worths(o, [pass(), ...o.legal().map((at) => cell(...at))])", "worths(o, [pass_()] + [cell(*at) for at in o.legal()])"],
  ],
  "life2": [
    ["[o.coins, o.baseCoins, o.bases, o.living, o.ground, [o.view.row, o.view.col, o.view.rows, o.view.cols], o.clear([o.bases[o.seat]])]",
      "[o.coins, o.base_coins, o.bases, o.living, o.ground, [o.view.row, o.view.col, o.view.rows, o.view.cols], o.clear([o.bases[o.seat]])]"],
    ["[o.legal().length, o.board.cells().length]", "[len(o.legal()), len(o.board.cells())]"],
  ],
};

for (const [game, questions] of Object.entries({ conquerors: CONQUERORS, ...OTHERS })) {
  test(`the same answers in ${game}`, () => {
    const end = { conquerors: "skip()", "war-of-life": "o.legal()[0]" }[game] ?? "pass";
    const [js, py] = end === "pass" ? ["pass()", "pass_()"] : [end, end];
    for (const [asked, question] of questions) {
      const one = played(javascript, `function turn(o) {\nlog(JSON.stringify(${asked}));\nreturn ${js};\n}`, seen(game));
      const other = played(python, `import json, random\ndef turn(o):\n    print(json.dumps(${question}))\n    return ${py}\n`, seen(game));
      assert.deepEqual(other, one, question);
    }
  });
}

test("searches find what is worth most, and what is worth most is what the rules say", () => {
  const is = (game, condition) => {
    const script = `def turn(o):\n    all = o.legal() if o.game == "war-of-life" else [pass_()] + [cell(*at) for at in o.legal()]\n    lead = lambda b: b.count(o.seat) - b.count() + b.count(o.seat)\n    print("true" if ${condition} else "false")\n    return all[0]`;
    assert.deepEqual(played(python, script, seen(game)).said, [true], condition);
  };
  is("war-of-life", "worths(o, all, generations=1) == [lead(o.apply(a)) for a in all]");
  for (const moves of [1, 2, 3]) is("war-of-life", `worths(o, [best(o, generations=${moves})], generations=${moves}) == [max(worths(o, all, generations=${moves}))]`);
  is("war-of-life", "worths(o, [move((0, 0), (0, 1)), pass_() if o.seat > 1 else move((9, 9), (0, 0))]) == [float('-inf')] * 2");
  is("game-of-game-of-life", "worths(o, all, generations=1) == [lead(o.apply(a)) for a in all]");
  is("game-of-game-of-life", "worths(o, [best(o)]) == [max(worths(o, all))]");
});

test("games without a search say what there is instead", () => {
  const said = (game, code) => {
    const bot = python.start(`def turn(o):\n    try: ${code}\n    except TypeError as e: print(e)\n    return pass_()`, 500_000_000n, seen(game).length);
    bot.begin();
    try { bot.turn(seen(game)); } catch {}
    return bot.log[0];
  };
  assert.match(said("war-of-life", "candidates(o)"), /does not search in War of Life: o.legal\(\) has all/);
  for (const code of ["best(o)", "worths(o, [])", "candidates(o)"]) assert.match(said("life2", code), /does not search in Life2: scripts cannot compute its generations/);
});

test("actions become the contract's bytes", () => {
  const action = (code) => played(python, `def turn(o): return ${code}`, seen("conquerors")).action;
  assert.deepEqual(action("place([(12, 3), [12, 4]])"), [1, 1, 2, 12, 3, 12, 4]);
  assert.deepEqual(action("bomb(12, 3)"), [1, 2, 1, 12, 3]);
  assert.deepEqual(action("skip()"), [1, 3, 0]);
  assert.deepEqual(action("pass_()"), [1, 0, 0]);
  assert.deepEqual(action("{'kind': 'place', 'cells': [(1, 2)]}"), [1, 1, 1, 1, 2]);
});

test("what is global is in the module arena, too", () => {
  const names = ["place", "bomb", "skip", "pass_", "move", "cell", "look", "Board", "best", "candidates", "worths", "fuel", "log"];
  const script = `import arena\nfrom arena import ${names.join(", ")}\ndef turn(o):\n    log(repr(place([(1, 2)])), arena.place([(1, 2)]) == place([(1, 2)]), isinstance(o.board, Board))\n    return skip()`;
  const bot = python.start(script);
  bot.begin();
  bot.turn();
  assert.deepEqual(bot.log, ["place([(1, 2)]) True True"]);
});

test("garbage is collected in what functions of the script are called for: sorting, constructors, generators, closures", () => {
  const script = `
class Made:
    def __init__(self, n, *rest):
        self.n = n
        waste()
        self.text = str(n)
class Bare:
    def __init__(self):
        keep = self
        self = None
        waste()
        keep.n = 1
def waste():
    for i in range(300): [str(i), bytearray(9000)]
def each(n):
    for i in range(n):
        waste()
        yield (i, [i])
def all(n):
    yield from each(n)
def key(n):
    waste()
    return (-n, [n])
def turn(o):
    n, seen = 4, []
    def closed(a, b, c, d, e, f):
        waste()
        return [a, b, c, d, e, f, n, seen]
    method = Made(7).__init__
    def last(x):
        return method(x), waste(), [x]
    print(sorted([str(n) for n in range(9)], key=lambda s: key(int(s))), sorted((str(n) for n in range(3)), key=int))
    several = [3, 1, 2]
    several.sort(key=key, reverse=True)
    print(several, max([(n,) for n in range(5)], key=lambda t: key(t[0])), min({str(n): n for n in range(5)}, key=lambda s: key(int(s))), max([p for p in all(3)], key=lambda p: key(p[0])))
    print([(m.n, m.text) for m in [Made(n, [n], "r") for n in range(3)]], Bare().n, [p for p in all(3)], closed([1], "b", (3,), 4.5, {5: 6}, 1 << 40))
    print([sorted([[n], [0]], key=lambda l: Made(l[0]).n) for n in range(2)], last(5)[2])
    return skip()`;
  const bot = python.start(script, 50_000_000_000n);
  bot.begin();
  for (let turn = 1; turn <= 2; turn++) bot.turn();
  const expected = [
    "['8', '7', '6', '5', '4', '3', '2', '1', '0'] ['0', '1', '2']",
    "[1, 2, 3] (0,) 4 (0, [0])",
    "[(0, '0'), (1, '1'), (2, '2')] 1 [(0, [0]), (1, [1]), (2, [2])] [[1], 'b', (3,), 4.5, {5: 6}, 1099511627776, 4, []]",
    "[[[0], [0]], [[0], [1]]] [5]",
  ];
  assert.deepEqual(bot.log, [...expected, ...expected]);
});

/** Where no garbage is collected, with what to use instead: as the table of sdk/python/README.md has it. */
const UNCOLLECTED = {
  map: ["list(map(lambda n: waste(), [1]))", "[waste() for n in [1]]"],
  filter: ["list(filter(lambda n: waste(), [1]))", "[n for n in [1] if waste()]"],
  operators: ["[Value() + 1]", "[Value().plus(1)]"],
  properties: ["[Value().size]", "[Value().plus(0)]"],
  "sum of a generator": ["[sum(each())]", "[total([n for n in each()])]"],
  "list of a generator": ["list(each())", "[n for n in each()]"],
};

for (const [name, [full, instead]] of Object.entries(UNCOLLECTED)) {
  test(`no garbage is collected within: ${name}`, () => {
    const said = (code) => {
      const script = `
def waste():
    for i in range(300): bytearray(9000)
    return 1
class Value:
    def plus(self, n): return waste()
    def __add__(self, n): return waste()
    @property
    def size(self): return waste()
def each():
    yield waste()
def total(list): return list[0]
def turn(o):
    try: print(${code})
    except MemoryError: print("MemoryError")
    return skip()`;
      const bot = python.start(script, 50_000_000_000n);
      bot.begin();
      bot.turn();
      return bot.log;
    };
    assert.deepEqual(said(full), ["MemoryError"], "it is collected now: take it off the list");
    assert.deepEqual(said(instead), ["[1]"]);
  });
}

test("garbage is collected in loops and between turns, and what is kept is not", () => {
  const script = `
kept = {}
def turn(o):
    kept[len(kept)] = [o.board.copy(), str(len(kept)), (len(kept), [len(kept)])]
    total = 0
    for i in range(3000):
        parts = [str(i), bytearray(3000), o.board.generation()]
        total += len(parts[1])
    assert all([kept[i][1:] == [str(i), (i, [i])] and kept[i][0].count() == 0 for i in kept])
    print(total, len(kept))
    return skip()`;
  const bot = python.start(script, 50_000_000_000n);
  bot.begin();
  for (let turn = 1; turn <= 12; turn++) bot.turn();
  assert.deepEqual(bot.log, Array.from({ length: 12 }, (_, at) => `9000000 ${at + 1}`));
});
