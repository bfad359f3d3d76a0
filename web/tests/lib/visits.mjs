// The cost of a visit: requests, and bytes on the wire, headers included.

import { settled } from './pages.mjs';

/** @typedef {{file: string, encoding: string | undefined, bytes: number}} Answer what the server sent for a request */

/**
 * Visits a page with an empty cache, and then again. It must not be the current page.
 * @param {import('playwright-core').Page} page
 * @param {string} path
 */
export async function firstAndAgain(page, path) {
  const wire = await page.context().newCDPSession(page);
  await wire.send('Network.enable');
  /** Empties the memory cache of the page's process, so that the HTTP cache is used. */
  const forget = async () => {
    for (const cacheDisabled of [true, false]) await wire.send('Network.setCacheDisabled', { cacheDisabled });
  };
  const visit = async (/** @type {() => Promise<unknown>} */ load) => {
    /** @type {Map<string, Answer>} */
    const asked = new Map();
    /** @type {Set<string>} requests served from the browser's memory */
    const kept = new Set();
    const on = {
      'Network.responseReceived': (/** @type {any} */ { requestId, response: { url, headers, fromDiskCache, fromServiceWorker } }) => {
        const encoding = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
        if (url.startsWith('http') && !fromDiskCache && !fromServiceWorker) asked.set(requestId, { file: new URL(url).pathname, encoding, bytes: 0 });
      },
      'Network.requestServedFromCache': (/** @type {any} */ { requestId }) => void kept.add(requestId),
      'Network.loadingFinished': (/** @type {any} */ { requestId, encodedDataLength }) => {
        const answer = asked.get(requestId);
        if (answer) answer.bytes = encodedDataLength;
      },
    };
    await forget();
    for (const [event, hear] of Object.entries(on)) wire.on(/** @type {any} */ (event), hear);
    await load();
    await settled(page);
    for (const [event, hear] of Object.entries(on)) wire.off(/** @type {any} */ (event), hear);
    const all = [...asked].filter(([id]) => !kept.has(id)).map(([, answer]) => answer);
    const files = all.filter(({ file }) => file.startsWith('/static/'));
    const [document] = all.filter(({ file }) => file === new URL(page.url()).pathname);
    return { files, document };
  };
  await wire.send('Network.clearBrowserCache');
  const [first, again] = [await visit(() => page.goto(path)), await visit(() => page.reload())];
  await wire.detach();
  return { first, again };
}
