// Replays an author's lost game with another version of the bot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { variant } from '../lib/guests.mjs';
import { judged, saidOn } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';
import * as setting from '../lib/setting.mjs';

const here = scene({ standing: ['conquerors'] });

test('a lost game is played again with another version', async () => {
  const ann = await here.arrive();
  const api = new Api(here.server.url, await ann.claim('Ann'));
  await judged(api, 'tryer', setting.botBytes('gardener'));
  await judged(api, 'tryer', variant(setting.botBytes('scatter'), 1));
  const page = await ann.open();
  const lost = page.locator('#played tr[data-result="lost"]').first();
  const losses = '/bots/tryer?version=2&result=lost';
  await saidOn(page, losses, (text) => text.includes('<tr data-result="lost">'));
  await page.goto(losses);
  await lost.locator('a[href$="/profile"]').click({ noWaitAfter: true });
  await page.locator('#profile').waitFor();
  const shares = await page.locator('#profile tbody tr').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('.num')].map((cell) => parseInt(String(cell.textContent), 10))));
  assert.ok(shares.length > 0 && shares.every(([own, total]) => own <= total && total <= 100), `two clicks from the bot's page: ${shares}`);
  const profile = await api.get(`${new URL(page.url()).pathname.slice(1)}`);
  const { fuel, functions, version } = profile.body;
  const whole = Math.max(...functions.map((/** @type {{ total_fuel: number }} */ used) => used.total_fuel));
  assert.ok(fuel > 0 && whole === fuel && version === 2, `${whole} of ${fuel}: a turn, with all that it calls`);
  await page.goBack();
  await lost.locator('a[href$="/again"]').click();
  const again = async (/** @type {string} */ version) => {
    await page.locator('#with select').selectOption(version);
    await page.locator('#with button').click();
    return page.locator('#again').innerText();
  };
  assert.match(await again('2'), /The same game, turn by turn/, 'the version that played plays the same');
  const other = await again('1');
  assert.match(other, /The same until turn \d+\. There version 2 .*; version 1 /s);
  assert.match(other, /won|draw/i, 'and how it ends now');
  const path = new URL(page.url()).pathname;
  const answer = await api.get(`${path.slice(1)}?version=1`);
  assert.equal(answer.body.version, 1);
  assert.ok(answer.body.turn >= 1);
  await page.locator('#again a').first().click();
  await page.locator('#verified[data-verified="true"]').waitFor();
  await ann.leave();
  const bob = await here.arrive();
  await bob.claim('Bob');
  await bob.forgiving(/404/, async () => assert.equal((await (await bob.open()).goto(path))?.status(), 404, 'for nobody else'));
  await bob.leave();
});
