// Checks pages with axe.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules about colours: only they can differ in the dark (`unit/style.test.mjs`). */
const COLOURS = ['cat.color'];

/**
 * axe's objections to a page in its current state.
 * @param {import('playwright-core').Page} page
 * @param {string[]} [runOnly] tags of rules; by default all rules
 * @returns {Promise<string[]>}
 */
export async function objections(page, runOnly) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    // Computing selectors takes as long as checking the rules, and our style sheets need no second download.
    const { violations } = await /** @type {any} */ (window).axe.run({ resultTypes: ['violations'], selectors: false, preload: false, ...(runOnly && { runOnly }) });
    return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.slice(0, 3).map((/** @type {any} */ { html }) => html.slice(0, 120)).join(', ')}`);
  }, runOnly);
}

/** The same, in light and dark mode. @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
export async function objectionsByDayAndNight(page) {
  const light = await objections(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await objections(page, COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light.map((what) => `light: ${what}`), ...dark.map((what) => `dark: ${what}`)];
}
