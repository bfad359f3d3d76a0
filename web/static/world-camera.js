// Which part of a torus is looked at, and where on the screen its cells are. Pure: nothing here draws or listens.

/** @import { Spot } from './world-engine.js' */

/**
 * @typedef {object} Camera
 * @property {number} x the column, with its fraction, in the middle of the view
 * @property {number} y the row
 * @property {number} scale CSS pixels of a cell
 */

/** @typedef {{width: number, height: number}} Size of the view, in CSS pixels */
/** @typedef {{x: number, y: number}} Point in the view, in CSS pixels from its top left */

/** The largest cell, in CSS pixels. */
export const SCALE_MAX = 48;

/** @param {number} at @param {number} side @returns {number} the same place on the torus, from 0 */
export const wrapped = (at, side) => ((at % side) + side) % side;

/** The smallest cell: then the whole world fits, once. @param {Size} size @param {number} side */
export const scaleMin = ({ width, height }, side) => Math.min(width, height) / side;

/** A camera that is on the torus and neither too near nor too far. @param {Camera} camera @param {Size} size @param {number} side @returns {Camera} */
export function fitted({ x, y, scale }, size, side) {
  const fit = Math.min(SCALE_MAX, Math.max(scaleMin(size, side), scale));
  return { x: wrapped(x, side), y: wrapped(y, side), scale: fit };
}

/** The world pushed by so many pixels. @param {Camera} camera @param {number} dx @param {number} dy @returns {Camera} */
export const pushed = ({ x, y, scale }, dx, dy) => ({ x: x - dx / scale, y: y - dy / scale, scale });

/**
 * Nearer or farther, with what is under a point staying there.
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

/** The cell under a point. @param {Camera} camera @param {Point} at @param {Size} size @param {number} side @returns {Spot} */
export function spotAt({ x, y, scale }, at, { width, height }, side) {
  return [wrapped(Math.floor(x + (at.x - width / 2) / scale), side), wrapped(Math.floor(y + (at.y - height / 2) / scale), side)];
}

/** The top left of a cell, of all its places on the torus the one nearest to the middle. @param {Camera} camera @param {Spot} spot @param {Size} size @param {number} side @returns {Point} */
export function pointOf({ x, y, scale }, [col, row], { width, height }, side) {
  const near = (/** @type {number} */ from, /** @type {number} */ to) => wrapped(to - from + side / 2, side) - side / 2;
  return { x: width / 2 + near(x, col) * scale, y: height / 2 + near(y, row) * scale };
}

/** Whether a cell is in view. @param {Camera} camera @param {Spot} spot @param {Size} size @param {number} side */
export function isInView(camera, spot, size, side) {
  const { x, y } = pointOf(camera, spot, size, side);
  return x >= 0 && x <= size.width && y >= 0 && y <= size.height;
}
