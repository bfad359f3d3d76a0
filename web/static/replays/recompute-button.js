// "Recompute on this page" for one game: runs a worker, with a watchdog.

/** @import { Finding } from '../rules/recompute.js' */

import { findingWords } from './divergence.js';
import { fileUrl } from '../files.js';
import { byId, moduleUrl, write } from '../page/page.js';
import {
  scriptReplaysAnswersSoFar,
  scriptReplaysDifferent,
  scriptReplaysFetchingBots,
  scriptReplaysIdentical,
  scriptReplaysNoWorkerHere,
  scriptReplaysNotAll,
  scriptReplaysNotRecomputed,
  scriptReplaysStoppedTurn,
} from '../text/en/script-replays.js';

/** The time limit of a bot's turn in this page, in milliseconds. In the arena, fuel ends a turn in a fraction of it. */
const SILENCE_MS_MAX = 20_000;

/** The text before the sentence of a finding. @type {Record<Finding['kind'], string>} */
const HEADS = { identical: scriptReplaysIdentical(), differs: scriptReplaysDifferent(), not_checkable: scriptReplaysNotAll() };

/** @param {string} record address of the record */
export function offerRecompute(record) {
  const button = /** @type {HTMLButtonElement} */ (byId('recompute'));
  const result = byId('recomputed');
  button.hidden = false;
  button.addEventListener('click', () => {
    button.disabled = true;
    write('recomputed', scriptReplaysFetchingBots());
    result.dataset.kind = 'running';
    const worker = new Worker(fileUrl('recompute-worker.js'), { type: 'module' });
    let watchdog = 0;
    /** @param {string} kind @param {string} text */
    const end = (kind, text) => {
      clearTimeout(watchdog);
      worker.terminate();
      result.dataset.kind = kind;
      write('recomputed', text);
      button.disabled = false;
    };
    const watch = () => {
      clearTimeout(watchdog);
      const seconds = SILENCE_MS_MAX / 1000;
      watchdog = setTimeout(() => end('not_checkable', scriptReplaysStoppedTurn({ seconds })), SILENCE_MS_MAX);
    };
    worker.addEventListener('error', () => end('failed', scriptReplaysNoWorkerHere()));
    worker.addEventListener('message', ({ data }) => {
      watch();
      if (data.finding) end(data.finding.kind, `${HEADS[/** @type {Finding} */ (data.finding).kind]} ${findingWords(data.finding)}`);
      else if (data.failed) end('failed', scriptReplaysNotRecomputed({ why: data.failed }));
      else write('recomputed', scriptReplaysAnswersSoFar({ checked: data.checked, answers: data.turns }));
    });
    watch();
    worker.postMessage({ engine: moduleUrl('opponents'), record });
  });
}
