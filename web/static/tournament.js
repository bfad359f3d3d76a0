// The page of a tournament while it goes on: follows its socket, and takes the parts of the page anew that have changed.

import { byId, write } from './page.js';
import { say } from './say.js';
import { Transport, socketUrl } from './transport.js';

/** What the server says. @typedef {{type: string, played: number, total: number, revision: number}} State */

/** Forms that somebody may be filling in stay as they are. */
const KEPT = 'form, details#manage';

/**
 * What the page says of games, or nothing to say anew.
 * @param {State} state
 * @returns {string | null}
 */
export function sentence({ played, total }) {
  if (total === 0) return null;
  return played < total ? say('{0} of {1} games are played.', played, total) : say('All {0} games are played.', total);
}

/** The page as it is now, for the parts that have changed. */
async function renew() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
  const shown = document.querySelector('main');
  if (fresh === null || shown === null) return;
  // Somebody who writes into a form keeps it, and what was opened stays open.
  const writes = document.activeElement?.closest(KEPT) ?? null;
  if (writes !== null) return;
  const open = new Set([...shown.querySelectorAll('details[open] > summary')].map((summary) => summary.textContent));
  for (const summary of fresh.querySelectorAll('details > summary')) {
    if (open.has(summary.textContent)) summary.parentElement?.setAttribute('open', '');
  }
  shown.dataset.revision = fresh.dataset.revision;
  shown.replaceChildren(...fresh.childNodes);
}

function follow() {
  const main = byId('tournament');
  /** Whether the page is being taken anew, and whether it has to be again. */
  let renewing = false;
  let again = false;
  const news = async () => {
    if (renewing) {
      again = true;
      return;
    }
    renewing = true;
    do {
      again = false;
      await renew().catch(() => {});
    } while (again);
    renewing = false;
    const stage = byId('progress').dataset.stage;
    if (stage === 'finished' || stage === 'cancelled') transport.close();
  };
  const transport = new Transport({
    url: socketUrl(main.dataset.socket ?? '', location),
    hear: (message) => {
      if (message.type !== 'state') return;
      const said = byId('progress').dataset.stage === 'playing' ? sentence(message) : null;
      if (said !== null) write('progress', said);
      if (String(message.revision) !== main.dataset.revision) news();
    },
    connected: () => {},
  });
  transport.connect();
  document.addEventListener('visibilitychange', () => document.hidden || transport.wake());
  addEventListener('online', () => transport.wake());
}

// Tests have no page.
if (globalThis.document?.getElementById('tournament')) follow();
