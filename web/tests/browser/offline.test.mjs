// Practice without a network, after one visit with one, or once the site is installed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Practice } from '../lib/practice_page.mjs';
import { RoomPage } from '../lib/room_page.mjs';
import { scene } from '../lib/scene.mjs';
import { within } from '../lib/until.mjs';
import { Workshop } from '../lib/workshop_page.mjs';

const here = scene({ restarts: true });

/** The console's messages about requests without an answer. */
const NO_NETWORK = /ERR_CONNECTION_RESET|ERR_CONNECTION_REFUSED|ERR_FAILED|503/;

/** Waits until everything for practice is stored. @param {import('playwright-core').Page} page */
const stored = (page) => within('an active service worker', page.evaluate(() => navigator.serviceWorker.ready.then(() => true)));

test('the built-in opponents play without a network', async () => {
  const ann = await here.arrive({ serviceWorkers: 'allow' });
  const page = await ann.open('/practice?game=conquerors&opponent=easy');
  // The service worker is active once all files and pages are stored.
  await stored(page);
  const opened = await page.request.post('/play', { form: { game: 'conquerors', opponent: 'easy', seat: 0 }, headers: { origin: here.server.url } });
  const room = new URL(opened.url()).pathname;
  await ann.forgiving(NO_NETWORK, async () => {
    // Not every browser version applies its offline mode to service workers, so the server is stopped.
    await here.server.kill();
    for (const opponent of ['easy', 'hard']) {
      await page.goto(`/practice?game=conquerors&opponent=${opponent}`);
      const game = new Practice(page, here.random);
      await game.reach('yours');
      await game.turn();
      await game.when('the answer', ({ phase, ply }) => phase === 'yours' && ply === 2);
      assert.match(await page.locator('#clock').innerText(), /Round 2/, `${opponent} has answered`);
    }
    // Begun anew, with as many seats and the opponent that are chosen, from one stored page.
    const players = page.locator('#scoreboard [data-part="player"]');
    await page.goto('/practice?game=game-of-game-of-life&opponent=nothing');
    const field = new RoomPage(page, here.random, { rows: 12, cols: 12 });
    await field.reach('yours');
    assert.deepEqual(await players.allInnerTexts(), ['You', 'nothing']);
    for (const [seats, opponent] of [['4', 'greedy'], ['16', 'nothing'], ['3', 'greedy']]) {
      await page.locator('#practice [name=seats]').selectOption(seats);
      await page.locator('#practice [name=opponent]').selectOption(opponent);
      await page.locator('#practice button').click();
      await page.waitForURL((url) => url.searchParams.get('seats') === seats);
      await field.reach('yours');
      assert.deepEqual(await players.allInnerTexts(), ['You', ...Array(Number(seats) - 1).fill(opponent)]);
      assert.equal(await page.locator('#practice [name=seats]').inputValue(), seats);
      await field.end(async () => {
        await field.tool('pass').click();
        await page.locator('#send').click();
      });
      assert.equal((await field.shown()).ply, 1, 'all have answered');
    }
    for (const path of ['/practice?game=war-of-life', '/practice?game=war-of-life&opponent=minimax&named=']) {
      await page.goto(path);
      await field.reach('yours', 'waiting');
      assert.match(String(await field.main.getAttribute('data-ruleset')), /^war-of-life@/, path);
    }
    // The lessons are stored, too.
    await page.goto('/learn');
    await page.locator('#conquerors .lessons a').first().click();
    await page.waitForURL(/\/learn\/conquerors\/1$/);
    const first = new Practice(page, here.random);
    await first.reach('yours');
    for (const cell of /** @type {[number, number][]} */ ([[12, 3], [12, 4], [13, 3], [13, 4]])) await first.click(cell);
    await page.locator('#send').click();
    await page.locator('#lesson[data-done="true"]').waitFor();
    await page.goto('/learn/war-of-life/3');
    await new RoomPage(page, here.random, { rows: 8, cols: 8 }).reach('yours');
    await page.goto('/learn/life2');
    await page.locator('#world[data-phase="live"]').waitFor();
    await page.click('#faucet');
    await page.locator('#tutorial[data-step="join"]').waitFor();
    // So is the workshop, with what its editor knows.
    const shop = await Workshop.open(page, '?game=war-of-life&language=javascript');
    await shop.write('function turn(o) {\n  return o');
    await page.keyboard.type('.leg');
    await page.locator('.editor .cm-tooltip-autocomplete li', { hasText: 'legal' }).waitFor();
    await shop.write('function turn(o) {\n  return o.legal()[0];\n}');
    await shop.run(/wins|draw/i);
    // So are the rules of a game that has no practice.
    await Workshop.open(page, '?game=life2&language=javascript');
    await shop.write('function turn(o) {\n  return o.nothing.there;\n}');
    await shop.run(/forfeit/);
    // What is not stored is not replaced by anything: its address stays, and the page comes by itself.
    for (const path of [room, '/practice?game=war-of-life&opponent=somebody', '/practice?from=standing-1.1&turn=3', '/standings']) {
      await page.goto(path);
      assert.equal(await page.locator('h1').innerText(), 'No connection', path);
      const { pathname, search } = new URL(page.url());
      assert.equal(pathname + search, path);
    }
    await page.goto(room);
    await here.server.start();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.locator('main#room[data-connection="open"]').waitFor();
    assert.equal(new URL(page.url()).pathname, room, 'the game is there again');
  });
  await ann.leave();
});

test('a site that is gone when a form is sent is said in words, and the form comes back with what was typed', async () => {
  const ned = await here.arrive({ serviceWorkers: 'allow' });
  const page = await ned.open('/workshop');
  await stored(page);
  await page.click('#nameless a');
  await page.fill('#claim [name=name]', 'Ned');
  await ned.forgiving(NO_NETWORK, async () => {
    await here.server.kill();
    await page.click('#claim button');
    await page.locator('#not-sent', { hasText: 'Nothing was sent' }).waitFor();
    await here.server.start();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.locator('#claim').waitFor();
  });
  assert.equal(await page.inputValue('#claim [name=name]'), 'Ned');
  await page.click('#claim button');
  await page.locator('#player-code').waitFor();
  await ned.leave();
});

test('what is stored is in the language that was chosen, whatever the browser prefers', async () => {
  const eva = await here.arrive({ serviceWorkers: 'allow' });
  await eva.context.addCookies([{ name: 'arena_language', value: 'es', url: here.server.url }]);
  const page = await eva.open('/practice?game=conquerors&opponent=easy');
  await stored(page);
  await eva.forgiving(NO_NETWORK, async () => {
    await here.server.kill();
    await page.goto('/practice?game=conquerors&opponent=hard');
    await new Practice(page, here.random).reach('yours');
    assert.equal(await page.locator('html').getAttribute('lang'), 'es');
    assert.equal(await page.locator('#clock').innerText(), 'Ronda 1 de 12');
    await here.server.start();
  });
  await eva.leave();
});

test('what that needs is stored when the site is installed, on any page', async () => {
  const cat = await here.arrive({ serviceWorkers: 'allow' });
  const page = await cat.open('/privacy');
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0, 'a visit alone stores nothing');
  await page.evaluate(() => void dispatchEvent(new Event('appinstalled')));
  await stored(page);
  const kept = await page.evaluate(async () => {
    const paths = async (/** @type {string} */ name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
    return (await Promise.all((await caches.keys()).map(paths))).flat();
  });
  for (const file of ['/arena_opponents.wasm', '/room.js', '/practice']) assert.ok(kept.some((path) => path.endsWith(file)), `${file} of ${kept}`);
  await cat.leave();
});

test('the site can be installed', async () => {
  const bob = await here.arrive();
  const page = await bob.open('/');
  const wire = await bob.context.newCDPSession(page);
  const { errors, url } = await wire.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  assert.match(url, /manifest\.webmanifest$/);
  const { installabilityErrors } = await wire.send('Page.getInstallabilityErrors');
  // All contexts except the first are private ones, in which nothing can be installed.
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), []);
  await bob.leave();
});
