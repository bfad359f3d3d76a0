// From nothing to the standings, as somebody who has never been here: with few clicks and little to load, on a phone,
// and at night also on a laptop and by keyboard alone, typed at a person's pace. Prints how long it took; gates what
// does not hang on the machine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE } from '../lib/browser.mjs';
import { tabTo } from '../lib/hands.mjs';
import { EDITION_LIMIT_MS, saidOn } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';
import { NIGHT } from '../lib/setting.mjs';
import { until } from '../lib/until.mjs';
import { Workshop } from '../lib/workshop_page.mjs';

const here = scene({ standing: ['conquerors'] });

/** Between two letters, in milliseconds: some forty words a minute. */
const LETTER_MS = NIGHT ? 150 : 0;
const CLICKS_MAX = 6;
/** Until the first game runs, with nothing kept: the page, its script, the editor, rules, opponents, interpreter. */
const REQUESTS_MAX = 12;
const KILOBYTES_MAX = 1_300;

/** The ways there. @type {{name: string, viewport: {width: number, height: number}, byKeys: boolean}[]} */
const WAYS = [
  { name: 'phone', viewport: PHONE, byKeys: false },
  { name: 'laptop', viewport: { width: 1366, height: 768 }, byKeys: false },
  { name: 'keys', viewport: PHONE, byKeys: true },
];

for (const { name, viewport, byKeys } of NIGHT ? WAYS : WAYS.slice(0, 1)) test(`a stranger changes a line, watches it play, and finds the bot in the standings within six clicks: ${name}`, async () => {
  const ann = await here.arrive({ viewport });
  const page = await ann.open();
  const shop = new Workshop(page);
  await saidOn(page, '/standings', (text) => text.includes('data-moving="false"'));
  let [clicks, requests, bytes] = [0, 0, 0];
  const click = (/** @type {string} */ where) => ((clicks += 1), page.locator(where).click());
  const enter = (/** @type {string} */ where) => (byKeys ? tabTo(page.locator(where)) : click(where));
  const use = async (/** @type {string} */ where) => {
    await enter(where);
    if (byKeys) await page.keyboard.press('Enter');
  };
  const type = (/** @type {string} */ text) => page.keyboard.type(text, { delay: LETTER_MS });
  const loaded = async (/** @type {import('playwright-core').Request} */ request) => {
    requests += 1;
    bytes += (await request.sizes()).responseBodySize;
  };
  page.on('requestfinished', loaded);
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1);

  await page.goto('/workshop');
  await use('#run');
  await page.locator('#turn', { hasText: /^turn [1-9]/ }).waitFor();
  page.off('requestfinished', loaded);
  console.log(`${name}: a game runs after ${seconds()} s, ${requests} requests and ${Math.ceil(bytes / 1024)} kB`);
  assert.ok(requests <= REQUESTS_MAX && bytes <= KILOBYTES_MAX * 1024, `${requests} requests, ${bytes} bytes`);

  await enter(byKeys ? '.editor' : '.editor .cm-line:first-child');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  // Without it the bot of one way would be a copy of another's, and not play.
  await type(`const ${name} = 1;`);
  await shop.run(/wins|draw/i);
  const changed = performance.now();
  // Escape, then Tab, leaves the editor.
  await page.keyboard.press('Escape');
  await use('#nameless a');
  await page.locator('#claim [name=name]:focus').waitFor();
  await type(`Newcomer ${name}`);
  await page.keyboard.press('Enter');
  await use('#to-the-workshop');
  await shop.content.waitFor();
  assert.match(await shop.text(), new RegExp(`^.*\\nconst ${name} = 1;`));
  if (byKeys) {
    // In the editor Tab indents.
    await tabTo(page.locator('.editor'));
    await page.keyboard.press('Escape');
  }
  await enter('#write [name=name]');
  await type(`bot-of-${name}`);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/bots/bot-of-${name}/versions/1`);
  await page.locator('#verdict[data-state="accepted"]').waitFor();
  console.log(`accepted ${((performance.now() - changed) / 1000).toFixed(1)} s after its first game`);
  await use('#placing a[href^="/standings"]');
  // The page says how far a newcomer is, if it is asked while the edition is played, and has its row in the end.
  const rows = page.locator(`#standings tr[data-bot="bot-of-${name}"]`);
  const seen = new Set();
  await until('a row in the standings', async () => {
    const said = await page.locator('#newcomers').allInnerTexts().catch(() => []);
    for (const text of said) seen.add(text.trim());
    return rows.count().catch(() => 0);
  }, 1, { limitMs: EDITION_LIMIT_MS, everyMs: 200 });
  console.log(`in the standings after ${seconds()} s and ${clicks} clicks; before: ${[...seen].join('; ')}`);
  assert.ok(clicks <= CLICKS_MAX, `${clicks} clicks`);
  assert.ok([...seen].every((text) => /^bot-of-\w+: new, \d+ games? so far$/.test(text)), [...seen].join('; '));
  await ann.leave();
});

test('all games of an edition that were lost to an opponent are run with another bot, and give a score', async () => {
  const bob = await here.arrive();
  const pairings = ['easy', 'normal', 'hard'].flatMap((one, place, all) => all.slice(place + 1).flatMap((other) => [[one, other], [other, one]]));
  const lostTo = async (/** @type {string[]} */ [bot, opponent]) => {
    const address = `/api/v1/bots/${bot}/games?game=conquerors&opponent=${opponent}&result=lost&edition=all`;
    return /** @type {{id: string}[]} */ (await (await fetch(here.server.url + address)).json());
  };
  // The fewest: each is played.
  const fewest = async () => (await Promise.all(pairings.map(lostTo))).filter(({ length }) => length > 1).sort((a, b) => a.length - b.length)[0];
  const games = await until('an edition', fewest, (games) => games !== undefined, { limitMs: EDITION_LIMIT_MS, everyMs: 500 });
  const page = await bob.open(`/workshop?from=${games[0].id}&turn=3`);
  const shop = new Workshop(page);
  await shop.content.waitFor();
  await shop.write('function turn(o) {\n  return skip();\n}');
  await page.click('#lost');
  const played = () => page.locator('#results li').count();
  await until('all of them are played', played, games.length, { limitMs: EDITION_LIMIT_MS, everyMs: 200 });
  const said = new RegExp(`^\\d*½? of ${games.length} points in the games that were lost`);
  await page.locator('#scored').filter({ hasText: said }).waitFor();
  await bob.leave();
});
