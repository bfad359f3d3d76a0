// The text about an edition that is recomputed in a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf, keeper, resumed, said as saidOf } from '../../static/recompute-edition.js';

const numbers = (/** @type {number} */ count) => Array.from({ length: count }, (_, game) => game);
const NONE = { void: 0, untold: [], byRules: [], ended: [], differs: null };
/** @param {number} games @param {number} all @param {number} identical @param {number} [notChecked] @returns {any} */
const tally = (games, all, identical, notChecked = 0) => ({
  ...NONE,
  games: numbers(games),
  all,
  identical: numbers(identical),
  notChecked: numbers(notChecked),
});
/** @type {any} */
const CLAIMS = { games: [], void: 0, void_played: [], wide: false, incomplete: null };
/** @param {any} tally @param {boolean} running @param {any} [claims] */
const said = (tally, running, claims = {}) => saidOf(tally, { ...CLAIMS, ...claims }, running);

test('what was not looked at is not said to be the same', () => {
  assert.match(said(tally(10, 10, 3, 1), true), /^4 of 10 games … 3 are identical, .* 1 are not checked here, which is no verdict/);
  assert.match(said(tally(10, 10, 3, 1), false), /^Stopped after 4 of 10/);
  assert.match(said(tally(1, 1, 0), true), /^0 of 1 game … /);
  assert.match(said(tally(1, 1, 1), false), /^✓ The game was played again\. 1 are/);
  assert.match(said(tally(10, 10, 10), false), /^✓ All 10 games were played again\. 10 are identical, .* byte for byte\.$/);
  const rest = said(tally(10, 10, 9, 1), false);
  assert.match(rest, /^Done: 10 games\. 9 are identical.* 1 are not checked/);
  assert.doesNotMatch(rest, /✓|All/);
  const sample = said({ ...tally(20, 840, 20), byRules: numbers(820) }, false);
  assert.match(sample, /^A sample of 20 of 840 games was played again\. .* 820 more were .* alone\. One forged .* 820\/840 = 97\.6 %\. The standings/);
  assert.doesNotMatch(said({ ...tally(20, 840, 20), byRules: numbers(3) }, true), /forged/);
  const differs = { game: 7, finding: { kind: 'differs', turn: 3, seat: 1, what: 'fuel', expected: '12', found: '13' } };
  const different = said({ ...tally(10, 10, 3), differs }, false);
  assert.match(
    different,
    /^✗ Game 7 is different\. Turn 3, seat 2: the fuel is `13` in the record, and `12` when it is played again\. 3 are/,
  );
  assert.doesNotMatch(different, /byte for byte/);
});

test('void games, an unfinished tournament and traps that were not told apart are said, and are not the whole', () => {
  for (const [of, claims, words] of /** @type {[any, any, RegExp][]} */ ([
    [{ void: 2, ended: [3], notChecked: [4] }, { void: 2 }, / 2 games are void, .* Of these, 1 comes to its end here, .* byte for byte/],
    [{}, { incomplete: { code: 'unfinished', why: '' } }, /there are no standings to compare/],
    [{}, { incomplete: { code: 'no_results', why: '' } }, /no standings were compared/],
    [{}, { incomplete: { code: 'foreign', why: 'a file' } }, /byte for byte\. .* looked at: a file/],
    [{ untold: [1] }, {}, / In 1 game this browser says the same of several kinds of traps/],
  ])) {
    const text = said({ ...tally(10, 10, 10), ...of }, false, claims);
    assert.match(text, words);
    assert.match(text, /^Done: /);
    if (claims.incomplete && claims.incomplete.code !== 'foreign') assert.doesNotMatch(text, /byte for byte/);
  }
});

test('what was kept is of the same manifest and journal', async () => {
  const of = (/** @type {string} */ manifest, /** @type {string} */ journal) =>
    digestOf(
      new Map([
        ['manifest.json', Buffer.from(manifest)],
        ['journal', Buffer.from(journal)],
      ]),
    );
  const digest = await of('a', 'b');
  const [before, none] = [tally(10, 10, 3), tally(10, 10, 0)];
  const kept = { of: 'meter', digest: String(digest), tally: before };
  assert.equal(
    resumed(kept, digest, () => none),
    before,
  );
  for (const other of [await of('a', 'c'), await of('c', 'b'), null])
    assert.equal(
      resumed(kept, other, () => none),
      none,
    );
  assert.equal(
    resumed(null, digest, () => none),
    none,
  );
});

test('what was found is written a hundred times, however many games there are', () => {
  let times = 0;
  const keep = keeper(() => (times += 1));
  const now = tally(200_000, 200_000, 0);
  keep(now);
  for (let game = 0; game < 200_000; game++) {
    now.identical.push(game);
    keep(now);
  }
  assert.equal(times, 101);
  keep(now, true);
  assert.equal(times, 102);
});
