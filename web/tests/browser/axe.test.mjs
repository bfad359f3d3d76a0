// axe objects to nothing, on every page at three widths, light and dark.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { screen } from '../lib/layout.mjs';
import { FURNISHED, REFUSED, furnish, visit } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';

const here = scene({ standing: FURNISHED });
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WIDTHS = [320, 768, 1920];
/** @type {('light' | 'dark')[]} */
const SCHEMES = ['light', 'dark'];

test('axe is content with every page', async (t) => {
  const ann = await here.arrive();
  const pages = await furnish(here.server, ann, here.random);
  const page = await ann.open();
  for (const looked of pages) {
    await t.test(looked.name, async () => {
      /** @type {string[]} */
      const found = [];
      await ann.forgiving(looked.refuses ? REFUSED : null, () => visit(page, looked));
      await looked.prepare?.(page);
      await page.evaluate(AXE);
      for (const width of WIDTHS) {
        await page.setViewportSize(screen(width));
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          found.push(...(await objections(page)).map((what) => `${width} px, ${colorScheme}: ${what}`));
        }
      }
      assert.deepEqual(found, []);
    });
  }
  await ann.leave();
});

test('axe is content with every chapter of the guide on a phone, where tables and listings scroll', async (t) => {
  const bob = await here.arrive({ viewport: screen(WIDTHS[0]) });
  const page = await bob.open('/guide');
  const chapters = await page.locator('#chapters a').evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))));
  assert.ok(chapters.length > 10, `${chapters}`);
  for (const path of chapters) {
    await t.test(path, async () => {
      await page.goto(path);
      await page.evaluate(AXE);
      assert.deepEqual(await objections(page), []);
    });
  }
  await bob.leave();
});

/** What axe objects to. @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
function objections(page) {
  return page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run({ resultTypes: ['violations'] });
    return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.slice(0, 3).map((/** @type {any} */ { target }) => target.join(' ')).join(', ')}`);
  });
}
