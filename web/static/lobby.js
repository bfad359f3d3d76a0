// The lobby follows what happens in it: a request waits for news, then the page's list is taken anew.

import { byId } from './page.js';
import { pollsOnly } from './transport.js';

/** How long is waited after a request that failed, in milliseconds. */
const AGAIN_MS = 4_000;

const list = byId('lobby');

// What the address says of sockets is for the rooms that follow.
pollsOnly(location);

/** @param {number} ms */
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits for news, and says which version the lobby is in. @param {string} known @returns {Promise<string>} */
async function news(known) {
  const answer = await fetch(`/api/v1/lobby?after=${known}`);
  if (!answer.ok) throw new Error(String(answer.status));
  return String((await answer.json()).version);
}

/** The list as the server words it. */
async function renew() {
  const answer = await fetch('/lobby');
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById('lobby');
  if (fresh) list.replaceChildren(...fresh.childNodes);
}

async function follow() {
  let known = list.dataset.version ?? '';
  for (;;) {
    try {
      const version = await news(known);
      if (version !== known) {
        await renew();
        known = version;
        list.dataset.version = known;
      }
    } catch {
      await wait(AGAIN_MS);
    }
  }
}

follow();
