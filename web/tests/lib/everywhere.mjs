// What is wrong with a page that a test has brought into some state: it is resized, not loaded again, so some of its widths never loaded.

import { objectionsByDayAndNight } from './axe.mjs';
import { noOverflow } from './browser.mjs';
import { WIDTHS, faults, resize, screen } from './layout.mjs';

/** The widths at which axe checks it, in CSS pixels. */
const AXE = [320, 768, 1920];

/** Faults of layout at every width, and axe's objections. @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
export async function wrongAnywhere(page) {
  /** @type {string[]} */
  const found = [];
  for (const width of WIDTHS) {
    await resize(page, screen(width));
    await noOverflow(page);
    const here = [...(await faults(page)), ...(AXE.includes(width) ? await objectionsByDayAndNight(page) : [])];
    found.push(...here.map((what) => `${width} px, ${what}`));
  }
  return found;
}
