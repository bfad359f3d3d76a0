// Texts for the pages of all games: pure functions from the engine's answers to text. Rows and columns are counted from
// 0, as in the engine's own sentences.

/** @import { Call, Described, EngineError, Forfeit, Game, Notes, Outcome, Pair, Tool } from '../rules/engine.js' */
/** @import { Phrase } from '../page/messages.js' */
/** @import { Changes } from './picture.js' */

import * as board from '../text/en/script-board.js';
import * as endings from '../text/en/script-endings.js';
import * as rules from '../text/en/script-rules.js';
import { messagesBy, phrasesBy } from '../page/messages.js';
import { NEUTRAL, ownerOf, seatOf } from './seats.js';
import { isolated } from '../page/isolated.js';

/**
 * The names in a game, by seat.
 * @typedef {{players: readonly string[], seats: readonly string[]}} Names the players' names, and the seats' names in
 *   the game, if any
 */

/** @typedef {Described & {seat: number}} Played the action of a seat */

/** Longer turns are not described play by play. */
const PLAYS_TOLD_MAX = 4;

/** Why a game ends, and why a seat cannot go on, by their codes. */
const endWords = messagesBy('scriptReason', endings);
const forfeitWords = messagesBy('scriptForfeit', endings);

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} words @returns {string} a sentence; empty if there are no words */
export const sentence = (words) => (words === '' ? '' : `${capital(words)}${/[.!?:]$/.test(words) ? '' : '.'}`);

/** @param {readonly string[]} parts @returns {string} `a`, `a and b`, `a, b and c` */
export const listed = (parts) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')}${board.scriptBoardAnd()}${parts[parts.length - 1]}`;

/** @param {number} count @returns {string} */
export const countedCells = (count) => board.scriptBoardCells({ cells: count });

/** @param {Pair} cell */
export const cellName = ([row, col]) => `${row},${col}`;

/** @param {number} seat @param {Names} names @returns {string} such as `Ann (A)` */
export const player = (seat, { players, seats }) => `${isolated(players[seat])} (${seatLabel(seat, seats)})`;

/** Names of seats, and words of tools, by their codes. */
const seatWords = messagesBy('scriptPhraseSeat', rules);
const toolWords = messagesBy('scriptPhraseTool', rules);

/**
 * What the rules tell, in words: each phrase is explained by the next.
 * @type {(phrases: readonly Phrase[]) => string}
 */
export const phrased = phrasesBy(rules);

/** Why the engine refused something. @param {EngineError} error @returns {string} */
export const reasonOf = ({ phrases, message }) => (phrases.length > 0 ? phrased(phrases) : message);

/** The letters of seats without names. */
const LETTERS = 'ABCDEFGHIJKLMNOP';

/**
 * A seat's name in the game, or else its letter or number.
 * @param {number} seat
 * @param {readonly string[]} names the game's names
 * @returns {string}
 */
export const seatLabel = (seat, names) =>
  names[seat] === undefined ? (LETTERS[seat] ?? String(seat + 1)) : seatWords(names[seat], { seat });

/** What a tool is called. @param {Pick<Tool, 'code'>} tool */
export const toolName = ({ code }) => toolWords(code, partsOf([]));

/** What a tool is for, in a short phrase. @param {Pick<Tool, 'code'>} tool */
export const toolPurpose = ({ code }) => toolWords(`${code}-purpose`, partsOf([]));

/** Cells in a sentence: `3,4; 3,5 and 4,4`. @param {readonly Pair[]} cells @returns {string} */
const cellsListed = (cells) => {
  const names = cells.map(cellName);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join('; ')}${board.scriptBoardAnd()}${names[names.length - 1]}`;
};

/** The cells of a call in its words. @param {readonly Pair[]} cells */
const partsOf = (cells) => ({ cells: cellsListed(cells), from: cellsListed(cells.slice(0, 1)), to: cellsListed(cells.slice(1)) });

/** What a seat did with a tool. @param {Call} call @param {readonly Tool[]} tools */
function doneWith({ tool: name, cells }, tools) {
  const code = tools.find((tool) => tool.name === name)?.code;
  return code === undefined ? board.scriptBoardPlays() : toolWords(`${code}-done`, partsOf(cells));
}

/** The cells that an action names. @param {Pick<Described, 'calls'>} action */
export const cellsOf = ({ calls }) => calls.flatMap(({ cells }) => cells);

/**
 * The action of a seat as a sentence.
 * @param {Played} play
 * @param {Pick<Game, 'seat_names' | 'tools'>} game
 */
export const describePlay = ({ seat, calls }, { seat_names: seats, tools }) =>
  `${capital(seatLabel(seat, seats))} ${calls.map((call) => doneWith(call, tools)).join(', ') || board.scriptBoardPlays()}`;

/**
 * A turn in words; a turn of many plays only as their number.
 * @param {readonly Played[]} plays
 * @param {Pick<Game, 'seat_names' | 'tools'>} game
 */
export function describePlays(plays, game) {
  if (plays.length <= PLAYS_TOLD_MAX) return `${plays.map((play) => describePlay(play, game)).join('; ')}.`;
  const passing = plays.filter((play) => cellsOf(play).length === 0).length;
  const acting = plays.length - passing;
  const named = board.scriptBoardSeatsNamed({ named: acting, seats: plays.length });
  return passing > 0 ? board.scriptBoardSeatsPassed({ named, passed: passing }) : `${named}.`;
}

/**
 * The zones open for the next cell.
 * @param {readonly Phrase[]} zones
 * @param {string} [whom] the player, if it is not the reader
 * @returns {string}
 */
export const describeOpen = (zones, whom) => {
  if (zones.length === 0) return '';
  const where = listed(zones.map((zone) => phrased([zone])));
  return whom ? board.scriptBoardOpenTo({ seat: whom, zones: where }) : board.scriptBoardOpen({ zones: where });
};

/**
 * The start of a game.
 * @param {string} cells of the first picture
 * @param {Pick<Notes, 'awaiting'>} notes
 * @param {readonly string[]} seats the game's names
 */
export function describeStart(cells, { awaiting }, seats) {
  const what = /[^.]/.test(cells) ? board.scriptBoardTheStart() : board.scriptBoardEmptyBoard();
  return awaiting.length === 1 ? board.scriptBoardBegins({ start: what, seat: seatLabel(awaiting[0], seats) }) : `${what}.`;
}

/**
 * @param {readonly {owner: string}[]} cells
 * @param {readonly string[]} seats
 * @returns {string} such as `2 blue and 1 red`
 */
function byOwner(cells, seats) {
  const owners = [...new Set(cells.map(({ owner }) => owner))].sort();
  const name = (/** @type {string} */ owner) => (owner === NEUTRAL ? board.scriptBoardOfNobody() : seatLabel(seatOf(owner), seats));
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
      ? [
          board.scriptBoardNewCells({ cells: births.length || board.scriptBoardNone() }),
          board.scriptBoardGone({ cells: deaths.length || board.scriptBoardNone() }),
        ]
      : [
          cleared.length > 0 ? board.scriptBoardCleared({ cells: byOwner(cleared, seats) }) : '',
          births.length > 0 ? board.scriptBoardBorn({ cells: byOwner(births, seats) }) : board.scriptBoardNoBirths(),
          deaths.length > 0 ? board.scriptBoardDying({ cells: byOwner(deaths, seats) }) : board.scriptBoardNoDeaths(),
        ];
  if (tally.length === 2) parts.push(board.scriptBoardScore({ own: tally[0], other: tally[1] }));
  return `${capital(parts.filter((part) => part !== '').join('; '))}.`;
}

/**
 * The outcome of a game.
 * @param {Outcome} outcome
 * @param {Names} names
 */
export function describeOutcome({ winner, reason, tally }, names) {
  if (reason === 'forfeit' && winner !== null) return board.scriptBoardWinsByForfeit({ player: player(winner, names) });
  const why = endWords(reason);
  const end =
    tally.length === 2 && winner === 1
      ? board.scriptBoardEndScore({ own: tally[1], other: tally[0] })
      : tally.length === 2
        ? board.scriptBoardEndScore({ own: tally[0], other: tally[1] })
        : '';
  const score = end !== '' ? `, ${end}` : winner === null ? '' : board.scriptBoardEndShare({ cells: tally[winner], all: sum(tally) });
  return winner === null ? board.scriptBoardDraw({ score, why }) : board.scriptBoardWins({ player: player(winner, names), score, why });
}

/**
 * Why a seat could not go on.
 * @param {Forfeit} forfeit
 * @param {Names} names
 * @param {string} [reason] in the page's words, in place of the detail
 */
export function describeForfeit({ seat, turn, code, detail }, names, reason) {
  const when = turn === null ? board.scriptBoardBeforeFirstTurn() : board.scriptBoardInTurn({ turn: turn + 1 });
  const quoted = detail === '' || code === 'resigned' || code === 'out_of_time' ? '' : board.scriptBoardDetail({ detail });
  const more = reason === undefined ? quoted : `: ${reason}`;
  return `${player(seat, names)} ${forfeitWords(code)} ${when}${more}`.replace(/\.?$/, '.');
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
      .map(([row, runs]) => board.scriptBoardRow({ row: block * Number(row), columns: runs }))
      .join('; ');
  const said = (/** @type {string} */ who, /** @type {number} */ count, /** @type {string} */ owner, score = count) => {
    const scored = score === count ? '' : board.scriptBoardAndScore({ score });
    return count === 0
      ? board.scriptBoardNoCell({ who, score: scored })
      : board.scriptBoardCellsOf({ who, cells: countedCells(count), score: scored, rows: where(owner) });
  };
  const turn =
    awaiting.length === 0
      ? board.scriptBoardGameOver()
      : awaiting.length > 1
        ? ''
        : board.scriptBoardMoves({ seat: capital(seatLabel(awaiting[0], names.seats)) });
  const head = [clock === null ? '' : `${phrased([clock])}.`, turn, describeOpen(open)].filter((part) => part !== '').join(' ');
  const seats = bySeat.map((count, seat) => said(player(seat, names), count, ownerOf(seat), tally[seat]));
  const paragraphs = neutral > 0 ? [...seats, said(board.scriptBoardNobodys(), neutral, NEUTRAL)] : seats;
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
