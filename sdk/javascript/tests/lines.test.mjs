// Where a script is, for profiles: the lines of its functions that are running, wherever it is stopped.
import assert from "node:assert/strict";
import { test } from "node:test";
import { start, STOP } from "./module.mjs";

/** Each script, with the lines that are running when it logs that it is to be stopped. */
const STOPPED = [
  ["in turn", "function turn() {\n  let a = 1;\n  log(STOP);\n}", [3]],
  ["in what turn calls", "function down(n) {\n  if (n === 0) log(STOP);\n  else down(n - 1);\n}\nfunction turn() {\n  down(2);\n}", [2, 3, 3, 6]],
  ["within a call of ours", "function turn() {\n  [2, 1].sort((a, b) => {\n    log(STOP);\n  });\n}", [3, 2]],
  ["in a getter", "const o = {\n  get a() {\n    return log(STOP);\n  },\n};\nfunction turn() {\n  const b =\n    o.a;\n}", [3, 8]],
  ["in a generator", "function* all() {\n  yield 1;\n  log(STOP);\n}\nfunction turn() {\n  for (const n of all());\n}", [3, 6]],
  ["where a generator begins", "function* all(n = log(STOP)) {\n  yield 1;\n}\nfunction turn() {\n  all();\n}", [1, 5]],
  ["in code of another text", "function turn() {\n  new Function('log(STOP)')();\n}", [2]],
  ["in what is settled after turn", "function turn() {\n  (async () => {\n    await 1;\n    log(STOP);\n  })();\n  return skip();\n}", [4]],
  ["after an error that was caught", "function turn() {\n  try {\n    null.x;\n  } catch {\n    log(STOP);\n  }\n}", [5]],
  ["in a word that is made into one", "const o = { toString() {\n  log(STOP);\n} };\nfunction turn() {\n  return 1 +\n    o;\n}", [2, 6]],
  ["deeper than is told", "function down(n) {\n  if (n === 0) log(STOP);\n  down(n - 1);\n}\nfunction turn() { down(100); }", [2, ...Array(63).fill(3)]],
];

for (const [where, script, lines] of STOPPED) {
  test(where, () => {
    const bot = start(script.replace("STOP", JSON.stringify(STOP).replaceAll('"', "`")));
    bot.begin();
    assert.throws(() => bot.turn(), WebAssembly.RuntimeError);
    assert.deepEqual([bot.log.at(-1), bot.lines()], [STOP, lines]);
  });
}

test("nothing runs before the start and between turns", () => {
  const bot = start("function turn() {\n  return skip();\n}");
  assert.deepEqual(bot.lines(), []);
  bot.begin();
  bot.turn();
  assert.deepEqual(bot.lines(), []);
});
