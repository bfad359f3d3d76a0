// arena.py, by which bots are tested in plain Python, answers as the interpreter does, and as the rules' vectors say.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { start } from "./module.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const PLAIN = path("../plain");
const GOLDEN = path("../../rules/tests/golden/conquerors");
const skip = spawnSync("python3", ["--version"]).status !== 0 && "it needs Python 3";

/** What plain Python prints. */
const python = (program, ...words) =>
  execFileSync("python3", ["-B", "-c", program, ...words], { encoding: "utf8", env: { ...process.env, PYTHONPATH: PLAIN } });

/** Positions: those of a recorded game, and later ones with bombs, used skips and cells everywhere, drawn from a seed. */
function positions() {
  const lines = readFileSync(new URL("../../templates/rust-games/conquerors/tests/recorded.txt", import.meta.url), "utf8").split("\n");
  const recorded = lines.filter((line) => /^[0-9a-f]/.test(line)).map((line) => Buffer.from(line, "hex"));
  let state = 1;
  const below = (n) => ((state = (state * 48271) % 2147483647) % n);
  const drawn = Array.from({ length: 12 }, (_, number) => {
    const seen = Buffer.from(recorded[0]);
    const [seat, round] = [number % 2, 1 + number];
    seen.set([seat, 3, 2 * (round - 1) + seat, 0, round, 0, below(3), below(3), below(2), below(2)], 2);
    for (let at = 48; at < seen.length; at++) seen[at] = below(6) === 0 ? 1 + below(2) : 0;
    return seen;
  });
  return [...recorded, ...drawn];
}

test("every answer is the same in plain Python", { skip }, () => {
  const script = readFileSync(new URL("plain.py", import.meta.url), "utf8");
  const asked = `import sys, arena, runpy\nturn = runpy.run_path(sys.argv[1])["turn"]\nprint(turn(arena.Conquerors(bytes.fromhex(sys.argv[2]))).bytes().hex())`;
  for (const seen of positions()) {
    const bot = start(script, 1_000_000_000_000n);
    bot.begin();
    const answer = Buffer.from(bot.turn([...seen])).toString("hex");
    assert.deepEqual([...bot.log, answer], python(asked, path("plain.py"), seen.toString("hex")).trimEnd().split("\n"));
  }
});

test("boards are those of the rules' vectors", { skip }, () => {
  const compared = `
import arena, json, sys
board = lambda text: arena.Board(text.replace("/", "\\n"))
for line in map(json.loads, open(sys.argv[1] + "/evolve.jsonl")):
    assert board(line["board"]).generation() == board(line["next"]), line
for line in map(json.loads, open(sys.argv[1] + "/reach.jsonl")):
    here = board(line["board"])
    assert [here.count(0), here.count(1)] == line["n"] and [here.score(0), here.score(1)] == line["score"], line
print("compared")`;
  assert.equal(python(compared, GOLDEN), "compared\n");
});
