// What is wrong with a page that a test has brought into some state: it is resized, not loaded again, so some of its
// widths never loaded.

import { objectionsByDayAndNight } from './axe.mjs';
import { noOverflow } from './browser.mjs';
import { faults, resize, screen, widths } from './layout.mjs';

/**
 * Faults of layout at every width of this run, and axe's objections.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export async function wrongAnywhere(page) {
  /** @type {string[]} */
  const found = [];
  for (const width of widths) {
    await resize(page, screen(width));
    await noOverflow(page);
    found.push(...[...(await faults(page)), ...(await objectionsByDayAndNight(page))].map((what) => `${width} px, ${what}`));
  }
  return found;
}
