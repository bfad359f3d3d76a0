// Laws of every page: it is quiet, fits a phone, has a heading and the way to everywhere, and no script or style in its markup.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, noOverflow } from '../lib/browser.mjs';
import { FURNISHED, REFUSED, furnish, visit } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';

const here = scene({ standing: FURNISHED });

test('every page keeps the laws of pages', async (t) => {
  const ann = await here.arrive();
  const pages = await furnish(here.server, ann, here.random);
  const page = await ann.open();
  for (const looked of pages) {
    const { path, reach, stranger } = looked;
    await t.test(looked.name, async () => {
      await page.setViewportSize(DESKTOP);
      await ann.forgiving(looked.refuses ? REFUSED : null, () => visit(page, looked));
      await noOverflow(page);
      assert.equal(await page.locator('h1').count(), 1, 'one heading');
      assert.notEqual(await page.title(), '');
      assert.notEqual(await page.locator('html').getAttribute('lang'), null);
      for (const [what, where] of [['nav', 'header nav'], ['main', 'main'], ['footer', 'footer'], ['account', 'header #account']]) {
        assert.ok((await page.locator(where).count()) > 0, what);
      }
      for (const href of ['/standings', '/play', '/guide', '/submit']) {
        assert.ok((await page.locator(`header nav a[href="${href}"]`).count()) > 0, href);
      }
      assert.deepEqual(await unnamed(page), [], 'every field and button has a name');
      await page.setViewportSize(PHONE);
      await noOverflow(page);
      // What a form leads to has no address, and a stranger's page is another one to her.
      const html = await (reach || stranger ? page.content() : (await page.request.get(path)).text());
      assert.doesNotMatch(html, /<[a-z][^>]*\s(style|on[a-z]+)=/i, 'no style and no event attributes');
      assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)[^>]*>\s*\S/i, 'no inline script');
      assert.deepEqual(ann.complaints.splice(0), [], 'quiet');
    });
  }
  // Without script every page says what it has. What only a form leads to is reached by the same form.
  const plain = await here.arrive({ javaScriptEnabled: false, storageState: await ann.context.storageState() });
  const still = await plain.open();
  for (const looked of pages) {
    await t.test(`${looked.name} without script`, async () => {
      await plain.forgiving(looked.refuses ? REFUSED : null, () => visit(still, looked, { scripted: false }));
      const text = (await still.locator('main').innerText()).trim();
      assert.ok(text.length >= SAID_MIN, `it says ${JSON.stringify(text)}`);
      assert.doesNotMatch(text, /Loading|Checking the record/, 'nothing is promised that does not come');
      assert.deepEqual(await idle(still), [], 'no button that does nothing');
    });
  }
  await plain.leave();
  await ann.leave();
});

/** What a page says without script at least: a heading and a sentence. */
const SAID_MIN = 40;

/** Buttons that one sees and that no form has. @param {import('playwright-core').Page} page */
async function idle(page) {
  const found = [];
  for (const button of await page.locator('button:not(form button), canvas').all()) {
    // A board without script is a picture at best.
    if (await button.isVisible()) found.push((await button.getAttribute('id')) ?? (await button.innerText()));
  }
  return found;
}

test('what strangers see fits a phone and is quiet', async () => {
  const cat = await here.arrive({ viewport: PHONE });
  const page = await cat.open();
  for (const path of ['/', '/standings', '/play', '/guide', '/submit', '/account']) {
    await page.goto(path);
    await noOverflow(page);
    assert.match(await page.locator('header #account').innerText(), /Sign in/, path);
  }
  await page.locator('#claim [name=name]').fill('Catherine with the longest name');
  await page.locator('#claim button').click();
  await page.locator('#player-code').waitFor();
  await noOverflow(page);
  await cat.leave();
});

test('a page that is not there says so', async () => {
  const bob = await here.arrive();
  const page = await bob.open();
  for (const path of ['/nowhere', '/bots/nobody', '/games/standing-1.999999', `/rooms/${'0'.repeat(32)}`]) {
    // The browser itself reports the status on its console.
    const response = await bob.forgiving(/Failed to load resource: .* 404/, () => page.goto(path));
    assert.equal(response?.status(), 404, path);
    assert.ok((await page.locator('header nav a[href="/play"]').count()) > 0, path);
  }
  await bob.leave();
});

/** Fields and buttons without anything that a screen reader could say. @param {import('playwright-core').Page} page */
function unnamed(page) {
  return page.locator('input:not([type=hidden]), select, textarea, button').evaluateAll((elements) =>
    elements.filter((element) => {
      const field = /** @type {HTMLInputElement} */ (element);
      const labelled = (field.labels?.length ?? 0) > 0 || field.getAttribute('aria-label') || field.getAttribute('aria-labelledby');
      return !labelled && !field.textContent?.trim() && !field.title && !(field.type === 'submit' && field.value);
    }).map((element) => element.outerHTML.slice(0, 120)),
  );
}
