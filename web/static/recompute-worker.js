// The worker that plays recorded games again. Its parent terminates it if nothing is heard from it in time.

import { claimsOf } from './rules/ledger.js';
import { Recomputer } from './rules/recompute.js';

/** @type {Recomputer | null} */
let recomputer = null;
/** Bots' bytes by id, each sent once. @type {Map<string, Uint8Array>} */
const modules = new Map();

/** @param {number} turns @param {string} asked the bot whose code runs next */
const tell = (turns, asked) => postMessage({ turns, asked });

/**
 * A message has the module that reads folders and a folder's files, or the modules of the rules and of the meter, or a
 * record and the bots that it needs; no bots if the rules alone are to be asked.
 * @param {{ledger: WebAssembly.Module, files: Map<string, Uint8Array>, others: import('./rules/ledger.js').Entry[]}
 *   | import('./replays/recomputing.js').Modules | {record: string, bots: Map<string, Uint8Array> | null}} asked
 */
async function take(asked) {
  if ('ledger' in asked) return postMessage(claimsOf(asked.ledger, asked.files, asked.others));
  if ('engine' in asked) {
    recomputer = new Recomputer(asked.engine, asked.meter);
    return;
  }
  if (asked.bots === null) return postMessage({ finding: await recomputer?.agreed(asked.record) });
  asked.bots.forEach((bytes, id) => modules.set(id, bytes));
  postMessage({ finding: await recomputer?.run(asked.record, modules, tell) });
}

addEventListener('message', ({ data }) => {
  take(data).catch((error) => postMessage({ failed: error instanceof Error ? error.message : String(error) }));
});
