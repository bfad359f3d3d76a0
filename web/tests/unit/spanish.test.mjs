// What recomputing says on a Spanish page: its messages come from a worker, in English, and the page translates them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GROW_THEN, ONE_BYTE_AT_0, TRAP, bot } from '../lib/tiny_bots.mjs';

Object.assign(globalThis, {
  document: { documentElement: { lang: 'es' }, getElementById: () => null },
  fetch: async (/** @type {URL} */ url) => (url.protocol === 'file:' ? new Response(readFileSync(url)) : new Response('', { status: 404 })),
});
const { retold } = await import('../../static/page/say.js');
const { recompute } = await import('../../static/rules/recompute.js');
const { said } = await import('../../static/recompute-edition.js');
const { moduleOf } = await import('../../static/rules/bot-bytes.js');
const { loadEngine } = await import('../../static/rules/engine.js');
const { fetched } = await import('../../static/net/fetched.js');

const ID = `sha256:${'a'.repeat(64)}`;

/** The finding on one answer `2a` of a bot. @param {Uint8Array} [module] @param {string} [code] of a forfeit */
function finding(module, code) {
  const asked = {
    ruleset: 'conquerors@2',
    entrants: [ID],
    observation_len: 2,
    memory_bytes: 4 << 20,
    questions: [{ seat: 0, observation: '0102', answer: '2a', broke: false }],
    forfeits: code ? [{ seat: 0, turn: 1, code, detail: '' }] : [],
  };
  return recompute(asked, new Map(module ? [[ID, module]] : []), () => null, () => {});
}

test('every finding is Spanish', async () => {
  const same = bot(ONE_BYTE_AT_0, [0x2a]);
  const findings = [
    await finding(same),
    await finding(same, 'fuel_exhausted'),
    await finding(bot(ONE_BYTE_AT_0, [0x2b])),
    await finding(bot(TRAP, [])),
    await finding(bot([...GROW_THEN, ...GROW_THEN, ...ONE_BYTE_AT_0], [0x2a])),
    await finding(bot([0x42, 0x7f], [0x2a])),
    await finding(new Uint8Array([1, 2, 3])),
    await finding(),
    { message: 'The rules do not agree: turn 12: the digest differs.' },
    { message: 'The rules do not agree: the outcome or the final digest differs.' },
    { message: 'The rules do not agree: the game ends after turn 3 by the rules, and after turn 12 in the record.' },
  ];
  for (const { message } of findings) assert.match(retold(message), /respuesta|reglas/, message);
  const [, , { message }] = findings;
  assert.match(said({ identical: 3, elsewhere: 0, differs: { id: 'standing-2.5', message } }, 9, false), /La respuesta 1 es distinta: el registro dice `2a`/);
});

test('so is why bytes are not here', async () => {
  await assert.rejects(fetched('/api/v1/games/standing-2.5/record'), (/** @type {Error} */ { message }) => retold(message) === '`/api/v1/games/standing-2.5/record` responde 404');
  Object.assign(globalThis, { fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
  for (const load of [() => fetched('/a'), () => moduleOf('ab'), () => loadEngine('/a.wasm')]) {
    await assert.rejects(load, (/** @type {Error} */ { message }) => retold(message).startsWith('no hay conexión'));
  }
  Object.assign(globalThis, { fetch: async () => new Response('other bytes') });
  await assert.rejects(moduleOf('ab'), (/** @type {Error} */ { message }) => retold(message).startsWith('los bytes'));
});
