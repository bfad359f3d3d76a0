// Small helpers that rooms and replays use on the document.

/** @import { Game } from '../rules/engine.js' */

import { scriptPageCopied } from '../text/en/script-page.js';

/**
 * The address of the engine for the page's game, or of the module that workers load, with observations and the built-in
 * opponents. The server knows which module contains which game.
 * @param {'engine' | 'opponents' | 'texts'} kind
 * @returns {string}
 */
export const moduleUrl = (kind) => document.querySelector(`[data-${kind}]`)?.getAttribute(`data-${kind}`) ?? '';

/**
 * The element with this id. The templates contain it, so a missing one is a bug.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return /** @type {T} */ (found);
}

/**
 * A new element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @param {readonly (Node | string)[]} children
 */
export function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/**
 * Writes a text if it differs from the present one: unchanged text is not announced again.
 * @param {string} id
 * @param {string} text
 */
export function write(id, text) {
  const present = byId(id);
  if (present.textContent !== text) present.textContent = text;
}

/**
 * Writes a text, and hides its element if the text is empty.
 * @param {string} id
 * @param {string} text
 */
export function writeOrHide(id, text) {
  write(id, text);
  byId(id).hidden = text === '';
}

/**
 * Writes paragraphs, if they differ from the present ones: somebody may be reading those.
 * @param {string} id
 * @param {readonly string[]} texts
 */
export function writeParagraphs(id, texts) {
  if (byId(id).textContent === texts.join('')) return;
  byId(id).replaceChildren(...texts.map((text) => element('p', { textContent: text })));
}

/**
 * Sets the page's custom properties for the shape of a game's board and the widths of its zones.
 * @param {Pick<Game, 'rows' | 'cols' | 'zones'>} game
 */
export function layBoard({ rows, cols, zones }) {
  byId('main').style.setProperty('--board-shape', String(cols / rows));
  const names = document.querySelector('.zones');
  if (names instanceof HTMLElement) names.style.gridTemplateColumns = zones.map(({ cols }) => `${cols}fr`).join(' ');
}

/** Rows and columns of cells behind each square of the page's board. */
export const blockOfBoard = () => Number(document.getElementById('board')?.dataset.block ?? 1);

/** Whether the primary pointer is a finger; then texts mention no keys. */
const touched = globalThis.matchMedia?.('(pointer: coarse)').matches ?? false;

/** The key for an action, in brackets, to follow its text; empty on touch screens. @param {string} key */
export const keyHint = (key) => (touched ? '' : ` (${key})`);

/**
 * Copies a text; if that fails, shows it for copying by hand.
 * @param {string} text
 * @param {HTMLButtonElement} button shows the result
 * @param {HTMLInputElement} field
 */
export async function copy(text, button, field) {
  field.value = text;
  field.hidden = false;
  try {
    await navigator.clipboard.writeText(text);
    const label = button.textContent;
    button.textContent = scriptPageCopied();
    setTimeout(() => (button.textContent = label), 1_500);
  } catch {
    field.focus();
    field.select();
  }
}
