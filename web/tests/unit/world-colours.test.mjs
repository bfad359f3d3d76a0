// Kingdoms can be distinguished with every kind of colour vision: where colours fail, marks, textures and edges help.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawMarks, ownerOf } from '../../static/board/seats.js';
import { ALIVE } from '../../static/worlds/engine.js';
import { DARK, EDGE, PERIOD, shade } from '../../static/worlds/ground.js';
import { openDocument } from '../lib/document.mjs';
import { EYES, apart } from '../lib/eyes.mjs';

/** @import { Colour } from '../lib/eyes.mjs' */

const SLOTS = Array.from({ length: 9 }, (_, at) => at + 1);
const PAIRS = SLOTS.flatMap((one) => SLOTS.slice(one).map((other) => /** @type {const} */ ([one, other])));
/** Colours closer than this, by `apart`, count as equal; 2.3 is just noticeable. */
const NEAR = 15;
/** A difference that is seen side by side: three times the just noticeable one. */
const SEEN = 3 * 2.3;
/**
 * The minimum difference of two marks, as a fraction of the area that either covers: of any two, and of two in similar
 * colours.
 */
const MARKS_MIN = 0.15;
const MARKS_NEAR_MIN = 0.3;

/** Half the width of a mark in the comparison, and of the square around it, in pixels. */
const REACH = 20;
const AROUND = 30;

/** The pixels that a kingdom's mark covers. @param {number} slot @returns {Set<string>} */
function covered(slot) {
  /** @type {[number, number][]} */
  let corners = [];
  /** @type {'fill' | 'stroke' | null} */
  let done = null;
  const ink = {
    lineWidth: 0,
    beginPath: () => (corners = []),
    arc: (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ reach) => {
      for (let part = 0; part < 64; part++) corners.push([x + reach * Math.cos((part * Math.PI) / 32), y + reach * Math.sin((part * Math.PI) / 32)]);
    },
    moveTo: (/** @type {number} */ x, /** @type {number} */ y) => corners.push([x, y]),
    lineTo: (/** @type {number} */ x, /** @type {number} */ y) => corners.push([x, y]),
    fill: () => (done = 'fill'),
    stroke: () => (done = 'stroke'),
  };
  drawMarks(/** @type {any} */ (ink), ownerOf(slot - 1), [{ cx: 0, cy: 0 }], REACH, () => '');
  const pixels = new Set();
  for (let y = -AROUND; y <= AROUND; y++) {
    for (let x = -AROUND; x <= AROUND; x++) {
      let [inside, near] = [false, Infinity];
      corners.forEach(([ax, ay], at) => {
        const [bx, by] = corners[(at + 1) % corners.length];
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
        const along = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)));
        near = Math.min(near, Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)));
      });
      if (done === 'fill' ? inside : near <= ink.lineWidth / 2) pixels.add(`${x} ${y}`);
    }
  }
  return pixels;
}

/** The difference of two marks, from 0 to 1. @param {Set<string>} one @param {Set<string>} other */
function differ(one, other) {
  const both = [...one].filter((pixel) => other.has(pixel)).length;
  return 1 - both / (one.size + other.size - both);
}

const MARKS = new Map(SLOTS.map((slot) => [slot, covered(slot)]));
/** @param {number} one @param {number} other */
const marksDiffer = (one, other) => differ(/** @type {Set<string>} */ (MARKS.get(one)), /** @type {Set<string>} */ (MARKS.get(other)));

const SIDE = 128;

/** A world with ground of all nine, and a living cell of each. */
function ofNine() {
  const cells = new Uint8Array(SIDE * SIDE);
  for (const slot of SLOTS) {
    for (let y = 0; y < 2 * PERIOD; y++) for (let x = 0; x < SIDE / 2; x++) cells[((slot - 1) * 12 + y) * SIDE + x] = slot;
    cells[slot * SIDE + 100] = slot | ALIVE;
  }
  return cells;
}

/**
 * The colours of a world seen from afar, by cell byte.
 * @param {'light' | 'dark'} scheme
 * @returns {Promise<(slot: number, more?: number) => Colour>}
 */
async function painted(scheme) {
  const page = openDocument('world', { scheme, signedIn: false, values: { name: 'meadow' } });
  const { WorldPainter } = await import('../../static/worlds/paint.js');
  const [board, cells] = [page.byId('board'), ofNine()];
  board.box = { left: 0, top: 0, width: 400, height: 400 };
  const painter = new WorldPainter(/** @type {any} */ (board), /** @type {any} */ (page.byId('minimap')));
  const look = { side: SIDE, generation: 0, slots: [], wipe: { quadrant: 0, generations: 1 }, balance: null, slot: null };
  painter.paint({ cells, changed: true, look, camera: { x: 64, y: 64, scale: 4 }, draft: [], stamp: [], allowed: true, ghosts: [], base: null, cursor: null });
  const [whole] = board.notes.filter(({ name }) => name === 'drawImage').map(({ args }) => args[0]);
  const [{ data }] = whole.notes.filter((/** @type {any} */ { name }) => name === 'putImageData').map((/** @type {any} */ { args }) => args[0]);
  const shades = new Uint16Array(cells.length);
  shade(cells, SIDE, shades);
  return (slot, more = 0) => {
    const at = shades.indexOf(slot | more);
    assert.ok(at >= 0, `${slot} with ${more} is there`);
    return /** @type {Colour} */ ([0, 1, 2].map((part) => data[4 * at + part] / 255));
  };
}

test('the marks of the nine differ in their shape', () => {
  for (const [one, other] of PAIRS) assert.ok(marksDiffer(one, other) >= MARKS_MIN, `${one} and ${other}: ${marksDiffer(one, other)}`);
});

for (const scheme of /** @type {const} */ (['light', 'dark'])) {
  test(`by any eye kingdoms are told apart in the ${scheme}`, async () => {
    const colour = await painted(scheme);
    for (const [name, eye] of Object.entries(EYES)) {
      const far = (/** @type {Colour} */ one, /** @type {Colour} */ other) => apart(one, other, eye);
      // Cells differ in their colours or in their marks.
      const near = PAIRS.filter(([one, other]) => far(colour(one, ALIVE), colour(other, ALIVE)) < NEAR);
      assert.equal(near.length > 0, name !== 'all cones', `${name} takes cells of ${near.length} pairs for one by their colours`);
      for (const [one, other] of near) assert.ok(marksDiffer(one, other) >= MARKS_NEAR_MIN, `${name}, cells of ${one} and ${other}`);
      // Ground is pale, so its colours are similar for everybody; two textures are never alike (world.test.mjs), if
      // they can be seen.
      assert.ok(PAIRS.some(([one, other]) => far(colour(one), colour(other)) < NEAR), name);
      for (const slot of SLOTS) {
        const said = `${name}, kingdom ${slot}`;
        // The first kingdom's ground is plain, and no other's is.
        if (slot > 1) assert.ok(far(colour(slot), colour(slot, DARK)) >= SEEN, `${said}: its texture`);
        assert.ok(far(colour(slot), colour(slot, EDGE)) >= NEAR, `${said}: its edge on its ground`);
        assert.ok(far(colour(slot, EDGE), colour(0)) >= NEAR, `${said}: its edge beside what is nobody's`);
        assert.ok(far(colour(slot), colour(0)) >= SEEN, `${said}: its ground beside what is nobody's`);
        for (const other of SLOTS) assert.ok(far(colour(slot, ALIVE), colour(other)) >= NEAR, `${said}: its cells on the ground of ${other}`);
      }
    }
  });
}
