// The visible part of a torus, and the screen positions of its cells. Pure: nothing here draws or listens.

/** @import { Spot } from './engine.js' */

/**
 * @typedef {object} Camera
 * @property {number} x the column in the middle of the view, with its fraction
 * @property {number} y the row in the middle of the view
 * @property {number} scale the size of a cell, in CSS pixels
 */

/** @typedef {{width: number, height: number}} Size of the view, in CSS pixels */
/** @typedef {{x: number, y: number}} Point in the view, in CSS pixels from its top left */

/** The maximum size of a cell, in CSS pixels. */
export const SCALE_MAX = 48;

/** @param {number} at @param {number} side @returns {number} the same place on the torus, from 0 */
export const wrapped = (at, side) => ((at % side) + side) % side;

/** The minimum size of a cell: the whole world fits, once. @param {Size} size @param {number} side */
export const scaleMin = ({ width, height }, side) => Math.min(width, height) / side;

/**
 * The camera with its centre wrapped onto the torus and its scale within the limits.
 * @param {Camera} camera
 * @param {Size} size
 * @param {number} side
 * @returns {Camera}
 */
export function fitted({ x, y, scale }, size, side) {
  const fit = Math.min(SCALE_MAX, Math.max(scaleMin(size, side), scale));
  return { x: wrapped(x, side), y: wrapped(y, side), scale: fit };
}

/**
 * The camera after the world was dragged by a distance in CSS pixels.
 * @param {Camera} camera
 * @param {number} dx
 * @param {number} dy
 * @returns {Camera}
 */
export const pushed = ({ x, y, scale }, dx, dy) => ({ x: x - dx / scale, y: y - dy / scale, scale });

/**
 * Zooms; the place under a point stays there.
 * @param {Camera} camera
 * @param {number} factor
 * @param {Point} at
 * @param {Size} size
 * @param {number} side
 * @returns {Camera}
 */
export function zoomed(camera, factor, at, size, side) {
  const { scale } = fitted({ ...camera, scale: camera.scale * factor }, size, side);
  const [right, down] = [at.x - size.width / 2, at.y - size.height / 2];
  const [x, y] = [camera.x + right / camera.scale - right / scale, camera.y + down / camera.scale - down / scale];
  return fitted({ x, y, scale }, size, side);
}

/**
 * The cell under a point.
 * @param {Camera} camera
 * @param {Point} at
 * @param {Size} size
 * @param {number} side
 * @returns {Spot}
 */
export function spotAt({ x, y, scale }, at, { width, height }, side) {
  return [wrapped(Math.floor(x + (at.x - width / 2) / scale), side), wrapped(Math.floor(y + (at.y - height / 2) / scale), side)];
}

/**
 * The top left corner of a cell: of its copies on the torus, the one nearest to the middle.
 * @param {Camera} camera
 * @param {Spot} spot
 * @param {Size} size
 * @param {number} side
 * @returns {Point}
 */
export function pointOf({ x, y, scale }, [col, row], { width, height }, side) {
  const near = (/** @type {number} */ from, /** @type {number} */ to) => wrapped(to - from + side / 2, side) - side / 2;
  return { x: width / 2 + near(x, col) * scale, y: height / 2 + near(y, row) * scale };
}

/** Whether a cell is in view. @param {Camera} camera @param {Spot} spot @param {Size} size @param {number} side */
export function isInView(camera, spot, size, side) {
  const { x, y } = pointOf(camera, spot, size, side);
  return x >= 0 && x <= size.width && y >= 0 && y <= size.height;
}
