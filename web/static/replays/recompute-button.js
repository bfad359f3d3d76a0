// "Recompute on this page" for one game: runs a worker, with a watchdog.

/** @import { Finding } from '../rules/recompute.js' */

import { fileUrl } from '../files.js';
import { byId, moduleUrl, write } from '../page/page.js';
import { retold, say } from '../page/say.js';

/** The time limit of a bot's turn in this page, in milliseconds. In the arena, fuel ends a turn in a fraction of it. */
const SILENCE_MS_MAX = 20_000;

/** The text before the sentence of a finding. @type {Record<Finding['kind'], string>} */
const HEADS = { identical: say('✓ Identical.'), differs: say('✗ Different.'), not_checkable: say('Not all of it:') };

/** @param {string} record address of the record */
export function offerRecompute(record) {
  const button = /** @type {HTMLButtonElement} */ (byId('recompute'));
  const result = byId('recomputed');
  button.hidden = false;
  button.addEventListener('click', () => {
    button.disabled = true;
    write('recomputed', say('Fetching the bots …'));
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
      watchdog = setTimeout(
        () => end('not_checkable', say('Stopped: a turn took more than {0} s. It is not checkable here, use arena verify.', seconds)),
        SILENCE_MS_MAX,
      );
    };
    worker.addEventListener('error', () => end('failed', say('The worker could not be started in this browser.')));
    worker.addEventListener('message', ({ data }) => {
      watch();
      if (data.finding) end(data.finding.kind, `${HEADS[/** @type {Finding} */ (data.finding).kind]} ${retold(data.finding.message)}`);
      else if (data.failed) end('failed', say('It could not be recomputed: {0}.', retold(data.failed)));
      else write('recomputed', say('{0} of {1} answers are the same …', data.checked, data.turns));
    });
    watch();
    worker.postMessage({ engine: moduleUrl('opponents'), record });
  });
}
