// Words for games of any ruleset: pure functions from what the engine says to text. Rows and columns are counted from 0.

/** @import { Described, GridOutcome } from './engine.js' */

import { capital, describeForfeit } from './describe.js';
import { NEUTRAL, ownerOf, seatLabel } from './seats.js';

/**
 * Who plays, by seat.
 * @typedef {{players: readonly string[], seats: readonly string[]}} Names the names of the players, and those that the game gives to
 * its seats, if any
 */

/** So many plays are told one by one. */
const PLAYS_TOLD_MAX = 4;

/** What the rules that end a game are called. */
const REASONS = new Map([
  ['extinction', 'nobody else has a living cell'],
  ['mutual_extinction', 'nobody has a living cell left'],
  ['majority', 'the last turn is over'],
  ['exhausted', 'the last move has been made'],
  ['stalemate', 'there is no move left to make'],
  ['forfeit', 'nobody else could go on'],
]);

/** @param {number} seat @param {Names} names @returns {string} such as `Ann (A)` */
export const player = (seat, { players, seats }) => `${players[seat]} (${seatLabel(seat, seats)})`;

/** @typedef {Described & {seat: number}} Played what a seat did */

/** The cells that an action names. @param {Pick<Described, 'calls'>} action */
export const cellsOf = ({ calls }) => calls.flatMap(({ cells }) => cells);

/**
 * What a seat did.
 * @param {Played} play
 * @param {readonly string[]} seats names that the game gives
 */
export const describePlay = ({ seat, words }, seats) => `${capital(seatLabel(seat, seats))} ${words}`;

/**
 * A turn in words; of many plays only how many there were.
 * @param {readonly Played[]} plays
 * @param {readonly string[]} seats names that the game gives
 */
export function describePlays(plays, seats) {
  if (plays.length <= PLAYS_TOLD_MAX) return `${plays.map((play) => describePlay(play, seats)).join('; ')}.`;
  const passing = plays.filter((play) => cellsOf(play).length === 0).length;
  const acting = plays.length - passing;
  return `${acting} of ${plays.length} seats named a cell${passing > 0 ? `, ${passing} passed` : ''}.`;
}

/**
 * What a turn did to the board.
 * @param {{births: {owner: string}[], deaths: {owner: string}[]}} changes
 */
export function describeChanges({ births, deaths }) {
  const count = (/** @type {number} */ number) => (number === 0 ? 'none' : String(number));
  return `New cells: ${count(births.length)}; gone: ${count(deaths.length)}.`;
}

/**
 * How a game ended.
 * @param {GridOutcome} outcome
 * @param {Names} names
 */
export function describeGridOutcome({ winner, reason, tally }, names) {
  const why = REASONS.get(reason) ?? reason.replaceAll('_', ' ');
  const end = tally.length === 2 && winner === 1 ? `${tally[1]} to ${tally[0]}` : tally.length === 2 ? `${tally[0]} to ${tally[1]}` : '';
  const score = end !== '' ? `, ${end}` : winner === null ? '' : ` with ${tally[winner]} of ${sum(tally)} cells`;
  return winner === null ? `A draw${score}: ${why}.` : `${player(winner, names)} wins${score}: ${why}.`;
}

/**
 * Why someone could not go on.
 * @param {{seat: number, turn: number | null, code: string, detail: string}} forfeit
 * @param {Names} names
 */
export function describeGridForfeit(forfeit, names) {
  return describeForfeit(forfeit, names.players, (seat) => player(seat, names));
}

/** @param {readonly number[]} tally */
const sum = (tally) => tally.reduce((total, cells) => total + cells, 0);

/**
 * Living cells of each seat, and of nobody.
 * @param {string} cells of a picture
 * @param {number} seats
 * @returns {{bySeat: number[], neutral: number}}
 */
export function countCells(cells, seats) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const owner of cells) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const bySeat = Array.from({ length: seats }, (_, seat) => counts.get(ownerOf(seat)) ?? 0);
  return { bySeat, neutral: counts.get(NEUTRAL) ?? 0 };
}

/**
 * A picture in words: a paragraph for each seat that lives, with the rows its cells are in.
 * @param {{rows: number, cols: number, cells: string}} picture
 * @param {Names} names
 * @returns {string[]}
 */
export function describePicture({ rows, cols, cells }, names) {
  const { bySeat, neutral } = countCells(cells, names.players.length);
  const where = (/** @type {string} */ owner) =>
    Array.from({ length: rows }, (_, row) => [row, runsOf(cells.slice(row * cols, (row + 1) * cols), owner)])
      .filter(([, runs]) => runs !== '')
      .map(([row, runs]) => `row ${row}: ${runs}`)
      .join('; ');
  const said = (/** @type {string} */ who, /** @type {number} */ count, /** @type {string} */ owner) =>
    count === 0 ? `${who}: no cell.` : `${who}: ${count} ${count === 1 ? 'cell' : 'cells'}. In ${where(owner)}.`;
  const seats = bySeat.map((count, seat) => said(player(seat, names), count, ownerOf(seat)));
  return neutral > 0 ? [...seats, said('Nobody’s', neutral, NEUTRAL)] : seats;
}

/** @param {string} row @param {string} owner @returns {string} such as `4-6, 9` */
function runsOf(row, owner) {
  const runs = [];
  for (let from = row.indexOf(owner); from >= 0; from = row.indexOf(owner, from + 1)) {
    const start = from;
    while (row[from + 1] === owner) from += 1;
    runs.push(start === from ? `${start}` : `${start}-${from}`);
  }
  return runs.join(', ');
}
