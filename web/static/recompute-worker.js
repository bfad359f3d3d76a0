// The worker that recomputes a game. The page terminates it if it takes too long.

import { moduleOf } from './rules/bot-bytes.js';
import { EngineError, loadEngine } from './rules/engine.js';
import { fetched } from './net/fetched.js';
import { hashOf, recompute } from './rules/recompute.js';

/** @import { Engine, Questions } from './rules/engine.js' */
/** @import { Finding } from './rules/recompute.js' */

/** The minimum interval between progress messages, in milliseconds. */
const TELL_EVERY_MS = 100;

/**
 * The questions of a game; or a difference, if the rules alone find one in its record.
 * @param {Engine} engine
 * @param {string} record its text
 * @returns {Questions | Finding}
 */
function questionsOf(engine, record) {
  try {
    return engine.questions(record);
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'differs')) throw error;
    return { kind: 'differs', checked: 0, turns: 0, message: '', phrases: error.phrases };
  }
}

/** @param {{engine: string, record: string}} game addresses @returns {Promise<Finding>} */
async function run({ engine: engineUrl, record }) {
  const engine = await loadEngine(engineUrl);
  const questions = questionsOf(engine, await (await fetched(record)).text());
  if ('kind' in questions) return questions;
  /** @type {Map<string, ArrayBuffer>} */
  const modules = new Map();
  for (const id of questions.entrants) {
    const hash = hashOf(id);
    if (hash) modules.set(id, await moduleOf(hash));
  }
  let toldAt = 0;
  /** @param {number} checked @param {number} turns */
  const tell = (checked, turns) => {
    // Games of many seats have thousands of answers, so not each of them is reported.
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
