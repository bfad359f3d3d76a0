// "Recompute on this page" for one game: plays it again in a worker.

import { findingWords } from './divergence.js';
import { Recomputing } from './recomputing.js';
import { compiled, startWorker } from './site-workers.js';
import { fileUrl } from '../files.js';
import { fetched } from '../net/fetched.js';
import { byId, element, moduleUrl, write } from '../page/page.js';
import { moduleOf } from '../rules/bot-bytes.js';
import { hashOf, headerOf } from '../rules/header.js';
import { scriptRecomputeLeft, scriptRecomputeNotChecked, scriptRecomputeTurnsSoFar } from '../text/en/script-recompute.js';
import * as replays from '../text/en/script-replays.js';

/** @import { Finding, Left } from '../rules/recompute.js' */

/** The minimum interval between two sentences about the progress, in milliseconds. */
const TELL_EVERY_MS = 100;

/** The text before the sentence of a finding. @type {Record<Finding['kind'], string>} */
const HEADS = {
  identical: replays.scriptReplaysIdentical(),
  differs: replays.scriptReplaysDifferent(),
  not_checked: scriptRecomputeNotChecked(),
};

/** What bots have left behind: memory and log. @param {readonly Left[]} left @returns {HTMLElement} */
function shown(left) {
  const items = left.map(({ seat, lines, dropped, memory }) => {
    const textContent = scriptRecomputeLeft({ seat: seat + 1, bytes: memory, lines: lines.length, dropped });
    const item = element('li', { textContent });
    if (lines.length > 0) item.append(element('pre', { textContent: lines.join('\n'), tabIndex: 0 }));
    return item;
  });
  return element('ul', {}, ...items);
}

/** @param {string} record address @param {(turns: number) => void} tell @returns {Promise<Finding>} */
async function recomputed(record, tell) {
  const text = await (await fetched(record)).text();
  const ids = new Set(headerOf(text)?.entrants.filter((id) => hashOf(id) !== null));
  const bots = await Promise.all([...ids].map(async (id) => /** @type {const} */ ([id, await moduleOf(hashOf(id) ?? '')])));
  const [engine, meter] = await Promise.all([compiled(moduleUrl('opponents')), compiled(fileUrl('arena_meter.wasm'))]);
  const recomputing = new Recomputing(startWorker, { engine, meter });
  try {
    return /** @type {Finding} */ (await recomputing.run(text, new Map(bots), tell));
  } finally {
    recomputing.end();
  }
}

/** @param {string} record address of the record */
export function offerRecompute(record) {
  const button = /** @type {HTMLButtonElement} */ (byId('recompute'));
  const result = byId('recomputed');
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    byId('recomputed-left').replaceChildren();
    write('recomputed', replays.scriptReplaysFetchingBots());
    result.dataset.kind = 'running';
    let toldAt = 0;
    const tell = (/** @type {number} */ turns) => {
      if (performance.now() - toldAt < TELL_EVERY_MS) return;
      toldAt = performance.now();
      write('recomputed', scriptRecomputeTurnsSoFar({ turns }));
    };
    try {
      const found = await recomputed(record, tell);
      if ('left' in found) byId('recomputed-left').append(shown(found.left));
      write('recomputed', `${HEADS[found.kind]} ${findingWords(found)}`);
      result.dataset.kind = found.kind;
    } catch (error) {
      write('recomputed', replays.scriptReplaysNotRecomputed({ why: error instanceof Error ? error.message : error }));
      result.dataset.kind = 'failed';
    }
    button.disabled = false;
  });
}
