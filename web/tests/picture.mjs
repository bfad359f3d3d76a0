// An animated picture of a game, for the README: `game.gif` in ARENA_OUT. The game is the same each time: the first edition of a
// site's standing tournament has a seed that does not change.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import gifenc from 'gifenc';
import { PNG } from 'pngjs';
import { Person, startBrowser } from './lib/browser.mjs';
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

lifeLimit(300);
const folder = setting.out();
mkdirSync(folder, { recursive: true });
const server = await Server.start();
const browser = await startBrowser();
try {
  const person = await Person.arrive(browser, server.url, { viewport: VIEWPORT });
  const page = await person.open();
  await until('the first edition has been played', async () => (await page.goto(GAME))?.status() === 200, { limitMs: 120_000, everyMs: 500 });
  await page.locator('#verified[data-verified="true"]').waitFor();
  const bytes = encode(await frames(page));
  if (bytes.length > BYTES_MAX) throw new Error(`${bytes.length} bytes are too many for a picture of the README`);
  writeFileSync(join(folder, 'game.gif'), bytes);
  console.log(`game.gif: ${bytes.length} bytes`);
  await page.close();
} finally {
  await browser.close();
  await server.close();
}
process.exit(0);
