// Faults that strangers found in the pages: a test for each, named for the fault.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { ON_A_PHONE, Person, startBrowser } from '../lib/browser.mjs';
import { variant } from '../lib/guests.mjs';
import { WIDTHS, screen } from '../lib/layout.mjs';
import { moduleIn } from '../lib/modules.mjs';
import { judged, saidOn } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';
import * as setting from '../lib/setting.mjs';
import { Table } from '../lib/table.mjs';
import { until } from '../lib/until.mjs';

const here = scene({ standing: ['conquerors'] });

/** The console's message about a refusal. */
const REFUSED = /Failed to load resource: .* 4\d\d/;

test('loading the page of the player code again is an error', async () => {
  const ann = await here.arrive({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await ann.open('/account');
  await page.locator('#claim [name=name]').fill('Ann');
  await page.locator('#claim button').click();
  const code = await page.locator('#player-code').innerText();
  await page.reload();
  assert.equal(await page.locator('#player-code').innerText(), code, 'the same code');
  await page.goto('/play');
  await page.goBack();
  assert.equal(await page.locator('#player-code').innerText(), code, 'and after going back');
  await page.locator('[data-copies="player-code"]').click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
  await page.goto('/account');
  await page.locator('#signout button').click();
  await page.goto('/account/code');
  assert.equal(new URL(page.url()).pathname, '/account', 'signed out, the code is gone');
  await ann.leave();
});

test('a refused form is a dead end', async () => {
  const bob = await here.arrive();
  const page = await bob.open('/account');
  await bob.forgiving(REFUSED, async () => {
    await page.locator('#claim [name=name]').fill('<b>');
    await page.locator('#claim button').click();
    await page.locator('#claim .problem').waitFor();
    assert.equal(await page.locator('#claim [name=name]').inputValue(), '<b>', 'what was typed is still there');
    assert.doesNotMatch(await page.locator('#claim .problem').innerText(), /`/);
    assert.equal(await page.locator('#claim .problem code').first().innerText(), '<');
    await page.goto('/nowhere');
    await page.locator('main a[href="/"]').first().click();
  });
  assert.equal(new URL(page.url()).pathname, '/', 'a page that is not there leads on');
  const longest = await page.goto('/account').then(() => page.locator('#claim [name=name]').getAttribute('maxlength'));
  await page.locator('#claim [name=name]').fill('b'.repeat(Number(longest)));
  await page.locator('#claim button').click();
  await page.locator('#player-code').waitFor();
  await bob.leave();
});

test('the refusal of a file names a size that nobody measured', async () => {
  const cat = await here.arrive();
  await cat.claim('Cat');
  const page = await cat.open('/submit');
  const send = async (/** @type {Buffer} */ buffer) => {
    await page.locator('#submit [name=name]').fill('bigbot');
    await page.locator('#submit [name=file]').setInputFiles({ name: 'bot.wasm', mimeType: 'application/wasm', buffer });
    await page.locator('#submit button').click();
    const said = await page.locator('#submit .problem').innerText();
    assert.equal(await page.locator('#submit [name=name]').inputValue(), 'bigbot');
    return said;
  };
  await cat.forgiving(REFUSED, async () => {
    assert.match(await send(Buffer.alloc(0)), /The file is empty/);
    assert.match(await send(Buffer.alloc(1_200_000)), /at most \d+ bytes, this one has more/);
  });
  await cat.leave();
});

test('a built-in opponent of one game links to another game’s', async () => {
  const dan = await here.arrive();
  const page = await dan.open('/play?game=war-of-life');
  await page.locator('#play button').click();
  await page.locator('main#room[data-phase="yours"], main#room[data-phase="over"]').waitFor();
  const link = page.locator('#scoreboard a').first();
  const [name, href] = [await link.innerText(), await link.getAttribute('href')];
  assert.equal(href, `/bots/${name}?game=war-of-life`, 'the built-in opponent of this game');
  await page.goto(String(href));
  assert.match(await page.locator('.lead').innerText(), /War of Life/);
  await dan.leave();
});

test('a replay’s address goes stale, and it takes keys that scroll', async () => {
  const eve = await here.arrive();
  const page = await eve.open();
  const table = await Table.open(page, here.random);
  await table.turnByMouse();
  await resign(page);
  await page.goto((await table.path()).replace('rooms', 'games'));
  await page.locator('#verified[data-verified="true"]').waitFor();
  assert.equal(new URL(page.url()).hash, '', 'as it was opened');
  await page.locator('#next').click();
  await until('the address says the turn', () => new URL(page.url()).hash, '#turn=1');
  await page.keyboard.press('ArrowRight');
  await until('the address goes along', () => new URL(page.url()).hash, '#turn=2');
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.keyboard.press('End');
  await until('the page scrolls', () => page.evaluate(() => scrollY), (y) => y > 0);
  assert.equal(await page.locator('#game').getAttribute('data-turn'), '2', 'and the replay stays');
  await page.keyboard.press('Home');
  await until('the page scrolls back', () => page.evaluate(() => scrollY), 0);
  await page.keyboard.press('Space');
  await until('the page scrolls by Space', () => page.evaluate(() => scrollY), (y) => y > 0);
  const still = [await page.locator('#game').getAttribute('data-turn'), await page.locator('#play').getAttribute('aria-pressed')];
  assert.deepEqual(still, ['2', 'false'], 'and nothing plays');
  await page.locator('#board').focus();
  await page.keyboard.press('Home');
  assert.equal(await page.locator('#game').getAttribute('data-turn'), '0', 'with the focus on the board it goes');
  const chart = page.locator('#chart');
  const { width } = /** @type {{width: number}} */ (await chart.boundingBox());
  for (const [x, turn] of [[width - 3, '2'], [width / 2, '1'], [3, '0']]) {
    await chart.click({ position: { x: Number(x), y: 20 } });
    assert.equal(await page.locator('#game').getAttribute('data-turn'), turn, 'and to where its chart is pointed at');
  }
  await eve.leave();
});

test('a replay without script loads for ever', async () => {
  const fay = await here.arrive();
  const table = await Table.open(await fay.open(), here.random);
  await table.turnByMouse();
  await resign(table.page);
  const path = (await table.path()).replace('rooms', 'games');
  const plain = await here.arrive({ javaScriptEnabled: false });
  const page = await plain.open(path);
  assert.doesNotMatch(await page.locator('main').innerText(), /Loading|Checking/);
  assert.match(await page.locator('#outcome').innerText(), /won/);
  assert.ok(!(await page.locator('#play').isVisible()), 'no buttons that do nothing');
  assert.match(await page.locator('#last-position').innerText(), /[ab]/, 'the final position as text');
  await plain.leave();
  await fay.leave();
});

test('a placed cell cannot be taken back by a click, and a fifth one is reproached', async () => {
  const gus = await here.arrive();
  const table = await Table.open(await gus.open(), here.random);
  const position = await table.position();
  const cells = table.choose(position);
  await table.place(position, cells, table.click);
  assert.ok(await table.page.locator('#send').isEnabled());
  const open = new Set(cells.map(String));
  const other = /** @type {[number, number]} */ ([25, 27]);
  assert.ok(!open.has(String(other)));
  await table.click(other);
  assert.equal((await table.page.locator('#why').innerText()).trim(), '', 'the turn is ready: no reproach');
  await table.click(cells[3]);
  await table.marks(position.check('place', cells.slice(0, 3)).next, 'after the click on the last one');
  assert.ok(await table.page.locator('#send').isDisabled());
  await gus.leave();
});

test('a draft vanishes without a word when another window sends', async () => {
  const ida = await here.arrive();
  const first = await Table.open(await ida.open(), here.random);
  const second = new Table(await ida.open(await first.path()), here.random);
  await second.reach('yours');
  const position = await second.position();
  await second.place(position, second.choose(position).slice(0, 2), second.click);
  await first.page.bringToFront();
  await first.turnByMouse();
  await second.page.bringToFront();
  await second.when('ply 2', ({ ply, phase }) => ply === 2 && phase === 'yours');
  assert.match(await second.page.locator('#why').innerText(), /another window/);
  await ida.leave();
});

test('on a phone the end of the turn is below the fold, and the words name keys', async (t) => {
  const browser = await startBrowser('fingers');
  t.after(() => browser.close());
  const jon = await Person.arrive(browser, here.server.url, ON_A_PHONE);
  const table = await Table.open(await jon.open(), here.random);
  for (const [width, height] of [[320, 640], [375, 667], [768, 1024]]) {
    await table.page.setViewportSize({ width, height });
    await table.page.evaluate(() => scrollTo(0, 0));
    const box = await table.page.locator('#send').boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= height + 0.5, `${width} x ${height}: ${JSON.stringify(box)}`);
  }
  await table.page.setViewportSize({ width: 390, height: 844 });
  const position = await table.position();
  await table.place(position, table.choose(position), table.tap);
  assert.doesNotMatch(await table.page.locator('#status').innerText(), /\(E\)|\(U\)|Esc/);
  await jon.leave();
});

test('the cells of a phone’s board are smaller than a finger', async (t) => {
  const browser = await startBrowser('fingers');
  t.after(() => browser.close());
  const mo = await Person.arrive(browser, here.server.url, ON_A_PHONE);
  const table = await Table.open(await mo.open(), here.random);
  const buttons = table.page.locator('#nudge button');
  for (const button of await buttons.all()) {
    const box = await button.boundingBox();
    assert.ok(box && Math.min(box.width, box.height) >= FINGER_MIN, `${await button.innerText()}: ${JSON.stringify(box)}`);
  }
  // The arrow buttons and Choose place cells that are hard to hit with a tap.
  const position = await table.position();
  let at = String((await table.board.getAttribute('data-cursor')) || '0,0').split(',').map(Number);
  const step = async (/** @type {string} */ key, /** @type {number} */ times) => {
    for (let time = 0; time < times; time++) await table.page.locator(`#nudge [data-key="${key}"]`).tap();
  };
  for (const cell of table.choose(position)) {
    await step(cell[0] > at[0] ? 'down' : 'up', Math.abs(cell[0] - at[0]));
    await step(cell[1] > at[1] ? 'right' : 'left', Math.abs(cell[1] - at[1]));
    await step('act', 1);
    at = cell;
  }
  assert.equal((await table.end(() => table.page.locator('#send').tap())).ply, 2);
  await mo.leave();
});

/** The minimum width and height of a button for a finger, in CSS pixels: WCAG 2.2, target size (enhanced). */
const FINGER_MIN = 44;

test('on a large screen the board stays small, and under what is said there is a hole', async () => {
  const nat = await here.arrive({ viewport: { width: 2560, height: 1440 } });
  const table = await Table.open(await nat.open(), here.random);
  const box = async (/** @type {string} */ part) => /** @type {{y: number, width: number, height: number}} */ (await table.page.locator(part).boundingBox());
  const { width } = await box('#board');
  assert.ok(width >= BOARD_WIDTH_MIN, `${width} px`);
  for (const size of [{ width: 2560, height: 1440 }, { width: 1280, height: 800 }]) {
    await table.page.setViewportSize(size);
    const [said, send] = [await box('#reach'), await box('#send')];
    const hole = send.y - said.y - said.height;
    assert.ok(hole >= 0 && hole <= HOLE_MAX, `${size.width} px: ${hole} px`);
  }
  await resign(table.page);
  assert.ok(await table.page.locator('#status').isHidden(), 'at the end the result says it, and nothing above it');
  await nat.leave();
});

/** The minimum width of a board on a screen of 2560 x 1440 pixels: half of it. */
const BOARD_WIDTH_MIN = 1_280;
/**
 * The maximum gap between a sentence of one line and the button that ends the turn, in CSS pixels: room for two more
 * lines.
 */
const HOLE_MAX = 80;

test('a list of opponents says the same of several', async () => {
  const oli = await here.arrive();
  const page = await oli.open('/play');
  const notes = (await page.locator('#play [name=opponent] ~ .note').allInnerTexts()).filter((note) => note !== '');
  assert.ok(notes.length >= 3, `${notes}`);
  assert.deepEqual(notes.filter((note, at) => notes.indexOf(note) !== at), []);
  await oli.leave();
});

test('the version of a bot of any game leads to the standings of the first', async () => {
  const kim = await here.arrive();
  const api = new Api(here.server.url, await kim.claim('Kim'));
  const number = await judged(api, 'kimbot', variant(setting.botBytes('gardener'), 5));
  const page = await kim.open(`/bots/kimbot/versions/${number}`);
  assert.equal(await page.locator('main a[href^="/standings"]').getAttribute('href'), '/standings/conquerors');
  assert.doesNotMatch(await page.locator('#verdict').innerText(), /accepted.*accepted/i);
  await page.goto('/submit');
  await page.locator('#submit [name=name]').fill('kimfield');
  await page.locator('#submit [name=game]').selectOption('game-of-game-of-life');
  await page.locator('#submit [name=file]').setInputFiles(setting.botPath('baseline-gogol-nothing'));
  // It plays whole games before it answers.
  await page.locator('#submit button').click({ noWaitAfter: true });
  await page.locator('#verdict[data-state="accepted"]').waitFor();
  assert.match(await page.locator('main').innerText(), /no standing tournament of this game/);
  assert.equal(await page.locator('main a[href^="/standings"]').count(), 0, 'nor does it lead to that of another');
  await kim.leave();
});

test('a player who leaves the page finds no way back to a game, and loses it by taking a name', async () => {
  const pia = await here.arrive();
  const table = await Table.open(await pia.open(), here.random);
  const path = await table.path();
  const page = await pia.open('/play');
  await page.locator('#own').click();
  const games = page.locator('#own-games li');
  assert.match(await games.first().innerText(), /Play on[^]*against easy/);
  await pia.claim('Pia');
  await page.goto('/account');
  await games.first().locator('a').click();
  await page.locator('main#room[data-phase="yours"]').waitFor();
  assert.equal(new URL(page.url()).pathname, path, 'the guest’s game is the account’s');
  await resign(page);
  await until('a game that is over stays in the list', async () => {
    await page.goto('/account');
    return games.first().getAttribute('data-over');
  }, 'true');
  await pia.leave();
});

test('the rating line breaks inside a record', async () => {
  const leo = await here.arrive();
  const page = await leo.open();
  await saidOn(page, '/bots/hard', (text) => text.includes('<p id="rating"><b>'));
  await page.goto('/bots/hard');
  for (const width of WIDTHS) {
    await page.setViewportSize(screen(width));
    const broken = await page.locator('#rating').evaluate((line) => {
      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      const found = [];
      let seen = 0;
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        for (const { index, 0: record } of (node.nodeValue ?? '').matchAll(/\d+-\d+-\d+/g)) {
          const range = new Range();
          range.setStart(node, index);
          range.setEnd(node, index + record.length);
          seen += 1;
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(record);
        }
      }
      return seen === 0 ? ['no record at all'] : found;
    });
    assert.deepEqual(broken, [], `at ${width} px`);
  }
  await leo.leave();
});

test('a chart of shares cuts its last letter', async () => {
  const mia = await here.arrive();
  const page = await mia.open('/privacy');
  const { letters, cut } = await page.evaluate(async (module) => {
    const { SharesChart } = await import(module);
    let letters = 0;
    /** @type {string[]} */
    const cut = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
      const { actualBoundingBoxLeft, actualBoundingBoxRight, actualBoundingBoxAscent, actualBoundingBoxDescent } = this.measureText(text);
      const [start, end] = [[x - actualBoundingBoxLeft, y - actualBoundingBoxAscent], [x + actualBoundingBoxRight, y + actualBoundingBoxDescent]].map(([x, y]) => this.getTransform().transformPoint({ x, y }));
      letters += 1;
      if (start.x < 0 || start.y < 0 || end.x > this.canvas.width || end.y > this.canvas.height) cut.push(`${text} on ${this.canvas.width} x ${this.canvas.height}`);
      return fillText.call(this, text, x, y, ...more);
    };
    for (const seats of [2, 9]) {
      const names = Array.from({ length: seats }, (_, seat) => `W${seat}`);
      const tallies = Array.from({ length: 40 }, (_, turn) => names.map((_, seat) => (seat === 0 ? 30 : 1 + ((turn + seat) % 4))));
      for (const width of [24, 60, 91, 320, 1_500]) {
        const canvas = document.createElement('canvas');
        canvas.style.cssText = `display: block; width: ${width}px; height: 9rem`;
        document.body.append(canvas);
        new SharesChart(canvas, tallies, names).show(0);
      }
    }
    return { letters, cut };
  }, await moduleIn(page, 'board/shares.js'));
  assert.ok(letters > 20, `${letters} letters were drawn`);
  assert.deepEqual(cut, []);
  await mia.leave();
});

/** @param {import('playwright-core').Page} page */
async function resign(page) {
  await page.locator('#resign').click();
  await page.locator('#resign').click();
  await page.locator('main#room[data-phase="over"]').waitFor();
}
