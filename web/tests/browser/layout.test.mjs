// The law of layout, at six widths, with a finger where a phone is as wide, and on a phone that lies: no two texts lie over each other, no
// control is cut, covered or crooked, and nothing moves after the page is there. A turn in the making is under it, too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ON_A_PHONE, Person, noOverflow, startBrowser } from '../lib/browser.mjs';
import { LYING, PHONE_BELOW, WIDTHS, apart, delayRules, faults, moved, screen, watchShifts } from '../lib/layout.mjs';
import { GAMES, REFUSED, furnish, visit } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';

const here = scene({ standing: GAMES });

test('every page keeps the law of layout', async (t) => {
  const ann = await here.arrive();
  const pages = await furnish(here.server, ann, here.random);
  const storageState = await ann.context.storageState();
  const phone = await startBrowser('fingers');
  t.after(() => phone.close());
  // A phone and a desk look at the same time.
  const hand = await Person.arrive(phone, here.server.url, { ...ON_A_PHONE, storageState });
  const desk = await here.arrive({ storageState });
  const [small, large] = [WIDTHS.filter((width) => width < PHONE_BELOW).map(screen), WIDTHS.filter((width) => width >= PHONE_BELOW).map(screen)];
  const english = (/** @type {{width: number, height: number}} */ screen) => ({ screen, language: 'en' });
  const looks = await Promise.all([
    // Words are longer in Spanish, and a phone's buttons as narrow as any.
    { person: hand, views: [...[...small, LYING].map(english), { screen: small[0], language: 'es' }] },
    { person: desk, views: large.map(english) },
  ].map(async ({ person, views }) => {
    await watchShifts(person.context);
    await delayRules(person.context);
    return { person, views, page: await person.open() };
  }));

  for (const looked of pages) {
    await t.test(looked.name, async () => {
      const found = looks.map(({ person, views, page }) => person.forgiving(looked.refuses ? REFUSED : null, async () => {
        /** @type {string[]} */
        const found = [];
        for (const { screen, language } of views) {
          await person.context.addCookies([{ name: 'arena_language', value: language, url: here.server.url }]);
          await page.setViewportSize(screen);
          await visit(page, looked);
          await noOverflow(page);
          const faulty = [...(await moved(page)), ...(await faults(page)), ...(screen === LYING ? await apart(page) : [])];
          if (looked.prepare) {
            // What is in the making is under the same law.
            await looked.prepare(page);
            await noOverflow(page);
            faulty.push(...(await faults(page)));
          }
          found.push(...faulty.map((what) => `${screen.width} x ${screen.height}, ${language}: ${what}`));
        }
        return found;
      }));
      assert.deepEqual((await Promise.all(found)).flat(), []);
    });
  }
  for (const person of [ann, hand, desk]) await person.leave();
});

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
            // The account stands beside the site's name.
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

/** Widths at which the navigation is looked at, from the smallest phone to where all is one line, in CSS pixels. */
const [NARROWEST, WIDEST] = [320, 1_040];

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
  await bob.leave();
});
