// A tournament's path: opened by one account, entered by another, watched while it is decided, and its folder
// downloaded.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { scene } from '../lib/scene.mjs';
import * as setting from '../lib/setting.mjs';
import { until } from '../lib/until.mjs';

const here = scene();

test('a tournament is opened, entered by a second account, settles before one’s eyes and is downloaded', async () => {
  const [ann, bob] = [await here.arrive(), await here.arrive()];
  await ann.claim('Ann');
  await bob.claim('Bob');
  const entering = await bob.open('/submit');
  await entering.locator('#submit [name=name]').fill('digger');
  await entering.locator('#submit [name=file]').setInputFiles(setting.botPath('gardener'));
  await entering.locator('#submit [type=submit]').click();
  await entering.locator('#verdict[data-state="accepted"]').waitFor();

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

  // The other account takes the last place; both pages follow.
  await entering.goto(page.url());
  await entering.locator('#enter [type=submit]').click();
  await page.locator('#progress[data-stage=finished]').waitFor();
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

test('a knockout has its bracket on its page, and a level match with its further pairs once', async () => {
  const api = await Api.claim(here.server.url, 'Twins');
  // A deterministic bot: one with data that it never reads plays the same.
  const mason = setting.botBytes('mason');
  const bytes = [mason, Buffer.concat([mason, Buffer.from([0x0b, 4, 1, 1, 1, 0])])];
  const names = ['first-twin', 'other-twin'];
  for (const [at, name] of names.entries()) {
    await api.upload(name, bytes[at], [200, 201, 202]);
    const state = async () => (await api.get(`bots/${name}/versions`)).body[0]?.state;
    await until(`the verdict on ${name}`, state, 'accepted');
  }
  const [first, other] = bytes.map((module, at) => `name = "${names[at]}"\nfile = "${createHash('sha256').update(module).digest('hex')}.wasm"`);
  // The first and the last of four meet in the first round; they play the same, so each of their pairs is level.
  const entrants = [first, 'name = "easy"\nbaseline = "easy"', 'name = "normal"\nbaseline = "normal"', other];
  const keys = 'name = "Knockout"\nformat = "knockout"\npairs = 1\nfurther-pairs = 2\n';
  const definition = keys + entrants.map((entrant) => `[[entrants]]\n${entrant}\n`).join('');
  const { id } = (await api.post('tournaments', { definition, entry: 'named' }, [201])).body;

  const person = await here.arrive();
  const page = await person.open(`/tournaments/${id}`);
  await page.locator('#progress[data-stage=finished]').waitFor();
  const picture = page.locator('#bracket');
  const width = await picture.evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth);
  assert.ok(width > 300, 'it is drawn');
  assert.deepEqual(await page.locator('#rounds summary').allInnerTexts(), ['Semi-finals', 'Final']);
  const matches = await page.locator('#rounds .meetings li').allInnerTexts();
  assert.equal(matches.length, 3, matches.join('; '));
  const level = matches.filter((match) => names.every((name) => match.includes(name)));
  assert.equal(level.length, 1, matches.join('; '));
  assert.match(level[0], /first-twin 3 – other-twin 3$/);
  const { body } = await api.get(`tournaments/${id}`);
  assert.deepEqual(body.meetings.map((/** @type {any} */ { round, title }) => [round, title]), [[1, 'semi-finals'], [1, 'semi-finals'], [2, 'final']]);
  await page.close();
});

test('the form to start one follows the game and the format, and keeps what somebody wrote', async () => {
  const person = await here.arrive();
  await person.claim('Host');
  const page = await person.open('/tournaments/new');
  const field = (/** @type {string} */ name) => page.locator(`#new-tournament [name=${name}]`);
  assert.deepEqual([await field('format').inputValue(), await field('reserved').inputValue()], ['round-robin', 'easy']);
  await field('name').fill('Meadow');
  await field('places').fill('6');
  await field('game').selectOption('game-of-game-of-life');
  await until('its format is there', () => field('format').inputValue(), 'field');
  assert.match(await field('options').inputValue(), /^seats=5/);
  assert.notEqual(await field('reserved').inputValue(), 'easy');
  assert.deepEqual([await field('name').inputValue(), await field('places').inputValue()], ['Meadow', '6']);
  await field('format').selectOption('swiss');
  await until('its options are there', () => field('options').inputValue(), /^seats=2/);
  await page.locator('#new-tournament [type=submit]').click();
  await page.locator('#progress[data-stage=entry]').waitFor();
  assert.match((await page.locator('#definition').textContent()) ?? '', /format = "swiss"/);
  await page.close();
});
