// The guide as readers use it, by mouse, by keyboard and by touch: a search leads to a section, and commands are
// copied.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP } from '../lib/browser.mjs';
import { HANDS } from '../lib/hands.mjs';
import { scene } from '../lib/scene.mjs';
import { until } from '../lib/until.mjs';

const here = scene({ standing: [] });

for (const { name, options, use } of HANDS) {
  test(`a search of the guide leads to a section, by ${name}`, async () => {
    const ann = await here.arrive(options);
    const page = await ann.open('/guide');
    const search = page.locator('form[role="search"]');
    await search.locator('[name=q]').fill('fuel budget');
    await use(search.locator('button'));
    await page.waitForURL(/\/guide\/search\?q=fuel/);
    assert.match(await page.locator('#found mark').first().innerText(), /fuel|budget/i);
    await use(page.locator('#found a').first());
    await page.waitForURL(/\/guide(\/[a-z-]+)?(#.*)?$/);
    const { hash } = new URL(page.url());
    if (hash !== '') await page.locator(`[id="${decodeURIComponent(hash.slice(1))}"]`).waitFor();
    await ann.leave();
  });

  test(`commands of the guide are copied without what they print, by ${name}`, async () => {
    // A phone has no room for the buttons.
    const bob = await here.arrive({ ...options, viewport: DESKTOP, permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await bob.open('/guide');
    // The first block that shows what its commands print.
    const copies = page.locator('button[data-copies][data-part]').first();
    const block = page.locator(`[id="${await copies.getAttribute('data-copies')}"]`);
    const [all, commands] = [await block.innerText(), await block.locator(String(await copies.getAttribute('data-part'))).allInnerTexts()];
    assert.ok(commands.length > 0 && commands.join('\n').length < all.trim().length, all);
    await use(copies);
    await until('the button says so', () => copies.innerText(), 'Copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, commands.join('\n').trim());
    assert.doesNotMatch(copied, /^\$/m);
    await bob.leave();
  });
}
