// Whole games against easy: by mouse, by keyboard, and a turn by finger.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { PHONE, noOverflow } from '../lib/browser.mjs';
import { checkRecord } from '../lib/records.mjs';
import { scene } from '../lib/scene.mjs';
import { Table } from '../lib/table.mjs';
import { until } from '../lib/until.mjs';

const here = scene();

test('a whole game by mouse, with a bomb, replays as it was played', async () => {
  const ann = await here.arrive();
  const page = await ann.open();
  const table = await Table.open(page, here.random, { colour: 'blue', guided: true });
  let bombs = 0;
  await table.finish(async (position) => {
    if (bombs > 0 || !position.bomb.legal) return table.turnByMouse();
    bombs += 1;
    await page.locator('#bomb').click();
    await table.click(table.centre(position));
    return table.end(() => page.locator('#send').click());
  });
  assert.equal(bombs, 1, 'a sturdy game lasts until the bomb');

  const state = await table.state();
  const own = state.plays.filter((/** @type {any} */ play) => play.seat === 0);
  assert.equal(own.filter((/** @type {any} */ play) => play.action.startsWith('0102')).length, 1, 'the bomb was thrown once');
  await checkRecord(here.server, new Api(here.server.url), state);
  assert.ok(await page.locator('#result').isVisible());
  await page.locator('#result a#replay-link, a#replay-link').first().click();
  await page.waitForURL(`/games/${state.room}`);
  await page.locator('#verified[data-verified="true"]').waitFor();
  await ann.leave();
});

test('a whole game by keyboard, with a skip and a reload in its middle, replays as it was played', async () => {
  const bob = await here.arrive();
  const page = await bob.open();
  const table = await Table.open(page, here.random, { colour: 'red' });
  let turns = 0;
  await table.finish(async (position) => {
    turns += 1;
    if (turns === 2) {
      const before = await table.shown();
      await page.reload();
      await table.reach('yours');
      assert.equal((await table.shown()).ply, before.ply, 'the same ply after a reload');
      await takeBack(table, position);
    }
    if (turns !== 3) return table.turnByKeys();
    assert.ok(position.skip.legal);
    await table.board.focus();
    await page.keyboard.press('s');
    return table.end(async () => {
      // A skip may be asked about once more, or sent at once.
      if ((await table.shown()).phase === 'yours') await page.keyboard.press('e');
    });
  });
  const state = await table.state();
  const skips = state.plays.filter((/** @type {any} */ play) => play.seat === 1 && play.action === '010300');
  assert.equal(skips.length, 1, 'the skip was used once');
  await checkRecord(here.server, new Api(here.server.url), state);
  await bob.leave();
});

/** What is placed can be taken back, bomb mode can be left, and a cell that is refused is explained. */
async function takeBack(/** @type {Table} */ table, /** @type {any} */ position) {
  const { page } = table;
  const [cell] = table.choose(position);
  await table.place(position, [cell], table.key);
  await page.keyboard.press('Backspace');
  await table.marks(position.placeable, 'after taking it back');
  const refused = position.placeable.split('/').findIndex((/** @type {string} */ row) => row[0] === '.');
  const column = refused < 0 ? position.placeable.split('/')[0].indexOf('.') : 0;
  await table.key([Math.max(refused, 0), column]);
  await until('the page says why not', async () => (await page.locator('#why').innerText()).trim() !== '');
  await table.marks(position.placeable, 'after a cell that is refused');
}

test('a turn by finger on a phone', async () => {
  const cat = await here.arrive({ viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await cat.open();
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
  await dan.leave();
});
