// Texts for the pages of all games: pure functions from the engine's answers to text. Rows and columns are counted from
// 0, as in the engine's own sentences.

/** @import { Described, Forfeit, Notes, Outcome, Pair } from '../rules/engine.js' */
/** @import { Changes } from './picture.js' */

import { NEUTRAL, ownerOf, seatLabel, seatOf } from './seats.js';
import { isolated, retold, say } from '../page/say.js';

/**
 * The names in a game, by seat.
 * @typedef {{players: readonly string[], seats: readonly string[]}} Names the players' names, and the seats' names in
 *   the game, if any
 */

/** @typedef {Described & {seat: number}} Played the action of a seat */

/** Longer turns are not described play by play. */
const PLAYS_TOLD_MAX = 4;

/** The names of the rules that end a game. */
const REASONS = new Map([
  ['extinction', say('nobody else has a living cell')],
  ['mutual_extinction', say('nobody has a living cell left')],
  ['majority', say('that was the last turn')],
  ['exhausted', say('the last move has been made')],
  ['stalemate', say('there is no move left to make')],
  ['agreed', say('both agreed')],
]);

const FORFEITS = new Map([
  ['fuel_exhausted', say('ran out of fuel')],
  ['stack_overflow', say('overflowed its stack')],
  ['trap', say('crashed')],
  ['bad_pointer', say('pointed outside its memory')],
  ['bad_output', say('gave bytes that are no action')],
  ['illegal_move', say('played what is not legal')],
  ['resigned', say('gave up')],
  ['out_of_time', say('ran out of time')],
]);

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The engine's words as a sentence. @param {string | null} words */
export const sentence = (words) => (words === null ? '' : `${capital(retold(words))}.`);

/** @param {readonly string[]} parts @returns {string} `a`, `a and b`, `a, b and c` */
export const listed = (parts) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')}${say(' and ')}${parts[parts.length - 1]}`;

/** @param {number} count @returns {string} */
export const countedCells = (count) => (count === 1 ? say('1 cell') : say('{0} cells', count));

/** @param {Pair} cell */
export const cellName = ([row, col]) => `${row},${col}`;

/** @param {number} seat @param {Names} names @returns {string} such as `Ann (A)` */
export const player = (seat, { players, seats }) => `${isolated(players[seat])} (${seatLabel(seat, seats)})`;

/** The cells that an action names. @param {Pick<Described, 'calls'>} action */
export const cellsOf = ({ calls }) => calls.flatMap(({ cells }) => cells);

/**
 * The action of a seat as a sentence.
 * @param {Played} play
 * @param {readonly string[]} seats the game's names
 */
export const describePlay = ({ seat, words }, seats) => `${capital(seatLabel(seat, seats))} ${retold(words)}`;

/**
 * A turn in words; a turn of many plays only as their number.
 * @param {readonly Played[]} plays
 * @param {readonly string[]} seats the game's names
 */
export function describePlays(plays, seats) {
  if (plays.length <= PLAYS_TOLD_MAX) return `${plays.map((play) => describePlay(play, seats)).join('; ')}.`;
  const passing = plays.filter((play) => cellsOf(play).length === 0).length;
  const acting = plays.length - passing;
  const named = say('{0} of {1} seats named a cell', acting, plays.length);
  return passing > 0 ? say('{0}, {1} passed.', named, passing) : `${named}.`;
}

/**
 * The zones open for the next cell.
 * @param {readonly string[]} zones
 * @param {string} [whom] the player, if it is not the reader
 * @returns {string}
 */
export const describeOpen = (zones, whom) => {
  if (zones.length === 0) return '';
  const where = listed(zones.map(retold));
  return whom ? say('Open to {0}: {1}.', whom, where) : say('Open: {0}.', where);
};

/**
 * The start of a game.
 * @param {string} cells of the first picture
 * @param {Pick<Notes, 'awaiting'>} notes
 * @param {readonly string[]} seats the game's names
 */
export function describeStart(cells, { awaiting }, seats) {
  const what = /[^.]/.test(cells) ? say('The start') : say('The empty board');
  return awaiting.length === 1 ? say('{0}; {1} begins.', what, seatLabel(awaiting[0], seats)) : `${what}.`;
}

/**
 * @param {readonly {owner: string}[]} cells
 * @param {readonly string[]} seats
 * @returns {string} such as `2 blue and 1 red`
 */
function byOwner(cells, seats) {
  const owners = [...new Set(cells.map(({ owner }) => owner))].sort();
  const name = (/** @type {string} */ owner) => (owner === NEUTRAL ? say('nobody’s') : seatLabel(seatOf(owner), seats));
  return listed(owners.map((owner) => `${cells.filter((cell) => cell.owner === owner).length} ${name(owner)}`));
}

/**
 * The effect of a turn.
 * @param {Changes} changes of its generation, and the cells that the turn itself cleared; in a game without stages, all
 *   changes together
 * @param {readonly string[]} seats the game's names
 * @param {readonly number[]} tally after it
 */
export function describeChanges({ cleared, births, deaths }, seats, tally) {
  const parts =
    cleared === null
      ? [say('new cells: {0}', births.length || say('none')), say('gone: {0}', deaths.length || say('none'))]
      : [
          cleared.length > 0 ? say('cleared: {0}', byOwner(cleared, seats)) : '',
          births.length > 0 ? say('born: {0}', byOwner(births, seats)) : say('no births'),
          deaths.length > 0 ? say('dying: {0}', byOwner(deaths, seats)) : say('no deaths'),
        ];
  if (tally.length === 2) parts.push(say('score {0} to {1}', ...tally));
  return `${capital(parts.filter((part) => part !== '').join('; '))}.`;
}

/**
 * The outcome of a game.
 * @param {Outcome} outcome
 * @param {Names} names
 */
export function describeOutcome({ winner, reason, tally }, names) {
  if (reason === 'forfeit' && winner !== null) return say('{0} wins by forfeit.', player(winner, names));
  const why = REASONS.get(reason) ?? reason.replaceAll('_', ' ');
  const end =
    tally.length === 2 && winner === 1
      ? say('{0} to {1}', tally[1], tally[0])
      : tally.length === 2
        ? say('{0} to {1}', tally[0], tally[1])
        : '';
  const most = () =>
    sum(tally) === 1 ? say(' with the only cell') : say(' with {0} of {1} cells', tally[/** @type {number} */ (winner)], sum(tally));
  const score = end !== '' ? `, ${end}` : winner === null ? '' : most();
  return winner === null ? say('A draw{0}: {1}.', score, why) : say('{0} wins{1}: {2}.', player(winner, names), score, why);
}

/**
 * Why a seat could not go on.
 * @param {Forfeit} forfeit
 * @param {Names} names
 */
export function describeForfeit({ seat, turn, code, detail }, names) {
  const when = turn === null ? say('before the first turn') : say('in turn {0}', turn + 1);
  const more = detail === '' || code === 'resigned' || code === 'out_of_time' ? '' : `: ${retold(detail)}`;
  return `${player(seat, names)} ${FORFEITS.get(code) ?? code.replaceAll('_', ' ')} ${when}${more}`.replace(/\.?$/, '.');
}

/** @param {readonly number[]} tally */
const sum = (tally) => tally.reduce((total, cells) => total + cells, 0);

/**
 * Living cells of each seat, and neutral ones.
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
 * A position in words: how far the game is and whose turn it is, if that is known, and for each seat a paragraph with
 * the rows of its cells.
 * @param {{rows: number, cols: number, cells: string, tally: readonly number[], block?: number}} picture `block` is
 *   rows and columns of cells behind each of its cells
 * @param {Pick<Notes, 'clock' | 'awaiting' | 'open'>} notes
 * @param {Names} names
 * @returns {string[]}
 */
export function describePosition({ rows, cols, cells, tally, block = 1 }, { clock, awaiting, open }, names) {
  const { bySeat: squares, neutral } = countCells(cells, names.players.length);
  const bySeat = block > 1 ? tally : squares;
  const where = (/** @type {string} */ owner) =>
    Array.from({ length: rows }, (_, row) => [row, runsOf(cells.slice(row * cols, (row + 1) * cols), owner, block)])
      .filter(([, runs]) => runs !== '')
      .map(([row, runs]) => say('row {0}: {1}', block * Number(row), runs))
      .join('; ');
  const said = (/** @type {string} */ who, /** @type {number} */ count, /** @type {string} */ owner, score = count) => {
    const scored = score === count ? '' : say(', score {0}', score);
    return count === 0 ? say('{0}: no cell{1}.', who, scored) : say('{0}: {1}{2}. In {3}.', who, countedCells(count), scored, where(owner));
  };
  const turn =
    awaiting.length === 0
      ? say('The game is over.')
      : awaiting.length > 1
        ? ''
        : say('{0} moves.', capital(seatLabel(awaiting[0], names.seats)));
  const head = [clock === '' ? '' : `${retold(clock)}.`, turn, describeOpen(open)].filter((part) => part !== '').join(' ');
  const seats = bySeat.map((count, seat) => said(player(seat, names), count, ownerOf(seat), tally[seat]));
  const paragraphs = neutral > 0 ? [...seats, said(say('Nobody’s'), neutral, NEUTRAL)] : seats;
  return head === '' ? paragraphs : [head, ...paragraphs];
}

/**
 * @param {string} row
 * @param {string} owner
 * @param {number} block columns behind each
 * @returns {string} such as `4-6, 9`
 */
function runsOf(row, owner, block) {
  const runs = [];
  for (let from = row.indexOf(owner); from >= 0; from = row.indexOf(owner, from + 1)) {
    const start = from;
    while (row[from + 1] === owner) from += 1;
    const [first, last] = [block * start, block * (from + 1) - 1];
    runs.push(first === last ? `${first}` : `${first}-${last}`);
  }
  return runs.join(', ');
}
