// A world: one person joins and places by mouse, another by touch, a third by keyboard; one watches, one has no socket.
// All see the same. In a second world an account has two tabs, and a base falls.
// `unit/world-page.test.mjs` tests the rest of the page without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patternOf, stamped, turned } from '../../static/worlds/patterns.js';
import { ON_A_PHONE, noOverflow } from '../lib/browser.mjs';
import { HANDS } from '../lib/hands.mjs';
import { outOfView, resize } from '../lib/layout.mjs';
import { scene } from '../lib/scene.mjs';
import { until } from '../lib/until.mjs';
import { worldEngine } from '../lib/world_log.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Spot } from '../../static/worlds/engine.js' */

const here = scene({ restarts: true });

/** @param {import('playwright-core').Page} page @param {string} id */
const text = async (page, id) => String(await page.locator(`#${id}`).textContent());

/** Starts a world as the operator does. @param {string} name */
const start = (name) => here.server.act({ act: 'start_world', name });

/**
 * Sends a call to a world by a request.
 * @param {string} world
 * @param {string} code of an account
 * @param {object} call
 * @returns {Promise<any>}
 */
async function says(world, code, call) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${code}` };
  const answer = await fetch(`${here.server.url}/api/v1/worlds/${world}/commands`, { method: 'POST', headers, body: JSON.stringify(call) });
  return answer.json();
}

/**
 * The page of a world, once it runs.
 * @param {import('./../lib/browser.mjs').Person} person
 * @param {string} [address] its name, and what follows
 */
async function open(person, address = 'meadow') {
  const page = await person.open(`/worlds/${address}`);
  await page.locator('#world[data-phase=live]').waitFor();
  return page;
}

/**
 * The position of a cell on the page.
 * @param {import('playwright-core').Page} page
 * @param {number} x
 * @param {number} y
 */
async function at(page, x, y) {
  const box = /** @type {any} */ (await page.locator('#board').boundingBox());
  const [scale, middle] = await page.locator('#board').evaluate((canvas) => [Number(canvas.dataset.scale), String(canvas.dataset.middle)]);
  const [left, top] = middle.split(' ').map(Number);
  const near = (/** @type {number} */ from, /** @type {number} */ to) => ((to - from + 768) % 512) - 256;
  return { x: box.x + box.width / 2 + near(left, x) * scale, y: box.y + box.height / 2 + near(top, y) * scale };
}

/**
 * The colours at the centres of cells on the board.
 * @param {Page} page
 * @param {Spot[]} spots
 * @returns {Promise<string[]>}
 */
const coloursOf = (page, spots) => page.locator('#board').evaluate((/** @type {HTMLCanvasElement} */ canvas, spots) => {
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const [x, y] = String(canvas.dataset.middle).split(' ').map(Number);
  const [scale, density] = [Number(canvas.dataset.scale), canvas.width / canvas.clientWidth];
  const at = (/** @type {number} */ cell, /** @type {number} */ middle, /** @type {number} */ size) => Math.round((size / 2 + (cell + 0.5 - middle) * scale) * density);
  return spots.map(([col, row]) => [...ink.getImageData(at(col, x, canvas.clientWidth), at(row, y, canvas.clientHeight), 1, 1).data].join());
}, spots);

/** The pictures of some canvases. @param {Page} page @param {string} canvases @returns {Promise<string[]>} */
const pictures = (page, canvases) => page.locator(canvases).evaluateAll((found) => found.map((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL()));

/** The current step of the tutorial. @param {Page} page */
const step = (page) => page.locator('#steps > [aria-current]').getAttribute('data-step');

/**
 * The rules' result of a draft: the living cells in each of some generations.
 * @param {number} account the account of the draft
 * @param {Spot[]} place
 * @returns {Promise<string[][]>}
 */
async function comesTo(account, place) {
  const engine = worldEngine();
  // A snapshot may be some seconds old.
  await until('a snapshot with the kingdom', async () => {
    engine.open((await (await fetch(`${here.server.url}/api/v1/worlds/meadow`)).json()).opened);
    return engine.look(account);
  }, ({ slot }) => slot !== null, { everyMs: 500 });
  const { why, frames } = engine.try(account, { place }, 12);
  assert.deepEqual([why, frames.length], [[], 12]);
  return frames.map((frame) => frame.map(([x, y]) => `${x} ${y}`));
}

/** Waits until the account holds a slot. @param {import('playwright-core').Page} page */
const holds = (page) => page.locator('#world:not([data-slot=""])').waitFor();

/** The width of a cell on the board. @param {Page} page */
const scaleOf = async (page) => Number(await page.locator('#board').getAttribute('data-scale'));

/** Waits until the view has moved to the base. @param {Page} page */
const atHome = (page) => until('the camera is at home', () => scaleOf(page), (scale) => scale >= 14);

/** The cell at the centre of the board. @param {Page} page */
const middleOf = async (page) => String(await page.locator('#board').getAttribute('data-middle')).split(' ').map(Number);

test('by mouse: joins, sees what a glider comes to, places it; who looks on sees the same world', async () => {
  await start('meadow');
  const [ann, eve] = [await here.arrive(), await here.arrive()];
  await ann.claim('Ann');
  const [page, looking] = [await open(ann), await open(eve)];
  const tutorial = page.locator('#tutorial');
  assert.equal(await page.locator('#steps').isVisible(), false);
  await tutorial.locator('summary').click();
  assert.equal(await step(page), 'coins');
  const high = (await tutorial.boundingBox())?.height;
  await page.click('#faucet');
  await until('a thousand coins', () => text(page, 'coins'), '1000');
  await until('the next step', () => step(page), 'join');
  await page.click('#join');
  const corner = await at(page, 260, 260);
  await page.mouse.click(corner.x, corner.y);
  await holds(page);
  assert.equal(await page.locator('#world').getAttribute('data-slot'), '1');
  assert.equal(await step(page), 'place');
  assert.equal((await tutorial.boundingBox())?.height, high, 'nothing moved');
  const wipe = await text(page, 'wipe');
  assert.match(wipe, /^quadrant 1 in \d:[0-5]\d$/);
  await until('it is counted down', () => text(page, 'wipe'), (now) => now !== wipe);
  await page.selectOption('#pattern', 'glider');
  await page.click('#turn');
  // The view has moved to the base.
  await atHome(page);
  const [{ base, account }] = await page.evaluate(async () => {
    const state = await (await fetch('/api/v1/worlds/meadow')).json();
    return state.slots.filter((/** @type {any} */ slot) => slot);
  });
  const inside = await at(page, base.x + 3, base.y + 3);
  await page.mouse.move(inside.x, inside.y);
  // A draft's result is previewed before it is placed, in agreement with the rules.
  const draft = stamped(turned(patternOf('bo$2bo$3o!')), [base.x + 3, base.y + 3], 512);
  const frames = await comesTo(account, draft);
  const around = Array.from({ length: 18 * 18 }, (_, cell) => /** @type {Spot} */ ([base.x - 5 + (cell % 18), base.y - 5 + Math.floor(cell / 18)]));
  const empty = await coloursOf(page, around);
  await page.mouse.click(inside.x, inside.y);
  assert.match(await text(page, 'place'), /5 cells/);
  const expected = frames.map((frame) => [...new Set([...frame, ...draft.map((spot) => spot.join(' '))])].sort().join());
  const seen = new Set();
  await until('several generations were seen', async () => {
    const colours = await coloursOf(page, around);
    const drawn = around.filter((_, cell) => colours[cell] !== empty[cell]).map((spot) => spot.join(' ')).sort().join();
    // Nothing is drawn before the next animation frame.
    if (drawn !== '') assert.ok(expected.includes(drawn), `${drawn} is a generation of ${expected.join('; ')}`);
    seen.add(drawn);
    return seen;
  }, ({ size }) => size > 4, { everyMs: 100 });
  await page.click('#place');
  await until('five coins are in the base', () => text(page, 'base-coins'), '105');
  assert.match(await text(page, 'said'), /5 cells placed/);
  await until('it was a step', () => step(page), (now) => now !== 'place');
  await page.click('#step-skip');
  assert.equal(await page.locator('#steps').isVisible(), false);
  await until('who looks on sees her', () => text(looking, 'slots'), /Ann/);
  await until('and her five cells', () => looking.locator('#slots [data-part=coins]').textContent(), '105');
  const later = await open(ann);
  await holds(later);
  assert.match(String(await later.locator('#slots tr[data-mine]').textContent()), /Ann/);
  assert.equal(await later.locator('#tutorial').getAttribute('data-step'), 'over', 'it is remembered');
  await later.close();
  // Zooming by the wheel keeps the cell under the pointer.
  const before = await scaleOf(page);
  await page.mouse.move(inside.x, inside.y);
  await page.mouse.wheel(0, 300);
  await until('farther away', () => scaleOf(page), (scale) => scale < before);
  // Drags over the whole window: the torus has no edge.
  const from = await page.locator('#board').getAttribute('data-middle');
  await page.mouse.move(inside.x, inside.y);
  await page.mouse.down();
  await page.mouse.move(inside.x - 200, inside.y - 100, { steps: 4 });
  await page.mouse.up();
  await until('somewhere else', () => page.locator('#board').getAttribute('data-middle'), (middle) => middle !== from);
  // The small map leads away, and a button back home.
  const [shown] = await pictures(page, '#minimap');
  const small = /** @type {any} */ (await page.locator('#minimap').boundingBox());
  await page.mouse.click(small.x + small.width / 4, small.y + (3 * small.height) / 4);
  await until('there', () => middleOf(page), ([x, y]) => Math.abs(x - 128) < 4 && Math.abs(y - 384) < 4);
  assert.notDeepEqual(await pictures(page, '#minimap'), [shown], 'its frame is elsewhere');
  await page.click('#home');
  await until('home', async () => (await middleOf(page)).join(), `${base.x + 4},${base.y + 4}`);
  // A gun is too large for a base. Custom patterns are entered as text.
  await page.selectOption('#pattern', 'gosper');
  const home = await at(page, base.x + 3, base.y + 3);
  await page.mouse.click(home.x, home.y);
  await until('why not', () => text(page, 'said'), /territory/);
  await page.selectOption('#pattern', 'own');
  await page.fill('#rle', '2x!');
  await page.click('#use-rle');
  assert.match(await text(page, 'said'), /^x is no letter of a pattern/);
  await page.fill('#rle', 'x = 2, y = 2\n2o$o!');
  await page.click('#use-rle');
  assert.equal(await text(page, 'said'), '');
  await page.click('#mirror');
  // The glider moved in the other direction.
  const free = await at(page, base.x + 5, base.y + 2);
  await page.mouse.click(free.x, free.y);
  await until('an own pattern', () => text(page, 'place'), /3 cells/);
  await page.click('#clear');
  assert.match(await text(page, 'place'), /0 cells/);
  await ann.leave();
  await eve.leave();
});

test('by touch: joins, places and reads why not, pinches and drags', async () => {
  const bob = await here.arrive(ON_A_PHONE);
  await bob.claim('Bob');
  const page = await open(bob);
  await page.tap('#faucet');
  await until('a thousand coins', () => text(page, 'coins'), '1000');
  await page.tap('#join');
  const corner = await at(page, 236, 240);
  await page.touchscreen.tap(corner.x, corner.y);
  await holds(page);
  await atHome(page);
  const board = /** @type {any} */ (await page.locator('#board').boundingBox());
  await page.touchscreen.tap(board.x + 8, board.y + board.height - 8);
  await until('why not', () => text(page, 'said'), /territory/);
  await page.touchscreen.tap(board.x + board.width / 2 - 7, board.y + board.height / 2 - 7);
  await until('one cell', () => text(page, 'place'), /1 cell/);
  await page.tap('#place');
  await until('placed', () => text(page, 'base-coins'), '101');
  await page.locator('#board').scrollIntoViewIfNeeded();
  const shown = /** @type {any} */ (await page.locator('#board').boundingBox());
  const session = await page.context().newCDPSession(page);
  const fingers = (/** @type {number} */ apart) => [-1, 1].map((side) => ({ x: shown.x + shown.width / 2 + (side * apart) / 2, y: shown.y + shown.height / 2 }));
  const touches = async (/** @type {{x: number, y: number}[][]} */ steps) => {
    for (const [at, touchPoints] of steps.entries()) await session.send('Input.dispatchTouchEvent', { type: at === 0 ? 'touchStart' : 'touchMove', touchPoints });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  const scale = await scaleOf(page);
  await touches([60, 80, 110, 150].map(fingers));
  await until('nearer', () => scaleOf(page), (now) => now > scale * 1.5);
  // One finger moves the world, not the page.
  const [, top] = await middleOf(page);
  const scrolled = await page.evaluate(() => scrollY);
  await touches([0, 40, 80, 120].map((up) => [{ x: shown.x + shown.width / 2, y: shown.y + shown.height / 2 - up }]));
  await until('farther south', () => middleOf(page), ([, y]) => y > top);
  assert.equal(await page.evaluate(() => scrollY), scrolled);
  assert.match(await text(page, 'place'), /0 cells/, 'neither was a tap');
  await bob.leave();
});

test('by keys, in Spanish and without a socket: joins, moves, turns, places', async () => {
  const eva = await here.arrive();
  await eva.claim('Eva');
  const door = await eva.open('/account');
  await door.click('button[value=es]');
  // The browser may never close a page that is still being replaced by another one.
  await door.locator('html[lang=es] button[value=es][aria-pressed=true]').waitFor();
  await door.waitForLoadState();
  await door.close();
  const page = await open(eva, 'meadow?net=poll');
  await until('requests', () => page.locator('#world').getAttribute('data-kind'), 'poll');
  const { use } = /** @type {import('../lib/hands.mjs').Hand} */ (HANDS.find(({ name }) => name === 'keyboard'));
  await use(page.locator('#tutorial summary'));
  assert.match(await page.locator('#steps > [aria-current]').innerText(), /^Toma monedas/);
  await use(page.locator('#step-next'));
  assert.match(await page.locator('#steps > [aria-current]').innerText(), /^Entra/);
  await use(page.locator('#step-skip'));
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Apréndelo en seis pasos');
  await page.click('#faucet');
  await until('a thousand coins', () => text(page, 'coins'), '1000');
  assert.match(await text(page, 'said'), /monedero/);
  await use(page.locator('#join'));
  const focused = () => page.evaluate(() => document.activeElement?.id);
  assert.equal(await focused(), 'board', 'where the place is chosen');
  // To an unowned quadrant.
  for (let step = 0; step < 9; step++) await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await holds(page);
  assert.equal(await focused(), 'board', 'the button is gone, and the focus is not');
  await page.keyboard.press('Home');
  await page.selectOption('#pattern', 'blinker');
  await page.focus('#board');
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await until('three cells', () => text(page, 'place'), /3 células/);
  await page.keyboard.press('Backspace');
  assert.match(await text(page, 'place'), /2 células/);
  await page.keyboard.press('Escape');
  assert.match(await text(page, 'place'), /0 células/);
  await page.keyboard.press('m');
  await page.keyboard.press('Enter');
  assert.match(await text(page, 'place'), /3 células/);
  await page.keyboard.press('p');
  await until('placed', () => text(page, 'base-coins'), '103');
  const scale = await scaleOf(page);
  await page.keyboard.press('+');
  await until('nearer', () => scaleOf(page), (now) => now > scale);
  const [left] = await middleOf(page);
  await page.keyboard.press('Shift+ArrowRight');
  await until('farther east', () => middleOf(page), ([x]) => x > left + 10);
  await eva.leave();
});

test('one account in two tabs: one kingdom, one wallet, and what the one has placed the other cannot', async () => {
  await start('moor');
  const uma = await here.arrive();
  await uma.claim('Uma');
  const tabs = [await open(uma, 'moor'), await open(uma, 'moor')];
  const [one, other] = tabs;
  const inBoth = (/** @type {string} */ id, /** @type {string} */ expected) =>
    until(`${id} in both tabs`, async () => String([await text(one, id), await text(other, id)]), `${expected},${expected}`);
  await one.click('#faucet');
  await inBoth('coins', '1000');
  for (const tab of tabs) await tab.click('#join');
  const corner = await at(one, 60, 60);
  await one.mouse.click(corner.x, corner.y);
  for (const tab of tabs) {
    await holds(tab);
    await atHome(tab);
    assert.deepEqual([await tab.locator('#join').isVisible(), await tab.locator('#world').getAttribute('data-mode')], [false, 'place']);
    await tab.selectOption('#pattern', 'block');
    const [x, y] = await middleOf(tab);
    const inside = await at(tab, x - 0.5, y - 0.5);
    await tab.mouse.click(inside.x, inside.y);
    await until('a block in hand', () => text(tab, 'place'), /4 cells/);
  }
  await one.click('#place');
  await inBoth('base-coins', '104');
  await other.click('#place');
  await until('why not', () => text(other, 'said'), 'Cell already alive.');
  assert.match(await other.title(), /^\(!\) Cell already alive\./);
  for (const screen of [{ width: 390, height: 844 }, { width: 1024, height: 768 }, { width: 1366, height: 768 }]) {
    await resize(other, screen);
    await other.locator('#board').scrollIntoViewIfNeeded();
    assert.deepEqual(await outOfView(other, '#bar, #bar-words, #bar button'), [], `the answer, at the board, at ${screen.width} px`);
  }
  await other.click('#faucet');
  await inBoth('coins', '1896');
  await inBoth('base-coins', '104');
  await uma.leave();
});

/**
 * In a base at (120, 300) it makes the base beside it, at (128, 300), refuse a hundred births within 104 generations.
 */
const RAM = 'x = 6, y = 6\nobobo$2bo2bo$o3bo$o2bo2$2o2bo!';

test('a base falls: its page says so, on a phone; who besieged it has its coins, and who held it joins again', async () => {
  await start('moor');
  const [rosa, tom] = [await here.arrive(), await here.arrive(ON_A_PHONE)];
  for (const [person, name, base_x] of /** @type {const} */ ([[rosa, 'Rosa', 120], [tom, 'Tom', 128]])) {
    const code = await person.claim(name);
    for (const call of [{ type: 'faucet' }, { type: 'join_game', base_x, base_y: 300 }]) assert.equal((await says('moor', code, call)).type, 'answer');
  }
  const [besieger, page] = [await open(rosa, 'moor'), await open(tom, 'moor')];
  await Promise.all([besieger, page].map(atHome));
  const held = String(await page.locator('#world').getAttribute('data-slot'));
  // A custom pattern, as text.
  await besieger.selectOption('#pattern', 'own');
  await besieger.fill('#rle', RAM);
  await besieger.click('#use-rle');
  const inside = await at(besieger, 123.5, 303.5);
  await besieger.mouse.click(inside.x, inside.y);
  await until('it is in hand', () => text(besieger, 'place'), /12 cells/);
  await besieger.click('#place');
  await until('the siege', () => text(page, 'base-coins'), (coins) => Number(coins) < 100);
  await until('the fall', () => page.locator('#said').getAttribute('data-kind'), 'fallen');
  assert.match(await text(page, 'said'), /^Your kingdom has fallen\. Rosa took the last coin of its base\./);
  assert.equal(await page.locator('#world').getAttribute('data-slot'), '');
  assert.deepEqual([await text(page, 'coins'), await text(page, 'base-coins')], ['900', '–'], 'the wallet is his');
  assert.deepEqual([await page.locator('#join').isVisible(), await page.locator('#placing').isVisible(), await page.locator('#home').isVisible()], [true, false, false]);
  for (const one of [besieger, page]) await until('he is in the table no more', () => text(one, 'slots'), (slots) => !slots.includes('Tom'));
  await until('a hundred coins for her', () => text(besieger, 'coins'), String(1_000 - 100 - 12 + 100));
  await noOverflow(page);
  // To another place, by the small map.
  await page.tap('#join');
  const small = /** @type {any} */ (await page.locator('#minimap').boundingBox());
  await page.touchscreen.tap(small.x + (3 * small.width) / 4, small.y + small.height / 4);
  await until('far away', () => middleOf(page), ([x]) => x > 370);
  const corner = await at(page, 384.5, 128.5);
  await page.touchscreen.tap(corner.x, corner.y);
  await holds(page);
  assert.equal(await page.locator('#world').getAttribute('data-slot'), held, 'the slot that was freed');
  await until('a new base', async () => String([await text(page, 'coins'), await text(page, 'base-coins')]), '800,100');
  await until('the camera is there', async () => (await middleOf(page)).join(), '388,132');
  const free = await at(page, 387.5, 131.5);
  await page.touchscreen.tap(free.x, free.y);
  await page.tap('#place');
  await until('placed', () => text(page, 'base-coins'), '101');
  await rosa.leave();
  await tom.leave();
});

test('a page that was away catches up by a snapshot, and a world by a restart', async () => {
  const zoe = await here.arrive();
  const page = await open(zoe);
  const generation = Number(await page.locator('#world').getAttribute('data-generation'));
  await zoe.forgiving(/WebSocket|Failed to load|net::/, async () => {
    await here.server.kill();
    await here.server.start();
    await until('it goes on', () => page.locator('#world').getAttribute('data-generation'), (now) => Number(now) > generation + 5);
  });
  await until('three kingdoms', () => page.locator('#slots tr').count(), 3);
  assert.equal(new Set(await pictures(page, '#slots .mark')).size, 3, 'each with its mark');
  await zoe.leave();
});
