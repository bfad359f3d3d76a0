// Asks the site's judge for its verdict on a text, which the site does not keep.

import { sentence } from '../board/words.js';
import { scriptPageAnswers, scriptPageNoConnection } from '../text/en/script-page.js';
import { scriptWorkshopAccepted, scriptWorkshopRefusedByJudge, scriptWorkshopUnjudged } from '../text/en/script-workshop.js';

/**
 * A problem of the site.
 * @typedef {object} Problem
 * @property {string} detail
 * @property {string} hint
 * @property {string} [translated] both in the page's language, if that is not English
 */

/** How long a verdict is awaited, in milliseconds: longer than the site lets one wait. */
const WAIT_MS_MAX = 120_000;

/** @param {Problem} problem */
const wordsOf = ({ translated, detail, hint }) => translated ?? [detail, hint].map(sentence).join(' ').trim().replaceAll('`', '');

/**
 * The verdict in words.
 * @param {{game: string, mediaType: string, text: string}} bot
 * @returns {Promise<string>}
 */
export async function verdictOn({ game, mediaType, text }) {
  const address = `/api/v1/checks?${new URLSearchParams({ game })}`;
  const headers = { 'content-type': mediaType };
  // A line may be gone without a word.
  const signal = AbortSignal.timeout(WAIT_MS_MAX);
  const answer = await fetch(address, { method: 'POST', headers, body: text, signal }).catch(() => null);
  if (answer === null) return scriptWorkshopUnjudged({ why: sentence(scriptPageNoConnection()) });
  const said = await answer.json().catch(() => null);
  const { lang } = document.documentElement;
  if (answer.ok && said !== null) {
    const [fuel, budget] = [said.turn_fuel_max, said.turn_fuel].map((units) => units.toLocaleString(lang));
    return scriptWorkshopAccepted({ games: said.games, opponent: said.opponent, fuel, budget });
  }
  if (said === null) return scriptWorkshopUnjudged({ why: sentence(scriptPageAnswers({ address, status: answer.status })) });
  return (answer.status === 422 ? scriptWorkshopRefusedByJudge : scriptWorkshopUnjudged)({ why: wordsOf(said) });
}
