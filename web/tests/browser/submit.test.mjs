// A bot's path: a name is claimed, and the bot is submitted, checked and ranked; its games are viewed.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { broken } from '../lib/guests.mjs';
import { HANDS } from '../lib/hands.mjs';
import { startEngine } from '../lib/moves.mjs';
import { saidOn } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';
import * as setting from '../lib/setting.mjs';
import { Workshop } from '../lib/workshop_page.mjs';

const here = scene({ standing: ['conquerors'] });
const BOT = 'greenfinger';
/** The start of its line in the standings. */
const ROW = `<tr data-bot="${BOT}">`;

/** @type {import('../lib/browser.mjs').Person} */
let ann;
let code = '';

test('a name is claimed, and its code signs in again', async () => {
  ann = await here.arrive();
  code = await ann.claim('Ann');
  const page = await ann.open('/account');
  assert.match(await page.locator('header #account').innerText(), /Ann/);
  await page.locator('#signout button, #signout [type=submit]').first().click();
  await page.goto('/account');
  assert.match(await page.locator('header #account').innerText(), /Sign in/);
  await page.locator('#signin [name=code]').fill(code);
  await page.locator('#signin button, #signin [type=submit]').first().click();
  await page.locator('header #account', { hasText: 'Ann' }).waitFor();
  await page.close();
});

test('a bot is submitted and its verdict read', async () => {
  const page = await submit(setting.botPath('gardener'));
  assert.match(page.url(), new RegExp(`/bots/${BOT}/versions/1$`));
  assert.equal(await verdict(page), 'accepted');
  await page.close();
});

test('a file that is no bot is refused with a code and a hint, and the earlier version stays active', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'arena-broken-'));
  try {
    writeFileSync(join(folder, 'broken.wasm'), broken());
    const page = await submit(join(folder, 'broken.wasm'));
    assert.match(page.url(), new RegExp(`/bots/${BOT}/versions/2$`));
    assert.equal(await verdict(page), 'refused');
    assert.match(await page.locator('#verdict .code').innerText(), /^[a-z_]+$/);
    assert.match(await page.locator('#verdict .message').innerText(), /\w+ \w+/);
    assert.match(await page.locator('#verdict .hint').innerText(), /\w+ \w+/);
    await page.goto(`/bots/${BOT}`);
    const rows = await page.locator('#versions tbody tr').allInnerTexts();
    const [first, second] = [1, 2].map((number) => rows.find((row) => new RegExp(`^\\D*${number}\\b`).test(row)));
    assert.match(String(first), /accepted.* plays/);
    assert.match(String(second), /refused/);
    assert.doesNotMatch(String(second), /plays/);
    const { body } = await new Api(here.server.url).get(`bots/${BOT}`);
    assert.equal(body.active, 1);
    await page.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a bot is written in the workshop: an error says where it is and keeps the text, and the template is accepted', async () => {
  const page = await ann.open();
  const shop = await Workshop.open(page, '?game=war-of-life&language=wat');
  const template = await shop.text();
  assert.match(template, /^\(func \$turn$/m);
  const name = page.locator('#write [name=name]');
  await name.fill('handmade');
  // A leading empty line is preserved.
  const wrong = `\n${template}\n(func $more (call $nothing))`;
  await shop.write(wrong);
  await ann.forgiving(/Failed to load resource: .* 422/, async () => {
    await page.locator('#write [type=submit]').click();
    const said = await page.locator('#write .problem').innerText();
    assert.match(said, new RegExp(`^Line ${wrong.split('\n').length}, column 19: .*\\$nothing`));
  });
  await shop.content.waitFor();
  assert.deepEqual([await shop.text(), await name.inputValue()], [wrong, 'handmade']);
  assert.equal(await page.locator('#games [aria-current]').innerText(), 'War of Life');
  assert.ok(await page.evaluate(() => document.activeElement?.matches('.editor')), 'the text has the focus');
  await shop.write(template);
  await page.locator('#write [type=submit]').click();
  await page.waitForURL(/\/bots\/handmade\/versions\/1$/);
  assert.equal(await verdict(page), 'accepted');
  await page.close();
});

test('the standings show the bot', async () => {
  const page = await ann.open();
  await saidOn(page, '/standings', (text) => text.includes(ROW));
  await page.goto('/standings');
  for (const bot of [BOT, 'easy', 'normal', 'hard']) {
    assert.equal(await page.locator(`#standings tr[data-bot="${bot}"]`).count(), 1, bot);
  }
  assert.match(await page.locator('#crosstable').innerText(), new RegExp(BOT));
  await page.close();
});

test('the author finds lost games first, and the log of one with two clicks', async () => {
  const page = await ann.open(`/bots/${BOT}`);
  const results = () => page.locator('#played .result-word').allInnerTexts();
  const order = ['lost', 'drew', 'won'];
  const ranks = (await results()).map((result) => order.indexOf(result));
  assert.ok(ranks.length > 0 && !ranks.includes(-1));
  assert.deepEqual(ranks, ranks.toSorted((one, other) => one - other), 'lost ones first');
  const opponents = await page.locator('#opponents tbody th').allInnerTexts();
  assert.ok(opponents.includes('hard'), 'results by opponent');
  await page.locator('#opponents tr', { hasText: 'hard' }).locator('a', { hasText: 'all' }).click();
  await page.waitForURL(/opponent=hard/);
  assert.deepEqual([...new Set(await page.locator('#played td:nth-child(3)').allInnerTexts())], ['hard']);
  await page.locator('#which [name=seat]').selectOption({ label: 'Red' });
  await page.locator('#which button').click();
  await page.waitForURL(/seat=1/);
  assert.deepEqual([...new Set(await page.locator('#played td:nth-child(4)').allInnerTexts())], ['red']);
  const { body } = await new Api(here.server.url).get(`bots/${BOT}/games?opponent=hard&seat=1`);
  assert.deepEqual(await page.locator('#played td:first-child').allInnerTexts(), body.map((/** @type {any} */ { id }) => id), 'as the API has it');
  await page.locator('#played a', { hasText: 'log' }).first().click();
  await page.locator('h1', { hasText: 'Log of' }).waitFor();
  await page.goto('/standings');
  await page.locator(`#crosstable tr`, { hasText: BOT }).locator('td a').first().click();
  assert.match(page.url(), new RegExp(`/bots/${BOT}\\?.*opponent=`));
  assert.ok((await results()).length > 0, 'a cell of the crosstable opens its games');
  await page.close();
});

for (const { name, options, use } of HANDS) {
  test(`an author reads why a game was lost two clicks from its bot, by ${name}`, async () => {
    const again = await here.arrive({ ...options, storageState: await ann.context.storageState() });
    const page = await again.open(`/bots/${BOT}?opponent=hard`);
    await use(page.locator('#played a[href^="/games/"]').first());
    await page.locator('main#game').waitFor();
    for (const [link, path] of [['#profile', 'profile'], ['#again', 'again']]) {
      assert.match(String(await page.locator(`#own ${link}`).getAttribute('href')), new RegExp(`/${path}$`));
    }
    await use(page.locator('#own #log'));
    await page.locator('h1', { hasText: 'Log of' }).waitFor();
    await again.leave();
  });
}

test('nobody else is offered the log', async () => {
  const eve = await here.arrive();
  const page = await eve.open(`/bots/${BOT}?opponent=hard`);
  await page.locator('#played a[href^="/games/"]').first().click();
  await page.locator('main#game').waitFor();
  assert.equal(await page.locator('#own').count(), 0);
  await eve.leave();
});

test('a game is opened from the bot and looked at turn by turn', async () => {
  const page = await ann.open(`/bots/${BOT}`);
  await page.locator('#games a[href^="/games/"]').first().click();
  await page.locator('#verified[data-verified="true"]').waitFor();
  const address = new URL(page.url()).pathname;
  const record = await new Api(here.server.url).text(`games/${await page.locator('main#game').getAttribute('data-game')}/record`);
  here.server.replay(record);
  const { film } = startEngine().replay(record);
  assert.ok(film);
  const { tallies } = film;
  const turns = tallies.length - 1;

  const shows = async (/** @type {number} */ turn) => {
    await page.locator('#turn', { hasText: new RegExp(`^\\s*Turn ${turn} of ${turns}\\s*$`) }).waitFor();
    const scores = [0, 1].map((seat) => number(page, `#scoreboard [data-seat="${seat}"] [data-part="score"]`));
    assert.deepEqual(await Promise.all(scores), tallies[turn], `turn ${turn}`);
    assert.notEqual((await page.locator('#description').textContent())?.trim(), '');
  };
  const scrub = (/** @type {number} */ turn) => page.locator('#scrubber').fill(String(turn));
  const picture = () => page.locator('#board').evaluate((board) => /** @type {HTMLCanvasElement} */ (board).toDataURL());

  await page.locator('#words summary').click();
  await scrub(0);
  await shows(0);
  const empty = await picture();
  for (const turn of [1, Math.floor(turns / 2), turns]) {
    await scrub(turn);
    await shows(turn);
    assert.notEqual(await picture(), empty, `the board of turn ${turn} is not the empty one`);
  }
  for (const [button, turn] of /** @type {[string, number][]} */ ([['#first', 0], ['#next', 1], ['#next', 2], ['#prev', 1], ['#last', turns]])) {
    await page.locator(button).click();
    await shows(turn);
  }
  await page.locator('#board').focus();
  for (const [key, turn] of /** @type {[string, number][]} */ ([['Home', 0], ['ArrowRight', 1], ['ArrowRight', 2], ['ArrowLeft', 1], ['End', turns]])) {
    await page.keyboard.press(key);
    await shows(turn);
  }
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await page.locator('#turn', { hasText: /Turn [1-9]/ }).waitFor();

  await scrub(2);
  await page.locator('#debug summary').click();
  assert.match(await page.locator('#debug pre').innerText(), /arena debug BOT\.wasm \S+\.json --turn 2$/);
  await page.locator('#share').click();
  const link = await page.locator('#share-link').inputValue();
  assert.equal(link, `${here.server.url}${address}#turn=2`);
  const stranger = await here.arrive();
  const other = await stranger.open(link);
  await other.locator('#turn', { hasText: `Turn 2 of ${turns}` }).waitFor();
  await stranger.leave();
  await page.close();
});

test('a game is recomputed in the page, with the bots’ own bytes', async () => {
  const page = await ann.open(`/bots/${BOT}`);
  await page.locator('#games a[href^="/games/"]').first().click();
  await page.locator('#recompute').click();
  const recomputed = page.locator('#recomputed:not([data-kind="running"])[data-kind]');
  await recomputed.waitFor();
  assert.equal(await recomputed.getAttribute('data-kind'), 'identical', (await recomputed.textContent()) ?? '');
  const left = await page.locator('#recomputed-left').innerText();
  assert.match(left, /bytes of memory at the end/);

  // With a difference, too, what was computed is shown.
  await page.route('**/api/v1/games/*/record', async (route) => {
    const record = await (await route.fetch()).text();
    await route.fulfill({ body: record.replace(/"fuel":(\d*)(\d)/, (_, before, last) => `"fuel":${before}${(Number(last) + 1) % 10}`) });
  });
  await page.locator('#recompute').click();
  await page.locator('#recomputed[data-kind="differs"]', { hasText: 'the fuel is' }).waitFor();
  assert.match(await page.locator('#recomputed-left').innerText(), /bytes of memory at the end/);
  await page.unrouteAll();

  // Wrong bytes for a hash are noticed before they run.
  await page.route('**/api/v1/modules/*', (route) => route.fulfill({ body: 'nothing', contentType: 'application/wasm' }));
  await page.locator('#recompute').click();
  await page.locator('#recomputed[data-kind="failed"]', { hasText: 'do not have the hash' }).waitFor();
});

test('the owner withdraws the bot, renames it, and deletes it; its games stay', async () => {
  const page = await ann.open(`/bots/${BOT}`);
  const game = String(await page.locator('#games a[href^="/games/"]').first().getAttribute('href'));
  const manage = async (/** @type {string} */ form, /** @type {(form: import('playwright-core').Locator) => Promise<unknown>} */ fill) => {
    await page.locator('#manage summary').click();
    await fill(page.locator(form));
    await page.locator(`${form} button`).click();
  };
  await manage('#choose', (form) => form.locator('select').selectOption({ label: 'none: withdrawn' }));
  await page.locator('.lead', { hasText: 'withdrawn' }).waitFor();
  await saidOn(page, '/standings', (text) => !text.includes(ROW));
  await page.goto(`/bots/${BOT}`);
  await manage('#choose', (form) => form.locator('select').selectOption('1'));
  await page.locator('#versions .tag', { hasText: 'plays' }).waitFor();
  await manage('#rename', (form) => form.locator('input').fill('thumb'));
  await page.locator('h1', { hasText: 'thumb' }).waitFor();
  await manage('#delete', (form) => form.locator('input').fill('thumb'));
  await page.waitForURL('**/account');
  assert.equal(await page.getByText('thumb').count(), 0);
  await page.goto(game);
  await page.locator('#verified[data-verified="true"]').waitFor();
  await page.close();
});

test('no page complained', () => ann.leave());

/** @param {string} path of the file */
async function submit(path) {
  const page = await ann.open('/submit');
  await page.locator('#submit [name=name]').fill(BOT);
  await page.locator('#submit [name=file]').setInputFiles(path);
  await page.locator('#submit [type=submit], #submit button').first().click();
  await page.waitForURL(/\/versions\/\d+$/);
  return page;
}

/** @param {import('playwright-core').Page} page @returns {Promise<string | null>} once it is there */
async function verdict(page) {
  const verdict = page.locator('#verdict:not([data-state="pending"])');
  await verdict.waitFor();
  return verdict.getAttribute('data-state');
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} where
 * @returns {Promise<number>} the first in its text
 */
async function number(page, where) {
  return Number(/\d+/.exec(await page.locator(where).innerText())?.[0]);
}
