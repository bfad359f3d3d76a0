// How soon pages are there on a slow line: 1.6 Mbit/s down, 150 ms, a processor four times slower. Prints least, median
// and most.

import { Person, startBrowser } from './lib/browser.mjs';
import { Server } from './lib/server.mjs';
import { lifeLimit, until } from './lib/until.mjs';

const VISITS = 7;
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWER = 4;

lifeLimit(600);
const server = await Server.start();
const browser = await startBrowser();

/**
 * Visits a page anew each time, as somebody with nothing kept.
 * @param {string} what
 * @param {string} path
 * @param {any} storageState cookies
 * @param {(page: import('playwright-core').Page) => Promise<number>} there when it is, in ms since the visit began
 */
async function measure(what, path, storageState, there) {
  const found = [];
  for (let visit = 0; visit < VISITS; visit++) {
    const person = await Person.arrive(browser, server.url, { storageState, reducedMotion: 'no-preference' });
    const page = await person.open();
    const wire = await person.context.newCDPSession(page);
    await wire.send('Network.enable');
    await wire.send('Network.emulateNetworkConditions', LINE);
    await wire.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.goto(path);
    found.push(await there(page));
    await person.leave();
  }
  found.sort((a, b) => a - b);
  const [least, middle, most] = [found[0], found[found.length >> 1], found[found.length - 1]].map((ms) => `${(ms / 1000).toFixed(2)} s`);
  console.log(`${what.padEnd(34)} ${least}  ${middle}  ${most}`);
}

/**
 * When something is seen. A page may be loaded before it is painted.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<number>}
 */
const painted = async (page) => {
  const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  return Number(await paint.jsonValue());
};
/**
 * When a selector matches.
 * @param {string} selector
 * @returns {(page: import('playwright-core').Page) => Promise<number>}
 */
const matched = (selector) => async (page) => {
  await page.waitForFunction((selector) => document.querySelector(selector) !== null, selector);
  return page.evaluate(() => performance.now());
};

/**
 * When the workshop's text can be changed: the editor is in a tree of its own.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<number>}
 */
const written = async (page) => {
  await page.locator('.editor .cm-content').waitFor();
  return page.evaluate(() => performance.now());
};

try {
  const ann = await Person.arrive(browser, server.url);
  const page = await ann.open('/play');
  await until('the first edition has been played', async () => (await page.request.get('/games/standing-1.0')).status(), 200, { everyMs: 500 });
  await page.locator('#play button').first().click();
  await page.locator('main#room[data-phase="yours"]').waitFor();
  const room = new URL(page.url()).pathname;
  // Cookies alone: a browser with nothing kept does not remember that it has the typeface.
  const { cookies } = await ann.context.storageState();
  const mine = { cookies, origins: [] };
  console.log(`${VISITS} visits: least, median, most`);
  await measure('front page: first paint', '/', mine, painted);
  await measure('front page: its game moves', '/', mine, matched('#board[data-turn]'));
  await measure('room: a turn can be made', room, mine, matched('main#room[data-phase="yours"]'));
  await measure('replay: its board is there', '/games/standing-1.0', mine, matched('#verified[data-verified="true"]'));
  await measure('workshop: first paint', '/workshop', mine, painted);
  await measure('workshop: its text can be changed', '/workshop', mine, written);
  await ann.leave();
} finally {
  await browser.close();
  await server.close();
}
process.exit(0);
