// The way of a tournament: opened by one account, entered by another, watched while it settles, and its folder downloaded.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { scene } from '../lib/scene.mjs';
import * as setting from '../lib/setting.mjs';

const here = scene();
const LIMIT_MS = 90_000;

test('a tournament is opened, entered by a second account, settles before one’s eyes and is downloaded', async () => {
  const [ann, bob] = [await here.arrive(), await here.arrive()];
  await ann.claim('Ann');
  await bob.claim('Bob');
  const entering = await bob.open('/submit');
  await entering.locator('#submit [name=name]').fill('digger');
  await entering.locator('#submit [name=file]').setInputFiles(setting.botPath('gardener'));
  await entering.locator('#submit [type=submit]').click();
  await entering.locator('#verdict').waitFor({ timeout: LIMIT_MS });

  const page = await ann.open('/tournaments/new');
  const form = page.locator('#new-tournament');
  await form.locator('[name=name]').fill('Spring cup');
  await form.locator('[name=pairs]').fill('2');
  await form.locator('[name=places]').fill('3');
  await form.locator('[name=reserved]').fill('easy, normal');
  await form.locator('[type=submit]').click();
  await page.locator('#progress[data-stage=entry]').waitFor();
  assert.match(await page.locator('#progress').innerText(), /2 of 3 places/);
  const commitment = await page.locator('#commitment').innerText();

  // The other one takes the last place; both pages follow.
  await entering.goto(page.url());
  await entering.locator('#enter [type=submit]').click();
  await page.locator('#progress[data-stage=finished]').waitFor({ timeout: LIMIT_MS });
  assert.equal(await page.locator('#standings tbody tr').count(), 3);
  assert.equal(await page.locator('#entrants tr[data-bot=digger]').count(), 1);
  assert.equal(await page.locator('#commitment').innerText(), commitment);
  assert.match(await page.locator('#secret').innerText(), /^[0-9a-f]{64}$/);
  assert.match(await page.locator('#log').innerText(), /digger, version 1, entered[^]*frozen[^]*12 games were played/);
  assert.match(await page.locator('#verify-line').innerText(), /arena verify cup-1$/);

  const download = page.waitForEvent('download');
  await page.locator('#folder').click();
  assert.ok(statSync(await (await download).path()).size > 10_000, 'a folder in a file');
  const { body } = await new Api(here.server.url).get('games?tournament=cup-1');
  assert.equal(body.length, 12);
  await page.locator('#games a').first().click();
  await page.locator('#verified[data-verified="true"]').waitFor();
  await page.close();
  await entering.close();
});
