// Sentences in the language of the page. The code has them in English; `es.json`, which pages of the server share, has the same in
// Spanish, and a test that none of them is missing.

/** @type {Readonly<Record<string, string>>} by the English sentence */
const SPANISH = await other();

/** @returns {Promise<Record<string, string>>} */
async function other() {
  if (globalThis.document?.documentElement.lang !== 'es') return {};
  try {
    return await (await fetch(new URL('es.json', import.meta.url))).json();
  } catch {
    // A page in two languages is better than none.
    return {};
  }
}

/** @param {string} text @param {readonly unknown[]} parts @returns {string} */
const filled = (text, parts) => text.replace(/\{(\d)\}/g, (_, at) => String(parts[Number(at)]));

/**
 * A sentence of these pages.
 * @param {string} english a literal, with `{0}`, `{1}` where its parts stand; what follows `|` tells it from another like it
 * @param {...unknown} parts
 * @returns {string}
 */
export const say = (english, ...parts) => filled(SPANISH[english] ?? english.split('|')[0], parts);

/** What changes from one sentence of the rules to the next: code, cells, numbers. */
const PARTS = /`[^`]*`|\d+,\d+(?:(?:, | and )\d+,\d+)*|\d+/g;

/**
 * A sentence that something else made, such as the rules: known as it is, or with `{0}`, `{1}` where it has numbers and cells. One
 * that nobody knows stays as it is.
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
