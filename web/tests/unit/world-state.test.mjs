// The reducer of a world's page. `world-page.test.mjs` has the page around it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INITIAL, durationOf, ownOf, reduce } from '../../static/worlds/state.js';

/** @import { Fall } from '../../static/worlds/engine.js' */
/** @import { Event, State } from '../../static/worlds/state.js' */

const SIZE = { width: 800, height: 600 };

/**
 * A world at a generation, with a kingdom of the visitor or with what became of it.
 * @param {boolean} holds
 * @param {Fall | null} fallen
 * @returns {Event}
 */
const looked = (holds, generation = 100, fallen = null) => {
  const slots = holds ? [{ slot: 2, account: 7, base: /** @type {[number, number]} */ ([60, 20]), coins: 5, cells: 1, ground: 36, grace: null }] : [];
  return { type: 'looked', look: { side: 64, generation, slots, wipe: { quadrant: 0, generations: 9 }, balance: 5, slot: holds ? 2 : null, fallen } };
};

/** @param {readonly Event[]} events @param {State} [from] */
const after = (events, from = INITIAL) => events.reduce((state, event) => reduce(Object.freeze(state), event, SIZE), from);

test('the view goes to a new base once, over the edge of the world, too', () => {
  const home = after([looked(true)]);
  assert.deepEqual([home.mode, home.cursor, home.camera], ['place', [63, 23], { x: 0, y: 24, scale: 14 }]);
  const away = after([{ type: 'see', camera: { x: 30, y: 30, scale: 20 } }, looked(true, 101)], home);
  assert.deepEqual([away.camera, away.moves], [{ x: 30, y: 30, scale: 20 }, 1]);
  assert.deepEqual(after([{ type: 'home' }], away).camera, home.camera);
});

test('a fall ends the draft, and is told once', () => {
  const fall = /** @type {const} */ ({ generation: 101, cause: 'grace', by: null });
  const held = after([looked(true), { type: 'draft', draft: [[62, 22]] }]);
  const fallen = after([looked(false, 101, fall)], held);
  assert.deepEqual([ownOf(fallen), fallen.draft, fallen.mode, fallen.kind], [null, [], 'look', 'fallen']);
  assert.match(fallen.said, /^Your kingdom has fallen\. /);
  const later = after([{ type: 'say', text: 'next' }, looked(false, 102, fall)], fallen);
  assert.deepEqual([later.said, later.kind], ['next', null]);
  assert.match(after([looked(false, 36_101, fall)]).said, /^Your kingdom fell in generation 101, 1:00:00 ago\. /);
});

test('what is placed leaves the draft and is counted; a refusal leaves it as it is', () => {
  const drafted = after([looked(true), { type: 'draft', draft: [[62, 22]] }]);
  const rejected = /** @type {const} */ ({ type: 'rejected', what: 'place_cells', code: 'refused' });
  const refused = after([{ type: 'reply', reply: { ...rejected, message: 'Insufficient coins' } }], drafted);
  assert.deepEqual([refused.draft, refused.said], [drafted.draft, 'Insufficient coins.']);
  const alone = after([{ type: 'reply', reply: rejected, why: [['insufficient-coins', {}]] }], drafted);
  assert.deepEqual([alone.draft, alone.said], [drafted.draft, 'Insufficient coins.'], 'in a world alone');
  const placed = after([{ type: 'reply', reply: { type: 'answer', what: 'place_cells', answer: 1 } }], refused);
  assert.deepEqual([placed.draft, placed.placed, placed.said], [[], 1, '1 cell placed.']);
});

test('names stay until others come', () => {
  const slots = /** @type {const} */ ([{ account: 7, name: 'Ann', bot: null }, null, { account: 9, name: 'Bob', bot: 'easy' }]);
  const named = after([{ type: 'slots', slots: [...slots] }, { type: 'slots', slots: [{ account: 7, name: 'Anna', bot: null }] }]);
  assert.deepEqual([...named.names], [[7, 'Anna'], [9, 'Bob (bot easy)']]);
});

test('a time has its hours only from the first one on', () => {
  assert.deepEqual([0, 1, 600, 36_001].map(durationOf), ['0:00', '0:01', '1:00', '1:00:01']);
});
