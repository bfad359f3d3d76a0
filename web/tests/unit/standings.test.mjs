// When the standings page reloads, and its text until then.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { news } from '../../static/standings.js';

const PLAYING = { edition: 3, played: 12, total: 90, newcomers: [] };

test('an edition that is being played is described in a sentence', () => {
  const sentence = 'Edition 3 is being played: 12 of 90 games.';
  assert.deepEqual(news({ edition: { number: 2 }, playing: PLAYING }, { edition: 2, playing: true }), { reload: false, sentence });
  assert.deepEqual(news({ edition: null, playing: PLAYING }, { edition: 0, playing: false }), { reload: false, sentence });
});

test('the page is loaded again for another edition, and when playing ends', () => {
  assert.ok(news({ edition: { number: 3 }, playing: null }, { edition: 2, playing: true }).reload);
  assert.ok(news({ edition: { number: 3 }, playing: PLAYING }, { edition: 2, playing: false }).reload);
  assert.ok(news({ edition: { number: 1 }, playing: null }, { edition: 0, playing: false }).reload);
  assert.ok(news({ edition: { number: 2 }, playing: null }, { edition: 2, playing: true }).reload);
  const playing = { ...PLAYING, newcomers: [{ entrant: 'sha256:00', games: 0 }] };
  assert.ok(news({ edition: { number: 2 }, playing }, { edition: 2, playing: false }).reload, 'its newcomers have no names here');
  for (const shown of [{ edition: 2, playing: true }, { edition: 2, playing: false, begun: 3 }]) {
    assert.ok(!news({ edition: { number: 2 }, playing }, shown).reload, 'once is enough');
  }
});

test('a page that waits for an edition to begin is not loaded again and again', () => {
  const nothing = { reload: false, sentence: null };
  assert.deepEqual(news({ edition: null, playing: null }, { edition: 0, playing: false }), nothing);
  assert.deepEqual(news({ edition: { number: 2 }, playing: null }, { edition: 2, playing: false }), nothing);
});
