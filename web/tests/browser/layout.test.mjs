// The law of layout, at six widths: no two texts lie over each other, no control is cut, covered or crooked, and nothing moves after the
// page is there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noOverflow } from '../lib/browser.mjs';
import { WIDTHS, delayRules, faults, moved, screen, watchShifts } from '../lib/layout.mjs';
import { furnish, settled } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';

const here = scene();

test('every page keeps the law of layout', async (t) => {
  const ann = await here.arrive();
  const pages = await furnish(here.server, ann, here.random);
  await watchShifts(ann.context);
  await delayRules(ann.context);
  const page = await ann.open();
  const speak = (/** @type {string} */ value) => ann.context.addCookies([{ name: 'arena_language', value, url: here.server.url }]);
  for (const { name, path } of pages) {
    await t.test(name, async () => {
      /** @type {string[]} */
      const found = [];
      await speak('en');
      for (const width of WIDTHS) {
        await page.setViewportSize(screen(width));
        // What scripts draw may move at any width; the rest is laid out anew without being loaded.
        if (width === WIDTHS[0] || (await page.locator('main canvas').count()) > 0) {
          await page.goto('about:blank');
          await page.goto(path);
          await settled(page);
        }
        await noOverflow(page);
        found.push(...[...(await moved(page)), ...(await faults(page))].map((what) => `${width} px: ${what}`));
      }
      // Words are longer in Spanish, and a phone's buttons as narrow as any.
      await speak('es');
      await page.setViewportSize(screen(WIDTHS[0]));
      await page.goto('about:blank');
      await page.goto(path);
      await settled(page);
      await noOverflow(page);
      found.push(...[...(await moved(page)), ...(await faults(page))].map((what) => `in Spanish: ${what}`));
      assert.deepEqual(found, []);
    });
  }
  await ann.leave();
});

test('the law of layout can be broken', async () => {
  const bob = await here.arrive();
  const page = await bob.open('/account');
  const broken = async (/** @type {string} */ css) => {
    const before = await faults(page);
    const style = await page.evaluateHandle((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
    }, css);
    await style.dispose();
    const after = await faults(page);
    return after.filter((fault) => !before.includes(fault)).join('; ');
  };
  assert.deepEqual(await faults(page), []);
  assert.match(await broken('.lead { margin-top: -3rem }'), /texts over each other/);
  assert.match(await broken('#signin button { width: 1rem; padding: 0; white-space: nowrap; justify-content: start }'), /its text is cut/);
  assert.match(await broken('header nav a:nth-child(2) { position: relative; top: 10px }'), /crooked/);
  assert.match(await broken('#claim input { width: 200vw; max-width: none }'), /cut by the window/);
  await bob.leave();
});
