// "Recompute on this page" for an edition: recomputes games in workers until the visitor stops it or a game differs.

/** @import { Finding } from './rules/recompute.js' */

import { fileUrl } from './files.js';
import { fetched } from './net/fetched.js';
import { byId, moduleUrl, write } from './page/page.js';
import { retold, say } from './page/say.js';

/** How long a worker may be silent, in milliseconds. In the arena, fuel ends a turn in a fraction of it. */
const SILENCE_MS_MAX = 20_000;

/** @typedef {Finding | {kind: 'failed', message: string}} Found */

/**
 * The results so far.
 * @typedef {{identical: number, elsewhere: number, differs: {id: string, message: string} | null}} Tally
 */

/**
 * @param {Tally} tally
 * @param {string} id of the game
 * @param {Found} found
 * @returns {Tally}
 */
export function counted(tally, id, { kind, message }) {
  switch (kind) {
    case 'identical':
      return { ...tally, identical: tally.identical + 1 };
    case 'differs':
      // The first difference is kept.
      return { ...tally, differs: tally.differs ?? { id, message } };
    default:
      return { ...tally, elsewhere: tally.elsewhere + 1 };
  }
}

/**
 * @param {Tally} tally
 * @param {number} games of the edition
 * @param {boolean} running
 * @returns {string}
 */
export function said({ identical, elsewhere, differs }, games, running) {
  const done = identical + elsewhere;
  const more = elsewhere > 0 ? ` ${say('{0} are not checkable here: use arena verify.', elsewhere)}` : '';
  if (differs !== null)
    return say(
      '✗ Game {0} is different. {1} {2} others have the same actions and result.{3}',
      differs.id,
      retold(differs.message),
      identical,
      more,
    );
  const counted = games === 1 ? say('1 game') : say('{0} games', games);
  const again = () => (games === 1 ? say('✓ The game was played again.') : say('✓ All {0} games were played again.', games));
  const all = () => (elsewhere > 0 ? say('Done: {0}.', counted) : again());
  const head = running ? say('{0} of {1} …', done, counted) : done === games ? all() : say('Stopped after {0} of {1}.', done, counted);
  return `${head} ${say('{0} have the same actions and result; fuel is counted by arena verify.', identical)}${more}`;
}

/** The ids of an edition's games, page by page. @param {string} list its address */
async function* ids(list) {
  for (let after = ''; ;) {
    const answer = await fetched(`${list}${after}`);
    /** @type {{id: string}[]} */
    const games = await answer.json();
    if (games.length === 0) return;
    for (const { id } of games) yield id;
    after = `&after=${/\d+$/.exec(games[games.length - 1].id)?.[0]}`;
  }
}

/**
 * Recomputes games one after the other in its own worker.
 * @param {() => Promise<string | null>} next the next game; null if there is none left or the visitor has stopped
 * @param {(id: string, found: Found) => void} tell
 * @param {AbortSignal} signal
 */
async function work(next, tell, signal) {
  let worker = null;
  for (let id = await next(); id !== null; id = await next()) {
    const one = (worker ??= new Worker(fileUrl('recompute-worker.js'), { type: 'module' }));
    const found = await recomputed(one, `/api/v1/games/${id}/record`, signal);
    if (found === null) break;
    tell(id, found);
    if (found.kind === 'failed' || found.kind === 'not_checkable') {
      // The worker may be in a turn that never ends.
      one.terminate();
      worker = null;
    }
  }
  worker?.terminate();
}

/**
 * @param {Worker} worker
 * @param {string} record address
 * @param {AbortSignal} signal
 * @returns {Promise<Found | null>} null if it was stopped
 */
function recomputed(worker, record, signal) {
  return new Promise((resolve) => {
    let watchdog = 0;
    const end = (/** @type {Found | null} */ found) => {
      clearTimeout(watchdog);
      signal.removeEventListener('abort', stop);
      resolve(found);
    };
    const stop = () => end(null);
    const watch = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => end({ kind: 'failed', message: say('a turn took too long') }), SILENCE_MS_MAX);
    };
    signal.addEventListener('abort', stop);
    worker.onerror = () => end({ kind: 'failed', message: say('a worker could not be started') });
    worker.onmessage = ({ data }) => {
      watch();
      if (data.finding) end(data.finding);
      else if (data.failed) end({ kind: 'failed', message: data.failed });
    };
    watch();
    worker.postMessage({ engine: moduleUrl('opponents'), record });
  });
}

/** @param {HTMLButtonElement} button */
function offer(button) {
  const [games, list] = [Number(button.dataset.games), String(button.dataset.list)];
  const progress = /** @type {HTMLProgressElement} */ (byId('recompute-progress'));
  const label = String(button.textContent);
  /** @type {AbortController | null} */
  let running = null;
  button.hidden = false;
  button.addEventListener('click', async () => {
    if (running !== null) return running.abort();
    const controller = (running = new AbortController());
    const { signal } = controller;
    button.textContent = say('Stop');
    progress.hidden = false;
    /** @type {Tally} */
    let tally = { identical: 0, elsewhere: 0, differs: null };
    const show = () => {
      progress.value = (tally.identical + tally.elsewhere) / games;
      const going = running !== null && !signal.aborted && tally.differs === null;
      byId('recomputed').dataset.kind = tally.differs !== null ? 'differs' : going ? 'running' : 'done';
      write('recomputed', said(tally, games, going));
    };
    const queue = ids(list);
    const next = async () => (signal.aborted || tally.differs !== null ? null : ((await queue.next()).value ?? null));
    const tell = (/** @type {string} */ id, /** @type {Found} */ found) => {
      tally = counted(tally, id, found);
      show();
    };
    show();
    try {
      // One processor is left for the page.
      const workers = Math.max(1, (navigator.hardwareConcurrency ?? 2) - 1);
      await Promise.all(Array.from({ length: workers }, () => work(next, tell, signal)));
      running = null;
      show();
    } catch (error) {
      controller.abort();
      byId('recomputed').dataset.kind = 'failed';
      write('recomputed', say('It could not be recomputed: {0}.', error instanceof Error ? error.message : error));
    }
    running = null;
    button.textContent = label;
  });
}

// Unit tests import this file without a page.
const button = globalThis.document?.getElementById('recompute-all');
if (button) offer(/** @type {HTMLButtonElement} */ (button));
