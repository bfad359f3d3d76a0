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

/** At least so many ms are between two looks at the page. */
const PAUSE = 5000;
/** Those who watch look at different moments: within so many ms. */
const SPREAD = 1000;

/** When the page is taken anew: once for each revision, and now and then at most. */
export class Looks {
  /** The revision that was looked for last. @type {string | undefined} */
  #tried;
  #last = -Infinity;

  /**
   * Milliseconds until the page is taken for a revision; null when there is nothing to take.
   * @param {string} revision
   * @param {string | undefined} shown
   * @param {number} now
   * @param {number} chance From 0 to 1.
   * @returns {number | null}
   */
  wait(revision, shown, now, chance) {
    if (revision === shown || revision === this.#tried) return null;
    return Math.max(0, this.#last + PAUSE - now) + chance * SPREAD;
  }

  /** The page is taken now. @param {string} revision @param {number} now */
  take(revision, now) {
    this.#tried = revision;
    this.#last = now;
  }
}

/** Whether somebody writes into a form: it stays as it is. */
const writes = () => (document.activeElement?.closest(KEPT) ?? null) !== null;

/** The page as it is now, for the parts that have changed. */
async function renew() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
  const shown = document.querySelector('main');
  if (fresh === null || shown === null) return;
  // What was opened stays open.
  const open = new Set([...shown.querySelectorAll('details[open] > summary')].map((summary) => summary.textContent));
  for (const summary of fresh.querySelectorAll('details > summary')) {
    if (open.has(summary.textContent)) summary.parentElement?.setAttribute('open', '');
  }
  shown.dataset.revision = fresh.dataset.revision;
  shown.replaceChildren(...fresh.childNodes);
}

function follow() {
  const main = byId('tournament');
  const looks = new Looks();
  /** The latest revision that the server spoke of. */
  let revision = main.dataset.revision ?? '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const look = async () => {
    // Until the form is left.
    if (!writes()) {
      looks.take(revision, performance.now());
      await renew().catch(() => {});
    }
    timer = undefined;
    const stage = byId('progress').dataset.stage;
    if (stage === 'finished' || stage === 'cancelled') transport.close();
    else if (!writes()) news();
  };
  const news = () => {
    const wait = looks.wait(revision, main.dataset.revision, performance.now(), Math.random());
    if (wait !== null) timer ??= setTimeout(look, wait);
  };
  const transport = new Transport({
    url: socketUrl(main.dataset.socket ?? '', location),
    hear: (message) => {
      if (message.type !== 'state') return;
      const said = byId('progress').dataset.stage === 'playing' ? sentence(message) : null;
      if (said !== null) write('progress', said);
      revision = String(message.revision);
      news();
    },
    connected: () => {},
  });
  transport.connect();
  document.addEventListener('focusout', () => setTimeout(news));
  document.addEventListener('visibilitychange', () => document.hidden || transport.wake());
  addEventListener('online', () => transport.wake());
}

// Tests have no page.
if (globalThis.document?.getElementById('tournament')) follow();
