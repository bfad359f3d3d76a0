// The coach comments on a draft turn and on what has happened, on practice boards and in lessons. It explains the
// rules, and never recommends a move.

/** @import { Pair, Position } from '../rules/engine.js' */
/** @import { OwnedCell } from '../board/picture.js' */
/** @import { Phrase } from '../page/messages.js' */

import { ownerOf } from '../board/seats.js';
import { listed, phrased, toolName } from '../board/words.js';
import * as rooms from '../text/en/script-rooms.js';

/** The coach names cells at risk only if there are at most this many, to keep the sentence short. */
const NAMED_MAX = 4;

/**
 * The columns of a seat's home; null in games without homes.
 * @param {Pick<Position, 'zones'>} position
 * @param {number} seat
 * @returns {[number, number] | null} the first column, and the one after the last
 */
function homeOf({ zones }, seat) {
  let from = 0;
  for (const zone of zones) {
    if (zone.seat === seat) return [from, from + zone.cols];
    from += zone.cols;
  }
  return null;
}

/** @param {string} cells @param {number} cols @param {number} seat @param {[number, number]} home */
function anchors(cells, cols, seat, [from, to]) {
  let count = 0;
  for (let at = 0; at < cells.length; at++) if (cells[at] === ownerOf(seat) && at % cols >= from && at % cols < to) count += 1;
  return count;
}

/**
 * Comments on a draft turn.
 * @param {Position} position before the turn
 * @param {{cells: readonly Pair[], after: string | null, deaths: readonly OwnedCell[]}} coming the cells that the turn
 *   names, the board after its generation and the cells that die in it
 * @param {number} seat whose turn it is
 * @returns {string[]} sentences
 */
export function ofDraft(position, { cells, after, deaths }, seat) {
  if (after === null || cells.length === 0) return [];
  const { cols } = position;
  const own = ownerOf(seat);
  /** @type {string[]} */
  const said = [];
  const dying = cells.filter(([row, col]) => deaths.some((cell) => cell.row === row && cell.col === col && cell.owner === own));
  if (dying.length > 0 && dying.length <= NAMED_MAX) {
    const names = listed(dying.map((cell) => cell.join(',')));
    said.push(rooms.scriptRoomsCellsWillDie({ cells: names, count: dying.length }));
  }
  const home = homeOf(position, seat);
  if (home !== null && anchors(position.cells, cols, seat, home) > 0 && anchors(after, cols, seat, home) === 0) {
    said.push(rooms.scriptRoomsLastHomeCellDies());
  }
  return said;
}

/**
 * Comments on what has happened between two turns of a seat.
 * @param {Position} before
 * @param {Position} now
 * @param {number} seat whose turn it is in both
 * @returns {string[]} sentences
 */
export function ofChange(before, now, seat) {
  /** @type {string[]} */
  const said = [];
  const beyond = (/** @type {Phrase[]} */ zones, /** @type {Phrase[]} */ others) =>
    zones.filter(([code]) => others.every(([other]) => other !== code)).map((zone) => phrased([zone]));
  const opened = beyond(now.open, before.open);
  const closed = beyond(before.open, now.open);
  if (opened.length > 0) said.push(rooms.scriptRoomsNowOpen({ zones: listed(opened) }));
  if (closed.length > 0) said.push(rooms.scriptRoomsClosedAgain({ zones: listed(closed) }));
  const home = homeOf(now, seat);
  if (home !== null) {
    const left = anchors(now.cells, now.cols, seat, home);
    if (left === 0 && anchors(before.cells, before.cols, seat, home) > 0) said.push(rooms.scriptRoomsNoHomeCells());
    else if (left > 0 && left < 3 && now.cells.includes(ownerOf(seat))) said.push(rooms.scriptRoomsAnchorAtRisk());
  }
  const isReady = (/** @type {Position} */ { limits }, /** @type {number} */ at) => limits[seat]?.[at]?.[0] === 'ready';
  now.tools.forEach((tool, at) => {
    const ready = isReady(now, at) && !isReady(before, at);
    if (ready) said.push(rooms.scriptRoomsReadyNow({ tool: toolName(tool) }));
  });
  return said;
}

/**
 * How a game ended, for the person who has just played it.
 * @param {Position} position the last one
 * @param {string} reason
 * @returns {string[]} sentences
 */
export function ofEnd({ tally, zones, cells }, reason) {
  const counts = tally.map((_, seat) => cells.split(ownerOf(seat)).length - 1);
  switch (reason) {
    case 'majority': {
      const twice = zones.length > 0 && counts.some((count, seat) => count !== tally[seat]);
      return twice
        ? [rooms.scriptRoomsEndByScoreTwice({ ownCells: counts[0], otherCells: counts[1], ownPoints: tally[0], otherPoints: tally[1] })]
        : [rooms.scriptRoomsEndByScore()];
    }
    case 'extinction':
      return [rooms.scriptRoomsEndByExtinction()];
    case 'mutual_extinction':
      return [rooms.scriptRoomsEndByMutualExtinction()];
    case 'stalemate':
      return [rooms.scriptRoomsEndByStalemate()];
    case 'exhausted':
      return [rooms.scriptRoomsEndByMoveLimit()];
    default:
      return [];
  }
}
