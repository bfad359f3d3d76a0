// What a visit costs: bytes and requests of each page, the first time and again. Bytes are what travels, headers included.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FURNISHED, furnish, settled } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';

const here = scene({ standing: FURNISHED });

/** Bytes of a page's own text, compressed: the longest is the chapter of the guide that has the ABI. */
const PAGE_BYTES_MAX = 20_000;
/** Bytes of all files that a page loads but the rules: styles, type and scripts. A build with checks compresses quickly, not well. */
const FILES_BYTES_MAX = 120_000;
/** Files of a first visit: a script comes with all that it imports. */
const FILES_MAX = 12;
/** Files that a second visit asks for. */
const AGAIN_MAX = 3;

test('a first visit loads little, and a second one no file again', async (t) => {
  const ann = await here.arrive();
  const pages = await furnish(here.server, ann, here.random);
  // What a form leads to costs what its form costs, and a refusal is short.
  for (const { name, path, own } of pages.filter(({ reach, refuses }) => !reach && !refuses)) {
    await t.test(name, async () => {
      const visitor = await here.arrive(own ? { storageState: await ann.context.storageState() } : {});
      const page = await visitor.open();
      const wire = await visitor.context.newCDPSession(page);
      await wire.send('Network.enable');
      const visit = async () => {
        /** @type {Map<string, {file: string, encoding: string | undefined, bytes: number}>} */
        const asked = new Map();
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
        /** @type {Set<string>} what came out of the browser's memory */
        const kept = new Set();
        for (const [event, hear] of Object.entries(on)) wire.on(/** @type {any} */ (event), hear);
        await page.goto('about:blank');
        await page.goto(path);
        await settled(page);
        for (const [event, hear] of Object.entries(on)) wire.off(/** @type {any} */ (event), hear);
        const all = [...asked].filter(([id]) => !kept.has(id)).map(([, answer]) => answer);
        const files = all.filter(({ file }) => file.startsWith('/static/'));
        const [document] = all.filter(({ file }) => file === new URL(page.url()).pathname);
        return { files, document };
      };
      const first = await visit();
      assert.ok(first.document.bytes <= PAGE_BYTES_MAX, `the page has ${first.document.bytes} bytes`);
      const bytes = first.files.filter(({ file }) => !file.endsWith('.wasm')).reduce((sum, { bytes }) => sum + bytes, 0);
      assert.ok(bytes <= FILES_BYTES_MAX, `its files have ${bytes} bytes`);
      assert.ok(first.files.length <= FILES_MAX, `${first.files.length} files`);
      for (const { file, encoding } of first.files) assert.equal(encoding, /\.(woff2|png)$/.test(file) ? undefined : 'br', file);
      const again = await visit();
      assert.ok(again.files.length <= AGAIN_MAX, `again: ${again.files.map(({ file }) => file)}`);
      t.diagnostic(`${name}: ${first.document.bytes} bytes, ${first.files.length} files of ${bytes} bytes; again ${again.files.length}`);
      await visitor.leave();
    });
  }
  await ann.leave();
});
