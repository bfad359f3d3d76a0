// Lessons, the coach, edited boards, sounds and the language: by mouse, keyboard and touch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ON_A_PHONE } from '../lib/browser.mjs';
import { outOfView } from '../lib/layout.mjs';
import { COLS, ROWS } from '../lib/moves.mjs';
import { RoomPage } from '../lib/room_page.mjs';
import { scene } from '../lib/scene.mjs';
import { until } from '../lib/until.mjs';

const here = scene();

/** @typedef {[number, number][]} Cells */

const block = (/** @type {number} */ row, /** @type {number} */ col) => /** @type {Cells} */ ([[row, col], [row, col + 1], [row + 1, col], [row + 1, col + 1]]);

/**
 * A turn that reaches the goal of each lesson: its cells, and its tool if that is not the usual one.
 * @type {Record<string, {tool?: string, cells: Cells}[]>}
 */
const SOLUTIONS = {
  conquerors: [
    { cells: block(12, 3) },
    { cells: [[11, 3], [20, 3], [20, 4], [21, 3]] },
    { cells: block(5, 12) },
    { cells: [[13, 3], [13, 4], [20, 3], [20, 4]] },
    { cells: [[10, 19], [11, 19], [12, 19], [20, 3]] },
    { cells: block(24, 26) },
    { tool: 'bomb', cells: [[3, 24]] },
    { tool: 'skip', cells: [] },
    { cells: block(24, 26) },
  ],
  'war-of-life': [
    { cells: [[5, 2], [6, 2]] },
    { cells: [[4, 3], [3, 2]] },
    { cells: [[6, 6], [7, 7]] },
  ],
  'game-of-game-of-life': [
    { cells: [[6, 3]] },
    { cells: [[6, 4]] },
  ],
};

/** Rows and columns of the boards. @type {Record<string, {rows: number, cols: number}>} */
const SIZES = { conquerors: { rows: ROWS, cols: COLS }, 'war-of-life': { rows: 8, cols: 8 }, 'game-of-game-of-life': { rows: 12, cols: 12 } };

class Lesson extends RoomPage {
  /** @param {import('playwright-core').Page} page @param {string} game */
  constructor(page, game) {
    super(page, here.random, SIZES[game]);
  }

  /** @param {{tool?: string, cells: Cells}} turn @param {(cell: [number, number]) => Promise<void>} choose */
  async play({ tool, cells }, choose) {
    await this.reach('yours');
    if (tool !== undefined) await this.tool(tool).click();
    for (const cell of cells) await choose(cell);
    await this.page.locator('#send').click();
  }

  async done() {
    await this.page.locator('#lesson[data-done="true"]').waitFor();
    assert.equal(await this.page.locator('#lesson-done').isVisible(), true);
    // It is said at the board, however far the lesson's text is below it.
    const next = this.page.locator('#bar[data-kind="lesson"] a');
    await next.waitFor();
    assert.deepEqual(await outOfView(this.page, '#bar, #bar a, #bar button'), []);
    return next;
  }
}

for (const [game, turns] of Object.entries(SOLUTIONS)) {
  test(`every lesson of ${game} can be done`, async () => {
    const ann = await here.arrive(game === 'conquerors' ? ON_A_PHONE : {});
    const page = await ann.open('/learn');
    await page.locator(`#${game} .lessons a`).first().click();
    for (const [place, turn] of turns.entries()) {
      const lesson = new Lesson(page, game);
      await lesson.play(turn, lesson.click);
      await (await lesson.done()).click();
      await page.waitForURL(place + 1 === turns.length ? /\/(practice|lobby)/ : new RegExp(`/learn/${game}/${place + 2}$`));
    }
    await ann.leave();
  });
}

test('the lesson of Life2 can be done, with neither an account nor a world of the site', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/learn');
  /** @type {string[]} */
  const told = [];
  page.on('websocket', (socket) => told.push(socket.url()));
  page.on('request', (request) => request.url().includes('/api/') && told.push(request.url()));
  await page.locator('#life2 .lessons a').click();
  await page.waitForURL(/\/learn\/life2$/);
  const live = page.locator('#world[data-phase="live"]');
  await live.waitFor();
  const board = page.locator('#board');
  const reaches = (/** @type {string} */ step) => page.locator(`#tutorial[data-step="${step}"]`).waitFor();
  /** Chooses a cell this far from the middle, in CSS pixels. */
  const choose = async (/** @type {number} */ off) => {
    const { width, height } = /** @type {any} */ (await board.boundingBox());
    await board.click({ position: { x: width / 2 + off, y: height / 2 + off } });
  };
  await reaches('coins');
  await page.click('#faucet');
  await reaches('join');
  await page.click('#join');
  await choose(8);
  await reaches('place');
  await until('the view is at the base', () => board.getAttribute('data-scale'), (scale) => Number(scale) >= 14);
  await page.selectOption('#pattern', 'glider');
  await choose(-7);
  await until('a glider', () => page.locator('#place').innerText(), /5 cells/);
  await page.click('#place');
  // Fifty generations to watch, then the glider takes ground.
  await reaches('wipe');
  const small = page.locator('#minimap');
  const { width, height } = /** @type {any} */ (await small.boundingBox());
  await small.click({ position: { x: width / 8, y: height / 8 } });
  await reaches('over');
  assert.deepEqual(told, [], 'nothing reaches the server');
  await page.reload();
  await live.waitFor();
  await reaches('coins');
  assert.equal(await page.locator('#coins').innerText(), '0', 'another visit begins anew');
  await ann.leave();
});

test('a lesson that was not done is taken back and done by keyboard', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/learn/conquerors/1');
  const lesson = new Lesson(page, 'conquerors');
  await lesson.play({ cells: [[2, 1], [6, 3], [10, 5], [14, 2]] }, lesson.click);
  await until('the lesson says so', () => page.locator('#lesson-said').innerText(), /Not yet/);
  await lesson.when('an answer', ({ ply }) => ply === 2);
  await page.locator('#take-back').click();
  await lesson.when('the start', ({ ply, phase }) => ply === 0 && phase === 'yours');
  for (const cell of block(12, 3)) {
    await lesson.walk(cell);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('e');
  await lesson.done();
  await ann.leave();
});

test('a lesson is done by touch', async () => {
  const ann = await here.arrive(ON_A_PHONE);
  const page = await ann.open('/learn/war-of-life/3');
  const lesson = new Lesson(page, 'war-of-life');
  await lesson.reach('yours');
  for (const cell of SOLUTIONS['war-of-life'][2].cells) await lesson.tap(cell);
  await page.locator('#send').tap();
  await lesson.done();
  await page.locator('#explained').filter({ hasText: 'no living cells left' }).waitFor();
  await ann.leave();
});

test('the coach speaks to the turn in the making', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/practice?opponent=');
  const board = new Lesson(page, 'conquerors');
  await board.reach('yours');
  await board.click([4, 4]);
  await until('the coach warns', () => page.locator('#coach').innerText(), /4,4 will die/);
  await ann.leave();
});

test('a board is laid by hand, played on and taken back', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/practice?opponent=');
  const board = new Lesson(page, 'conquerors');
  const count = () => page.locator('#scoreboard [data-part="score"]').allInnerTexts();
  await board.reach('yours');
  await page.locator('#lay').click();
  for (const cell of block(12, 3)) await board.click(cell);
  await until('four cells', count, ([blue]) => blue === '4');
  await board.click([12, 3]);
  await until('one is red', count, (all) => String(all) === '3,2');
  await page.locator('#take-back').click();
  await until('it is blue again', count, (all) => String(all) === '4,0');
  await page.locator('#lay').click();
  await board.play({ cells: block(5, 12) }, board.click);
  await board.when('the turn', ({ ply }) => ply === 1);
  await until('eight cells', count, ([blue]) => blue === '8');
  await ann.leave();
});

test('sounds are muted, and stay so', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/practice?opponent=');
  const board = new Lesson(page, 'conquerors');
  await board.reach('yours');
  const sound = page.locator('#sound');
  assert.equal(await sound.innerText(), 'Sound: on');
  await board.click([4, 4]);
  await until('a sound', () => sound.getAttribute('data-last'), 'place');
  await sound.click();
  await page.reload();
  await board.reach('yours');
  assert.equal(await sound.innerText(), 'Sound: off');
  await board.click([4, 4]);
  assert.equal(await sound.getAttribute('data-last'), '');
  await ann.leave();
});

test('the language is the browser’s, until another is chosen', async () => {
  const ana = await here.arrive({ locale: 'es-MX' });
  const page = await ana.open('/learn/conquerors/1');
  const lesson = new Lesson(page, 'conquerors');
  assert.equal(await page.locator('html').getAttribute('lang'), 'es');
  await lesson.reach('yours');
  await until('the page’s modules speak it, too', () => page.locator('#status').innerText(), /Tu turno: colocar 4 células/);
  assert.equal(await page.locator('#clock').innerText(), 'Ronda 1 de 12');
  await lesson.click([3, 25]);
  await until('so do the rules', () => page.locator('#why').innerText(), /fuera de alcance|ya está viva/);
  await page.locator('form.language button[lang="en"]').click();
  await page.waitForURL(/\/learn\/conquerors\/1$/);
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  await page.reload();
  assert.equal(await page.locator('html').getAttribute('lang'), 'en', 'the choice is remembered');
  await ana.leave();
});
