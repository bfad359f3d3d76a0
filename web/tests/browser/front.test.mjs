// The front page: a game that plays without an engine, and a new visitor's path to a first cell.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrongAnywhere } from '../lib/everywhere.mjs';
import { HANDS } from '../lib/hands.mjs';
import { scene } from '../lib/scene.mjs';
import { Table } from '../lib/table.mjs';
import { until } from '../lib/until.mjs';

const here = scene();

/** The maximum size of a game's turns in the page, in bytes. */
const STEPS_BYTES_MAX = 900;

/** Longer than a turn is shown, in milliseconds of the page's clock. */
const A_TURN_MS = 3_000;

/** The minimum fraction of a board that the cells in its picture span. */
const SPANNED_MIN = 0.25;

test('the front page plays a game that it carries, and loads no engine', async () => {
  const ann = await here.arrive({ reducedMotion: 'no-preference' });
  const page = await ann.open();
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/');
  const board = page.locator('#show #board');
  assert.ok((await board.getAttribute('data-board'))?.length, 'its position is in the page');
  const steps = String(await board.getAttribute('data-steps'));
  assert.ok(steps.includes(';') && steps.length <= STEPS_BYTES_MAX, `${steps.length} bytes of turns`);
  await until('two turns were played', () => board.getAttribute('data-turn'), (turn) => Number(turn) >= 2);
  assert.deepEqual(asked.filter((path) => path.endsWith('.wasm') || path.endsWith('engine.js')), []);
  await ann.leave();
});

test('each game has a picture that shows something', async () => {
  const dan = await here.arrive();
  const page = await dan.open('/');
  const cards = page.locator('#games > li');
  assert.ok((await cards.count()) >= 4, 'a card for each game');
  for (const card of await cards.all()) {
    const name = await card.locator('h3').innerText();
    // The fraction of the board between its outermost cells. Nothing has been played yet, so the rules drew the
    // picture.
    const spanned = await card.locator('svg').evaluate((svg) => {
      const { width, height } = /** @type {SVGSVGElement} */ (svg).viewBox.baseVal;
      const boxes = [...svg.querySelectorAll('[class^="seat-"], .nobody')].map((cell) => /** @type {SVGGraphicsElement} */ (cell).getBBox());
      const across = Math.max(...boxes.map(({ x, width }) => x + width)) - Math.min(...boxes.map(({ x }) => x));
      const down = Math.max(...boxes.map(({ y, height }) => y + height)) - Math.min(...boxes.map(({ y }) => y));
      return (across * down) / (width * height);
    });
    assert.ok(spanned >= SPANNED_MIN, `${name}: ${spanned.toFixed(2)} of its board`);
  }
  await dan.leave();
});

test('the front page of an empty site keeps the laws of layout, and axe accepts it', async () => {
  const eve = await here.arrive();
  const page = await eve.open('/');
  assert.deepEqual(await wrongAnywhere(page), []);
  await eve.leave();
});

test('where motion is not wanted the last position stands', async () => {
  const bob = await here.arrive();
  const page = await bob.open();
  await page.clock.install();
  await page.goto('/');
  await page.clock.runFor(A_TURN_MS);
  assert.equal(await page.locator('#show #board').getAttribute('data-turn'), null);
  // With motion a turn is shown by then.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.reload();
  await until('a turn', async () => {
    await page.clock.runFor(A_TURN_MS);
    return page.locator('#show #board').getAttribute('data-turn');
  });
  await bob.leave();
});

for (const { name, options, onBoard, use } of HANDS) {
  test(`a new visitor places a cell with the second click, by ${name}`, async () => {
    const cat = await here.arrive(options);
    const page = await cat.open('/');
    await use(page.locator('#play-now'));
    await page.waitForURL(/\/rooms\//);
    const table = new Table(page, here.random);
    await table.reach('yours');
    const position = await table.position();
    await table.place(position, table.choose(position).slice(0, 1), table[onBoard]);
    assert.match(await page.locator('#status').innerText(), /3 cells left/);
    await cat.leave();
  });
}
