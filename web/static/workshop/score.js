// The score of several games: points, and what their pairs say of who is stronger.

/** @import { Said } from './bench.js' */

import {
  scriptWorkshopAbove,
  scriptWorkshopBelow,
  scriptWorkshopBetween,
  scriptWorkshopEstimate,
  scriptWorkshopLevel,
  scriptWorkshopLostAll,
  scriptWorkshopPoints,
  scriptWorkshopPointsOfLost,
  scriptWorkshopStronger,
  scriptWorkshopTooFew,
  scriptWorkshopWeaker,
  scriptWorkshopWonAll,
} from '../text/en/script-workshop.js';

/** @param {number} elo */
const signed = (elo) => (elo > 0 ? `+${elo}` : String(elo).replace('-', '−'));

/** @param {Said} said */
function difference({ elo, low: from, high: to }) {
  const [low, high] = [from, to].map((end) => (end === null ? '' : signed(end)));
  if (elo === null) return from === null ? scriptWorkshopLostAll({ high }) : scriptWorkshopWonAll({ low });
  if (from !== null && to !== null) return scriptWorkshopBetween({ elo: signed(elo), low, high });
  if (from !== null) return scriptWorkshopAbove({ elo: signed(elo), low });
  return to === null ? scriptWorkshopEstimate({ elo: signed(elo) }) : scriptWorkshopBelow({ elo: signed(elo), high });
}

/** The points of games. @param {readonly number[]} games their half points */
function pointsOf(games) {
  const sum = games.reduce((sum, halves) => sum + halves, 0);
  return `${sum >> 1}${sum % 2 === 1 ? '½' : ''}`.replace(/^0½$/, '½');
}

/**
 * The score in games that another bot had lost. They were chosen for that, so they say nothing of who is stronger.
 * @param {readonly number[]} games
 */
export const scoreOfLost = (games) => scriptWorkshopPointsOfLost({ points: pointsOf(games), games: games.length });

/**
 * The score in words.
 * @param {readonly number[]} games their half points
 * @param {Said} said what their pairs say
 */
export function scoreWords(games, said) {
  const verdicts = { level: scriptWorkshopLevel, stronger: scriptWorkshopStronger, weaker: scriptWorkshopWeaker };
  const verdict = said.verdict === 'too_few' ? scriptWorkshopTooFew() : verdicts[said.verdict]({ by: difference(said) });
  return `${scriptWorkshopPoints({ points: pointsOf(games), games: games.length })}. ${verdict}`;
}
