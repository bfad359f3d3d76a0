// The letter, shape and colour of every seat, the same in all games. None of the sixteen seats share a shape, so hue
// alone never identifies a seat: the first eight are filled, the other eight are outlines of the same shapes.

export const SEATS_MAX = 16;

/** The number of shapes, and of colours. */
const KINDS = 8;

/** The owner of neutral cells in a picture's text. */
export const NEUTRAL = '#';

/** @param {string} owner a character of a picture's text @returns {number} the seat, or -1 */
export const seatOf = (owner) => (owner >= 'a' && owner <= 'p' ? owner.charCodeAt(0) - 97 : -1);

/** @param {number} seat @returns {string} its character in a picture's text */
export const ownerOf = (seat) => String.fromCharCode(97 + seat);

/**
 * The look of a seat's cells.
 * @param {number} seat
 * @returns {{colour: string, shape: number, hollow: boolean}} `colour` is the custom property without its leading
 *   dashes
 */
export function lookOf(seat) {
  return { colour: `seat-${seat % KINDS}`, shape: seat % KINDS, hollow: seat >= KINDS };
}

/** The corners of the shapes, in units of `reach`. Shape 0, a disc, has none. @type {readonly (readonly number[])[]} */
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
 * Draws marks of one size for a seat. They do not overlap, and are a single path: filling each of them would cost most
 * of a frame's time.
 * @param {CanvasRenderingContext2D} ink
 * @param {string} owner a character of a picture's text
 * @param {readonly {cx: number, cy: number}[]} centres
 * @param {number} reach half the width
 * @param {(name: string) => string} colour by the name of a custom property
 */
export function drawMarks(ink, owner, centres, reach, colour) {
  if (reach <= 0) return;
  if (owner === NEUTRAL) {
    ink.fillStyle = colour('neutral');
    ink.lineWidth = Math.max(1, reach / 8);
    ink.strokeStyle = colour('neutral-edge');
    for (const { cx, cy } of centres) {
      ink.fillRect(cx - reach * 1.15, cy - reach * 1.15, reach * 2.3, reach * 2.3);
      ink.strokeRect(cx - reach * 1.1, cy - reach * 1.1, reach * 2.2, reach * 2.2);
    }
    return;
  }
  const look = lookOf(seatOf(owner));
  ink.beginPath();
  for (const { cx, cy } of centres) trace(ink, look.shape, cx, cy, look.hollow ? reach * 0.86 : reach);
  if (look.hollow) {
    ink.lineWidth = Math.max(1.5, reach * 0.36);
    ink.lineJoin = 'round';
    ink.lineCap = 'round';
    ink.strokeStyle = colour(look.colour);
    ink.stroke();
    ink.lineCap = 'butt';
  } else {
    ink.fillStyle = colour(look.colour);
    ink.fill();
  }
}

/**
 * Adds a shape to the path. It ends where it begins, but is not closed: a browser's `closePath` takes longer the longer
 * the path is.
 * @param {CanvasRenderingContext2D} ink
 * @param {number} shape
 * @param {number} cx
 * @param {number} cy
 * @param {number} reach
 */
function trace(ink, shape, cx, cy, reach) {
  const corners = CORNERS[shape];
  if (corners.length === 0) {
    ink.moveTo(cx + reach, cy);
    ink.arc(cx, cy, reach, 0, 2 * Math.PI);
    return;
  }
  ink.moveTo(cx + corners[0] * reach, cy + corners[1] * reach);
  for (let at = 2; at < corners.length; at += 2) ink.lineTo(cx + corners[at] * reach, cy + corners[at + 1] * reach);
  ink.lineTo(cx + corners[0] * reach, cy + corners[1] * reach);
}
