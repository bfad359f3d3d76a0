// The chapters of the guide, by axe and the law of layout. Each is one visit, on the smallest phone, where tables and
// listings scroll: all chapters have one template, three of them are in `all-pages.test.mjs`, and the others differ
// from these in text alone. The gate has one chapter, the night all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectionsByDayAndNight } from '../lib/axe.mjs';
import { noOverflow } from '../lib/browser.mjs';
import { WIDTHS, faults, moved, screen, watchShifts } from '../lib/layout.mjs';
import { scene } from '../lib/scene.mjs';
import { NIGHT } from '../lib/setting.mjs';

const here = scene();

test('a chapter of the guide keeps the law of layout on a phone, and axe accepts it', async (t) => {
  const bob = await here.arrive({ viewport: screen(WIDTHS[0]) });
  await watchShifts(bob.context);
  const page = await bob.open('/guide');
  // The server's own list: a new chapter is in it.
  const chapters = await page.locator('#chapters a').evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))));
  assert.ok(chapters.length > 10, `${chapters}`);
  for (const path of NIGHT ? chapters : chapters.slice(-1)) {
    await t.test(path, async () => {
      await page.goto(path);
      await noOverflow(page);
      assert.deepEqual([...(await moved(page)), ...(await faults(page)), ...(await objectionsByDayAndNight(page))], []);
    });
  }
  await bob.leave();
});

test('axe objects to a colour that only the dark makes too weak', async () => {
  const cat = await here.arrive();
  const page = await cat.open('/privacy');
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('@media (prefers-color-scheme: dark) { .lead { color: #333 } }');
    document.adoptedStyleSheets = [sheet];
  });
  const found = await objectionsByDayAndNight(page);
  assert.equal(found.length, 1, `${found}`);
  assert.match(found[0], /^dark: color-contrast: <p class="lead">/);
  await cat.leave();
});
