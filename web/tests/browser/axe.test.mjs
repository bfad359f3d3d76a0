// axe accepts the guide, whose tables and listings scroll on a phone. Every other page is in `all-pages.test.mjs`, and so are three
// chapters at all widths: what the others have besides is more text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectionsByDayAndNight } from '../lib/axe.mjs';
import { WIDTHS, screen } from '../lib/layout.mjs';
import { scene } from '../lib/scene.mjs';

const here = scene();

test('axe is content with every chapter of the guide on a phone', async (t) => {
  const bob = await here.arrive({ viewport: screen(WIDTHS[0]) });
  const page = await bob.open('/guide');
  const chapters = await page.locator('#chapters a').evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))));
  assert.ok(chapters.length > 10, `${chapters}`);
  for (const path of chapters) {
    await t.test(path, async () => {
      await page.goto(path);
      assert.deepEqual(await objectionsByDayAndNight(page), []);
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
