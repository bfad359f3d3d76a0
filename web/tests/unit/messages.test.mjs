// Messages of pages: their functions, and which of them a code names.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { isolated } from '../../static/page/isolated.js';
import { messagesBy, phrasesBy } from '../../static/page/messages.js';
import { scriptRoomsAway, scriptRoomsCellsWillDie, scriptRoomsOffersDraw } from '../../static/text/en/script-rooms.js';

const STATIC = new URL('../../static/', import.meta.url);
const modules = readdirSync(new URL('text/en', STATIC));

test('a name that is written from right to left does not turn around what is beside it', () => {
  const [name, other] = ['مريم', 'Ann'];
  assert.equal(scriptRoomsOffersDraw({ player: name }), `\u2068${name}\u2069 offers a draw.`);
  assert.equal(scriptRoomsOffersDraw({ player: other }), 'Ann offers a draw.');
  assert.equal(isolated(isolated(name)), isolated(name), 'once is enough');
  assert.equal(scriptRoomsAway({ player: `${isolated(name)} (3)` }), `\u2068${name}\u2069 (3) is away.`);
});

test('a message has the words for its number', () => {
  const dying = (/** @type {number} */ count) => scriptRoomsCellsWillDie({ cells: '1,2', count }).split(': ')[1];
  assert.match(dying(1), /^it has/);
  for (const count of [0, 2, 21]) assert.match(dying(count), /^each has/);
});

test('a code names its message, and one of a later release is said in words', () => {
  const words = messagesBy('say', { sayTooMany: () => 'Too many.', sayRow: (/** @type {{row: number}} */ { row }) => `row ${row}` });
  assert.deepEqual(['too_many', 'too-many', 'a_new_one'].map((code) => words(code)), ['Too many.', 'Too many.', 'a new one']);
  assert.equal(words('row', { row: 3 }), 'row 3');
  const phrased = phrasesBy({ scriptPhraseInTurn: (/** @type {{turn: number}} */ { turn }) => `turn ${turn}`, scriptPhraseOver: () => 'over' });
  assert.equal(phrased([['in-turn', { turn: 3 }], ['over', {}]]), 'turn 3: over');
  assert.equal(phrased([]), '');
});

test('each language has the same messages, and none is idle', async () => {
  const scripts = readdirSync(STATIC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js') && !name.startsWith('text/'));
  const text = scripts.map((name) => readFileSync(new URL(name, STATIC), 'utf8')).join('\n');
  const used = new Set(text.match(/\bscript[A-Z]\w*/g));
  for (const module of modules) {
    const [english, spanish] = await Promise.all(['en', 'es'].map((language) => import(new URL(`text/${language}/${module}`, STATIC).href)));
    assert.deepEqual(Object.keys(english), Object.keys(spanish), module);
    // A module taken as a whole is asked by codes.
    const isWhole = new RegExp(`import \\* as \\w+ from '[^']*/${module}'`).test(text);
    if (!isWhole) assert.deepEqual(Object.keys(english).filter((name) => !used.has(name)), [], module);
  }
});
