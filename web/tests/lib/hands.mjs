// The three ways of using a page, for tests: each moves to a control and uses it.

import { ON_A_PHONE } from './browser.mjs';

/** @typedef {import('playwright-core').Locator} Locator */

/** The maximum number of controls passed with the keyboard. */
const TABS_MAX = 300;

/** Presses Tab until a control has the focus. @param {Locator} control */
export async function tabTo(control) {
  for (let tab = 0; tab < TABS_MAX; tab++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await control.page().keyboard.press('Tab');
  }
  throw new Error(`${control} is not reached by Tab`);
}

/** Goes to a control by Tab, and presses Enter. @param {Locator} control */
async function press(control) {
  await tabTo(control);
  await control.page().keyboard.press('Enter');
}

/**
 * @typedef {object} Hand
 * @property {string} name
 * @property {'click' | 'key' | 'tap'} onBoard how it chooses a cell, for `RoomPage`
 * @property {import('playwright-core').BrowserContextOptions} options of the person's browser context
 * @property {(control: Locator) => Promise<void>} use
 */

/** @type {Hand[]} */
export const HANDS = [
  { name: 'mouse', onBoard: 'click', options: {}, use: (control) => control.click() },
  { name: 'keyboard', onBoard: 'key', options: {}, use: press },
  { name: 'touch', onBoard: 'tap', options: ON_A_PHONE, use: (control) => control.tap() },
];
