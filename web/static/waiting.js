// A room that waits for players: reloads its page when somebody sits down or leaves.

import { byId, copy } from './page/page.js';
import { Transport, pathsOf, wakeWithPage } from './net/transport.js';

const room = byId('waiting-room').dataset.room ?? '';
const link = /** @type {HTMLInputElement | null} */ (document.getElementById('room-link'));
const button = /** @type {HTMLButtonElement | null} */ (document.getElementById('copy'));

if (link && button) {
  link.value = new URL(link.value, location.href).href;
  button.addEventListener('click', () => copy(link.value, button, link));
}

// The answer to a form brings the next page and a new guest's cookie; loading this page again would lose both.
let sent = false;
addEventListener('submit', () => (sent = true));
addEventListener('pageshow', () => (sent = false));

/** @type {string | null} the players by seat, once they are known */
let before = null;

/** @type {Transport<import('../types/wire.d.ts').RoomMessage>} */
const transport = new Transport({
  ...pathsOf(`/api/v1/rooms/${room}`, location),
  hear: (message) => {
    if (message.type !== 'state') return;
    const now = JSON.stringify([message.seats, message.people?.started, message.people?.finished]);
    if (!sent && ((before !== null && now !== before) || message.people?.started)) location.reload();
    before = now;
  },
  connected: () => {},
});
if (document.getElementById('status')) transport.connect();
wakeWithPage(transport);
