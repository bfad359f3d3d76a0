// The workshop's bench, with the built modules in this engine: a text becomes a bot as on a site, and its game is one
// by the rules, whatever the bot does.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Engine } from '../../static/rules/engine.js';
import { Refused } from '../../static/rules/meter.js';
import { Flawed, Texts } from '../../static/rules/texts.js';
import { Bench } from '../../static/workshop/bench.js';
import { failureIn, linesByTurn } from '../../static/workshop/log.js';

const compiled = (module) => new WebAssembly.Module(readFileSync(new URL(`../built/${module}.wasm`, import.meta.url)));
const TEXTS = compiled('arena_texts');
const bench = new Bench(compiled('arena_opponents'), TEXTS);
const pythons = new Bench(compiled('arena_opponents'), compiled('arena_python'));
const rules = new Engine(new WebAssembly.Instance(compiled('arena_engine')));
const TEMPLATE = readFileSync(new URL('../../../sdk/templates/wat/bot.wat', import.meta.url), 'utf8');
const LAYER = readFileSync(new URL('../../../sdk/wat/arena.wat', import.meta.url), 'utf8');

const budgets = { memory_bytes: 4 << 20, module_bytes: 1 << 20 };
const MATCH = { ruleset: 'conquerors@2', options: 'chain_needs_home,weighted_majority', seed: '5'.repeat(64), seat: 0, opponent: 'baseline:easy@1', from: null };
const ready = (text) => bench.ready({ language: 'wat', text, budgets });
const play = async (text, wanted = {}) => {
  const turns = [];
  const { record, left } = await bench.play(await ready(text), await bench.other({ ...MATCH, ...wanted }, budgets), { ...MATCH, ...wanted }, (turn) => turns.push(turn));
  const replay = rules.replay(record);
  assert.ok(replay.verified, JSON.stringify(replay.why_not));
  return { record, replay, left, turns };
};

test('the template plays in either seat, as often as asked the same', async () => {
  for (const seat of [0, 1]) {
    const { record, replay, turns } = await play(TEMPLATE, { seat });
    assert.deepEqual(replay.forfeits, []);
    const own = replay.turns.filter(({ plays }) => plays.some((play) => play.seat === seat && play.fuel > 0));
    assert.deepEqual(turns, own.map((_, turn) => turn + 1));
    assert.equal((await play(TEMPLATE, { seat })).record, record);
  }
});

test('a module of a text has the id of its bytes, and that of a whole module those of its text', () => {
  const texts = new Texts(new WebAssembly.Instance(TEXTS));
  for (const text of [TEMPLATE, `(module ${LAYER}\n${TEMPLATE}\n)`]) {
    const { id, module } = texts.made('wat', text);
    assert.equal(id, `sha256:${createHash('sha256').update(module).digest('hex')}`);
    assert.equal(new WebAssembly.Module(module) instanceof WebAssembly.Module, true);
  }
});

test('an error stands at its line; what the judge refuses does not run', async () => {
  const flaw = await ready('(func $turn\n  (call $oops))').then(assert.fail, (error) => (assert.ok(error instanceof Flawed), error.flaw));
  assert.deepEqual([flaw.text, flaw.line, flaw.column], ['bot.wat', 2, 9]);
  assert.match(flaw.message, /oops/);
  const layer = await ready('').then(assert.fail, (error) => error.flaw);
  assert.match(layer.message, /needs \(func \$turn/);
  await assert.rejects(ready('(module)'), Refused);
  await assert.rejects(bench.ready({ language: 'cobol', text: '', budgets }), Flawed);
});

test('a script is a bot that says in its log where it fails, and has no more fuel than others', async () => {
  const script = async (text) => {
    const bot = await bench.ready({ language: 'javascript', text, budgets });
    const { record, left } = await bench.play(bot, null, MATCH, () => {});
    return { replay: rules.replay(record), left };
  };
  const template = readFileSync(new URL('../../../sdk/templates/javascript/bot.js', import.meta.url), 'utf8');
  assert.deepEqual((await script(template)).replay.forfeits, []);
  const { replay, left } = await script('function turn(o) {\n  return o.nothing();\n}');
  assert.equal(replay.forfeits.length, 1);
  assert.deepEqual(failureIn('bot.js', left.lines)?.flaw?.line, 2);
  const looping = await script('function turn(o) { while (o) {} }');
  assert.match(looping.replay.forfeits[0].code, /fuel_exhausted|trap/);
  await assert.rejects(bench.ready({ language: 'javascript', text: '', budgets }), Flawed);
  await assert.rejects(bench.ready({ language: 'python', text: 'x', budgets }), Flawed, 'that is for the module with its interpreter');
});

test('so is a script in Python, by a module of its own', async () => {
  const script = async (text) => {
    const bot = await pythons.ready({ language: 'python', text, budgets });
    const { record, left } = await pythons.play(bot, null, MATCH, () => {});
    return { replay: rules.replay(record), left };
  };
  const template = readFileSync(new URL('../../../sdk/templates/python/bot.py', import.meta.url), 'utf8');
  assert.deepEqual((await script(template)).replay.forfeits, []);
  const { replay, left } = await script('def turn(o):\n    return o.nothing()\n');
  assert.equal(replay.forfeits.length, 1);
  assert.deepEqual(failureIn('bot.py', left.lines)?.flaw?.line, 2);
  const looping = await script('def turn(o):\n    while o: pass\n');
  assert.match(looping.replay.forfeits[0].code, /fuel_exhausted|trap/);
  for (const language of ['python', 'javascript', 'wat']) await assert.rejects(pythons.ready({ language, text: '', budgets }), Flawed);
});

test('pairs say who is stronger', () => {
  assert.deepEqual(bench.said([2, 2]), { verdict: 'too_few', elo: null, low: bench.said([2, 2]).low, high: null });
  const { verdict, elo, low, high } = bench.said(Array.from({ length: 20 }, (_, game) => (game % 2 === 0 ? 2 : 1)));
  assert.equal(verdict, 'stronger');
  assert.ok(low !== null && low < elo && (high === null || elo < high), `${low} ${elo} ${high}`);
});

test('a loop without an end ends by its fuel, and the log stands at its turns', async () => {
  const { replay, left } = await play('(global $turns (mut i32) (i32.const 0)) (data (i32.const 4096) "hello") (func $turn (call $log (i32.const 4096) (i32.const 5)) (global.set $turns (i32.add (global.get $turns) (i32.const 1))) (if (i32.eq (global.get $turns) (i32.const 3)) (then (loop $l (br $l)))) (call $conquerors_finish))');
  assert.deepEqual([replay.forfeits[0].code, replay.forfeits[0].seat], ['fuel_exhausted', 0]);
  const turns = linesByTurn(left, replay).map(({ turn, text }) => [text, turn]);
  assert.deepEqual(turns, [['hello', 1], ['hello', 3], ['hello', 5]]);
});

test('a game is played on from a turn as it was played before, and then by the other bot', async () => {
  const { record, replay } = await play(TEMPLATE);
  const from = { record, turns: 8 };
  assert.deepEqual((await play(TEMPLATE, { from })).replay.turns, replay.turns, 'the same bot plays the same game');
  const other = await play('(func $turn (call $conquerors_finish))', { from });
  assert.deepEqual(other.replay.turns.slice(0, 8), replay.turns.slice(0, 8));
  assert.notDeepEqual(other.replay.turns.slice(8), replay.turns.slice(8));
});
