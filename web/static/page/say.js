// Sentences in the language of the page. The code has them in English; `es.json` has the Spanish ones and is shared
// with the server's pages. A test checks that none is missing.

import { fileUrl } from '../files.js';

/** @type {Readonly<Record<string, string>>} by the English sentence */
const SPANISH = await other();

/** @returns {Promise<Record<string, string>>} */
async function other() {
  if (globalThis.document?.documentElement.lang !== 'es') return {};
  try {
    return await (await fetch(fileUrl('es.json'))).json();
  } catch {
    // A page with English sentences is better than none.
    return {};
  }
}

/** Letters that are written from right to left. */
const LEFTWARD = /[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{fefc}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A text, most often a name, that does not turn around what is beside it: with the characters that isolate it if it has
 * letters written from right to left.
 * @param {string} text
 */
export const isolated = (text) => (LEFTWARD.test(text) && !text.includes('\u2068') ? `\u2068${text}\u2069` : text);

/** @param {string} text @param {readonly unknown[]} parts @returns {string} */
const filled = (text, parts) => text.replace(/\{(\d)\}/g, (_, at) => isolated(String(parts[Number(at)])));

/**
 * A sentence in the page's language.
 * @param {string} english a literal with `{0}`, `{1}` for its parts; `|` precedes a note that distinguishes equal
 *   sentences
 * @param {...unknown} parts
 * @returns {string}
 */
export const say = (english, ...parts) => filled(SPANISH[english] ?? english.split('|')[0], parts);

/** The variable parts of the rules' sentences: code, cells, numbers. */
const PARTS = /`[^`]*`|\d+,\d+(?:(?:; | and )\d+,\d+)*|\d+/g;

/**
 * Translates a sentence from elsewhere, such as the rules: looked up as it is, or with `{0}`, `{1}` for its numbers and
 * cells. An unknown sentence is returned unchanged.
 * @param {string} english
 * @returns {string}
 */
export function retold(english) {
  const known = SPANISH[english];
  if (known !== undefined) return known;
  /** @type {string[]} */
  const parts = [];
  const pattern = english.replace(PARTS, (part) => `{${parts.push(part.replace(' and ', say(' and '))) - 1}}`);
  const found = SPANISH[pattern];
  return found === undefined ? english : filled(found, parts);
}
