// The rules of layout beyond single pages: the navigation at every width, in both languages; and that the check itself
// finds faults. `all-pages.test.mjs` checks every page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { LYING, PHONE_BELOW, faults, outOfView, screen, strained } from '../lib/layout.mjs';
import { ofMany, settled } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';
import { until } from '../lib/until.mjs';

const here = scene();

test('no door of the navigation has a line of its own', async () => {
  for (const [locale, name] of [['en', 'Catherine with a long name'], ['es', 'Catalina con un gran nombre']]) {
    const bob = await here.arrive({ locale });
    await bob.claim(name);
    const page = await bob.open();
    for (const path of ['/account', '/practice?opponent=']) {
      await page.goto(path);
      for (let width = NARROWEST; width <= WIDEST; width += 20) {
        await page.setViewportSize({ width, height: LYING.height });
        const lines = await page.evaluate(() => {
          /** @type {{middle: number, doors: string[]}[]} */
          const lines = [];
          for (const door of document.querySelectorAll('body > header nav > a')) {
            const { top, bottom } = door.getBoundingClientRect();
            const middle = (top + bottom) / 2;
            const line = lines.find((line) => Math.abs(line.middle - middle) < 4);
            if (line) line.doors.push(door.textContent ?? '');
            // The account is beside the site's name.
            else if (door.id !== 'account') lines.push({ middle, doors: [door.textContent ?? ''] });
          }
          return lines.map(({ doors }) => doors);
        });
        assert.deepEqual(lines.filter(({ length }) => length < 3), [], `${path}, ${locale}, ${width} px`);
      }
    }
    await bob.leave();
  }
});

/** Widths at which the navigation is checked, from the smallest phone to where it fits one line, in CSS pixels. */
const [NARROWEST, WIDEST] = [320, 1_040];

/** Windows of phones and large screens, in CSS pixels, and pixels of the screen for each of these. */
const SCREENS = [
  { width: 390, height: 844, deviceScaleFactor: 1 },
  { width: 390, height: 844, deviceScaleFactor: 2 },
  { width: 390, height: 844, deviceScaleFactor: 3 },
  { width: 1920, height: 1080, deviceScaleFactor: 2 },
  { width: 3840, height: 2160, deviceScaleFactor: 1 },
];

test('a board has as many pixels as the screen has for it, on phones and in 4K', async () => {
  for (const { width, height, deviceScaleFactor } of SCREENS) {
    const bob = await here.arrive({ viewport: { width, height }, deviceScaleFactor });
    const page = await bob.open('/practice?opponent=');
    await page.locator('main#room[data-phase="yours"]').waitFor();
    const board = page.locator('#board');
    const sizes = () =>
      board.evaluate((element) => {
        const canvas = /** @type {HTMLCanvasElement} */ (element);
        const { width, height } = canvas.getBoundingClientRect();
        return { wide: width, pixels: [canvas.width, canvas.height], wanted: [width, height].map((side) => Math.round(side * devicePixelRatio)), density: devicePixelRatio };
      });
    const crisp = async (/** @type {string} */ when) => {
      await until(`a pixel for each of the screen's, ${when}`, sizes, ({ pixels, wanted }) => String(pixels) === String(wanted));
    };
    await crisp(`${width} px at density ${deviceScaleFactor}`);
    const { wide, density } = await sizes();
    assert.equal(density, deviceScaleFactor);
    assert.ok(wide > 300, `${wide} px are not a board`);
    await page.setViewportSize({ width: Math.round(0.9 * width), height });
    await crisp(`in a narrower window than ${width} px`);
    await bob.leave();
  }
});

test('sixteen seats keep the law of layout, in practice and in a replay', async () => {
  const ann = await here.arrive();
  const api = new Api(here.server.url, await ann.claim('Ann'));
  const room = await ofMany(api);
  const { body: { ply } } = await api.get(room.slice(1));
  await api.post(`${room.slice(1)}/resignation`, { ply }, [200]);
  await until('the end of the game', () => api.get(room.slice(1)), ({ body }) => body.outcome !== null);
  const replay = room.replace('rooms', 'games');
  await ann.leave();
  for (const width of [320, 390, 1366]) {
    const { height } = screen(width);
    const bob = await here.arrive({ viewport: { width, height }, ...(width < PHONE_BELOW ? { hasTouch: true, isMobile: true } : {}) });
    const page = await bob.open();
    for (const path of ['/practice?game=game-of-game-of-life&seats=16', `${replay}#turn=9`]) {
      await page.goto(path);
      await settled(page);
      assert.equal(await page.locator('.legend [data-seat]').count(), 16);
      assert.deepEqual(await faults(page), [], `${path}, ${width} px`);
      // A share's bar is a line below the share, in its cell.
      const bars = await page.locator('.legend .bar').evaluateAll((bars) => bars.filter((bar) => {
        const [box, cell] = [bar.getBoundingClientRect(), /** @type {Element} */ (bar.parentElement).getBoundingClientRect()];
        return box.height > 4 || box.left < cell.left - 1 || box.right > cell.right + 1 || Math.abs(box.bottom - cell.bottom) > 1;
      }).length);
      assert.equal(bars, 0, `${path}, ${width} px`);
    }
    await bob.leave();
  }
});

test('the law of layout can be broken', async () => {
  const bob = await here.arrive();
  const page = await bob.open('/account');
  const broken = async (/** @type {string} */ css) => {
    const before = await faults(page);
    const style = await page.evaluateHandle((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
    }, css);
    await style.dispose();
    const after = await faults(page);
    return after.filter((fault) => !before.includes(fault)).join('; ');
  };
  assert.deepEqual(await faults(page), []);
  assert.match(await broken('.lead { margin-top: -3rem }'), /texts over each other/);
  assert.match(await broken('#signin button { width: 1rem; padding: 0; white-space: nowrap; justify-content: start }'), /its text is cut/);
  assert.match(await broken('header nav a:nth-child(2) { position: relative; top: 10px }'), /crooked/);
  assert.match(await broken('main { max-width: 30rem }'), /not as wide as the page: header/);
  assert.match(await broken('#claim input { width: 200vw; max-width: none }'), /cut by the window/);
  await page.evaluate(() => void (document.adoptedStyleSheets = []));
  assert.deepEqual(await outOfView(page, 'body > header'), []);
  assert.match(String(await outOfView(page, '.skip-link')), /not in the window/);
  await page.locator('.lead').evaluate((lead) => void (lead.textContent = 'مريم 2:58'));
  assert.match((await faults(page)).join('; '), /turns around what is beside it/);
  await page.goto('/practice?opponent=');
  await page.locator('main#room[data-phase="yours"]').waitFor();
  assert.deepEqual(await strained(page), []);
  assert.deepEqual(await faults(page), [], 'names of both directions, and scores of three digits');
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.side .points { flex: 0 1 1ch; min-width: 0; white-space: normal; overflow-wrap: anywhere }');
    document.adoptedStyleSheets = [sheet];
  });
  assert.match((await strained(page)).join('; '), /in two lines: 188/);
  await bob.leave();
});
