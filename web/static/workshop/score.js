// The score of several games: points, and what their pairs say of who is stronger.

/** @import { Said } from './bench.js' */

import * as workshop from '../text/en/script-workshop.js';

/** @param {number} elo */
const signed = (elo) => (elo > 0 ? `+${elo}` : String(elo).replace('-', '−'));

/** @param {Said} said */
function difference({ elo, low: from, high: to }) {
  const [low, high] = [from, to].map((end) => (end === null ? '' : signed(end)));
  if (elo === null) return from === null ? workshop.scriptWorkshopLostAll({ high }) : workshop.scriptWorkshopWonAll({ low });
  if (from !== null && to !== null) return workshop.scriptWorkshopBetween({ elo: signed(elo), low, high });
  if (from !== null) return workshop.scriptWorkshopAbove({ elo: signed(elo), low });
  return to === null ? workshop.scriptWorkshopEstimate({ elo: signed(elo) }) : workshop.scriptWorkshopBelow({ elo: signed(elo), high });
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
export const scoreOfLost = (games) => workshop.scriptWorkshopPointsOfLost({ points: pointsOf(games), games: games.length });

/**
 * The score in words.
 * @param {readonly number[]} games their half points
 * @param {Said} said what their pairs say
 */
export function scoreWords(games, said) {
  const verdicts = {
    level: workshop.scriptWorkshopLevel,
    stronger: workshop.scriptWorkshopStronger,
    weaker: workshop.scriptWorkshopWeaker,
  };
  const verdict = said.verdict === 'too_few' ? workshop.scriptWorkshopTooFew() : verdicts[said.verdict]({ by: difference(said) });
  return `${workshop.scriptWorkshopPoints({ points: pointsOf(games), games: games.length })}. ${verdict}`;
}
