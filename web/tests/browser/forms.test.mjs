// No form loses what was typed: not by a change of the language, a refusal, a session that has ended or a line that
// breaks; and what the site has done is not in the form again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REFUSED } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';
import { OPERATOR_TOKEN } from '../lib/server.mjs';
import { until } from '../lib/until.mjs';
import { Workshop } from '../lib/workshop_page.mjs';

const here = scene();

const [NEW, NAME, BOTS] = ['/tournaments/new', '#new-tournament [name=name]', '#new-tournament [name=bots]'];

/** @param {import('playwright-core').Page} page @param {string} language */
async function speak(page, language) {
  await page.locator(`form.language [value=${language}]`).click();
  await page.locator(`html[lang=${language}]`).waitFor();
  await page.waitForLoadState();
}

/** @param {import('playwright-core').Page} page @returns {Promise<string[]>} what is in the form for a tournament */
const typed = (page) => Promise.all([NAME, BOTS].map((field) => page.locator(field).inputValue()));

test('another language keeps what was typed, and so does a refusal before it; what was done is gone', async () => {
  const ann = await here.arrive();
  await ann.claim('Ann');
  const page = await ann.open(NEW);
  const nothing = await typed(page);
  await page.fill(NAME, 'A cup');
  await page.fill(BOTS, 'nobody-at-all');
  await speak(page, 'es');
  assert.deepEqual(await typed(page), ['A cup', 'nobody-at-all'], 'in another language');
  await ann.forgiving(REFUSED, async () => {
    await page.click('#new-tournament [type=submit]');
    await page.locator('[data-refused]').waitFor();
  });
  await speak(page, 'en');
  await page.goto('/lobby');
  await page.fill('#join [name=code]', 'zzzzzz');
  await page.goto(NEW);
  assert.deepEqual(await typed(page), ['A cup', 'nobody-at-all'], 'refused, and in another language again');
  await page.fill(BOTS, '');
  await page.click('#new-tournament [type=submit]');
  await page.locator('main h1', { hasText: 'A cup' }).waitFor();
  await page.waitForLoadState();
  await page.goto(NEW);
  assert.deepEqual(await typed(page), nothing, 'it was done');
  await page.goto('/lobby');
  assert.equal(await page.inputValue('#join [name=code]'), 'zzzzzz', 'another form has its own');
  await ann.leave();
});

test('a session that has ended loses neither the text of a bot nor an act of the operator', async () => {
  const ann = await here.arrive();
  const code = await ann.claim('Bob');
  const page = await ann.open();
  const shop = await Workshop.open(page, '?language=wat');
  const name = page.locator('#write [name=name]');
  await name.fill('typed');
  await shop.write('(func $turn)');
  await ann.context.clearCookies();
  await ann.forgiving(REFUSED, async () => {
    await page.locator('#write [type=submit]').click();
    await page.locator('section[data-refused]').waitFor();
  });
  await page.goto('/account');
  await page.fill('#signin [name=code]', code);
  await page.click('#signin button');
  await page.locator('#signout').waitFor();
  await Workshop.open(page, '?language=wat');
  assert.deepEqual([await name.inputValue(), await shop.text()], ['typed', '(func $turn)']);

  const enter = async () => {
    await page.goto('/operator');
    await page.fill('#operator [name=token]', OPERATOR_TOKEN);
    await page.click('#operator button');
    await page.locator('#one-account').waitFor();
  };
  await enter();
  await page.fill('#one-account [name=name]', 'Bob');
  await page.selectOption('#one-account [name=act]', 'enable_account');
  await page.fill('#one-account [name=reason]', 'a long reason');
  await ann.context.clearCookies();
  await ann.forgiving(REFUSED, async () => {
    await page.click('#one-account button');
    await page.locator('[data-refused]').first().waitFor();
  });
  await enter();
  const act = () => Promise.all(['name', 'act', 'reason'].map((name) => page.inputValue(`#one-account [name=${name}]`)));
  assert.deepEqual(await act(), ['Bob', 'enable_account', 'a long reason']);
  await page.click('#one-account button');
  await page.locator('#log').waitFor();
  await page.waitForLoadState();
  assert.deepEqual(await act(), ['', 'disable_account', ''], 'it was done');
  await ann.leave();
});

test('what came too late for a session is sent again by a button, and is not in the form afterwards', async () => {
  const ann = await here.arrive();
  await ann.claim('Kim');
  const page = await ann.open(NEW);
  const nothing = await typed(page);
  await page.fill(NAME, 'A late cup');
  const cookies = await ann.context.cookies();
  await ann.context.clearCookies();
  await ann.forgiving(REFUSED, async () => {
    await page.click('#new-tournament [type=submit]');
    await page.locator('.send-again').waitFor();
  });
  // Signed in again in another tab.
  await ann.context.addCookies(cookies);
  await page.click('.send-again button');
  await page.locator('main h1', { hasText: 'A late cup' }).waitFor();
  await page.waitForLoadState();
  await page.goto(NEW);
  assert.deepEqual(await typed(page), nothing, 'it was done');
  await ann.leave();
});

test('a line that breaks when a form is sent loses nothing', async () => {
  const ann = await here.arrive();
  await ann.claim('Eve');
  const page = await ann.open(NEW);
  await page.fill(NAME, 'A cup');
  await page.fill(BOTS, 'somebody');
  const sent = [NAME, BOTS].map((field) => page.inputValue(field));
  // What the browser knows of its line, the page says.
  await ann.context.setOffline(true);
  await page.click('#new-tournament [type=submit]');
  await page.locator('#new-tournament [role=alert]', { hasText: 'nothing was sent' }).waitFor();
  await ann.context.setOffline(false);
  assert.deepEqual(await typed(page), await Promise.all(sent), 'on the page');
  await page.route('**/*', (route) => route.abort());
  await ann.forgiving(/ERR_FAILED/, async () => {
    await page.click('#new-tournament [type=submit]', { noWaitAfter: true });
    await until('the browser says so', () => page.url(), /^chrome-error/);
  });
  await page.unroute('**/*');
  await page.goBack();
  assert.deepEqual(await typed(page), await Promise.all(sent), 'on the way back');
  // The site leads from there to another page, which is no answer to the form.
  await page.goto('/standings');
  await page.goto(NEW);
  assert.deepEqual(await typed(page), await Promise.all(sent), 'later');
  await ann.leave();
});

test('without a script nobody can write what the workshop would lose', async () => {
  const plain = await here.arrive({ javaScriptEnabled: false });
  const page = await plain.open('/workshop');
  assert.equal(await page.locator('#text').isVisible(), false);
  assert.equal(await page.locator('#text').isEditable(), false, 'where a browser does not hide it');
  await page.locator('noscript a[href="/submit"]').click();
  await page.waitForURL('**/submit');
  await plain.leave();
});

test('without a script the answer to a refused form is the form with what was typed; with one, loading it again sends nothing', async () => {
  for (const javaScriptEnabled of [false, true]) {
    const ann = await here.arrive({ javaScriptEnabled });
    const page = await ann.open('/lobby');
    await page.fill('#open-room [name=invite]', 'Nobody <here>');
    await page.selectOption('#open-room [name=door]', 'public');
    await page.uncheck('#open-room [name=chat]');
    await ann.forgiving(REFUSED, async () => {
      await page.click('#open-room [type=submit]');
      await page.locator('#open-room [data-refused]').waitFor();
    });
    const held = () => Promise.all([page.inputValue('#open-room [name=invite]'), page.inputValue('#open-room [name=door]'), page.isChecked('#open-room [name=chat]')]);
    assert.deepEqual(await held(), ['Nobody <here>', 'public', false]);
    const isInView = (/** @type {Element} */ said) => said.getBoundingClientRect().top >= 0 && said.getBoundingClientRect().bottom <= innerHeight;
    assert.ok(await page.locator('#open-room [data-refused]').evaluate(isInView), 'the reason is in view');
    assert.ok(await page.locator('#open-room').evaluate((form) => form.contains(document.activeElement)), 'the form is where one types');
    if (javaScriptEnabled) {
      assert.equal(new URL(page.url()).pathname, '/lobby');
      assert.equal((await page.reload())?.request().method(), 'GET');
      assert.deepEqual(await held(), ['Nobody <here>', 'public', false], 'and it is kept');
    }
    await ann.leave();
  }
});

test('without a script a site that takes nothing gives the name and the game of a bot back', async () => {
  const ann = await here.arrive();
  await ann.claim('Joe');
  const plain = await here.arrive({ javaScriptEnabled: false });
  await plain.context.addCookies(await ann.context.cookies());
  const page = await plain.open('/submit');
  await page.fill('#submit [name=name]', 'my-bot');
  await page.selectOption('#submit [name=game]', 'life2');
  await page.setInputFiles('#submit [name=file]', { name: 'bot.js', mimeType: 'text/javascript', buffer: Buffer.from('no bot') });
  await here.server.act({ act: 'close_changes' });
  await plain.forgiving(/status of 503/, async () => {
    await page.click('#submit [type=submit]');
    await page.click('.send-again button');
  });
  await page.waitForURL('**/submit?*');
  assert.equal(await page.inputValue('#submit [name=name]'), 'my-bot');
  assert.equal(await page.inputValue('#submit [name=game]'), 'life2');
  await here.server.act({ act: 'open_changes' });
  await Promise.all([ann.leave(), plain.leave()]);
});
