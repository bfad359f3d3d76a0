// Both scores over a whole game, as two lines on a small canvas: blue's is drawn through, red's is dashed.

/** @import { Position } from './engine.js' */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Position[]} positions
 * @param {number} turn marked by an upright line
 */
export function paintChart(canvas, positions, turn) {
  const density = devicePixelRatio || 1;
  const { width, height } = canvas.getBoundingClientRect();
  [canvas.width, canvas.height] = [Math.round(width * density), Math.round(height * density)];
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  ink.scale(density, density);
  const style = getComputedStyle(canvas);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const most = Math.max(1, ...positions.flatMap(({ scores }) => [scores.blue, scores.red]));
  const x = (/** @type {number} */ at) => 3 + (at / Math.max(1, positions.length - 1)) * (width - 6);
  const y = (/** @type {number} */ score) => height - 3 - (score / most) * (height - 6);
  ink.fillStyle = colour('line');
  ink.fillRect(0, height - 2, width, 1);
  ink.fillStyle = colour('soft');
  ink.fillRect(x(turn) - 0.5, 0, 1, height);
  for (const side of /** @type {const} */ (['blue', 'red'])) {
    ink.strokeStyle = colour(side);
    ink.lineWidth = 2;
    ink.setLineDash(side === 'red' ? [5, 3] : []);
    ink.beginPath();
    positions.forEach(({ scores }, at) => ink.lineTo(x(at), y(scores[side])));
    ink.stroke();
  }
}
