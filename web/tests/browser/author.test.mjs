// What an author does on the site, each by mouse, by keyboard and by touch: signs in, reads the standings and
// recomputes them, plays a lost game with another version, challenges a bot, and manages the own ones.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { variant } from '../lib/guests.mjs';
import { HANDS } from '../lib/hands.mjs';
import { judged, saidOn } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';
import * as setting from '../lib/setting.mjs';
import { until } from '../lib/until.mjs';

const here = scene({ standing: ['conquerors'] });

/** The author's player code. */
let code = '';

/** Signs in with the author's code. @param {import('../lib/hands.mjs').Hand} hand */
async function signedIn({ options, use }) {
  const person = await here.arrive(options);
  const page = await person.open('/account');
  await page.locator('#signin [name=code]').fill(code);
  await use(page.locator('#signin button'));
  await page.locator('main h1', { hasText: 'Ann' }).waitFor();
  return { person, page };
}

test('an author has a bot of two versions in the standings', async () => {
  const api = await Api.claim(here.server.url, 'Ann');
  code = String(api.token);
  await judged(api, 'tryer', setting.botBytes('gardener'));
  await judged(api, 'tryer', variant(setting.botBytes('scatter'), 1));
  const person = await here.arrive();
  const page = await person.open();
  // Nothing is played any more, so the page stays.
  await saidOn(page, '/standings', (text) => text.includes('<tr data-bot="tryer">') && text.includes('data-moving="false"'));
  await saidOn(page, '/bots/tryer?version=2&result=lost', (text) => text.includes('<tr data-result="lost">'));
  await person.leave();
});

for (const hand of HANDS) {
  const { name, options, use } = hand;
  test(`standings are filtered and recomputed, by ${name}`, async () => {
    const bob = await here.arrive(options);
    const page = await bob.open('/standings');
    const rows = page.locator('#standings tbody tr');
    const all = await rows.count();
    const only = async (/** @type {string} */ label) => {
      await page.locator('#only select').selectOption({ label });
      await use(page.locator('#only button'));
      await page.waitForURL(/[?&]only=[^&]/);
      return rows.evaluateAll((found) => found.map((row) => /** @type {HTMLElement} */ (row).dataset.bot));
    };
    assert.deepEqual(await only('of Ann'), ['tryer']);
    await page.goto('/standings');
    const builtIn = await only('built in');
    assert.deepEqual([builtIn.length, builtIn.includes('tryer')], [all - 1, false]);

    await use(page.locator('#recompute-all'));
    const result = page.locator('#recomputed');
    await until('some games were played again', () => result.innerText(), (said) => Number(/^(\d+) of/.exec(said)?.[1]) >= 3);
    await use(page.locator('#recompute-all'));
    await page.locator('#recomputed[data-kind="incomplete"]').waitFor();
    assert.match(await result.innerText(), /are identical, with fuel, forfeits and digests/);
    await bob.leave();
  });

  test(`a lost game is played with another version, by ${name}`, async () => {
    const { person, page } = await signedIn(hand);
    await page.goto('/bots/tryer?version=2&result=lost');
    await use(page.locator('#played tr[data-result="lost"] a[href$="/again"]').first());
    await page.waitForURL(/\/again$/);
    await page.locator('#with select').selectOption('1');
    await use(page.locator('#with button'));
    await page.waitForURL(/version=1$/);
    assert.match(await page.locator('#again').innerText(), /The same (until turn \d+|game)/);
    await use(page.locator('#again a').first());
    await page.locator('#verified[data-verified="true"]').waitFor();
    await person.leave();
  });

  test(`a bot is challenged, by ${name}`, async () => {
    const { person, page } = await signedIn(hand);
    await page.goto('/bots/hard');
    await page.locator('#challenge [name=games]').fill('2');
    await use(page.locator('#challenge button'));
    await page.waitForURL(/\/tournaments\/cup-\d+$/);
    await page.locator('#progress[data-stage=finished]').waitFor();
    const names = await page.locator('#standings tbody tr').evaluateAll((rows) => rows.map((row) => /** @type {HTMLElement} */ (row).dataset.bot));
    assert.deepEqual(names.toSorted(), ['hard', 'tryer']);
    await person.leave();
  });
}

test('a game of an edition whose fuel is another is a difference, and so are other standings', async () => {
  const bob = await here.arrive();
  const page = await bob.open('/standings');
  /**
   * Serves the folder with one of its files changed.
   * @param {string} ending @param {(text: string) => string} change
   */
  const changed = (ending, change) =>
    page.route('**/api/v1/tournaments/*/folder', async (route) => {
      const tar = Buffer.from(await (await route.fetch()).body());
      for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
        const [name, size] = [tar.toString('utf8', at, at + 100).replace(/\0.*$/s, ''), parseInt(tar.toString('utf8', at + 124, at + 136), 8)];
        if (name.endsWith(ending)) tar.write(change(tar.toString('utf8', at + 512, at + 512 + size)), at + 512);
        at += 512 + Math.ceil(size / 512) * 512;
      }
      await route.fulfill({ body: tar, contentType: 'application/x-tar' });
    });
  await changed('/journal', (text) => {
    const [line, before, last] = /** @type {RegExpExecArray} */ (/^.*?"fuel":(\d*)(\d)[,}].*$/m.exec(text));
    const other = line.slice(17).replace(`"fuel":${before}${last}`, `"fuel":${before}${last === '9' ? 8 : Number(last) + 1}`);
    const sum = createHash('sha256').update(`${other}\n`).digest('hex').slice(0, 16);
    return text.replace(line, `${sum} ${other}`);
  });
  await page.locator('#recompute-all').click();
  await page.locator('#recomputed[data-kind="differs"]').waitFor();
  assert.match(await page.locator('#recomputed').innerText(), /^✗ Game \d+ is different\. .*the fuel is/);
  await page.unrouteAll();
  await changed('/results/standings.txt', (text) => text.replace(/[a-z]/, 'A'));
  await page.locator('#recompute-all').click();
  await page.locator('#recomputed[data-kind="differs"]', { hasText: 'contradicts itself' }).waitFor();
  await bob.leave();
});

test('recomputing continues after a reload', async () => {
  const bob = await here.arrive();
  const page = await bob.open('/standings');
  const said = () => page.locator('#recomputed').innerText();
  await page.locator('#recompute-all').click();
  await until('some games were played again', said, (text) => Number(/^(\d+) of/.exec(text)?.[1]) >= 3);
  await page.reload();
  await page.locator('#recompute-all', { hasText: 'Continue' }).click();
  await page.locator('#recomputed[data-kind="done"]', { hasText: 'byte for byte' }).waitFor();
  assert.match(await said(), /^✓ All \d+ games were played again/);
  await bob.leave();
});

// Last, because the field changes.
for (const hand of HANDS) {
  const { name, use } = hand;
  test(`a bot is withdrawn, renamed and deleted, by ${name}`, async () => {
    const [own, renamed] = [`spade-${name}`, `thumb-${name}`];
    await judged(new Api(here.server.url, code), own, variant(setting.botBytes('mason'), name.length));
    const { person, page } = await signedIn(hand);
    await page.goto(`/bots/${own}`);
    const manage = async (/** @type {string} */ form, /** @type {(form: import('playwright-core').Locator) => Promise<unknown>} */ fill) => {
      await use(page.locator('#manage summary'));
      await fill(page.locator(form));
      await use(page.locator(`${form} button`));
    };
    await manage('#choose', (form) => form.locator('select').selectOption({ label: 'none: withdrawn' }));
    await page.locator('.lead', { hasText: 'withdrawn' }).waitFor();
    await manage('#rename', (form) => form.locator('input').fill(renamed));
    await page.locator('h1', { hasText: renamed }).waitFor();
    await manage('#delete', (form) => form.locator('input').fill(renamed));
    await page.waitForURL('**/account');
    assert.equal(await page.getByText(renamed).count(), 0);
    await person.leave();
  });
}
