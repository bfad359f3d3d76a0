// What scripts are given: the rules' own answers, the bytes of actions, the contract's random numbers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FIRST, LENGTH, start } from "./module.mjs";

/** What a turn logs as JSON, on a board with these cells: [row, col, value]. */
function said(body, cells = []) {
  const bot = start(`function turn(o) {\n${body}\n}`);
  bot.begin();
  const seen = [...FIRST, ...new Array(LENGTH - FIRST.length).fill(0)];
  cells.forEach(([row, col, value]) => (seen[48 + 28 * row + col] = value));
  const action = bot.turn(seen);
  return { action, said: bot.log.map((line) => JSON.parse(line)) };
}

/** What a turn logs as JSON where a bot was first asked in a recorded game. */
function recorded(game, body) {
  const lines = readFileSync(new URL(`../../templates/rust-games/${game}/tests/recorded.txt`, import.meta.url), "utf8").split("\n");
  const seen = Buffer.from(lines.find((line) => /^[0-9a-f]/.test(line)), "hex");
  const bot = start(`function turn(o) {\n${body}\n}`, 50_000_000n, seen.length);
  bot.begin();
  bot.turn([...seen]);
  return bot.log.map((line) => JSON.parse(line));
}

const BLOCK = [[12, 3, 1], [12, 4, 1], [13, 3, 1], [13, 4, 1]];

test("actions become the contract's bytes", () => {
  assert.deepEqual(said("return place([[12, 3], [12, 4]])").action, [1, 1, 2, 12, 3, 12, 4]);
  assert.deepEqual(said("return bomb(12, 3)").action, [1, 2, 1, 12, 3]);
  assert.deepEqual(said("return bomb([12, 3])").action, [1, 2, 1, 12, 3]);
  assert.deepEqual(said("return skip()").action, [1, 3, 0]);
  assert.deepEqual(said("return pass()").action, [1, 0, 0]);
  assert.deepEqual(said("return { kind: 'place', cells: [[1, 2]] }").action, [1, 1, 1, 1, 2]);
});

test("random numbers are those of the contract", () => {
  const { said: numbers } = said(`
    log(JSON.stringify([o.rng.word(), o.rng.word()]));
    log(JSON.stringify([10, 10, 10].map((n) => o.rng.below(n))));
    return skip();`);
  // The words of the contract's vector for stream 0, and after two of them `below 10` of the third to the fifth.
  assert.deepEqual(numbers, [[0x8fb21540, 0x6aab126e], [4, 1, 1]]);
});

test("shuffling is that of the contract", () => {
  const bot = start("function turn(o) { log(o.rng.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).join(' ')); return skip(); }");
  bot.begin();
  const red = [...FIRST];
  [red[2], red[4]] = [1, 1]; // red's first turn: stream 1
  bot.turn(red);
  assert.equal(bot.log[0], "1 8 7 5 0 2 3 4 6 9");
});

test("random numbers begin anew in each turn, and Math.random draws from them", () => {
  const bot = start("function turn(o) { log(Math.random()); return skip(); }");
  bot.begin();
  bot.turn();
  bot.turn();
  assert.equal(bot.log[0], bot.log[1]);
  assert.equal(Number(bot.log[0]), ((0x8fb21540 >>> 5) * 2 ** 26 + (0x6aab126e >>> 6)) / 2 ** 53);
});

test("boards do what the rules do", () => {
  const { said: [board] } = said(`
    const blinker = new Board();
    [[3, 5], [3, 6], [3, 7]].forEach(([row, col]) => blinker.set(row, col, 2));
    const next = blinker.generation();
    log(JSON.stringify([
      o.board.count(0), o.board.count(), o.board.get(12, 3), o.board.get(-1, 3), o.board.neighbours(11, 3), o.board.neighbours(11, 3, 1),
      o.board.generation().equals(o.board), o.board.cells(0), next.cells(1), next.generation().equals(blinker), blinker.count(1),
      blinker.score(1), new Board(String(blinker)).equals(blinker), o.board.rows, o.board.cols,
    ]));
    return skip();`, BLOCK);
  const cells = BLOCK.map(([row, col]) => [row, col]);
  assert.deepEqual(board, [4, 4, 1, 0, 2, 0, true, cells, [[2, 6], [3, 6], [4, 6]], true, 3, 6, true, 26, 28]);
});

test("legal cells are those of the rules, with what was placed before", () => {
  const { said: [legal] } = said(`
    const wide = o.legal([[1, 1]]);
    log(JSON.stringify([
      o.legal().length, wide.length, wide.some(([, col]) => col === 12), o.check(place([[1, 1], [1, 12], [1, 13], [1, 14]])),
      o.check(place([[1, 12]])),
    ]));
    return skip();`);
  assert.deepEqual(legal, [208, 519, true, null, "row 1, column 12 is out of reach: neutral ground needs a living cell in your own home"]);
});

test("what the kit says an action is worth is what its boards say", () => {
  const { said: [[kit, boards, count, best]] } = said(`
    const actions = candidates(o).slice(0, 40).concat(candidates(o, { near: place([[4, 4], [4, 5], [5, 4], [5, 5]]) }).slice(0, 40));
    const lead = (action) => {
      let [board, sum] = [o.apply(action), 0];
      if (board.count(0) === 0) return -1_000_000;
      for (let ahead = 0; ahead < 3; ahead++, board = board.generation()) {
        sum += board.score(0) - board.score(1) + (board.cells(0).some(([, col]) => col < 8) ? 2 : 0);
      }
      return sum;
    };
    const worth = worths(o, actions, { generations: 3 });
    const found = worths(o, [best(o, { generations: 3 })], { generations: 3 })[0];
    log(JSON.stringify([worth, actions.map(lead), actions.length, found >= Math.max(...worth)]));
    return skip();`, BLOCK.concat([[3, 22, 2], [3, 23, 2], [3, 24, 2]]));
  assert.deepEqual(kit, boards);
  assert.deepEqual([count, best], [80, true]);
});

test("what a script changes of the language changes no answer", () => {
  const script = `
    Object.prototype.kind = "bomb";
    Array.prototype.push = Array.prototype.toString = () => { throw new Error("tampered"); };
    JSON.stringify = Math.random = String = () => 7;
    function turn(o) { return place(o.legal().slice(0, 4)); }`;
  const bot = start(script);
  bot.begin();
  assert.deepEqual(bot.turn(), [1, 1, 4, 0, 0, 0, 1, 0, 2, 0, 3]);
});

test("what is clear in Life2 is what the rules allow and nothing lives beside", () => {
  const [wrong, clear, far, of] = recorded("life2", `
    const [row, col] = o.bases[o.seat];
    const [wrong, clear] = [[], []];
    for (let down = -2; down < 10; down++) {
      for (let right = -2; right < 10; right++) {
        const at = [row + down, col + right];
        const allowed = o.check(place([at])) === null && o.board.neighbours(...at) + o.board.get(...at) === 0;
        if (o.clear([at]) !== allowed) wrong.push(at);
        if (allowed) clear.push(at);
      }
    }
    log(JSON.stringify(wrong));
    log(JSON.stringify(clear.length));
    log(JSON.stringify([o.clear(clear), o.clear([...clear, [row - 2, col]]), o.clear([])]));
    try { o.clear(); } catch (e) { log(JSON.stringify(e.name)); }
    return pass();`);
  assert.deepEqual([wrong, clear, far, of], [[], 36, [true, false, true], "TypeError"]);
  const { said: [elsewhere] } = said("try { o.clear([[1, 1]]); } catch (e) { log(JSON.stringify(e.message)); } return skip();");
  assert.equal(elsewhere, "o.clear(cells) is for Life2 alone");
});

test("the best cell in Game of Game of Life is the best of all", () => {
  const [[most, found, none]] = recorded("game-of-game-of-life", `
    const worth = (board) => {
      let sum = 0;
      for (let ahead = 0; ahead < 3; ahead++) {
        if (ahead > 0) board = board.generation();
        sum += 2 * board.count(o.seat) - board.count();
      }
      return board.count(o.seat) === 0 ? -1_000 : sum;
    };
    const value = (action) => worth(action.kind === "pass" ? o.board.generation() : o.apply(action));
    const most = Math.max(...[pass(), ...o.legal().map(([row, col]) => cell(row, col))].map(value));
    const search = { generations: 3, weights: { own: 1, enemy: -1 } };
    log(JSON.stringify([most, value(best(o, search)), best(o, { ...search, fuel: 0 }).kind]));
    return pass();`);
  assert.equal(found, most);
  assert.equal(none, "pass");
});
