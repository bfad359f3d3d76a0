// Games in the page alone: from the start, from a replay, for two people on one device; turns are taken back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { EDITION_LIMIT_MS, judged } from '../lib/pages.mjs';
import { Practice } from '../lib/practice_page.mjs';
import { RoomPage } from '../lib/room_page.mjs';
import { scene } from '../lib/scene.mjs';
import * as setting from '../lib/setting.mjs';
import { until } from '../lib/until.mjs';

const here = scene({ standing: ['conquerors'] });

test('a game is practised against a built-in opponent, and a turn is taken back', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/play');
  /** @type {string[]} */
  const sent = [];
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
  await page.locator('#practise').click();
  const game = new Practice(page, here.random);
  await game.reach('yours');
  const start = await game.words();
  await game.turn();
  assert.equal((await game.shown()).ply, 2, 'the opponent has answered');
  assert.notEqual(await game.words(), start);
  await page.locator('#take-back').click();
  await game.when('the turn is back', ({ ply, phase }) => ply === 0 && phase === 'yours');
  assert.equal(await game.words(), start);
  assert.equal(await page.locator('#take-back').isDisabled(), true, 'there is nothing more to be taken back');
  await game.turn();
  assert.equal((await game.shown()).ply, 2, 'and the game goes on');
  assert.deepEqual(sent, [], 'nothing reaches the server');
  await ann.leave();
});

test('two people play at one device', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/practice?opponent=');
  const game = new Practice(page, here.random);
  await game.reach('yours');
  for (const ply of [1, 2, 3]) {
    await game.turn();
    assert.equal((await game.shown()).ply, ply);
  }
  await page.locator('#restart').click();
  await game.when('the start', ({ ply }) => ply === 0);
  await ann.leave();
});

test('a replay is played on from any turn, against the bot that played it', async () => {
  const ann = await here.arrive();
  const api = new Api(here.server.url, await ann.claim('Ann'));
  await judged(api, 'gardener', setting.botBytes('gardener'));
  const page = await ann.open('/');
  const played = async () => (await api.get('bots/gardener/games?opponent=hard&seat=1')).body;
  const games = await until('games of the bot', played, ({ length }) => length > 0, { limitMs: EDITION_LIMIT_MS, everyMs: 500 });
  await page.goto(`/games/${games[0].id}#turn=4`);
  await page.locator('#verified[data-verified="true"]').waitFor();
  await page.locator('#words summary').click();
  const replayed = await until('the words', () => page.locator('#description').innerText());
  const scores = () => page.locator('#scoreboard [data-part="score"]').allInnerTexts();
  const before = await scores();
  await page.locator('#play-on').click();
  await page.waitForURL(/\/practice\?from=.*&turn=4$/);
  const game = new Practice(page, here.random);
  await game.reach('yours');
  assert.equal((await game.shown()).ply, 4);
  assert.equal((await game.words()).split('\n')[0], replayed.split('\n')[0], 'the same board');
  assert.deepEqual(await scores(), before, 'and the same score');
  assert.equal(await page.locator('#practice [name=opponent]').inputValue(), 'gardener');
  await game.turn();
  assert.equal((await game.shown()).ply, 6, 'the bot answers in the page');
  await page.locator('#practice [name=opponent]').selectOption('normal');
  await page.locator('#practice button').click();
  await page.waitForURL(/opponent=normal/);
  await game.reach('yours');
  await game.turn();
  assert.equal((await game.shown()).ply, 6);
  await ann.leave();
});

test('where all seats play at once, the chosen bot takes all others, and a turn is taken back', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/practice?game=game-of-game-of-life&seats=4&seat=2&opponent=nothing');
  const [rows, cols] = await page.locator('script[data-rows]').evaluate((script) => [Number(script.dataset.rows), Number(script.dataset.cols)]);
  const game = new RoomPage(page, here.random, { rows, cols });
  const names = page.locator('#scoreboard [data-part="player"]');
  await game.reach('yours');
  assert.deepEqual(await names.allInnerTexts(), ['nothing', 'nothing', 'You', 'nothing']);
  for (const ply of [1, 2]) {
    await game.end(async () => {
      await game.tool('pass').click();
      await page.locator('#send').click();
    });
    assert.equal((await game.shown()).ply, ply, 'all have answered');
  }
  await page.locator('#take-back').click();
  await game.when('one turn less', ({ ply, phase }) => ply === 1 && phase === 'yours');
  await page.locator('#resign').click();
  await page.locator('#resign').click();
  await game.when('the others play on', ({ ply }) => ply > 1);
  await ann.leave();
});

/**
 * A page's window with the number of frames of animation that were painted on its board.
 * @typedef {Window & {frames?: number}} Counting
 */

for (const [reducedMotion, moves] of /** @type {['reduce' | 'no-preference', boolean][]} */ ([['reduce', false], ['no-preference', true]])) {
  test(`a turn is ${moves ? 'animated' : 'shown at once'} for readers with ${reducedMotion}`, async () => {
    const ann = await here.arrive({ reducedMotion });
    await ann.context.addInitScript(() => {
      const counting = /** @type {Counting} */ (window);
      counting.frames = 0;
      let inFrame = false;
      const frame = window.requestAnimationFrame;
      window.requestAnimationFrame = (tell) =>
        frame((now) => {
          inFrame = true;
          tell(now);
          inFrame = false;
        });
      const ground = CanvasRenderingContext2D.prototype.fillRect;
      CanvasRenderingContext2D.prototype.fillRect = function (...box) {
        if (inFrame && this.canvas.id === 'board') counting.frames = (counting.frames ?? 0) + 1;
        ground.apply(this, box);
      };
    });
    const page = await ann.open('/practice?opponent=');
    const game = new Practice(page, here.random);
    await game.reach('yours');
    const painted = async () => {
      await game.turn();
      return page.evaluate(() => /** @type {Counting} */ (window).frames ?? 0);
    };
    // A busy machine may skip all frames of a turn.
    if (moves) await until('a frame of a turn', painted);
    else assert.equal(await painted(), 0);
    await ann.leave();
  });
}

test('a practice game is given up', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/practice?game=conquerors&opponent=easy');
  const game = new Practice(page, here.random);
  await game.reach('yours');
  await page.locator('#resign').click();
  await page.locator('#resign').click();
  await game.reach('over');
  assert.equal(await page.locator('#result-title').innerText(), 'You lose');
  await ann.leave();
});
