// Whole games against easy: by mouse, by keyboard, and a turn by touch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { ON_A_PHONE, Person, noOverflow, startBrowser } from '../lib/browser.mjs';
import { checkRecord } from '../lib/records.mjs';
import { scene } from '../lib/scene.mjs';
import { Table } from '../lib/table.mjs';
import { until } from '../lib/until.mjs';

const here = scene();

/** The maximum number of games a test plays to find one that lasts to the second turn: all but a few do. */
const GAMES_MAX = 3;

test('a whole game by mouse replays as it was played', async () => {
  const ann = await here.arrive();
  const page = await ann.open();
  const table = await Table.open(page, here.random, { seat: 0, guided: true });
  await table.finish(() => table.turnByMouse());
  const state = await table.state();
  await checkRecord(here.server, new Api(here.server.url), state);
  assert.ok(await page.locator('#result').isVisible());
  await page.locator('a#replay-link').click();
  await page.waitForURL(`/games/${state.room}`);
  await page.locator('#verified[data-verified="true"]').waitFor();
  await ann.leave();
});

test('a whole game by keyboard, with a reload and a skip, replays as it was played', async () => {
  const bob = await here.arrive();
  let skips = 0;
  for (let game = 0; game < GAMES_MAX && skips === 0; game++) {
    const table = await Table.open(await bob.open(), here.random, { seat: 1 });
    let turns = 0;
    await table.finish(async (position) => {
      turns += 1;
      if (turns !== 2) return table.turnByKeys();
      const { ply } = await table.shown();
      await table.page.reload();
      assert.equal((await table.reach('yours')).ply, ply, 'the same ply after a reload');
      await takeBack(table, position);
      assert.ok(position.able('skip'));
      await table.board.focus();
      await table.page.keyboard.press('s');
      return table.end(() => table.page.keyboard.press('Control+Enter'));
    });
    const state = await table.state();
    skips = state.turns.flat().filter((/** @type {any} */ play) => play.seat === 1 && play.action === table.encode({ tool: 'skip', cells: [] })).length;
    assert.equal(skips, turns > 1 ? 1 : 0, 'the skip was used once');
    await checkRecord(here.server, new Api(here.server.url), state);
  }
  assert.equal(skips, 1, `one of ${GAMES_MAX} games lasts to the second turn`);
  await bob.leave();
});

test('a bomb by mouse and one by keyboard fall where they are aimed', async () => {
  const eve = await here.arrive();
  const table = await Table.openAt(await eve.open(), here.random, {}, (position) => position.able('bomb'));
  const throwAt = async (/** @type {(cell: [number, number]) => Promise<void>} */ aim, /** @type {() => Promise<void>} */ end) => {
    const position = await table.position();
    const centre = table.centre(position);
    await aim(centre);
    const { ply } = await table.shown();
    const shown = await table.end(end);
    assert.ok(shown.ply > ply);
    const bomb = table.encode({ tool: 'bomb', cells: [centre] });
    assert.equal((await table.state()).turns[ply][0].action, bomb, 'the bomb fell where it was aimed');
    return shown.phase;
  };
  const { page } = table;
  const phase = await throwAt(async (centre) => {
    await table.tool('bomb').click();
    await table.click(centre);
  }, () => page.locator('#send').click());
  // A bomb is ready at every second turn of its owner, if the game lasts that long.
  if (phase === 'yours' && (await table.turnByMouse()).phase === 'yours' && (await table.position()).able('bomb')) {
    await throwAt(async (centre) => {
      await table.walk(centre);
      await page.keyboard.press('b');
      await page.keyboard.press('Escape');
      await page.keyboard.press('b');
      await page.keyboard.press('Enter');
    }, () => page.keyboard.press('e'));
  }
  await eve.leave();
});

/** A placed cell can be taken back, bomb mode can be left, and a refused cell is explained. */
async function takeBack(/** @type {Table} */ table, /** @type {any} */ position) {
  const { page } = table;
  const [cell] = table.choose(position);
  await table.place(position, [cell], table.key);
  await page.keyboard.press('Backspace');
  const { next } = position.check('place');
  await table.marks(next, 'after taking it back');
  const open = new Set(next.map(String));
  const refused = Array.from({ length: 28 }, (_, col) => /** @type {[number, number]} */ ([0, col])).find((cell) => !open.has(String(cell)));
  assert.ok(refused, 'some cell of the first row is closed in the second turn');
  await table.key(refused);
  await until('the page says why not', () => page.locator('#why').innerText(), /\S/);
  await table.marks(next, 'after a cell that is refused');
}

test('a turn by finger on a phone', async (t) => {
  const browser = await startBrowser('fingers');
  t.after(() => browser.close());
  const cat = await Person.arrive(browser, here.server.url, ON_A_PHONE);
  const page = await cat.open();
  assert.ok(await page.evaluate(() => matchMedia('(pointer: coarse) and (hover: none)').matches), 'the page knows it is a finger');
  const table = await Table.open(page, here.random);
  await noOverflow(page);
  const position = await table.position();
  await table.place(position, table.choose(position), table.tap);
  const { ply } = await table.end(() => page.locator('#send').tap());
  assert.equal(ply, 2);
  await noOverflow(page);
  await cat.leave();
});

test('a game is given up after a second question', async () => {
  const dan = await here.arrive();
  const page = await dan.open();
  const table = await Table.open(page, here.random);
  await table.turnByMouse();
  await page.locator('#resign').click();
  assert.equal((await table.shown()).phase, 'yours', 'asked once more');
  await page.locator('#resign').click();
  await table.reach('over');
  const { outcome, forfeits } = await table.state();
  assert.deepEqual([outcome.winner, outcome.reason, forfeits[0].code], [1, 'forfeit', 'resigned']);
  const before = await table.path();
  await page.locator('#rematch button', { hasText: 'Swap seats' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/rooms/') && url.pathname !== before);
  await table.reach('yours');
  assert.deepEqual((await table.state()).awaiting, [1], 'the other seat, and the bot has begun');
  await dan.leave();
});
