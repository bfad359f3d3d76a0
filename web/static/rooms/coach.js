// The coach comments on a draft turn and on what has happened, on practice boards and in lessons. It explains the
// rules, and never recommends a move.

/** @import { Pair, Position } from '../rules/engine.js' */
/** @import { OwnedCell } from '../board/picture.js' */

import { ownerOf } from '../board/seats.js';
import { retold, say } from '../page/say.js';
import { listed } from '../board/words.js';

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
    said.push(
      dying.length === 1
        ? say('{0} will die: it has fewer than two neighbours, or more than three.', names)
        : say('{0} will die: each has fewer than two neighbours, or more than three.', names),
    );
  }
  const home = homeOf(position, seat);
  if (home !== null && anchors(position.cells, cols, seat, home) > 0 && anchors(after, cols, seat, home) === 0) {
    said.push(say('Your last cell at home will die: everything but your home will be closed to you.'));
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
  const opened = now.open.filter((zone) => !before.open.includes(zone));
  const closed = before.open.filter((zone) => !now.open.includes(zone));
  if (opened.length > 0) said.push(say('Now open to you: {0}.', listed(opened.map(retold))));
  if (closed.length > 0) said.push(say('Closed again: {0}. A link of your chain has died.', listed(closed.map(retold))));
  const home = homeOf(now, seat);
  if (home !== null) {
    const left = anchors(now.cells, now.cols, seat, home);
    if (left === 0 && anchors(before.cells, before.cols, seat, home) > 0)
      said.push(say('You have no cells left at home: only your home is open.'));
    else if (left > 0 && left < 3 && now.cells.includes(ownerOf(seat)))
      said.push(say('Your anchor is at risk: cells at home keep the rest open, and few are left.'));
  }
  now.tools.forEach(({ name }, at) => {
    const ready = now.limits[seat]?.[at] === 'ready' && before.limits[seat]?.[at] !== 'ready';
    if (ready) said.push(say('Ready now: {0}. It takes a whole turn.', retold(name)));
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
        ? [
            say(
              'After the last round the higher score wins. Cells in the enemy’s home count twice: {0} and {1} cells make {2} and {3} points.',
              ...counts,
              ...tally,
            ),
          ]
        : [say('After the last round the higher score wins.')];
    }
    case 'extinction':
      return [say('A player with no living cells left loses at once, whatever the score was.')];
    case 'mutual_extinction':
      return [say('Both players lost their last cells in the same generation: the game is a draw.')];
    case 'stalemate':
      return [say('If the player to move has no legal move, the game is a draw.')];
    case 'exhausted':
      return [say('The move limit was reached: the game is a draw.')];
    default:
      return [];
  }
}
