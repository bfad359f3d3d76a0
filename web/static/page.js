// Small things that rooms and replays do with the document.

/** @import { Game } from './engine.js' */

import { say } from './say.js';

/**
 * Where the page's game has its rules, or what workers load: what players are shown, and the built-in opponents. The server knows which
 * module has which game.
 * @param {'engine' | 'opponents'} kind
 * @returns {string}
 */
export const moduleUrl = (kind) => document.querySelector(`[data-${kind}]`)?.getAttribute(`data-${kind}`) ?? '';

/**
 * The element of this name. The templates have it, so its absence is a mistake of ours.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return /** @type {T} */ (element);
}

/**
 * Writes a text, unless it stands there: what has not changed is not announced again.
 * @param {string} id
 * @param {string} text
 */
export function write(id, text) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Writes a text that is only shown when there is one.
 * @param {string} id
 * @param {string} text
 */
export function writeOrHide(id, text) {
  write(id, text);
  byId(id).hidden = text === '';
}

/**
 * Writes paragraphs; they are only replaced when they have changed, because somebody may be reading them.
 * @param {string} id
 * @param {readonly string[]} texts
 */
export function writeParagraphs(id, texts) {
  if (byId(id).textContent === texts.join('')) return;
  byId(id).replaceChildren(...texts.map((text) => Object.assign(document.createElement('p'), { textContent: text })));
}

/**
 * Gives the page the shape of a game's board, and its zones their widths.
 * @param {Pick<Game, 'rows' | 'cols' | 'zones'>} game
 */
export function layBoard({ rows, cols, zones }) {
  byId('main').style.setProperty('--board-shape', String(cols / rows));
  const names = document.querySelector('.zones');
  if (names instanceof HTMLElement) names.style.gridTemplateColumns = zones.map(({ cols }) => `${cols}fr`).join(' ');
}

/** Whether a finger is what points: then no text names a key. */
const touched = globalThis.matchMedia?.('(pointer: coarse)').matches ?? false;

/** A key that does the same, in brackets after the words; nothing where there are no keys. @param {string} key */
export const keyHint = (key) => (touched ? '' : ` (${key})`);

/**
 * Copies a text, or shows it to be copied by hand.
 * @param {string} text
 * @param {HTMLButtonElement} button says what became of it
 * @param {HTMLInputElement} field
 */
export async function copy(text, button, field) {
  field.value = text;
  field.hidden = false;
  try {
    await navigator.clipboard.writeText(text);
    const label = button.textContent;
    button.textContent = say('Copied');
    setTimeout(() => (button.textContent = label), 1_500);
  } catch {
    field.focus();
    field.select();
  }
}
