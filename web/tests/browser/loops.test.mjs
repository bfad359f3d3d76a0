// Reasons to return to the site, each by mouse, by keyboard and by touch: a game is resumed, replayed, linked to and
// played again; standings lead to a game that the page replays; lessons follow each other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HANDS } from '../lib/hands.mjs';
import { saidOn } from '../lib/pages.mjs';
import { Practice } from '../lib/practice_page.mjs';
import { RoomPage } from '../lib/room_page.mjs';
import { scene } from '../lib/scene.mjs';
import { Table } from '../lib/table.mjs';
import { until } from '../lib/until.mjs';

const here = scene({ standing: ['conquerors'] });
/** Taps this far apart are two taps, not a double tap. */
const APART_MS = 1_000;

/**
 * Resigns a game.
 * @param {import('playwright-core').Page} page
 * @param {Table} table
 * @param {import('../lib/hands.mjs').Hand['use']} use
 */
async function giveUp(page, table, use) {
  await use(page.locator('#resign'));
  // The second half of a double tap does not confirm, so a quick tap is asked again.
  await until('it is given up', async () => {
    if (!(await page.locator('#resign-not').isVisible())) return true;
    await use(page.locator('#resign'));
    return false;
  }, Boolean, { everyMs: APART_MS });
  await table.reach('over');
}

for (const { name, options, onBoard, use } of HANDS) {
  test(`a game is left and resumed, replayed, linked to, continued from a turn and played again, by ${name}`, async () => {
    const ann = await here.arrive(options);
    const page = await ann.open('/');
    await use(page.locator('#play-now'));
    await page.waitForURL(/\/rooms\//);
    const table = new Table(page, here.random);
    await table.reach('yours');
    const room = await table.path();

    // A guest's game can be found again.
    await page.goto('/play');
    await use(page.locator('#own'));
    await page.waitForURL(/\/account/);
    await use(page.locator('#own-games a').first());
    await page.waitForURL(`**${room}`);
    const position = await table.position();
    await table.place(position, table.choose(position), table[onBoard]);
    if ((await table.end(() => use(page.locator('#send')))).phase === 'yours') {
      await giveUp(page, table, use);
    }

    // Its replay goes to a turn, and a link leads there.
    await use(page.locator('#replay-link'));
    await page.locator('#verified[data-verified="true"]').waitFor();
    await use(page.locator('#next'));
    await until('the turn', () => new URL(page.url()).hash, '#turn=1');
    await use(page.locator('#share'));
    const link = await page.locator('#share-link').inputValue();
    assert.equal(link, page.url());
    const other = await here.arrive(options);
    const seen = await other.open(link);
    await seen.locator('#game[data-turn="1"]').waitFor();

    // Anybody with the link can play on from there.
    await use(seen.locator('#play-on'));
    await seen.waitForURL(/\/practice\?from=.*&turn=1$/);
    const practice = new Practice(seen, here.random);
    await practice.reach('yours');
    assert.equal((await practice.shown()).ply, 1);
    await other.leave();

    await page.goto(room);
    await table.reach('over');
    await use(page.locator('#rematch button', { hasText: 'Swap seats' }));
    await page.waitForURL((url) => url.pathname.startsWith('/rooms/') && url.pathname !== room);
    await table.reach('yours');
    assert.deepEqual((await table.state()).awaiting, [1], 'the other seat');
    await ann.leave();
  });

  test(`a guest claims a name, which keeps the games, and plays again in the same seat, by ${name}`, async () => {
    const fay = await here.arrive(options);
    const page = await fay.open('/');
    await use(page.locator('#play-now'));
    await page.waitForURL(/\/rooms\//);
    const table = new Table(page, here.random);
    await table.reach('yours');
    const room = await table.path();
    await page.goto('/account');
    await page.locator('#claim [name=name]').fill(`Fay ${name}`);
    await use(page.locator('#claim button'));
    await page.locator('#player-code').waitFor();
    await page.goto('/account');
    await page.locator('main h1', { hasText: `Fay ${name}` }).waitFor();
    await use(page.locator('#own-games a').first());
    await page.waitForURL(`**${room}`);
    await table.reach('yours');
    await giveUp(page, table, use);
    await use(page.locator('#rematch button', { hasText: 'Play again' }));
    await page.waitForURL((url) => url.pathname.startsWith('/rooms/') && url.pathname !== room);
    await table.reach('yours');
    assert.deepEqual((await table.state()).awaiting, [0], 'the same seat');
    await fay.leave();
  });

  test(`a cell of the crosstable leads to a game that the page plays again, by ${name}`, async () => {
    const bob = await here.arrive(options);
    const page = await bob.open();
    const cell = page.locator('#crosstable td a').first();
    await saidOn(page, '/standings', (text) => text.includes('id="crosstable"'));
    await page.goto('/standings');
    await use(cell);
    await page.waitForURL(/\/bots\/.*opponent=/);
    await use(page.locator('#played a[href^="/games/"]').first());
    await page.locator('#verified[data-verified="true"]').waitFor();
    await use(page.locator('#recompute'));
    await page.locator('#recomputed[data-kind="identical"]').waitFor();
    await bob.leave();
  });

  test(`a lesson is done and leads to the next, by ${name}`, async () => {
    const dan = await here.arrive(options);
    const page = await dan.open('/learn');
    await use(page.locator('#war-of-life .lessons a').first());
    const lesson = new RoomPage(page, here.random, { rows: 8, cols: 8 });
    await lesson.reach('yours');
    for (const cell of /** @type {[number, number][]} */ ([[5, 2], [6, 2]])) await lesson[onBoard](cell);
    await use(page.locator('#send'));
    await page.locator('#lesson[data-done="true"]').waitFor();
    await use(page.locator('#lesson-next'));
    await page.waitForURL(/\/learn\/war-of-life\/2$/);
    await lesson.reach('yours');
    await dan.leave();
  });

  test(`the language and the sounds are chosen, and stay so, by ${name}`, async () => {
    const eva = await here.arrive(options);
    const page = await eva.open('/learn');
    await use(page.locator('form.language button[lang="es"]'));
    await page.locator('html[lang="es"]').waitFor({ state: 'attached' });
    await page.goto('/practice?opponent=');
    const practice = new Practice(page, here.random);
    await practice.reach('yours');
    assert.equal(await page.locator('html').getAttribute('lang'), 'es');
    const sound = page.locator('#sound');
    assert.equal(await sound.innerText(), 'Sonido: sí');
    await use(sound);
    await page.reload();
    await practice.reach('yours');
    assert.equal(await sound.innerText(), 'Sonido: no');
    await eva.leave();
  });
}
