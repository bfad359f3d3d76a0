// What every seat of any game is known by on the board and beside it: a letter, a shape and a colour. No two of sixteen seats have
// the same shape, so that nothing is told by hue alone: the first eight are filled, the other eight are outlines of the same.

export const SEATS_MAX = 16;

/** How many shapes, and colours, there are. */
const KINDS = 8;

const LETTERS = 'ABCDEFGHIJKLMNOP';

import { retold } from './say.js';
/** The owner of cells that are nobody's, in a picture's text. */
export const NEUTRAL = '#';

/**
 * A seat's name: what the game calls it, else a letter.
 * @param {number} seat
 * @param {readonly string[]} names that the game gives; none in many games
 */
export const seatLabel = (seat, names) => (names[seat] === undefined ? undefined : retold(names[seat])) ?? LETTERS[seat] ?? String(seat + 1);

/** @param {string} owner a character of a picture's text @returns {number} the seat, or -1 */
export const seatOf = (owner) => (owner >= 'a' && owner <= 'p' ? owner.charCodeAt(0) - 97 : -1);

/** @param {number} seat @returns {string} its character in a picture's text */
export const ownerOf = (seat) => String.fromCharCode(97 + seat);

/**
 * How a seat's cells look.
 * @param {number} seat
 * @returns {{colour: string, shape: number, hollow: boolean}} the colour's custom property, without its dashes
 */
export function lookOf(seat) {
  return { colour: `seat-${seat % KINDS}`, shape: seat % KINDS, hollow: seat >= KINDS };
}

/** Corners of the shapes that have some, in units of their reach. The first shape, 0, is a disc. @type {readonly (readonly number[])[]} */
const CORNERS = [
  [],
  [0, -1.2, 1.2, 0, 0, 1.2, -1.2, 0],
  [-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9],
  [0, -1.1, 1.1, 0.9, -1.1, 0.9],
  [-0.4, -1.1, 0.4, -1.1, 0.4, -0.4, 1.1, -0.4, 1.1, 0.4, 0.4, 0.4, 0.4, 1.1, -0.4, 1.1, -0.4, 0.4, -1.1, 0.4, -1.1, -0.4, -0.4, -0.4],
  [0, 1.1, 1.1, -0.9, -1.1, -0.9],
  [-1, -1, 1, -1, 0.25, 0, 1, 1, -1, 1, -0.25, 0],
  [-1.1, -0.6, -0.4, 0, -1.1, 0.6, -0.6, 1.1, 0, 0.4, 0.6, 1.1, 1.1, 0.6, 0.4, 0, 1.1, -0.6, 0.6, -1.1, 0, -0.4, -0.6, -1.1],
];

/**
 * Draws a seat's mark.
 * @param {CanvasRenderingContext2D} ink
 * @param {string} owner a character of a picture's text
 * @param {{cx: number, cy: number, reach: number}} at middle and half the width
 * @param {(name: string) => string} colour by the name of a custom property
 */
export function drawMark(ink, owner, { cx, cy, reach }, colour) {
  if (reach <= 0) return;
  if (owner === NEUTRAL) {
    ink.fillStyle = colour('neutral');
    ink.fillRect(cx - reach * 1.15, cy - reach * 1.15, reach * 2.3, reach * 2.3);
    ink.lineWidth = Math.max(1, reach / 8);
    ink.strokeStyle = colour('neutral-edge');
    ink.strokeRect(cx - reach * 1.1, cy - reach * 1.1, reach * 2.2, reach * 2.2);
    return;
  }
  const look = lookOf(seatOf(owner));
  trace(ink, look.shape, cx, cy, look.hollow ? reach * 0.86 : reach);
  if (look.hollow) {
    ink.lineWidth = Math.max(1.5, reach * 0.36);
    ink.lineJoin = 'round';
    ink.strokeStyle = colour(look.colour);
    ink.stroke();
  } else {
    ink.fillStyle = colour(look.colour);
    ink.fill();
  }
}

/** @param {CanvasRenderingContext2D} ink @param {number} shape @param {number} cx @param {number} cy @param {number} reach */
function trace(ink, shape, cx, cy, reach) {
  ink.beginPath();
  const corners = CORNERS[shape];
  if (corners.length === 0) ink.arc(cx, cy, reach, 0, 2 * Math.PI);
  for (let at = 0; at < corners.length; at += 2) ink.lineTo(cx + corners[at] * reach, cy + corners[at + 1] * reach);
  ink.closePath();
}
