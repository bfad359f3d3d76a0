// Pages of an empty site: what strangers see, and what is missing. `all-pages.test.mjs` has every page with something
// on it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, noOverflow } from '../lib/browser.mjs';
import { scene } from '../lib/scene.mjs';

const here = scene();

test('what strangers see fits a phone and is quiet', async () => {
  const cat = await here.arrive({ viewport: PHONE });
  const page = await cat.open();
  for (const path of ['/', '/standings', '/play', '/guide', '/submit', '/account']) {
    await page.goto(path);
    await noOverflow(page);
    assert.match(await page.locator('header #account').innerText(), /Sign in/, path);
  }
  await page.locator('#claim [name=name]').fill('Catherine with the longest name');
  await page.locator('#claim button').click();
  await page.locator('#player-code').waitFor();
  await noOverflow(page);
  await cat.leave();
});

test('a page that is not there says so', async () => {
  const bob = await here.arrive();
  const page = await bob.open();
  for (const path of ['/nowhere', '/bots/nobody', '/games/standing-1.999999', `/rooms/${'0'.repeat(32)}`]) {
    // The browser itself reports the status on its console.
    const response = await bob.forgiving(/Failed to load resource: .* 404/, () => page.goto(path));
    assert.equal(response?.status(), 404, path);
    assert.ok((await page.locator('header nav a[href="/play"]').count()) > 0, path);
  }
  await bob.leave();
});
