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
  const other = messagesBy('say', { sayRow: () => 'row' }, ({ code }) => `refused (${code})`);
  assert.deepEqual(['row', 'a_new_one'].map((code) => other(code)), ['row', 'refused (a_new_one)']);
  const phrased = phrasesBy({ scriptPhraseInTurn: (/** @type {{turn: number}} */ { turn }) => `turn ${turn}`, scriptPhraseOver: () => 'over' });
  assert.equal(phrased([['in-turn', { turn: 3 }], ['over', {}]]), 'turn 3: over');
  assert.equal(phrased([]), '');
});

/** The sources in a folder, one after the other. @param {URL} folder @param {(name: string) => boolean} isSource */
const sources = (folder, isSource) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isSource).map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');

test('each language has the same messages, and none is idle', async () => {
  const text = sources(STATIC, (name) => name.endsWith('.js') && !name.startsWith('text/'));
  const used = new Set(text.match(/(?<!')\bscript[A-Z]\w*/g));
  const starts = [...text.matchAll(/\bmessagesBy\('(\w+)'/g)].map(([, start]) => start);
  const rust = ['arena', 'sdk', 'tournaments']
    .map((part) => sources(new URL(`../../../${part}/`, import.meta.url), (name) => /(^|\/)src\/.*\.rs$/.test(name)))
    .join('\n');
  const isCode = (/** @type {string} */ name) => rust.includes(`"${name.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}"`);
  // A message that no script names is chosen by a code of the arena or of tables. Those of phrases are compared with
  // the rules' codes in `web/engine`.
  const isChosen = (/** @type {string} */ name) =>
    starts.some((start) => name.startsWith(start) && (start.startsWith('scriptPhrase') || isCode(name.slice(start.length))));
  for (const module of modules) {
    const [english, spanish] = await Promise.all(['en', 'es'].map((language) => import(new URL(`text/${language}/${module}`, STATIC).href)));
    assert.deepEqual(Object.keys(english), Object.keys(spanish), module);
    assert.deepEqual(Object.keys(english).filter((name) => !used.has(name) && !isChosen(name)), [], module);
  }
});
