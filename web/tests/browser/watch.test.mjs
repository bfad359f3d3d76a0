// The checks of pages can fail: each notices the fault that it is for.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { PHONE, Person, noOverflow, startBrowser } from '../lib/browser.mjs';
import { lifeLimit, until } from '../lib/until.mjs';

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:";
const PAGES = new Map([
  ['/quiet', '<!doctype html><title>quiet</title><link rel="icon" href="data:,">'],
  ['/inline', '<!doctype html><title>inline</title><script>0</script>'],
  ['/throws', '<!doctype html><title>throws</title><script src="/throws.js"></script>'],
  ['/throws.js', 'setTimeout(() => { throw new Error("it rained"); });'],
  ['/wide', '<!doctype html><title>wide</title><meta name="viewport" content="width=device-width"><table><tr><td><img alt="" width="600" height="1"></table>'],
]);

lifeLimit(300);

/** @type {import('node:http').Server} */
let server;
/** @type {import('playwright-core').Browser} */
let browser;
let url = '';

before(async () => {
  server = createServer((request, response) => {
    const path = String(request.url);
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(PAGES.get(path) ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`;
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  server?.close();
});

for (const [path, complaint] of /** @type {[string, RegExp][]} */ ([['/inline', /content policy: script-src/], ['/throws', /exception: .*it rained/]])) {
  test(`${path} is noticed`, async () => {
    const person = await Person.arrive(browser, url);
    await person.open(path);
    await until('a complaint', () => person.complaints, (all) => all.some((said) => complaint.test(said)));
    await assert.rejects(person.leave(), /pages are quiet/);
  });
}

test('a quiet page is none', async () => {
  const person = await Person.arrive(browser, url);
  await person.open('/quiet');
  await person.leave();
});

test('a page wider than its window is noticed', async () => {
  const person = await Person.arrive(browser, url, { viewport: PHONE });
  await noOverflow(await person.open('/quiet'));
  await assert.rejects(noOverflow(await person.open('/wide')), /is 6\d\d px wide in a window of 390 px: table/);
});
