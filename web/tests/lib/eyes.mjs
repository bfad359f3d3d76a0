// Colours as seen by people who lack a kind of cone, and the distance between two colours.

/** @typedef {[number, number, number]} Colour red, green and blue, from 0 to 1 */

/**
 * @typedef {readonly [readonly number[], readonly number[], readonly number[]]} Matrix rows of red, green and blue, of
 *   linear light
 */

/**
 * The effect of each kind of vision on linear light. Source: Machado, Oliveira and Fernandes, "A Physiologically-based
 * Model for Simulation of Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (6),
 * 2009; the matrices of severity 1.0.
 * @type {Readonly<Record<string, Matrix>>}
 */
export const EYES = {
  'all cones': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** sRGB's linear light to the XYZ of its white. Source: IEC 61966-2-1. @type {Matrix} */
const XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];

/** @param {Matrix} matrix @param {Colour} colour @returns {Colour} */
const through = (matrix, colour) => /** @type {any} */ (matrix.map((row) => row.reduce((sum, part, at) => sum + part * colour[at], 0)));

/** The linear light of an sRGB component. Source: IEC 61966-2-1. @param {number} part */
const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

/**
 * A colour as an eye sees it, in CIELAB, in which equal steps look about equal.
 * @param {Colour} colour
 * @param {Matrix} eye
 * @returns {Colour}
 */
function seen(colour, eye) {
  const light = through(eye, /** @type {Colour} */ (colour.map(linear))).map((part) => Math.min(1, Math.max(0, part)));
  const white = through(XYZ, [1, 1, 1]);
  const [x, y, z] = through(XYZ, /** @type {Colour} */ (light)).map((part, at) => part / white[at]).map((part) => (part > 216 / 24389 ? Math.cbrt(part) : ((24389 / 27) * part + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/**
 * The distance between two colours as an eye sees them: the CIE's difference of 1976, by which 2.3 is just noticeable
 * and black is 100 from white. Source: Mahy, Van Eycken and Oosterlinck, "Evaluation of Uniform Color Spaces", Color
 * Research and Application 19 (2), 1994.
 * @param {Colour} one
 * @param {Colour} other
 * @param {Matrix} eye
 */
export function apart(one, other, eye) {
  const [first, second] = [seen(one, eye), seen(other, eye)];
  return Math.hypot(...first.map((part, at) => part - second[at]));
}
