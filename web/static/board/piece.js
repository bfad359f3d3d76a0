// Draft moves in games with pieces: the effect of choosing a cell. The engine says which pieces and targets are
// possible.

/** @import { Pair } from '../rules/engine.js' */

/** @param {Pair} one @param {Pair} other */
export const same = (one, other) => one[0] === other[0] && one[1] === other[1];

/**
 * The effect of choosing a cell on a draft move.
 * @param {object} open
 * @param {readonly Pair[]} open.pieces the pieces that can move
 * @param {readonly Pair[]} open.targets the cells to which the chosen piece can move
 * @param {readonly Pair[]} drafted nothing, a piece, or a piece and its target
 * @param {Pair} cell
 * @returns {'send' | 'aim' | 'choose' | 'drop' | 'none'} send the move, set its target, choose the piece, or drop it;
 *   `none` if the cell cannot be chosen
 */
export function choice({ pieces, targets }, drafted, cell) {
  const [piece, target] = drafted;
  if (target && same(target, cell)) return 'send';
  if (piece && same(piece, cell)) return 'drop';
  if (piece && targets.some((open) => same(open, cell))) return 'aim';
  return pieces.some((open) => same(open, cell)) ? 'choose' : 'none';
}
