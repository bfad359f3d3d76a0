// A move in the making, in games where one moves a piece: what choosing a cell does to it. What is open, the engine said.

/** @import { Pair } from './engine.js' */

/** @param {Pair} one @param {Pair} other */
export const same = (one, other) => one[0] === other[0] && one[1] === other[1];

/**
 * What choosing a cell does to a move in the making.
 * @param {object} open
 * @param {readonly Pair[]} open.pieces those that can move
 * @param {readonly Pair[]} open.targets where the chosen piece may go
 * @param {readonly Pair[]} drafted nothing, a piece, or a piece and where it goes
 * @param {Pair} cell
 * @returns {'send' | 'aim' | 'choose' | 'drop' | 'none'} the move is sent, the target is set, the piece is, it is let go; or the
 * cell is none to choose
 */
export function choice({ pieces, targets }, drafted, cell) {
  const [piece, target] = drafted;
  if (target && same(target, cell)) return 'send';
  if (piece && same(piece, cell)) return 'drop';
  if (piece && targets.some((open) => same(open, cell))) return 'aim';
  return pieces.some((open) => same(open, cell)) ? 'choose' : 'none';
}
