// The table of kingdoms beside a world. A row is created once for its holder; afterwards only its numbers change.

/** @import { Kingdom, Look } from './engine.js' */

import { byId, element } from '../page/page.js';
import { paintMark } from './paint.js';
import { scriptWorldsAccount } from '../text/en/script-worlds.js';

const PARTS = /** @type {const} */ (['cells', 'ground', 'coins']);

/**
 * @param {Pick<Look, 'slots' | 'slot'>} look
 * @param {ReadonlyMap<number, string>} names by account
 */
export function writeKingdoms({ slots, slot: mine }, names) {
  const body = byId('slots');
  const key = slots.map(({ slot, account }) => `${slot}:${account}:${names.get(account)}`).join();
  if (body.dataset.key !== key) {
    body.dataset.key = key;
    body.replaceChildren(...slots.map(({ account }) => rowOf(names.get(account) ?? scriptWorldsAccount({ account }))));
    slots.forEach(({ slot }, at) => paintMark(/** @type {HTMLCanvasElement} */ (body.children[at].querySelector('canvas')), slot));
  }
  slots.forEach((kingdom, at) => writeNumbers(body.children[at], kingdom, mine));
  byId('kingdoms').hidden = slots.length === 0;
  byId('nobody').hidden = slots.length > 0;
}

/** Recreates the rows at the next update: the colours of their marks have changed. */
export function forgetKingdoms() {
  delete byId('slots').dataset.key;
}

/** @param {string} name */
function rowOf(name) {
  const mark = element('canvas', { width: 24, height: 24, className: 'mark' });
  const head = element('th', { scope: 'row' }, mark, ' ', element('bdi', { textContent: name }));
  const cells = PARTS.map((part) => {
    const cell = element('td', { className: 'num' });
    cell.dataset.part = part;
    return cell;
  });
  return element('tr', {}, head, ...cells);
}

/** @param {Element} row @param {Kingdom} kingdom @param {number | null} mine the visitor's own slot */
function writeNumbers(row, kingdom, mine) {
  for (const part of PARTS) {
    const cell = row.querySelector(`[data-part="${part}"]`);
    if (cell && cell.textContent !== String(kingdom[part])) cell.textContent = String(kingdom[part]);
  }
  // The visitor's slot becomes known later than the kingdoms.
  row.toggleAttribute('data-mine', kingdom.slot === mine);
  row.toggleAttribute('data-gone', kingdom.grace !== null);
}
