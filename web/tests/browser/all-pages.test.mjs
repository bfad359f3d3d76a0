// Loads every page of the site and checks all rules that hold for every page:
//
// - layout, at each width, with touch at the widths of phones, and on a phone in landscape: no texts overlap, no
//   control is cut off, covered or crooked, and nothing moves after the page has loaded; neither while a turn is being
//   composed;
// - axe, at each width; in the dark, in the gate, at one;
// - markup: one heading, the navigation, names for all fields and buttons, no inline script or style, nothing in the
//   console, and a page that makes sense without script;
// - visits: bytes and requests, the first time and the second.
//
// The gate has a page of each template on a phone, a laptop and a large screen; the night has all pages at all widths.
//
// Loading a page is what takes time here. So the site is filled once, and all that can be checked on a loaded page is
// checked at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objections, objectionsByDayAndNight } from '../lib/axe.mjs';
import { ON_A_PHONE, Person, ask, noOverflow, startBrowser } from '../lib/browser.mjs';
import { CLASSES, LYING, PHONE_BELOW, apart, delayRules, faults, moved, resize, screen, strained, watchShifts, widths } from '../lib/layout.mjs';
import { GAMES, REFUSED, furnish, visit } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';
import { NIGHT } from '../lib/setting.mjs';
import { firstAndAgain } from '../lib/visits.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Looked, Owner } from '../lib/pages.mjs' */

/** All pages take a quarter of an hour on idle cores, and several times as long on busy ones. */
const SECONDS_MAX = NIGHT ? 3_600 : 900;

const here = scene({ standing: NIGHT ? GAMES : ['conquerors'], secondsMax: SECONDS_MAX });

/** Bytes of a page's own text, compressed: the longest is the chapter of the guide that has the ABI. */
const PAGE_BYTES_MAX = 20_000;
/**
 * Bytes of the styles, fonts and scripts that a page loads. A build with debug assertions compresses quickly, not well.
 */
const FILES_BYTES_MAX = 120_000;
/** Bytes of the editor, which the workshop alone loads. */
const EDITOR_BYTES_MAX = 200_000;
/** Files of a first visit: a script is bundled with its imports. */
const FILES_MAX = 12;
/** Files that a second visit asks for. */
const AGAIN_MAX = 3;

/** Characters that a page shows without script at least: a heading and a sentence. */
const SAID_MIN = 40;

/**
 * A way to look at all pages, and what is checked besides layout and axe.
 * @typedef {object} View
 * @property {number} width
 * @property {'en' | 'es'} [language]
 * @property {boolean} [lying] whether the phone is then turned to landscape
 * @property {boolean} [laws] whether the markup is checked
 */

/** @type {View[]} */
const ALL_VIEWS = [
  { width: 320, lying: true },
  { width: 390, lying: true },
  // As low as a phone in landscape: nothing may move there, either.
  { width: 768 },
  { width: 1024, laws: true },
  { width: 1920 },
  { width: 2560 },
  // Words are longer in Spanish, and a phone's buttons as narrow as any.
  { width: 320, language: 'es' },
];

const VIEWS = NIGHT ? ALL_VIEWS : ALL_VIEWS.filter(({ width, language }) => CLASSES.includes(width) && language === undefined);

test('every page keeps every law', { concurrency: 2 }, async (t) => {
  assert.deepEqual(new Set(VIEWS.map(({ width }) => width)), new Set(widths));
  const ann = await here.arrive();
  // One owner for each view, one for first visits, and one without script.
  const { pages, owners } = await furnish(here.server, ann, here.random, { owners: VIEWS.length + 2, all: NIGHT });
  const storageState = await ann.context.storageState();
  await ann.leave();
  const phone = await startBrowser('fingers');
  t.after(() => phone.close());

  await Promise.all([
    ...VIEWS.map((view, at) => t.test(`${view.width} px, ${view.language ?? 'en'}`, async (t) => {
      const { width, language = 'en' } = view;
      const options = { storageState, viewport: screen(width) };
      const person = await (width < PHONE_BELOW ? Person.arrive(phone, here.server.url, { ...ON_A_PHONE, ...options }) : here.arrive(options));
      await person.context.addCookies([{ name: 'arena_language', value: language, url: here.server.url }]);
      await watchShifts(person.context);
      const page = await person.open();
      await delayRules(page);
      for (const looked of pages) {
        await t.test(looked.name, async () => {
          const found = await person.forgiving(looked.refuses ? REFUSED : null, () => look(page, looked, owners[at], view));
          assert.deepEqual([...found, ...person.complaints.splice(0)], []);
        });
      }
      await person.leave();
    })),

    t.test('a first visit loads little, and a second one no file again', async (t) => {
      const visitor = await here.arrive();
      const page = await visitor.open();
      const owner = owners[VIEWS.length];
      // Pages behind a form cost what the form costs, and a refusal is short.
      for (const looked of pages.filter(({ reach, refuses }) => !reach && !refuses)) {
        const { name, path, own } = looked;
        await t.test(name, async () => {
          await visitor.context.clearCookies();
          if (own) await visitor.context.addCookies(owner.cookies);
          const { first, again } = await firstAndAgain(page, own ? `${owner.game}${path}` : path);
          assert.ok(first.document.bytes <= PAGE_BYTES_MAX, `the page has ${first.document.bytes} bytes`);
          const isEditor = (/** @type {{file: string}} */ { file }) => file.endsWith('/editor.js');
          const [editor] = first.files.filter(isEditor);
          assert.equal(editor !== undefined, name === 'workshop', 'the editor is for the workshop alone');
          assert.ok((editor?.bytes ?? 0) <= EDITOR_BYTES_MAX, `the editor has ${editor?.bytes} bytes`);
          const others = first.files.filter((file) => !file.file.endsWith('.wasm') && !isEditor(file));
          const bytes = others.reduce((sum, { bytes }) => sum + bytes, 0);
          assert.ok(first.files.some(({ file }) => file.endsWith('.woff2')), 'nothing is kept before');
          assert.ok(bytes <= FILES_BYTES_MAX, `its files have ${bytes} bytes`);
          assert.ok(first.files.length <= FILES_MAX, `${first.files.length} files`);
          for (const { file, encoding } of first.files) assert.equal(encoding, /\.(woff2|png)$/.test(file) ? undefined : 'br', file);
          assert.ok(again.files.length <= AGAIN_MAX, `again: ${again.files.map(({ file }) => file)}`);
          t.diagnostic(`${name}: ${first.document.bytes} bytes, ${first.files.length} files of ${bytes} bytes; again ${again.files.length}`);
        });
      }
      await visitor.leave();
    }),

    // Pages that only a form leads to are reached by that form.
    t.test('without script', async (t) => {
      const plain = await here.arrive({ javaScriptEnabled: false, storageState });
      const page = await plain.open();
      for (const looked of pages) {
        await t.test(looked.name, async () => {
          await plain.forgiving(looked.refuses ? REFUSED : null, () => visit(page, looked, owners[VIEWS.length + 1], { scripted: false }));
          const text = (await page.locator('main').innerText()).trim();
          assert.ok(text.length >= SAID_MIN, `it says ${JSON.stringify(text)}`);
          assert.doesNotMatch(text, /Loading|Checking the record/, 'nothing is promised that does not come');
          assert.deepEqual(await idle(page), [], 'no button that does nothing');
        });
      }
      await plain.leave();
    }),
  ]);
});

/**
 * What is wrong with a page, loaded at a width.
 * @param {Page} page
 * @param {Looked} looked
 * @param {Owner} owner
 * @param {View} view
 */
async function look(page, looked, owner, { width, lying, laws }) {
  await visit(page, looked, owner);
  await noOverflow(page);
  const found = [...(await moved(page)), ...(await faults(page))];
  if (laws) {
    // A page behind a form has no address, a stranger's page is different when she asks for it, and a game is played
    // again for each request.
    const html = await (looked.reach || looked.stranger || looked.own ? page.content() : (await ask(page, looked.path)).text());
    found.push(...(await lacks(page)), ...unlawful(html));
  }
  if (looked.prepare) {
    // A turn that is being composed keeps the rules of layout, too.
    await looked.prepare(page);
    await noOverflow(page);
    found.push(...(await faults(page)));
  }
  // The dark changes colours alone, at all widths (`unit/style.test.mjs`), so the gate looks at them at one.
  found.push(...(await (NIGHT || laws ? objectionsByDayAndNight(page) : objections(page))));
  if (lying) {
    await resize(page, LYING);
    await noOverflow(page);
    found.push(...[...(await faults(page)), ...(await apart(page))].map((what) => `lying: ${what}`));
    await resize(page, screen(width));
  } else if (width >= PHONE_BELOW) {
    // As high as the least of screens for desks: the board, and what ends a turn on it.
    await resize(page, { width, height: Math.round(0.75 * width) });
    found.push(...(await apart(page)));
    await resize(page, screen(width));
  }
  found.push(...(await strained(page)));
  return found;
}

/** What a page lacks that every page must have. @param {Page} page @returns {Promise<string[]>} */
function lacks(page) {
  return page.evaluate(() => {
    const found = document.querySelectorAll('h1').length === 1 ? [] : ['it has not one heading'];
    if (document.title === '') found.push('it has no title');
    const doors = ['/standings', '/play', '/guide', '/submit'].map((href) => `header nav a[href="${href}"]`);
    for (const what of ['html[lang]', 'header nav', 'main', 'footer', 'header #account', ...doors]) {
      if (document.querySelector(what) === null) found.push(`it has no ${what}`);
    }
    // Fields and buttons without a name for screen readers.
    for (const element of document.querySelectorAll('input:not([type=hidden]), select, textarea, button')) {
      const field = /** @type {HTMLInputElement} */ (element);
      const labelled = (field.labels?.length ?? 0) > 0 || field.getAttribute('aria-label') || field.getAttribute('aria-labelledby');
      const named = labelled || field.textContent?.trim() || field.title || (field.type === 'submit' && field.value);
      if (!named) found.push(`it has no name: ${element.outerHTML.slice(0, 120)}`);
    }
    return found;
  });
}

/** What a page's markup has that none may have. @param {string} html */
function unlawful(html) {
  const styled = /<[a-z][^>]*\s(style|on[a-z]+)=/i.exec(html);
  const script = /<script(?![^>]*\ssrc=)[^>]*>\s*\S/i.exec(html);
  return [styled, script].flatMap((found) => (found === null ? [] : [`in its markup: ${found[0]}`]));
}

/** Visible buttons outside forms, and canvases. @param {Page} page @returns {Promise<string[]>} */
function idle(page) {
  // A board without script is a picture at best.
  return page.locator('button:not(form button), canvas').evaluateAll((elements) =>
    elements.filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0)
      .map((element) => element.id || (element.textContent ?? '')));
}
