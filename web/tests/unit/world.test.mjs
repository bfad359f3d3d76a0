// Computations of a world's page: patterns, and the screen positions of cells.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALIVE, INSIDE, WALL } from '../../static/worlds/engine.js';
import { DARK, EDGE, PERIOD, shade } from '../../static/worlds/ground.js';
import { fitted, pointOf, pushed, scaleMin, spotAt, zoomed } from '../../static/worlds/camera.js';
import { CELLS_MAX, PATTERNS, NotAPattern, mirrored, patternOf, stamped, turned } from '../../static/worlds/patterns.js';

const SIDE = 512;
const SIZE = { width: 800, height: 600 };

/** A generation of Life on an infinite board. @param {Set<string>} living @returns {Set<string>} */
function next(living) {
  /** @type {Map<string, number>} */
  const around = new Map();
  for (const cell of living) {
    const [x, y] = cell.split(' ').map(Number);
    for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) if (dx || dy) around.set(`${x + dx} ${y + dy}`, (around.get(`${x + dx} ${y + dy}`) ?? 0) + 1);
  }
  return new Set([...around].filter(([cell, count]) => count === 3 || (count === 2 && living.has(cell))).map(([cell]) => cell));
}

/** @param {import('../../static/worlds/patterns.js').Pattern} pattern */
const alive = ({ cells }) => new Set(cells.map((cell) => cell.join(' ')));

/** The living cells, independent of their position. @param {Set<string>} living */
function shape(living) {
  const cells = [...living].map((cell) => cell.split(' ').map(Number));
  const [left, top] = [Math.min(...cells.map(([x]) => x)), Math.min(...cells.map(([, y]) => y))];
  return cells.map(([x, y]) => `${x - left} ${y - top}`).sort().join();
}

test('patterns of the library are what they are called', () => {
  for (const { id, rle } of PATTERNS) {
    let living = alive(patternOf(rle));
    const [before, count] = [shape(living), living.size];
    const period = { cell: 0, block: 1, blinker: 2, glider: 4, lwss: 4, mwss: 4, hwss: 4, gosper: 30, simkin: 120 }[id];
    assert.ok(period !== undefined, id);
    for (let generation = 0; generation < 4 * period; generation++) living = next(living);
    if (id === 'gosper' || id === 'simkin') assert.ok(living.size >= count + 5 * 3, `${id} has sent gliders: ${living.size} after ${count}`);
    else assert.equal(shape(living), before, id);
  }
});

test('a pattern is read with its header, comments and lines, turned, mirrored and stamped over the edges', () => {
  const glider = patternOf('#N Glider\nx = 3, y = 3, rule = B3/S23\nbob$2b\no$3o!\nwhat follows');
  assert.deepEqual(glider, { width: 3, height: 3, cells: [[1, 0], [2, 1], [0, 2], [1, 2], [2, 2]] });
  let round = glider;
  for (let quarter = 0; quarter < 4; quarter++) round = turned(round);
  assert.deepEqual(round, glider);
  assert.deepEqual(mirrored(mirrored(glider)), glider);
  const foot = patternOf('o$o$2o!');
  assert.deepEqual(turned(foot), { width: 3, height: 2, cells: [[2, 0], [1, 0], [0, 0], [0, 1]] }, 'by the sun');
  assert.deepEqual(mirrored(foot), { width: 2, height: 3, cells: [[1, 0], [1, 1], [1, 2], [0, 2]] });
  assert.deepEqual(turned({ width: 3, height: 1, cells: [[0, 0], [1, 0], [2, 0]] }), { width: 1, height: 3, cells: [[0, 0], [0, 1], [0, 2]] });
  assert.deepEqual(stamped(patternOf('3o!'), [0, 511], SIDE), [[511, 511], [0, 511], [1, 511]]);
  for (const bad of ['', '!', 'bbb!', '3x!', '0o!', '999o!', `${'500o$'.repeat(3)}!`, `${CELLS_MAX}o!`]) assert.throws(() => patternOf(bad), NotAPattern, bad);
});

test('a cell stays under the pointer while one zooms, and the world has no edge', () => {
  let camera = { x: 5, y: 500, scale: 10 };
  const at = { x: 123, y: 456 };
  const cell = spotAt(camera, at, SIZE, SIDE);
  for (const factor of [1.3, 2, 0.5, 1.7]) {
    camera = zoomed(camera, factor, at, SIZE, SIDE);
    assert.deepEqual(spotAt(camera, at, SIZE, SIDE), cell);
  }
  const { x, y } = pointOf(camera, cell, SIZE, SIDE);
  assert.ok(at.x >= x && at.x < x + camera.scale && at.y >= y && at.y < y + camera.scale);
  const round = fitted(pushed({ x: 3, y: 3, scale: 10 }, 10 * SIDE, -10 * SIDE), SIZE, SIDE);
  assert.deepEqual([round.x, round.y], [3, 3]);
  assert.equal(fitted({ x: 0, y: 0, scale: 0.01 }, SIZE, SIDE).scale, scaleMin(SIZE, SIDE));
  // Distances are measured across the edge.
  assert.deepEqual(pointOf({ x: 1, y: 1, scale: 10 }, [511, 511], SIZE, SIDE), { x: 380, y: 280 });
});

/**
 * A world of one texture tile for each cell's byte.
 * @param {number} side
 * @param {(x: number, y: number) => number} byteOf
 */
function shaded(side, byteOf) {
  const cells = Uint8Array.from({ length: side * side }, (_, at) => byteOf(at % side, Math.floor(at / side)));
  const shades = new Uint16Array(cells.length);
  shade(cells, side, shades);
  return { cells, at: (/** @type {number} */ x, /** @type {number} */ y) => shades[((y + side) % side) * side + ((x + side) % side)] };
}

test('ground tells whose it is without its hue: no two textures are alike, wherever one begins', () => {
  const textures = Array.from({ length: 9 }, (_, slot) => {
    const { at } = shaded(64, () => slot + 1);
    return (/** @type {number} */ x, /** @type {number} */ y) => (at(x, y) & DARK) !== 0;
  });
  const tile = Array.from({ length: PERIOD * PERIOD }, (_, at) => [at % PERIOD, Math.floor(at / PERIOD)]);
  for (const [one, first] of textures.entries()) {
    for (const second of textures.slice(one + 1)) {
      for (const [dx, dy] of tile) {
        const differ = tile.filter(([x, y]) => first(x, y) !== second(x + dx, y + dy)).length;
        assert.ok(differ >= PERIOD, `kingdom ${one + 1} and another, ${differ} cells of ${tile.length}`);
      }
    }
  }
});

test('the edge of a kingdom goes around its ground, over the edges of the torus, and hides nothing that lives', () => {
  // Four by four cells of kingdom 3 in the corner of the torus, beside kingdom 5; one of them lives.
  const inside = (/** @type {number} */ x, /** @type {number} */ y) => (x + 2) % 64 < 4 && (y + 2) % 64 < 4;
  const { at } = shaded(64, (x, y) => (inside(x, y) ? 3 | (x === 63 && y === 62 ? ALIVE : 0) : x < 32 ? 0 : 5));
  let edges = 0;
  for (let y = -2; y < 2; y++) for (let x = -2; x < 2; x++) edges += at(x, y) & EDGE ? 1 : 0;
  assert.equal(edges, 12 - 1, 'all around, but for what lives');
  assert.equal(at(-1, -2), 3 | ALIVE);
  assert.equal(at(2, 0), 0, "nobody's ground has none");
  assert.ok(at(-3, 0) & EDGE && at(32, 20) & EDGE && !(at(40, 20) & EDGE), "the neighbour's ground has its own");
  for (const kept of [WALL, INSIDE]) assert.equal(shaded(64, (x, y) => (x === 5 && y === 5 ? 2 | kept : 7)).at(5, 5), 2 | kept, 'bases are as they were');
});
