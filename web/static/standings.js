// The page of the standings while an edition is being played: says how far it is, and loads the page again when there is something new.

import { say } from './say.js';

/** How often it asks, in milliseconds. */
const EVERY_MS = 3_000;

/**
 * What the API says.
 * @typedef {object} Standings
 * @property {{number: number} | null} edition the finished one
 * @property {{edition: number, played: number, total: number} | null} playing
 */

/**
 * What a page has to do about an answer.
 * @param {Standings} standings
 * @param {{edition: number, playing: boolean}} shown the edition on the page, 0 for none, and whether it says that one is being played
 * @returns {{reload: boolean, sentence: string | null}} the sentence is null where there is nothing new to say
 */
export function news({ edition, playing }, shown) {
  const changed = (edition?.number ?? 0) !== shown.edition;
  // An edition may be waited for without anything being played: loading the same page again would bring nothing.
  if (changed || (playing === null && shown.playing)) return { reload: true, sentence: null };
  if (playing === null) return { reload: false, sentence: null };
  return { reload: false, sentence: say('Edition {0} is being played: {1} of {2} games.', playing.edition, playing.played, playing.total) };
}

/** @param {HTMLElement} progress */
async function follow(progress) {
  const shown = { edition: Number(progress.dataset.edition), playing: progress.dataset.playing === 'true' };
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    if (document.hidden) continue;
    const standings = await ask(progress.dataset.source ?? '/api/v1/standings');
    if (standings === null) continue;
    const { reload, sentence } = news(standings, shown);
    // The browser keeps where the page was scrolled to.
    if (reload) return location.reload();
    if (sentence === null) continue;
    shown.playing = true;
    if (progress.textContent !== sentence) progress.textContent = sentence;
  }
}

/**
 * @param {string} source the standings of the page's game, as the API says them
 * @returns {Promise<Standings | null>} null when there is no answer; the next may be one
 */
async function ask(source) {
  try {
    const answer = await fetch(source);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

// Tests have no page.
const progress = globalThis.document?.getElementById('progress');
if (progress?.dataset.moving === 'true') follow(progress);
