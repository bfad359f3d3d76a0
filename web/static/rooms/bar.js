// The bar at the board: what has just happened, with buttons for what can be done about it. It is at the lower edge of
// the window, so that it is seen wherever the page is scrolled; the page's title and a sound say the same.

import { byId, element } from '../page/page.js';
import { sound } from './sound.js';
import { scriptRoomsCloseMessage } from '../text/en/script-rooms.js';

/** What a notice is about. One of each kind is shown at most. @typedef {(typeof KINDS)[number]} Kind */

/**
 * @typedef {{text: string, act: () => unknown, stays?: boolean} | {text: string, href: string}} Choice a button, or a
 *   link like one
 */

/**
 * @typedef {object} Notice
 * @property {string} words
 * @property {readonly Choice[]} [choices] each of them ends the notice, unless it stays
 * @property {import('./sound.js').Sound} [sound]
 */

/**
 * The kinds of notices, the most pressing first: only that one is shown. What asks for an answer is before who is here.
 */
const KINDS = /** @type {const} */ (['offline', 'still', 'refused', 'draw', 'rematch', 'lesson', 'cookies', 'chat', 'gone', 'said']);

/** @type {Map<Kind, Notice>} */
const notices = new Map();
/** @type {Map<Kind, string>} the notices that the visitor has closed, until something else is to be said */
const closed = new Map();
let base = '';

/** Sets the page's title without the notice in front of it. @param {string} title */
export function titled(title) {
  base = title;
  paintTitle();
}

/** Whether two notices look alike. @param {Notice | undefined} one @param {Notice} other */
const same = (one, other) =>
  one?.words === other.words && String(one.choices?.map(({ text }) => text)) === String(other.choices?.map(({ text }) => text));

/** Says something, or withdraws what was said with null. @param {Kind} kind @param {Notice | null} notice */
export function notify(kind, notice) {
  if (notice === null) {
    closed.delete(kind);
    if (notices.delete(kind)) paint();
    return;
  }
  const isNew = !notices.has(kind) && closed.get(kind) !== notice.words;
  if (same(notices.get(kind), notice) || closed.get(kind) === notice.words) return;
  closed.delete(kind);
  notices.set(kind, notice);
  if (isNew) sound(notice.sound ?? 'news');
  paint();
}

/** @returns {[Kind, Notice] | undefined} what the bar shows */
function shown() {
  const kind = KINDS.find((kind) => notices.has(kind));
  const notice = kind && notices.get(kind);
  return kind && notice ? [kind, notice] : undefined;
}

function paint() {
  const [bar, now] = [byId('bar'), shown()];
  const held = bar.contains(document.activeElement);
  bar.hidden = now === undefined;
  bar.dataset.kind = now?.[0] ?? '';
  paintTitle();
  if (now === undefined) return held && byId('board').focus({ preventScroll: true });
  const [kind, { words, choices = [] }] = now;
  byId('bar-words').textContent = words;
  const end = () => {
    closed.set(kind, words);
    notices.delete(kind);
    paint();
  };
  const buttons = choices.map((choice, at) => {
    const main = at === 0 ? 'primary' : '';
    if ('href' in choice) return element('a', { href: choice.href, className: `button ${main}`.trim(), textContent: choice.text });
    const button = element('button', { type: 'button', className: main, textContent: choice.text });
    button.addEventListener('click', () => {
      if (!choice.stays) end();
      choice.act();
    });
    return button;
  });
  const close = element('button', { type: 'button', className: 'quiet', textContent: '✕' });
  close.setAttribute('aria-label', scriptRoomsCloseMessage());
  close.addEventListener('click', end);
  byId('bar-buttons').replaceChildren(...buttons, close);
  if (held) /** @type {HTMLElement} */ (byId('bar-buttons').firstElementChild).focus({ preventScroll: true });
}

function paintTitle() {
  const now = shown();
  const title = now === undefined ? base : `(!) ${now[1].words} – ${base}`;
  if (document.title !== title) document.title = title;
}
