// A tournament's report: one file that works offline, without a server or any request.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DESKTOP, PHONE, Person, noOverflow, startBrowser } from '../lib/browser.mjs';
import { faults, resize } from '../lib/layout.mjs';
import * as setting from '../lib/setting.mjs';
import { until } from '../lib/until.mjs';

/** The maximum size of a report with 1,000 games of Conquerors, in bytes. */
const BYTES_MAX = 3_000_000;

/** Of longer games, in turns, only the last turns are watched. */
const LONG = 300;

const folder = mkdtempSync(join(tmpdir(), 'arena-report-'));
/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/**
 * Plays a tournament of the built-in opponents, and exports its report.
 * @param {string} name
 * @param {string} format keys of its definition
 * @param {string[]} [opponents]
 * @param {string[]} [shown] their names for people
 * @returns {string} the report's file
 */
function report(name, format, opponents = ['easy', 'normal', 'hard', 'easy'], shown = []) {
  const [definition, out, file] = [`${name}.toml`, name, `${name}.html`].map((end) => join(folder, end));
  const display = (/** @type {number} */ number) => (shown[number] ? `display = "${shown[number]}"\n` : '');
  const entrants = opponents.map((bot, number) => `[[entrants]]\nname = "${bot}-${number}"\nbaseline = "${bot}"\n${display(number)}`);
  writeFileSync(definition, `name = "The <i>${name}</i>"\nseed = 7\n${format}\n${entrants.join('')}`);
  execFileSync(setting.arena(), ['tournament', 'run', definition, '--out', out], { stdio: 'ignore' });
  execFileSync(setting.arena(), ['tournament', 'export', out, file], { stdio: 'ignore' });
  return file;
}

/**
 * Opens a report as its recipient would, without a network.
 * @param {string} file
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
async function read(file, options = {}) {
  const person = await Person.arrive(browser, 'file:///', { offline: true, ...options });
  /** @type {string[]} */
  const asked = [];
  person.context.on('request', (request) => asked.push(request.url()));
  const page = await person.open(pathToFileURL(file).href);
  const outside = () => asked.filter((url) => !url.startsWith('data:') && url !== pathToFileURL(file).href);
  return { person, page, outside };
}

/** Plays a game to its end. @param {import('playwright-core').Page} page @param {number} game */
async function watch(page, game) {
  await page.locator(`button[data-title^="Game ${game}: "]`).click();
  await page.locator('#player').waitFor({ state: 'visible' });
  await until(`game ${game} is open`, () => page.locator('#title').innerText(), (title) => title.startsWith(`Game ${game}: `));
  assert.equal(await page.locator('#verified').innerText(), 'The rules agree with every turn.');
  const turns = Number(await page.locator('#scrubber').getAttribute('max'));
  assert.ok(turns > 0);
  await page.locator('#next').click();
  assert.match(await page.locator('#turn').innerText(), new RegExp(`^turn 1 of ${turns}, `));
  if (turns > LONG) {
    await page.locator('#scrubber').press('End');
    await page.locator('#prev').click();
  }
  await page.locator('#speed').selectOption('60');
  await page.locator('#play').click();
  await until('it is played', () => page.locator('#turn').innerText(), (turn) => turn.startsWith(`turn ${turns} of ${turns}, `));
}

test('a thousand games are one small file, played in it without a network', async () => {
  const file = report('league', 'pairs = 84');
  assert.ok(statSync(file).size <= BYTES_MAX, `${statSync(file).size} bytes`);
  const { person, page, outside } = await read(file);
  assert.equal(await page.title(), 'The <i>league</i>');
  assert.match(await page.locator('h1 + p').innerText(), /^\d{4}-\d\d-\d\d; round-robin, 4 entrants, 1008 games$/);
  assert.equal(await page.locator('svg.interval').count(), 4);
  assert.equal(await page.locator('td.heat').count(), 12);
  assert.equal(await page.locator('button[data-record]').count(), 1008);
  assert.ok((await page.locator('script[id^=records-]').count()) > 1, 'a game is in one of several parts');
  assert.equal(await page.locator('section[aria-labelledby=verify] code').innerText(), 'arena verify league');
  await watch(page, 0);
  await watch(page, 1007);
  assert.deepEqual(outside(), []);
  await person.leave();
});

test('a knockout has its bracket, on a phone, too', async () => {
  const file = report('cup', 'format = "double-knockout"\npairs = 2');
  for (const viewport of [DESKTOP, PHONE]) {
    const { person, page, outside } = await read(file, { viewport });
    const picture = page.locator('img.picture');
    assert.equal(await picture.count(), 1);
    const width = await picture.evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth);
    assert.ok(width > 500, 'it is drawn');
    assert.match((await page.locator('pre').allInnerTexts()).join('\n'), /semi-finals[^]*final/);
    await noOverflow(page);
    await watch(page, 3);
    for (const width of viewport === PHONE ? [PHONE.width] : WIDTHS) {
      await resize(page, { width, height: 900 });
      await noOverflow(page);
      assert.deepEqual(await cutOff(page, CONTROLS), [], `at ${width} px`);
    }
    assert.deepEqual(outside(), []);
    await person.leave();
  }
});

/** Screens of desks, in CSS pixels. */
const WIDTHS = [1000, 1200, 1366, 1600, 1920];

/** What a reader presses. */
const CONTROLS = 'button, input, select';

/**
 * What is cut off by the window or by what scrolls around it.
 * @param {import('playwright-core').Page} page
 * @param {string} parts a selector
 */
function cutOff(page, parts) {
  return page.locator(parts).evaluateAll((found) =>
    found.filter((part) => part.checkVisibility()).flatMap((part) => {
      const [{ left, right }, around] = [part.getBoundingClientRect(), part.closest('.scroll')?.getBoundingClientRect()];
      const [first, last] = [around?.left ?? 0, around?.right ?? innerWidth];
      const named = () => part.getAttribute('aria-label') || part.id || part.textContent?.slice(0, 40);
      return left < first - 1 || right > last + 1 ? [`${named()}: ${left} to ${right} of ${first} to ${last}`] : [];
    }));
}

/** A phone's and tablets' widths, and those of desks, at which nothing of a table may be cut. In CSS pixels. */
const [SMALL, DESKS] = [[PHONE.width, 1024], [1366, 1920, 2560]];

/** A report of each format: what its definition says, and who plays. @type {[string, string, string[]?][]} */
const FORMATS = [
  ['all', 'pairs = 2'],
  ['gauntlet', 'format = "gauntlet"\npairs = 1'],
  ['swiss', 'format = "swiss"\npairs = 1\nrounds = 2'],
  ['byes', 'ruleset = "war-of-life@1"\nformat = "swiss"\npairs = 1\nrounds = 3', ['random', 'bloodlust', 'self-preservation', 'land-grab', 'minimax']],
  ['knockout', 'format = "knockout"\npairs = 1'],
  ['double', 'format = "double-knockout"\npairs = 1'],
  ['ladder', 'format = "ladder"'],
  ['field', 'ruleset = "game-of-game-of-life@1"\noptions = "seats=3"\nformat = "field"\ngames = 3\npairs = 0', ['random', 'greedy', 'safety', 'nothing']],
];

test('a name, its id and what ranks are seen together on every screen, and whole tables on a desk', async () => {
  const long = ['The strategists of the far north', 'فريق الأندلسي بنت عبد الرحمن', 'normal', 'x'.repeat(32)];
  for (const [name, keys, opponents] of FORMATS) {
    const file = report(name, keys, opponents, long);
    const { person, page } = await read(file, { viewport: PHONE });
    for (const width of [...SMALL, ...DESKS]) {
      await resize(page, { width, height: 900 });
      assert.deepEqual(await outOfReach(page), [], `${file} at ${width} px`);
      assert.deepEqual(await faults(page), [], `${file} at ${width} px`);
      // On a smaller screen a table may be wider than its box, in which it is scrolled.
      await noOverflow(page);
      const seen = DESKS.includes(width) ? `${CONTROLS}, th, td` : CONTROLS;
      assert.deepEqual(await cutOff(page, seen), [], `${file} at ${width} px`);
    }
    await person.leave();
  }
});

/** Names, ids and ratings that a reader would have to scroll to. @param {import('playwright-core').Page} page */
function outOfReach(page) {
  return page.locator('section[aria-labelledby=standings] table').first().evaluate((table) => {
    const parts = [...table.querySelectorAll('tbody th bdi, tbody th code, tbody td.strength')];
    const rows = table.querySelectorAll('tbody tr').length;
    if (parts.length !== 3 * rows) return [`${parts.length} parts in ${rows} rows`];
    return parts.filter((part) => part.getBoundingClientRect().left < 0 || part.getBoundingClientRect().right > innerWidth).map((part) => part.textContent);
  });
}

test('other games play in their report, too', async () => {
  const of = [
    { name: 'marches', keys: 'ruleset = "war-of-life@1"\npairs = 1', opponents: ['random', 'land-grab', 'bloodlust'], games: 6 },
    {
      name: 'meadow',
      keys: 'ruleset = "game-of-game-of-life@1"\noptions = "seats=3"\nformat = "field"\ngames = 3\npairs = 0',
      opponents: ['random', 'greedy', 'safety'],
      games: 3,
    },
  ];
  for (const { name, keys, opponents, games } of of) {
    const { person, page, outside } = await read(report(name, keys, opponents));
    assert.equal(await page.locator('button[data-record]').count(), games);
    // Only a round robin has a crosstable.
    assert.equal((await page.locator('td.heat').count()) > 0, name === 'marches');
    await watch(page, games - 1);
    assert.deepEqual(outside(), []);
    await person.leave();
  }
});
