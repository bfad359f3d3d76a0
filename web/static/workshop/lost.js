// The games of tournaments that a bot has lost to an opponent, to be played again by another bot in its seats.

/** @import { Match } from './bench.js' */

import { fetched } from '../net/fetched.js';

/** So many pages of a list are looked through: games of others are on them, too. */
const PAGES_MAX = 10;

/**
 * @param {object} wanted
 * @param {string} wanted.list the address of a list of games, the latest first
 * @param {string} wanted.opponent the winner's id
 * @param {string} [wanted.loser] the loser's, if the list has games of others
 * @param {number} wanted.max how many games are wanted at most, as many as a page of the list has
 * @returns {Promise<Match[]>}
 */
export async function lostGames({ list, opponent, loser, max }) {
  /** @type {{id: string, entrants: string[], winner: number | null}[]} */
  const lost = [];
  for (let [page, after] = [0, '']; page < PAGES_MAX && lost.length < max; page++) {
    /** @type {typeof lost} */
    const games = await (await fetched(list + after)).json();
    lost.push(
      ...games.filter(
        ({ entrants, winner }) =>
          winner !== null && entrants[winner] === opponent && (loser === undefined || entrants[1 - winner] === loser),
      ),
    );
    if (games.length < max) break;
    const { id } = games[games.length - 1];
    // In one tournament games are known by their numbers.
    after = `&after=${loser === undefined ? id : id.slice(id.lastIndexOf('.') + 1)}`;
  }
  return Promise.all(
    lost.slice(0, max).map(async ({ id, winner }) => {
      const { header } = await (await fetched(`/api/v1/games/${id}/record`)).json();
      const { ruleset, options, seed } = header;
      return { ruleset, options, seed, seat: 1 - Number(winner), opponent, from: null };
    }),
  );
}
