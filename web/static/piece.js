// A move in the making, in games where one moves a piece: which cells may be chosen now. What is legal, the engine said.

/** @import { Pair } from './engine.js' */

/** @typedef {readonly (readonly [fromRow: number, fromCol: number, toRow: number, toCol: number])[]} Moves */

/** @param {Pair} one @param {Pair} other */
export const same = (one, other) => one[0] === other[0] && one[1] === other[1];

/**
 * Where a piece may go.
 * @param {Moves} moves
 * @param {Pair} piece
 * @returns {Pair[]}
 */
export function targetsOf(moves, piece) {
  return moves.filter(([row, col]) => same([row, col], piece)).map(([, , row, col]) => [row, col]);
}

/** The pieces that can move. @param {Moves} moves @returns {Pair[]} */
export function piecesOf(moves) {
  const seen = new Map(moves.map(([row, col]) => [`${row},${col}`, /** @type {Pair} */ ([row, col])]));
  return [...seen.values()];
}

/**
 * What choosing a cell does to a move in the making.
 * @param {Moves} moves
 * @param {readonly Pair[]} drafted nothing, a piece, or a piece and where it goes
 * @param {Pair} cell
 * @returns {'send' | 'aim' | 'choose' | 'drop' | 'none'} the move is sent, the target is set, the piece is, it is let go; or the
 * cell is none to choose
 */
export function choice(moves, drafted, cell) {
  const [piece, target] = drafted;
  if (target && same(target, cell)) return 'send';
  if (piece && same(piece, cell)) return 'drop';
  if (piece && targetsOf(moves, piece).some((open) => same(open, cell))) return 'aim';
  return targetsOf(moves, cell).length > 0 ? 'choose' : 'none';
}
