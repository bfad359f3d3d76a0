// The games of an edition that a bot has lost to an opponent, to be played again by another bot in its seats.

/** @import { Match } from './bench.js' */

import { fetched } from '../net/fetched.js';

/**
 * @param {string} list the address of the games
 * @returns {Promise<Match[]>}
 */
export async function lostGames(list) {
  /** @type {{id: string, entrants: string[], winner: number}[]} */
  const games = await (await fetched(list)).json();
  return Promise.all(
    games.map(async ({ id, entrants, winner }) => {
      const { header } = await (await fetched(`/api/v1/games/${id}/record`)).json();
      const { ruleset, options, seed } = header;
      return { ruleset, options, seed, seat: 1 - winner, opponent: entrants[winner], from: null };
    }),
  );
}
