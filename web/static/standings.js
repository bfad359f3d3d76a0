// The standings page while an edition is being played: shows its progress, and reloads when there is a new edition.

/** @import { EditionView, PlayingView } from '../types/wire.d.ts' */

import { scriptListsEditionPlaying, scriptListsNewSoFar } from './text/en/script-lists.js';

/** The polling interval, in milliseconds. */
const EVERY_MS = 3_000;

/**
 * What this page reads of the API's answer: the finished edition, and the one being played.
 * @typedef {{edition?: Pick<EditionView, 'number'> | null, playing?: PlayingView | null}} Standings
 */

/**
 * The page's reaction to an answer.
 * @param {Standings} standings
 * @param {{edition: number, playing: boolean, begun?: number}} shown the edition on the page, 0 for none; whether it
 *   says that one is being played; and the edition for whose newcomers it was loaded again
 * @returns {{reload: boolean, sentence: string | null}} the sentence is null if there is nothing new
 */
export function news({ edition, playing = null }, shown) {
  const changed = (edition?.number ?? 0) !== shown.edition;
  // An awaited edition need not be playing yet: a reload would then bring the same page again.
  if (changed || (playing === null && shown.playing)) return { reload: true, sentence: null };
  if (playing === null) return { reload: false, sentence: null };
  // Their names are on the page, once it is loaded again; but not if another server sent it.
  if (!shown.playing && playing.newcomers.length > 0 && shown.begun !== playing.edition) return { reload: true, sentence: null };
  return { reload: false, sentence: scriptListsEditionPlaying({ edition: playing.edition, played: playing.played, total: playing.total }) };
}

/** @param {HTMLElement} progress */
async function follow(progress) {
  const shown = { edition: Number(progress.dataset.edition), playing: progress.dataset.playing === 'true', begun: history.state?.begun };
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    if (document.hidden) continue;
    const standings = await ask(progress.dataset.source ?? '/api/v1/standings');
    if (standings === null) continue;
    const { reload, sentence } = news(standings, shown);
    // The browser keeps the scroll position.
    if (reload) {
      history.replaceState({ begun: standings.playing?.edition }, '');
      return location.reload();
    }
    if (sentence === null) continue;
    shown.playing = true;
    if (progress.textContent !== sentence) progress.textContent = sentence;
    for (const { entrant, games } of standings.playing?.newcomers ?? []) {
      const so = document.querySelector(`#newcomers [data-entrant="${entrant}"] span`);
      if (so !== null) so.textContent = scriptListsNewSoFar({ games });
    }
  }
}

/**
 * @param {string} source the standings of the page's game, in the API
 * @returns {Promise<Standings | null>} null if there is no answer; the next request may get one
 */
async function ask(source) {
  try {
    const answer = await fetch(source);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

// Unit tests import this file without a page.
const progress = globalThis.document?.getElementById('progress');
if (progress?.dataset.moving === 'true') follow(progress);
