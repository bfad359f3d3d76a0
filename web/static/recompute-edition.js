// "Recompute on this page" for an edition: checks its folder, plays its games again, all or a sample, until the visitor
// stops it or one differs, and folds its standings. What was found is kept in the browser: a later visit continues.

/** @import { Claims, Tally } from './replays/verification.js' */

import { fileUrl } from './files.js';
import { fetched } from './net/fetched.js';
import { byId, moduleUrl, write } from './page/page.js';
import { findingWords } from './replays/divergence.js';
import { compiled, startWorker } from './replays/site-workers.js';
import { untarred } from './replays/tournament-folder.js';
import { claimed, doneOf, drawn, playAgain } from './replays/verification.js';
import {
  scriptRecomputeAllAgain,
  scriptRecomputeContinue,
  scriptRecomputeDone,
  scriptRecomputeFetchingFolder,
  scriptRecomputeFolderWrong,
  scriptRecomputeGameDiffers,
  scriptRecomputeGamesIdentical,
  scriptRecomputeGamesNotChecked,
  scriptRecomputeGamesSoFar,
  scriptRecomputeSampleAgain,
  scriptRecomputeStandingsIdentical,
  scriptRecomputeStop,
  scriptRecomputeStoppedAfter,
} from './text/en/script-recompute.js';
import { scriptReplaysNotRecomputed } from './text/en/script-replays.js';

/** How the names of what is kept begin. */
const KEPT = 'recompute ';

/**
 * What was found, in words.
 * @param {Tally} tally
 * @param {boolean} running
 * @returns {string}
 */
export function said(tally, running) {
  const { games, all, identical, notChecked, differs } = tally;
  const [done, of] = [doneOf(tally), games.length];
  const parts = [scriptRecomputeGamesIdentical({ games: identical.length })];
  if (notChecked.length > 0) parts.push(scriptRecomputeGamesNotChecked({ games: notChecked.length }));
  if (differs !== null) {
    parts.unshift(scriptRecomputeGameDiffers({ game: differs.game, finding: findingWords(differs.finding) }));
    return parts.join(' ');
  }
  if (running) parts.unshift(scriptRecomputeGamesSoFar({ done, games: of }));
  else if (done < of) parts.unshift(scriptRecomputeStoppedAfter({ done, games: of }));
  else if (of < all) parts.unshift(scriptRecomputeSampleAgain({ games: of, all }));
  else parts.unshift(notChecked.length > 0 ? scriptRecomputeDone({ games: of }) : scriptRecomputeAllAgain({ games: of }));
  if (!running && done === of) parts.push(scriptRecomputeStandingsIdentical());
  return parts.join(' ');
}

/** What is kept of an unfinished verification of these files. @param {string} name @param {string} of @returns {Tally | null} */
function kept(name, of) {
  try {
    const found = JSON.parse(localStorage.getItem(name) ?? '{}');
    return found.of === of ? found.tally : null;
  } catch {
    return null;
  }
}

/** @param {string} name @param {{of: string, tally: Tally} | null} what null if nothing is to be kept */
function keep(name, what) {
  try {
    if (what) localStorage.setItem(name, JSON.stringify(what));
    else localStorage.removeItem(name);
  } catch {
    // Without storage a later visit begins anew.
  }
}

/** @param {HTMLButtonElement} button */
function offer(button) {
  const folder = String(button.dataset.folder);
  const progress = /** @type {HTMLProgressElement} */ (byId('recompute-progress'));
  const size = /** @type {HTMLSelectElement} */ (byId('recompute-sample'));
  const label = String(button.textContent);
  // Of this release and this edition: another release might find something else.
  const [name, of] = [`${KEPT}${folder}`, String(fileUrl('arena_meter.wasm'))];
  /** @type {AbortController | null} */
  let running = null;

  const ready = () => {
    const before = kept(name, of);
    button.textContent = before ? scriptRecomputeContinue({ done: doneOf(before), games: before.games.length }) : label;
    byId('recompute-how').hidden = before !== null;
  };

  /** @param {AbortSignal} signal */
  async function run(signal) {
    write('recomputed', scriptRecomputeFetchingFolder());
    const files = untarred(new Uint8Array(await (await fetched(folder)).arrayBuffer()));
    const named = new Map([...files].map(([path, bytes]) => [path.slice(path.indexOf('/') + 1), bytes]));
    const read = await claimed(startWorker, await compiled(fileUrl('arena_ledger.wasm')), named);
    if (read.wrong) return { kind: 'differs', words: scriptRecomputeFolderWrong(read.wrong) };
    const { claims } = read;
    const all = claims.games.map(([number]) => number);
    const games = size.value === '' ? all : drawn(all, Number(size.value));
    /** @type {Tally} */
    const tally = kept(name, of) ?? { games, all: all.length, identical: [], notChecked: [], differs: null };
    const [engine, meter] = await Promise.all([compiled(moduleUrl('opponents')), compiled(fileUrl('arena_meter.wasm'))]);
    const show = (/** @type {Tally} */ now) => {
      progress.value = doneOf(now) / Math.max(1, now.games.length);
      write('recomputed', said(now, true));
      keep(name, { of, tally: now });
    };
    show(tally);
    // One processor is left for the page.
    const workers = Math.max(1, (navigator.hardwareConcurrency ?? 2) - 1);
    const found = await playAgain({
      files: named,
      claims,
      tally,
      modules: { engine, meter },
      start: startWorker,
      workers,
      tell: show,
      signal,
    });
    if (found.differs !== null || doneOf(found) === found.games.length) keep(name, null);
    return { kind: found.differs === null ? 'done' : 'differs', words: said(found, false) };
  }

  button.hidden = false;
  ready();
  button.addEventListener('click', async () => {
    if (running !== null) return running.abort();
    running = new AbortController();
    button.textContent = scriptRecomputeStop();
    progress.hidden = false;
    byId('recomputed').dataset.kind = 'running';
    let end;
    try {
      end = await run(running.signal);
    } catch (error) {
      end = { kind: 'failed', words: scriptReplaysNotRecomputed({ why: error instanceof Error ? error.message : error }) };
    }
    running = null;
    write('recomputed', end.words);
    byId('recomputed').dataset.kind = end.kind;
    ready();
  });
}

// Unit tests import this file without a page.
const button = globalThis.document?.getElementById('recompute-all');
if (button) offer(/** @type {HTMLButtonElement} */ (button));
