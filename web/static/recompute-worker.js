// The worker in which a game is recomputed: the page ends it when it takes too long.

import { loadEngine } from './engine.js';
import { hashOf, hexOf, recompute } from './recompute.js';

/** How often the page is told how far it is, at most. */
const TELL_EVERY_MS = 100;

/** @param {string} url @returns {Promise<Response>} */
async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response;
}

/**
 * The bytes of a bot. Where the browser can hash (not on plain http away from this machine), only the right ones.
 * @param {string} hash
 */
async function moduleOf(hash) {
  const bytes = await (await fetched(`/api/v1/modules/${hash}`)).arrayBuffer();
  if (crypto.subtle) {
    const found = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
    if (found !== hash) throw new Error('the bytes of a bot do not have the hash in the record');
  }
  return bytes;
}

/** @param {{engine: string, record: string}} game addresses */
async function run({ engine: engineUrl, record }) {
  const engine = await loadEngine(engineUrl);
  const questions = engine.questions(await (await fetched(record)).text());
  /** @type {Map<string, ArrayBuffer>} */
  const modules = new Map();
  for (const id of questions.entrants) {
    const hash = hashOf(id);
    if (hash) modules.set(id, await moduleOf(hash));
  }
  let toldAt = 0;
  /** @param {number} checked @param {number} turns */
  const tell = (checked, turns) => {
    // Games of many seats have thousands of answers: the page hears now and then of them.
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    postMessage({ checked, turns });
  };
  return recompute(questions, modules, (id, observation) => engine.answer(questions.ruleset, id, observation), tell);
}

addEventListener('message', ({ data }) => {
  run(data).then(
    (finding) => postMessage({ finding }),
    (error) => postMessage({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
