// The page of a running tournament: follows its socket, and replaces the parts of the page that have changed.

import { byId, write } from './page/page.js';
import { pollsOnly } from './net/polls-only.js';
import { Transport, socketUrl, wakeWithPage } from './net/transport.js';
import { scriptListsAllPlayed, scriptListsGamesPlayed } from './text/en/script-lists.js';

/** @import { TournamentMessage } from '../types/wire.d.ts' */

/** Forms are not replaced: somebody may be filling them in. */
const KEPT = 'form, details#manage';

/**
 * The progress in words; null if there is nothing new.
 * @param {Pick<TournamentMessage, 'played' | 'total'>} state
 * @returns {string | null}
 */
export function sentence({ played, total }) {
  if (total === 0) return null;
  return played < total ? scriptListsGamesPlayed({ played, total }) : scriptListsAllPlayed({ total });
}

/** The minimum interval between two updates of the page, in milliseconds. */
const PAUSE = 5000;
/** The updates of different visitors are spread over this time, in milliseconds. */
const SPREAD = 1000;
/** The interval between two updates where no socket may be used, in milliseconds. */
const WITHOUT_SOCKET = 15_000;

/** Decides when the page is updated: once for each revision, and not too often. */
export class Looks {
  /** The revision of the last update. @type {string | undefined} */
  #tried;
  #last = -Infinity;

  /**
   * The time until the page should be updated to a revision, in milliseconds; null if there is nothing to do.
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

  /** Records that the page is updated now. @param {string} revision @param {number} now */
  take(revision, now) {
    this.#tried = revision;
    this.#last = now;
  }
}

/** Whether the visitor is in a form, which is then left alone. */
const writes = () => (document.activeElement?.closest(KEPT) ?? null) !== null;

/** Replaces the parts of the page that have changed. */
async function renew() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
  const shown = document.querySelector('main');
  if (fresh === null || shown === null) return;
  // Opened details stay open.
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
  /** The latest revision reported by the server. */
  let revision = main.dataset.revision ?? '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const look = async () => {
    // Otherwise the update waits until the form is left.
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
  /** @type {Transport<TournamentMessage>} */
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
  if (pollsOnly(location)) {
    const plain = setInterval(() => {
      const { stage } = byId('progress').dataset;
      if (stage === 'finished' || stage === 'cancelled') clearInterval(plain);
      else if (!writes() && !document.hidden) renew().catch(() => {});
    }, WITHOUT_SOCKET);
    return;
  }
  transport.connect();
  document.addEventListener('focusout', () => setTimeout(news));
  wakeWithPage(transport);
}

// Unit tests import this file without a page.
if (globalThis.document?.getElementById('tournament')) follow();
