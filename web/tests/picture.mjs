// The README's pictures, in ARENA_OUT, which is web/screenshots: a game that moves, which is the same each time,
// because the first edition of a site's standing tournament has a seed that does not change, and three pages. And
// beside that folder, in `static`, the icons of the mark.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import gifenc from 'gifenc';
import { PNG } from 'pngjs';
import { Person, startBrowser } from './lib/browser.mjs';
import { furnish, settled } from './lib/pages.mjs';
import { Random } from './lib/random.mjs';
import { Server } from './lib/server.mjs';
import * as setting from './lib/setting.mjs';
import { lifeLimit, until } from './lib/until.mjs';

const { GIFEncoder, applyPalette, quantize } = gifenc;

/** Normal against hard: 24 turns, and a score that is close to the end. */
const GAME = '/games/standing-1.4';
/** Narrow enough that the board is under the score, high enough that nothing scrolls. */
const VIEWPORT = { width: 560, height: 1600 };
const MARGIN = 8;

/** How long each frame is shown, in milliseconds: a turn as it is played, the board after its generation, the end. */
const PLAYED_MS = 450;
const AFTER_MS = 650;
const END_MS = 4000;

/** One colour of the palette is kept for pixels that stay as they are. */
const COLOURS = 63;
const SAME = COLOURS;

/** What README's size allows. */
const BYTES_MAX = 1_500_000;

/** @typedef {{pixels: Uint8Array, delay: number}} Frame pixels are red, green, blue and opacity */

/** The frames of the game whose page is open. @param {import('playwright-core').Page} page */
async function frames(page) {
  const [score, board] = await Promise.all(['.scoreboard', '.board-area'].map((part) => page.locator(part).boundingBox()));
  if (!score || !board) throw new Error('the page of a game has a score and a board');
  const clip = { x: 0, y: score.y - MARGIN, width: VIEWPORT.width, height: board.y + board.height - score.y + 2 * MARGIN };
  const shot = async (/** @type {number} */ delay) => {
    const { data, width, height } = PNG.sync.read(await page.screenshot({ clip }));
    return { pixels: data, width, height, delay };
  };
  const turns = Number(await page.locator('#scrubber').getAttribute('max'));
  const taken = [await shot(AFTER_MS)];
  for (let turn = 1; turn <= turns; turn++) {
    await page.locator('#before').check();
    await page.locator('#next').click();
    taken.push(await shot(PLAYED_MS));
    await page.locator('#before').uncheck();
    taken.push(await shot(turn === turns ? END_MS : AFTER_MS));
  }
  return taken;
}

/**
 * Frames as the bytes of a GIF that plays for ever. A frame has only what differs from the one before it.
 * @param {(Frame & {width: number, height: number})[]} frames
 */
function encode(frames) {
  const sample = Buffer.concat([frames[0], frames[frames.length >> 1], frames[frames.length - 2]].map(({ pixels }) => pixels));
  const palette = [...quantize(sample, COLOURS), ...Array(COLOURS).fill([0, 0, 0])].slice(0, COLOURS);
  const withSame = [...palette, [0, 0, 0]];
  const gif = GIFEncoder();
  /** @type {Uint8Array | null} */
  let shown = null;
  for (const { pixels, width, height, delay } of frames) {
    const now = applyPalette(pixels, palette);
    const before = shown;
    const drawn = before ? now.map((colour, at) => (colour === before[at] ? SAME : colour)) : now;
    gif.writeFrame(drawn, width, height, { palette: shown ? undefined : withSame, delay, transparent: true, transparentIndex: SAME, dispose: 1 });
    shown = now;
  }
  gif.finish();
  return gif.bytes();
}

/**
 * The README's other pictures by their files: which page, and what to wait for. All are of one size, since they stand
 * in a row.
 */
const SHOTS = { 'room.png': 'room', 'standings.png': 'standings', 'replay.png': 'replay-field' };
const SHOT = { width: 1280, height: 960 };

/** What a site that is installed stands for: the mark at these sizes, in pixels; masks cut the last one's edges off. */
const ICONS = { 'icon-192.png': 192, 'icon-512.png': 512, 'icon-maskable.png': 512 };
/** The ground of the mark, and the part of the maskable icon that no mask cuts. */
const GROUND = '#14201f';
const SAFE = 0.75;

/** @param {import('playwright-core').Browser} browser @param {string} into a folder */
async function icons(browser, into) {
  const mark = Buffer.from(setting.source('web/static/favicon.svg')).toString('base64');
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const [file, size] of Object.entries(ICONS)) {
    const masked = file.includes('maskable');
    const width = masked ? size * SAFE : size;
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(`<body style="margin:0;display:grid;place-items:center;height:100vh;background:${masked ? GROUND : 'transparent'}">
      <img src="data:image/svg+xml;base64,${mark}" width="${width}" height="${width}">`);
    await page.screenshot({ path: join(into, file), omitBackground: true });
  }
  await context.close();
}

/** @param {import('playwright-core').Browser} browser @param {Server} server @param {string} into a folder */
async function shots(browser, server, into) {
  const ann = await Person.arrive(browser, server.url, { viewport: SHOT });
  const pages = await furnish(server, ann, new Random(1));
  const page = await ann.open();
  for (const [file, wanted] of Object.entries(SHOTS)) {
    const found = pages.find(({ name }) => name === wanted);
    if (!found) throw new Error(`there is no page ${wanted}`);
    await page.goto(found.path);
    await settled(page);
    await found.prepare?.(page);
    await page.screenshot({ path: join(into, file) });
    console.log(file);
  }
  await ann.leave();
}

lifeLimit(600);
const folder = setting.out();
mkdirSync(folder, { recursive: true });
const server = await Server.start();
const browser = await startBrowser();
try {
  await icons(browser, join(folder, '../static'));
  const person = await Person.arrive(browser, server.url, { viewport: VIEWPORT });
  // Another page first, which loads the typeface.
  const page = await person.open('/privacy');
  await until('the first edition has been played', async () => (await page.goto(GAME))?.status(), 200, { everyMs: 500 });
  await page.locator('#verified[data-verified="true"]').waitFor();
  const bytes = encode(await frames(page));
  if (bytes.length > BYTES_MAX) throw new Error(`${bytes.length} bytes are too many for a picture of the README`);
  writeFileSync(join(folder, 'game.gif'), bytes);
  console.log(`game.gif: ${bytes.length} bytes`);
  await page.close();
  await shots(browser, server, folder);
} finally {
  await browser.close();
  await server.close();
}
process.exit(0);
