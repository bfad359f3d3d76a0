// What the editor knows of the game is what the languages declare: nothing of these files is missing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from '../lib/setting.mjs';
import { Layer, Script, ofPython, ofTypeScript } from '../../static/workshop/api.js';

const DECLARED = source('sdk/javascript/bot.d.ts');
const STUBS = source('sdk/python/arena.pyi');
const LAYER = source('sdk/wat/arena.wat');
const script = new Script(ofTypeScript(DECLARED), 'conquerors');
const python = new Script(ofPython(STUBS), 'conquerors');
const layer = new Layer(LAYER);

/** @param {{name: string}[]} known */
const names = (known) => known.map(({ name }) => name);

test('each function of a script is known by its signature and its words', () => {
  const functions = [...DECLARED.matchAll(/\/\*\* (.*) \*\/\ndeclare function ((\w+).*);/g)];
  assert.ok(functions.length > 10);
  for (const [, words, signature, name] of functions) {
    assert.deepEqual(script.at('  return ', name, '').filter(({ of }) => of === '').map((known) => [known.signature, known.words]), [[signature, words]]);
    assert.ok(names(script.options('  return ', false, '')).includes(name), name);
  }
  assert.equal(functions.length, DECLARED.split('declare function').length - 1, 'each has words');
  const parts = [...DECLARED.matchAll(/^ +(?:readonly )?(\w+)[^\n]*;$/gm)].map(([, name]) => name);
  for (const name of parts) assert.ok(name === 'constructor' || script.at('x.', name, '').length > 0, name);
});

test('behind a point stand the parts of what is before it', () => {
  const board = names(script.options('o.board.', false, ''));
  assert.deepEqual(board.slice(0, 3), ['rows', 'cols', 'get']);
  for (const before of ['const a = o.apply(best(o, { fuel: fuel() })).generation(2).', 'new Board(".b.").', 'f(o.board.copy().']) {
    assert.deepEqual(names(script.options(before, false, '')), board, before);
  }
  assert.deepEqual(names(script.options('o.rng.', false, '')), ['word', 'below', 'shuffle']);
  for (const before of ['o.legal().', 'o.legal()[0].', 'Math.', 'JSON.', 'o.nothing.']) assert.deepEqual(script.options(before, true, ''), [], before);
  assert.deepEqual(script.options('mine.', false, ''), [], 'of what is unknown nothing, unless it is asked for');
  assert.ok(names(script.options('mine.', true, '')).includes('neighbours'));
  assert.deepEqual(script.at('o.board.', 'legal', ''), []);
});

test('what a bot sees is that of its game', () => {
  const seen = (/** @type {string} */ game) => names(new Script(ofTypeScript(DECLARED), game).options('o.', false, ''));
  assert.ok(seen('conquerors').includes('bombReady') && !seen('conquerors').includes('coins'));
  for (const [game, own] of [['war-of-life', 'colour'], ['game-of-game-of-life', 'last'], ['life2', 'coins']]) {
    assert.ok(seen(game).includes(own) && seen(game).includes('board') && !seen(game).includes('bombReady'), game);
  }
  assert.deepEqual(script.at('', 'o', '').map(({ signature }) => signature), ['o: Conquerors']);
});

test('Python declares the same, in its own words', () => {
  const functions = [...STUBS.matchAll(/^def (\w+)(.*):\n    """(.*)"""$/gm)];
  assert.equal(functions.length, STUBS.split('\ndef ').length - 1, 'each has words');
  for (const [, name, rest, words] of functions) {
    assert.deepEqual(python.at('    return ', name, '').map((known) => [known.signature, known.words]), [[name + rest, words]]);
  }
  for (const known of ofPython(STUBS)) assert.ok(known.words.length > 5, `${known.of} ${known.name}`);
  const snake = (/** @type {string} */ name) => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`).replace(/^pass$/, 'pass_');
  for (const game of ['conquerors', 'war-of-life', 'game-of-game-of-life', 'life2']) {
    const [one, other] = [new Script(ofTypeScript(DECLARED), game), new Script(ofPython(STUBS), game)];
    for (const before of ['', 'o.', 'o.board.', 'o.rng.', 'o.view.', 'o.board.copy().']) {
      const own = one.options(before, false, '').filter(({ of, type }) => of !== 'Search' && !type.startsWith('{'));
      const missing = own.filter(({ name }) => !['toString', 'log'].includes(name) && !names(other.options(before, false, '')).includes(/^[A-Z]/.test(name) ? name : snake(name)));
      assert.deepEqual(names(missing), [], `${game}: ${before}`);
    }
  }
  assert.deepEqual(python.at('', 'Board', '').map(({ signature }) => signature), ['Board(text: str = ..., /)']);
  assert.deepEqual(python.at('', 'o', '').map(({ signature }) => signature), ['o: Conquerors']);
  assert.deepEqual(python.options('o.legal().', true, ''), []);
});

test('each function of the layer is known, and in quotes what the contract calls by name', () => {
  const defined = [...LAYER.matchAll(/^\((?:import .* \()?(?:func|global) (\$\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(names(layer.options('(call ', false, '(func $turn)')), defined);
  const [log] = layer.at('(call $', 'log', '(func $turn)');
  assert.equal(log.signature, '(import "arena" "log" (func $log (param i32 i32)))');
  assert.match(log.words, /^A line for the bot's log/);
  assert.match(layer.at('(call $', 'conquerors_finish', '(func $turn)')[0].words, /^Makes whatever was placed a legal turn: .* the pass\.$/);
  assert.equal(layer.at('', 'FREE', '(func $turn)')[0].signature, '(global $FREE i32)');
  assert.deepEqual(names(layer.options('(export "', false, '(func $turn)')), ['log', 'fuel', 'memory', 'arena_observation', 'arena_turn']);
  for (const name of ['log', 'fuel', 'memory', 'arena_observation', 'arena_turn']) assert.match(layer.at('', name, '')[0].words, /\w+ \w+/);
  assert.deepEqual(layer.at('', 'oops', '(func $turn)'), []);
  // A whole module has no layer in front of it: it has the contract alone.
  const whole = ';; mine\n(module (func $count))';
  assert.deepEqual([layer.options('(call ', true, whole), layer.at('(call $', 'count', whole)], [[], []]);
  assert.deepEqual(names(layer.at('(export "', 'arena_turn', whole)), ['$arena_turn']);
});
