// Small things that both pages do with the document.

/** @import { Position, Rules } from './engine.js' */

import { COLOURS, describeBomb, describePosition, describeRound } from './describe.js';

/** Where the module of the rules is. */
export const ENGINE_URL = '/static/arena_engine.wasm';

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
 * The scoreboard and the board in words.
 * @param {Position} position
 * @param {Rules} rules
 */
export function showPosition(position, rules) {
  const { blue, red } = position.scores;
  write('score-blue', String(blue));
  write('score-red', String(red));
  write('round', describeRound(position, rules));
  for (const bar of byId('share-bar').children) {
    const share = bar.classList.contains('blue') ? blue : red;
    /** @type {HTMLElement} */ (bar).style.flexGrow = String(blue + red === 0 ? 1 : share);
  }
  for (const colour of COLOURS) {
    const skip = position.skip_used[colour] ? ' · skip used' : '';
    write(`means-${colour}`, `bomb ${describeBomb(position, colour, rules)}${skip}`);
  }
  for (const side of document.querySelectorAll('.side')) {
    side.toggleAttribute('data-moves', side.getAttribute('data-colour') === position.to_move);
  }
  const texts = describePosition(position, rules);
  // Somebody may be reading it: it is only replaced when it has changed.
  if (byId('description').textContent === texts.join('')) return;
  byId('description').replaceChildren(...texts.map((text) => Object.assign(document.createElement('p'), { textContent: text })));
}

/**
 * Names under the board, as wide as their zones.
 * @param {Rules} rules
 */
export function layZones({ cols, home_cols: home }) {
  const zones = document.querySelector('.zones');
  if (zones instanceof HTMLElement) zones.style.gridTemplateColumns = `${home}fr ${cols - 2 * home}fr ${home}fr`;
}

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
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = label), 1_500);
  } catch {
    field.focus();
    field.select();
  }
}
