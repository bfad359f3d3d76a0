// `arena bundle bot.js && node --test`: the bot in Node.js, in the positions of a recorded game.
//
// Lost a game? `arena debug bot.js GAME.json --turn TURN{{seat}} --save recorded.txt` saves what the bot saw up to a turn of
// its own, as the recording here was saved. Then say in a test what it should have done.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const read = (name) => readFileSync(new URL(name, import.meta.url));
const bot = await WebAssembly.compile(read("bot.wasm"));
const lines = read("recorded.txt").toString().split("\n");
const observations = lines.filter((line) => /^[0-9a-f]/.test(line)).map((line) => Buffer.from(line, "hex"));

/** The bot's answers in one game: bytes that ABI.md explains. Its log is printed; fuel is not counted here. */
function answers() {
  const bytes = (address, length) => Buffer.from(exports.memory.buffer, address >>> 0, length);
  let fuel = 50_000_000n;
  const arena = {
    log: (address, length) => console.log(bytes(address, length).toString()),
    // Each question costs some, so that a search ends.
    fuel: () => (fuel = fuel > 10_000n ? fuel - 10_000n : 0n),
  };
  const { exports } = new WebAssembly.Instance(bot, { arena });
  exports._initialize?.();
  const seen = exports.arena_observation(observations[0].length);
  return observations.map((observation) => {
    fuel = 50_000_000n;
    bytes(seen, observation.length).set(observation);
    const answer = BigInt.asUintN(64, exports.arena_turn(observation.length));
    return bytes(Number(answer & 0xffff_ffffn), Number(answer >> 32n)).toString("hex");
  });
}

test("the bot answers in every position, and the same in the same game", () => {
  const first = answers();
  assert.ok(first.length > 0 && first.every((answer) => answer.startsWith("01")));
  assert.deepEqual(answers(), first);
});
