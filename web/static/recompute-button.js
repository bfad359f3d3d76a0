// "Recompute in this page": a worker that does it, and a watchdog over the worker.

/** @import { Finding } from './recompute.js' */

import { OPPONENTS_URL, byId, write } from './page.js';

/** How long a turn may take here. In the arena fuel ends it within a fraction of that. */
const SILENCE_MS_MAX = 20_000;

/** What is said before the sentence of a finding. @type {Record<Finding['kind'], string>} */
const HEADS = { identical: '✓ Identical.', differs: '✗ Different.', not_checkable: 'Not all of it:' };

/** @param {string} record address of the record */
export function offerRecompute(record) {
  const button = /** @type {HTMLButtonElement} */ (byId('recompute'));
  const result = byId('recomputed');
  button.hidden = false;
  button.addEventListener('click', () => {
    button.disabled = true;
    write('recomputed', 'Fetching the bots …');
    result.dataset.kind = 'running';
    const worker = new Worker(new URL('recompute-worker.js', import.meta.url), { type: 'module' });
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
      watchdog = setTimeout(
        () => end('not_checkable', `Stopped: a turn took more than ${seconds} s. It is not checkable here, use arena verify.`),
        SILENCE_MS_MAX,
      );
    };
    worker.addEventListener('error', () => end('failed', 'The worker could not be started in this browser.'));
    worker.addEventListener('message', ({ data }) => {
      watch();
      if (data.finding) end(data.finding.kind, `${HEADS[/** @type {Finding} */ (data.finding).kind]} ${data.finding.message}`);
      else if (data.failed) end('failed', `It could not be recomputed: ${data.failed}.`);
      else write('recomputed', `${data.checked} of ${data.turns} answers are the same …`);
    });
    watch();
    worker.postMessage({ engine: OPPONENTS_URL, record });
  });
}
