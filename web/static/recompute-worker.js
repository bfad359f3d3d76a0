// The worker in which a game is recomputed: the page ends it when it takes too long.

import { fetched, moduleOf } from './bot-bytes.js';
import { loadEngine } from './engine.js';
import { hashOf, recompute } from './recompute.js';

/** How often the page learns how far it is, at most. */
const TELL_EVERY_MS = 100;

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
