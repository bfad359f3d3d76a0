// All games have the same pages: War of Life in a room, by mouse, by keyboard and by touch; replays of many seats.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { ON_A_PHONE, PHONE, Person, noOverflow, startBrowser } from '../lib/browser.mjs';
import { fieldGame, life2Game } from '../lib/pages.mjs';
import { PieceTable } from '../lib/piece_table.mjs';
import { checkRecord } from '../lib/records.mjs';
import { scene } from '../lib/scene.mjs';
import { until } from '../lib/until.mjs';

const here = scene();

/** A game of many seats, which two tests look at. @type {Promise<string> | undefined} */
let field;
const ofManySeats = () => (field ??= Api.claim(here.server.url, 'Fran').then(fieldGame));

/** The maximum height of what is empty between a board and the texts below it, in CSS pixels. */
const EMPTY_MAX = 60;

/** Columns of cells of Life2's board, and of each of its blocks. */
const [SIDE, BLOCK] = [512, 8];

/** The maximum number of a person's moves in a test; most games end earlier. */
const MOVES_MAX = 10;

/** Plays to the end, or stops after a number of moves. */
async function playOn(/** @type {PieceTable} */ table, /** @type {() => Promise<{phase: string}>} */ move) {
  for (let moves = 0; (await table.reach('yours', 'over')).phase === 'yours'; moves++) {
    if (moves < MOVES_MAX) await move();
    else {
      await table.page.locator('#resign').click();
      await table.page.locator('#resign').click();
      await table.reach('over');
    }
  }
}

test('War of Life by mouse, watched by a stranger, replays as it was played', async () => {
  const ann = await here.arrive();
  const bob = await here.arrive();
  const page = await ann.open();
  const table = await PieceTable.open(page, here.random);
  const other = await bob.open(await table.path());
  await other.locator('main#room[data-phase="watching"], main#room[data-phase="over"]').waitFor();
  await playOn(table, () => table.move(table.click));
  const state = await table.state();
  const record = await checkRecord(here.server, new Api(here.server.url), state);
  assert.equal(record.header.ruleset, 'war-of-life@1');
  await other.locator('main#room[data-phase="over"]').waitFor();
  assert.match(await other.locator('#result-title').innerText(), /wins|A draw/);
  assert.ok(await page.locator('#result').isVisible());
  await page.locator('a#replay-link').click();
  await page.waitForURL(`/games/${state.room}`);
  await page.locator('#verified[data-verified="true"]').waitFor();
  // At every width where the controls are beside the board, what follows is below the board.
  for (const [width, height] of [[1024, 768], [1280, 742], [1920, 1080]]) {
    await page.setViewportSize({ width, height });
    const [below, beside] = await page.evaluate(() => {
      const box = (/** @type {string} */ part) => /** @type {Element} */ (document.querySelector(part)).getBoundingClientRect();
      const [board, controls, more] = ['#board', '.controls', '.more'].map(box);
      return [more.top - board.bottom, controls.left - board.right];
    });
    assert.ok(below >= 0 && below < EMPTY_MAX && beside > 0, `${width} px: ${below} px of nothing below the board`);
  }
  await page.locator('#recompute').click();
  // A person's moves are taken from the record; the built-in opponent's are recomputed.
  await page.locator('#recomputed[data-kind="identical"]').waitFor();
  await Promise.all([ann.leave(), bob.leave()]);
});

test('War of Life by keyboard, with a reload in the middle of a choice', async () => {
  const cat = await here.arrive();
  const table = await PieceTable.open(await cat.open(), here.random, { seat: 1 });
  if ((await table.shown()).phase === 'yours') await takeBack(table);
  await playOn(table, () => table.move(table.key));
  await checkRecord(here.server, new Api(here.server.url), await table.state());
  await cat.leave();
});

/** A choice can be taken back and is gone after a reload, and a refused cell is explained. */
async function takeBack(/** @type {PieceTable} */ table) {
  const { page, board } = table;
  const before = await table.state();
  const target = await table.draft(table.key);
  await page.keyboard.press('Backspace');
  await until('the target is taken back', async () => [await page.locator('#send').isDisabled(), await board.getAttribute('data-next')], ([off, next]) => off && next !== '');
  await page.keyboard.press('Escape');
  await table.choose();
  await table.key(target);
  await until('the page says why not', () => page.locator('#why').innerText(), /\S/);
  await table.draft(table.key);
  await page.reload();
  await table.reach('yours');
  await table.choose();
  assert.deepEqual((await table.state()).turns, before.turns, 'nothing was sent');
}

test('a move by finger on a phone', async (t) => {
  const browser = await startBrowser('fingers');
  t.after(() => browser.close());
  const dan = await Person.arrive(browser, here.server.url, ON_A_PHONE);
  const table = await PieceTable.open(await dan.open(), here.random);
  await noOverflow(table.page);
  const { ply } = await table.move(table.tap);
  assert.ok(ply > 0);
  await noOverflow(table.page);
  await dan.leave();
});

test('the edge of a board of blocks numbers cells, as the words of a turn do', async () => {
  const gus = await here.arrive();
  await gus.context.addInitScript(() => {
    const page = /** @type {any} */ (window);
    page.numbers = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
      if (this.canvas.closest('#board')) page.numbers.push({ text, x, y });
      fillText.call(this, text, x, y, ...rest);
    };
  });
  const page = await gus.open();
  await page.goto(await life2Game(await Api.claim(here.server.url, 'Gus')));
  await page.locator('#verified[data-verified="true"]').waitFor();
  const numbers = await page.evaluate(() => /** @type {{text: string, x: number, y: number}[]} */ (/** @type {any} */ (window).numbers));
  const edge = Math.min(...numbers.map(({ y }) => y));
  const across = numbers.filter(({ y }) => y === edge).map(({ text }) => Number(text));
  const [every, last] = [across[1], Math.max(...across)];
  assert.ok(every > 0 && every % BLOCK === 0 && last < SIDE && last + every >= SIDE, `${across}`);
  // A cell that a turn names is found by these numbers.
  await page.locator('#next').click();
  const words = await until('the turn in words', () => page.locator('#words, .turn-words').allInnerTexts(), (all) => /\d+,\d+/.test(all.join(' ')));
  const [, column, row] = (/(\d+),(\d+)/.exec(words.join(' ')) ?? []).map(Number);
  assert.ok(column < SIDE && row < SIDE, `${column},${row}`);
  await gus.leave();
});

test('a game of many seats is shown with its legend and shares', async () => {
  const eve = await here.arrive();
  const page = await eve.open();
  const replay = await ofManySeats();
  const record = JSON.parse(await new Api(here.server.url).text(`${replay.slice(1)}/record`));
  await page.goto(replay);
  await page.locator('#verified[data-verified="true"]').waitFor();
  const seats = record.header.entrants.length;
  assert.ok(seats > 2, 'many seats');
  const rows = page.locator('#scoreboard tr[data-seat]');
  assert.equal(await rows.count(), seats);
  const column = async (/** @type {string} */ part) => rows.locator(`[data-part="${part}"]`).allInnerTexts();
  assert.equal(new Set(await column('label')).size, seats, 'a letter each');
  assert.deepEqual((await column('cells')).map(Number), Array(seats).fill(4), 'everybody begins with a block');
  await page.locator('#board').focus();
  await page.keyboard.press('End');
  const turns = record.turns.length;
  await page.locator(`#game[data-turn="${turns}"]`).waitFor();
  const cells = (await column('cells')).map(Number);
  assert.deepEqual(cells, record.outcome.tally, 'and ends as the record says');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.locator('#game[data-turn="1"]').waitFor();
  await page.locator('#speed').selectOption('60');
  await page.locator('#play').click();
  await until('turns go by', () => page.locator('#game').getAttribute('data-turn'), (turn) => Number(turn) >= 20);
  await page.locator('#play').click();
  assert.equal(await page.locator('#play').innerText(), 'Play');
  assert.ok(await painted(page, '#chart') > 2, 'bands of several colours');
  assert.ok(await painted(page, '#board') > 2, 'marks of several colours');
  await page.locator('#words summary').click();
  await until('the board in words', () => page.locator('#description p').count(), (count) => count >= seats);
  await noOverflow(page);
  await page.setViewportSize(PHONE);
  await noOverflow(page);
  const boxes = await Promise.all(['#board', '#scoreboard', '#scrubber'].map((part) => page.locator(part).boundingBox()));
  const tops = boxes.map((box) => Number(box?.y));
  assert.deepEqual(tops, tops.toSorted((one, other) => one - other), 'on a phone the legend stands by the board, above the controls');
  const name = await rows.first().locator('[data-part="player"]').boundingBox();
  assert.ok(Number(name?.width) > 20, 'and has room for names');
  await eve.leave();
});

test('rooms and replays of all games are drawn by the same modules', async () => {
  const fay = await here.arrive();
  const page = await fay.open();
  const modules = () =>
    page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => /^\/static\/.*\.js$/.test(path)).sort().join(' '));
  /** @type {string[]} */
  const replays = [];
  /** @type {string[]} */
  const rooms = [];
  const replayed = async (/** @type {string} */ path) => {
    await page.goto(path);
    await page.locator('#verified[data-verified="true"]').waitFor();
    assert.ok(await painted(page, '#board') > 1, `${path} has a board`);
    replays.push(await modules());
  };
  for (const game of ['conquerors', 'war-of-life']) {
    await page.goto(`/play?game=${game}`);
    await page.locator('#play button').click();
    await page.locator('main#room[data-phase="yours"], main#room[data-phase="over"]').waitFor();
    assert.ok(await painted(page, '#board') > 1, `${game} has a board`);
    rooms.push(await modules());
    const room = await page.locator('main#room').getAttribute('data-room');
    if ((await page.locator('main#room').getAttribute('data-phase')) === 'yours') {
      await page.locator('#resign').click();
      await page.locator('#resign').click();
      await page.locator('main#room[data-phase="over"]').waitFor();
    }
    await replayed(`/games/${room}`);
  }
  await replayed(await ofManySeats());
  assert.match(rooms[0], /room\.js/);
  assert.match(replays[0], /replay\.js/);
  assert.deepEqual([new Set(rooms).size, replays.length, new Set(replays).size], [1, 3, 1]);
  await fay.leave();
});

/** The number of colours on a canvas. @param {import('playwright-core').Page} page @param {string} selector */
function painted(page, selector) {
  return page.locator(selector).evaluate((element) => {
    const canvas = /** @type {HTMLCanvasElement} */ (element);
    const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Map();
    for (let at = 0; at < data.length; at += 4) {
      const colour = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
      colours.set(colour, (colours.get(colour) ?? 0) + 1);
    }
    // Edges are blended, so only colours that cover an area count.
    return [...colours.values()].filter((pixels) => pixels > 100).length;
  });
}
