// What the pages of all rooms have besides their board: the link for others, giving up, and coming back after a while.

/** @import { Transport } from './transport.js' */

import { byId, copy } from './page.js';

/** @param {() => void} resign is called once it was asked for twice */
export function offerResignation(resign) {
  const button = /** @type {HTMLButtonElement} */ (byId('resign'));
  const asked = (/** @type {boolean} */ sure) => {
    button.textContent = sure ? 'Yes, resign' : 'Resign';
    button.classList.toggle('danger', sure);
    byId('resign-not').hidden = !sure;
  };
  button.addEventListener('click', ({ detail }) => {
    // The second half of a double click is no answer.
    if (detail > 1) return;
    if (byId('resign-not').hidden) return asked(true);
    asked(false);
    resign();
  });
  byId('resign-not').addEventListener('click', () => asked(false));
}

/** The room's address, to be copied. */
export function offerLink() {
  const link = /** @type {HTMLInputElement} */ (byId('room-link'));
  const button = /** @type {HTMLButtonElement} */ (byId('copy'));
  link.value = location.origin + location.pathname;
  button.addEventListener('click', () => copy(link.value, button, link));
}

/** Connects again as soon as somebody looks at the page. @param {Transport} transport */
export function wakeWithPage(transport) {
  addEventListener('online', () => transport.wake());
  document.addEventListener('visibilitychange', () => document.hidden || transport.wake());
}
