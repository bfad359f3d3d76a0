// The typeface: once this browser has loaded it, pages with a board use it from their first paint (`shape.js`).

import { fileUrl } from '../files.js';
import { rememberFont } from './settings.js';

const NAME = 'Atkinson';

const remember = () => rememberFont(fileUrl('atkinson.woff2').pathname);

/** On a page that does without the typeface: loads it for the next one. */
export async function loadFont() {
  if (!document.documentElement.classList.contains('late-font')) return;
  try {
    await document.fonts.load(`1rem "${NAME}"`);
    remember();
  } catch {
    // The next page does without it, too.
  }
}

/**
 * On every other page: notes that the typeface is loaded. Asking for it would change the letters of a page painted
 * before it came.
 */
export async function noteFont() {
  const { fonts } = document;
  await fonts.ready;
  if ([...fonts].some(({ family, status }) => family.includes(NAME) && status === 'loaded')) remember();
}
