// The typeface: loads it, and notes that this browser has it. Pages with a board then use it from their first paint (`shape.js`).

import { rememberFont } from './settings.js';

/** Loads the typeface, unless it is loaded already. */
export async function loadFont() {
  try {
    await document.fonts.load('1rem "Atkinson"');
    rememberFont(new URL('atkinson.woff2', import.meta.url).pathname);
  } catch {
    // The page keeps the system's typeface.
  }
}
