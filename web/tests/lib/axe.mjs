// What axe objects to.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @type {('light' | 'dark')[]} */
const SCHEMES = ['light', 'dark'];

/** What axe objects to on a page as it stands. @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
export async function objections(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    // Selectors of every element take as long as all rules do, and our style sheets are there without being loaded again.
    const { violations } = await /** @type {any} */ (window).axe.run({ resultTypes: ['violations'], selectors: false, preload: false });
    return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.slice(0, 3).map((/** @type {any} */ { html }) => html.slice(0, 120)).join(', ')}`);
  });
}

/** The same, in the light and in the dark. @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
export async function objectionsByDayAndNight(page) {
  const found = [];
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await objections(page)).map((what) => `${colorScheme}: ${what}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}
