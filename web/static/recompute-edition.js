// "Recompute on this page" for an edition: checks its folder, plays its games again, all or a sample, until the visitor
// stops it or one differs, and folds its standings. What was found is kept in the browser: a later visit continues.

/** @import { Claims, Tally } from './replays/verification.js' */

import { fileUrl } from './files.js';
import { fetched } from './net/fetched.js';
import { byId, moduleUrl, write } from './page/page.js';
import { ofBrowser, recall, remember } from './page/storage.js';
import { findingWords } from './replays/divergence.js';
import { compiled, startWorker } from './replays/site-workers.js';
import { untarred } from './replays/tournament-folder.js';
import { begun, claimed, doneOf, isWhole, missedOf, playAgain, totalOf } from './replays/verification.js';
import { hexOf } from './rules/hex.js';
import * as recompute from './text/en/script-recompute.js';
import { scriptPageLanguage } from './text/en/script-page.js';
import { scriptReplaysNotRecomputed } from './text/en/script-replays.js';

/** How the names of what is kept begin. */
const KEPT = 'recompute ';
/** How often what was found is kept until all is done: each time all of it is written. */
const KEEP_TIMES = 100;

/** The chance that a sample missed a forged game, in words. @param {Tally} tally */
function chanceSaid(tally) {
  const { percent, ...parts } = missedOf(tally);
  return recompute.scriptRecomputeChanceMissed({
    ...parts,
    percent: percent.toLocaleString(scriptPageLanguage(), { minimumFractionDigits: 1 }),
  });
}

/** What was compared besides the games, in words. @param {Claims['incomplete']} incomplete */
function standingsSaid(incomplete) {
  if (incomplete?.code === 'unfinished') return recompute.scriptRecomputeUnfinished();
  if (incomplete?.code === 'no_results') return recompute.scriptRecomputeNoResults();
  const lack = incomplete === null ? '' : ` ${recompute.scriptRecomputeLack({ why: incomplete.why })}`;
  return `${recompute.scriptRecomputeStandingsIdentical()}${lack}`;
}

/**
 * What was found, in words.
 * @param {Tally} tally
 * @param {Claims} claims
 * @param {boolean} running
 * @returns {string}
 */
export function said(tally, claims, running) {
  const { games, all, identical, untold, byRules, ended, notChecked, differs } = tally;
  const [done, of, whole] = [doneOf(tally), totalOf(tally), isWhole(tally, claims)];
  const parts = [recompute.scriptRecomputeGamesIdentical({ games: identical.length })];
  if (byRules.length > 0) parts.push(recompute.scriptRecomputeGamesByRules({ games: byRules.length }));
  if (notChecked.length > 0) parts.push(recompute.scriptRecomputeGamesNotChecked({ games: notChecked.length }));
  if (untold.length > 0) parts.push(recompute.scriptRecomputeGamesUntold({ games: untold.length }));
  if (claims.void > 0) parts.push(recompute.scriptRecomputeGamesVoid({ games: claims.void }));
  if (ended.length > 0) parts.push(recompute.scriptRecomputeGamesEnded({ games: ended.length }));
  if (differs !== null) {
    parts.unshift(recompute.scriptRecomputeGameDiffers({ game: differs.game, finding: findingWords(differs.finding) }));
    return parts.join(' ');
  }
  if (running) parts.unshift(recompute.scriptRecomputeGamesSoFar({ done, games: of }));
  else if (done < of) parts.unshift(recompute.scriptRecomputeStoppedAfter({ done, games: of }));
  else if (games.length < all) parts.unshift(recompute.scriptRecomputeSampleAgain({ games: games.length, all }));
  else parts.unshift(whole ? recompute.scriptRecomputeAllAgain({ games: all }) : recompute.scriptRecomputeDone({ games: of }));
  if (running || done < of) return parts.join(' ');
  if (games.length < all) parts.push(chanceSaid(tally));
  parts.push(standingsSaid(claims.incomplete));
  return parts.join(' ');
}

/**
 * What is kept of an unfinished verification.
 * @typedef {{of: string, digest: string, tally: Tally}} Kept
 */

/**
 * What is kept of one by this release. @param {string} name @param {string} of @returns {Kept | null}
 */
function kept(name, of) {
  try {
    const found = JSON.parse(recall(ofBrowser, name) ?? '{}');
    return found.of === of && typeof found.digest === 'string' ? found : null;
  } catch {
    return null;
  }
}

/**
 * The tally to continue from: what is kept of the same bytes, or none. @param {Kept | null} before
 * @param {string | null} digest of the files @param {() => Tally} none
 */
export const resumed = (before, digest, none) => (before !== null && before.digest === digest ? before.tally : none());

/**
 * The hashes of manifest and journal, from which everything else in a folder follows; null if the browser cannot hash
 * (on plain http from another machine).
 * @param {Map<string, Uint8Array>} files
 * @returns {Promise<string | null>}
 */
export async function digestOf(files) {
  if (!crypto.subtle) return null;
  const hash = async (/** @type {string} */ name) => crypto.subtle.digest('SHA-256', new Uint8Array(files.get(name) ?? []));
  const hashes = await Promise.all(['manifest.json', 'journal'].map(hash));
  return hashes.map((of) => hexOf(new Uint8Array(of))).join(' ');
}

/**
 * Stores a growing tally, at most a hundred times in a run, and whenever `now` is set.
 * @param {(tally: Tally) => void} write
 * @returns {(tally: Tally, now?: boolean) => void}
 */
export function keeper(write) {
  let from = -Infinity;
  return (tally, now = false) => {
    const done = doneOf(tally);
    if (!now && done - from < totalOf(tally) / KEEP_TIMES) return;
    from = done;
    write(tally);
  };
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
    button.textContent = before ? recompute.scriptRecomputeContinue({ done: doneOf(before.tally), games: totalOf(before.tally) }) : label;
    byId('recompute-how').hidden = before !== null;
  };

  /** @param {AbortSignal} signal */
  async function run(signal) {
    write('recomputed', recompute.scriptRecomputeFetchingFolder());
    const files = untarred(new Uint8Array(await (await fetched(folder)).arrayBuffer()));
    const named = new Map([...files].map(([path, bytes]) => [path.slice(path.indexOf('/') + 1), bytes]));
    const read = await claimed(startWorker, await compiled(fileUrl('arena_ledger.wasm')), named);
    if (read.wrong) return { kind: 'differs', words: recompute.scriptRecomputeFolderWrong(read.wrong) };
    const { claims } = read;
    const digest = await digestOf(named);
    const tally = resumed(kept(name, of), digest, () => begun(claims, size.value === '' ? undefined : Number(size.value)));
    const [engine, meter] = await Promise.all([compiled(moduleUrl('opponents')), compiled(fileUrl('arena_meter.wasm'))]);
    const keeping = keeper((now) => digest !== null && remember(ofBrowser, name, JSON.stringify({ of, digest, tally: now })));
    const show = (/** @type {Tally} */ now) => {
      progress.value = doneOf(now) / Math.max(1, totalOf(now));
      write('recomputed', said(now, claims, true));
      keeping(now);
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
    if (found.differs !== null || doneOf(found) === totalOf(found)) remember(ofBrowser, name, null);
    else keeping(found, true);
    const kind = found.differs !== null ? 'differs' : isWhole(found, claims) ? 'done' : 'incomplete';
    return { kind, words: said(found, claims, false) };
  }

  button.hidden = false;
  ready();
  button.addEventListener('click', async () => {
    if (running !== null) return running.abort();
    running = new AbortController();
    button.textContent = recompute.scriptRecomputeStop();
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
