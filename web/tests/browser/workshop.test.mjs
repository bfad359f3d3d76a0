// The workshop, by keyboard alone, on a phone and a laptop: a line is typed, and a whole game is played and watched;
// an error stands at its line; what never ends is ended by its fuel, and the page answers meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { noOverflow } from '../lib/browser.mjs';
import { tabTo } from '../lib/hands.mjs';
import { EDITION_LIMIT_MS } from '../lib/pages.mjs';
import { scene } from '../lib/scene.mjs';
import { until } from '../lib/until.mjs';
import { Workshop } from '../lib/workshop_page.mjs';

const here = scene();

/** Longer than a new list of completions takes no keys, in milliseconds. */
const LIST_MS = 150;

/** How every game ends that is played to its end. */
const OVER = /wins|draw|game over/i;

for (const viewport of [{ width: 390, height: 844 }, { width: 1366, height: 768 }]) {
  test(`a line is typed, and its game watched, by keyboard, at ${viewport.width} px`, async () => {
    const ann = await here.arrive({ viewport });
    const page = await ann.open('/workshop');
    const shop = new Workshop(page);
    await shop.content.waitFor();
    await tabTo(page.locator('.editor'));
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('// mine\n');
    assert.match(await shop.text(), /^\/\/ mine\n\/\/ A bot for the arena/);
    await shop.run(OVER);
    await page.locator('#turn', { hasText: /^turn [1-9]/ }).waitFor();
    assert.match(await page.locator('#title').innerText(), /your bot – easy/);
    // The opponent's turns, which are shown between, take none.
    await page.locator('#fuel', { hasText: /^Fuel of the turn: [\d,]+ of 50,000,000/ }).waitFor();
    await noOverflow(page);
    // Tab indents; Escape, then Tab, leaves.
    await page.keyboard.press('Tab');
    assert.match(await shop.text(), /^\/\/ mine\n +\/\/ A bot/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.matches('.editor')), false, 'the editor is left');
    // The game is watched turn by turn.
    await tabTo(page.locator('#scrubber'));
    await page.keyboard.press('End');
    const [, turns] = /of (\d+)/.exec(await page.locator('#turn').innerText()) ?? [];
    await page.locator('#turn', { hasText: `turn ${turns} of ${turns}` }).waitFor();
    await ann.leave();
  });
}

test('a script that throws says where, underlined, and plays when it is repaired', async () => {
  const ann = await here.arrive();
  const page = await ann.open();
  const shop = await Workshop.open(page);
  await shop.write('function turn(o) {\n  if (o.round > 1) return o.nothing();\n  return best(o);\n}');
  assert.match(await shop.run(/turn 3/), /Line 2, column \d+: TypeError.*wins by forfeit/);
  assert.match((await page.locator('#log li').allInnerTexts()).join(' '), /turn 3 bot\.js:2:\d+: TypeError/);
  assert.equal(await page.locator('.editor .cm-lintRange-error').count(), 1);
  await shop.write('function turn(o) {\n  log("round", o.round);\n  return best(o, { fuel: 1e6 });\n}');
  await shop.run(OVER);
  assert.match(await page.locator('#log li').first().innerText(), /turn 1 round 1/);
  assert.equal(await page.locator('.editor .cm-lintRange-error').count(), 0);
  await shop.write('function turn(o) { while (o) {} }');
  await shop.run(/fuel/);
  // What has no place has words, too.
  await shop.write('const turns = best;');
  await shop.run(/crashed before the first turn: there is no function `turn`/);
  await ann.leave();
});

test('Python is a language as the others are, with words, errors and a draft of its own', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/workshop');
  const shop = new Workshop(page);
  await shop.content.waitFor();
  await shop.write('// mine');
  await page.locator('#languages a', { hasText: 'Python' }).click();
  await page.waitForURL(/language=python/);
  await shop.content.waitFor();
  assert.match(await shop.text(), /\ndef turn\(o\):/);
  await shop.run(OVER);
  await shop.write('def turn(o):\n    if o.round > 1:\n        return o.nothing()\n    return best(o, fuel=1000000)');
  assert.match(await shop.run(/turn 3/), /Line 3, column 1: AttributeError.*wins by forfeit/);
  assert.match((await page.locator('#log li').allInnerTexts()).join(' '), /turn 3 bot\.py:3: AttributeError/);
  assert.equal(await page.locator('.editor .cm-lintRange-error').count(), 1);
  await shop.write('def turn(o):\n    print("round", o.round)\n    return best(o, fuel=1000000)\n\n');
  await shop.run(OVER);
  assert.match(await page.locator('#log li').first().innerText(), /turn 1 round 1/);
  await page.keyboard.type('o.bomb_re');
  await page.locator('.editor .cm-tooltip-autocomplete li', { hasText: 'bomb_ready' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#languages a', { hasText: 'JavaScript' }).click();
  await page.waitForURL(/language=javascript/);
  await shop.content.waitFor();
  assert.equal(await shop.text(), '// mine');
  await ann.leave();
});

test('what a bot may call is completed and explained, by keys alone', async () => {
  const ann = await here.arrive();
  const page = await ann.open();
  const shop = await Workshop.open(page);
  const options = page.locator('.editor .cm-tooltip-autocomplete');
  const told = page.locator('.editor .cm-tooltip .declared');
  await shop.write('function turn(o) {\n  return worths(o, candidates(o))');
  await page.keyboard.type('.len + o.board.nei');
  await options.locator('li', { hasText: 'neighbours' }).waitFor();
  assert.match(await told.innerText(), /neighbours\(row: number, col: number, seat\?: number\): number\s+Living neighbours/);
  // The list takes no key before its reader can have seen it.
  await page.keyboard.press('Shift', { delay: LIST_MS });
  await page.keyboard.press('Enter');
  assert.match(await shop.text(), /o\.board\.neighbours\s*$/);
  await page.keyboard.press('Control+Space');
  await options.waitFor();
  // The first Escape closes the list; the next one, then Tab, leaves the editor.
  await page.keyboard.press('Escape');
  await options.waitFor({ state: 'hidden' });
  for (let letter = 0; letter < '.len + o.board.neighbours'.length + 4; letter++) await page.keyboard.press('ArrowLeft');
  await page.evaluate(() => {
    const region = /** @type {Element} */ (document.querySelector('.editor')?.shadowRoot?.querySelector('.cm-announced'));
    const hear = () => region.textContent?.trim() && document.body.setAttribute('data-heard', region.textContent);
    new MutationObserver(hear).observe(region, { childList: true });
  });
  await page.keyboard.press('Control+i');
  await told.filter({ hasText: /^candidates\(o: Conquerors, .*actions worth a try/s }).waitFor();
  assert.match(String(await page.locator('body').getAttribute('data-heard')), /^candidates\(o: Conquerors/, 'screen readers hear it');
  await page.keyboard.press('ArrowLeft');
  await told.waitFor({ state: 'hidden' });
  await Workshop.open(page, '?language=wat');
  await shop.write('(func $turn (call ');
  await page.keyboard.type('$conquerors_fin');
  await options.locator('li', { hasText: '$conquerors_finish' }).waitFor();
  await page.keyboard.press('Shift', { delay: LIST_MS });
  await page.keyboard.press('Enter');
  assert.match(await shop.text(), /\(call \$conquerors_finish\)?$/);
  await ann.leave();
});

test('a bot of the guide opens with a click, the draft stays beside it, and other names are refused', async () => {
  const ann = await here.arrive();
  const page = await ann.open();
  const shop = await Workshop.open(page);
  await shop.write('// mine');
  await page.goto('/guide/javascript');
  await page.locator('figcaption a[href^="/workshop"]').first().click();
  await shop.content.waitFor();
  assert.match(await shop.text(), /^\/\/ Looks at what becomes/);
  assert.equal(new URL(page.url()).search, '?game=conquerors&language=javascript');
  await shop.run(OVER);
  await page.reload();
  await shop.content.waitFor();
  assert.match(await shop.text(), /^\/\/ Looks at what becomes/);
  await page.locator('#earlier').click();
  await until('what was there is kept beside it', () => shop.text(), '// mine');
  assert.equal(await page.locator('#others').innerText(), 'or from sprout, thinker');
  await page.locator('#others a', { hasText: 'thinker' }).click();
  await shop.content.waitFor();
  assert.match(await shop.text(), /best\(o/);
  await ann.forgiving(/status of 404/, async () => {
    await page.goto('/workshop?listing=../../etc/passwd');
    assert.match(await page.locator('main').innerText(), /no such bot/);
  });
  await ann.leave();
});

test('whatever fails ends in words, and no text is lost', async () => {
  const ann = await here.arrive();
  const page = await ann.open();
  const shop = await Workshop.open(page);
  const words = page.locator('#draft-words');
  await shop.write('// mine\nfunction turn(o) { return o.nothing(); }');
  await ann.forgiving(/ERR_INTERNET_DISCONNECTED/, async () => {
    await ann.context.setOffline(true);
    assert.match(await shop.run(/^It could/), /there is no connection/);
    await page.locator('#afresh').click();
    await words.filter({ hasText: 'there is no connection' }).waitFor();
    await ann.context.setOffline(false);
  });
  assert.match(await shop.text(), /^\/\/ mine/);
  await page.locator('#many').click();
  await page.locator('#workshop[data-state="ready"] #status', { hasText: 'In 20 games your bot failed' }).waitFor();
  const longest = Number(await page.locator('#workshop').getAttribute('data-text-max'));
  const best = 'function turn(o) { return best(o, { fuel: 1e6 }); }\n//';
  await shop.write(best.padEnd(longest, 'x'));
  await shop.run(OVER);
  await page.keyboard.type('x');
  assert.match(await shop.run(/bytes/), /The text has 65,?537 bytes/);
  // A store that is full keeps what it has, and the page says so.
  await shop.write('// mine, too');
  await until('it is kept', () => page.evaluate(() => Object.values(localStorage).join('\n')), /mine, too/);
  await page.evaluate(() => {
    for (let length = 1 << 22; length > 0; length >>= 1) {
      try {
        for (let piece = 0; piece < 8; piece++) localStorage.setItem(`full ${length} ${piece}`, 'x'.repeat(length));
      } catch {}
    }
  });
  await shop.write('// mine, and longer than what was there');
  await words.filter({ hasText: 'Not kept: the store of this browser is full' }).waitFor();
  await page.locator('#afresh').click();
  await words.filter({ hasText: 'no room' }).waitFor();
  assert.equal(await shop.text(), '// mine, and longer than what was there');
  await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('full')).forEach((key) => localStorage.removeItem(key)));
  await shop.content.focus();
  await page.keyboard.type('.');
  await words.filter({ hasText: /^Kept/ }).waitFor();
  await ann.leave();
});

test('a connection that is lost on the way from the draft to the verdict is said in words, and nothing is lost', async () => {
  const eve = await here.arrive();
  const page = await eve.open();
  const shop = await Workshop.open(page);
  const text = 'function turn(o) {\n  return best(o, { fuel: 2e5 });\n} // mine';
  const judged = page.locator('#judged');
  await shop.write(text);
  /** @param {() => Promise<unknown>} step */
  const offline = async (step) => {
    await eve.context.setOffline(true);
    await eve.forgiving(/ERR_INTERNET_DISCONNECTED/, step);
    await eve.context.setOffline(false);
  };
  const refused = (/** @type {string} */ where, said = judged) => async () => {
    await page.click(where);
    await said.filter({ hasText: /no connection/i }).waitFor();
  };
  await offline(refused('#ask'));
  await offline(refused('#nameless a'));
  await page.click('#nameless a');
  await page.fill('#claim [name=name]', 'Eve');
  await offline(refused('#claim button', page.locator('#claim [role=alert]')));
  assert.equal(await page.inputValue('#claim [name=name]'), 'Eve');
  await page.click('#claim button');
  await page.click('#to-the-workshop');
  await shop.content.waitFor();
  assert.equal(await shop.text(), text);
  await page.fill('#write [name=name]', 'patient');
  await page.check('#write [name=shown]');
  await offline(refused('#write [type=submit]', page.locator('#write [role=alert]')));
  assert.deepEqual([await shop.text(), await page.inputValue('#write [name=name]')], [text, 'patient']);
  await page.click('#write [type=submit]');
  // A busy machine takes its time to compile an interpreter.
  await page.locator('#verdict[data-state="accepted"]').waitFor({ timeout: EDITION_LIMIT_MS });
  // Its source is there for everybody, under the licence that was chosen, and others begin with it.
  await page.locator('#source', { hasText: 'MIT' }).waitFor();
  await page.click('#fork');
  await shop.content.waitFor();
  assert.equal(await shop.text(), `// From patient, version 1, by Eve, under the licence MIT.\n${text}`);
  await page.click('#earlier');
  await until('the draft is beside it', () => shop.text(), text);
  await eve.leave();
});

test('a guest asks the judge without submitting, and hears what a submission would', async () => {
  const fay = await here.arrive();
  const page = await fay.open();
  const shop = await Workshop.open(page, '?language=wat');
  const judged = page.locator('#judged');
  await page.click('#ask');
  await judged.filter({ hasText: /^The judge accepts it: 4 sample games against easy, none forfeited\. Most fuel of a turn: [\d,]+ of 50,000,000\.$/ }).waitFor();
  await shop.write('(func $turn (loop $l (br $l)))');
  await fay.forgiving(/status of 422/, async () => {
    await page.click('#ask');
    await judged.filter({ hasText: /^The judge refuses it\. .*fuel/ }).waitFor();
    // The place of an error in the text is said, too.
    await shop.write('(func $turn\n  (call $oops))');
    await page.click('#ask');
    await judged.filter({ hasText: /^The judge refuses it\. Line 2, column 9: .*oops/ }).waitFor();
  });
  // A judge with too much to do, then a proxy without a site; the same button asks again.
  const late = { detail: 'the judge has too much to do: there was no verdict in time', hint: 'try again, or run `arena check` at home' };
  await fay.forgiving(/status of 50\d/, async () => {
    for (const [answer, said] of /** @type {[object, RegExp][]} */ ([
      [{ status: 503, json: late }, /^There is no verdict\. The judge has too much to do: .*in time\. Try again, or run arena check at home\.$/],
      [{ status: 502, body: '<html>' }, /^There is no verdict\. .* answers 502\.$/],
    ])) {
      await page.route('**/api/v1/checks?*', (route) => route.fulfill(answer));
      await page.click('#ask:enabled');
      await judged.filter({ hasText: said }).waitFor();
      await page.unroute('**/api/v1/checks?*');
    }
  });
  await shop.write('(func $turn (call $conquerors_finish))');
  await page.click('#ask:enabled');
  await judged.filter({ hasText: /^The judge accepts it/ }).waitFor();
  await noOverflow(page);
  await fay.leave();
});

test('an error of WebAssembly text is said and underlined at its line, and gone when it is repaired', async () => {
  const ann = await here.arrive();
  const page = await ann.open();
  const shop = await Workshop.open(page, '?language=wat');
  await shop.write('(func $turn\n  (call $oops))');
  assert.match(await shop.run(/^Line/), /^Line 2, column 9: .*oops/);
  assert.equal(await page.locator('.editor .cm-lintRange-error').innerText(), '$oops');
  await shop.write('(func $turn\n  (call $conquerors_finish))');
  await shop.run(OVER);
  assert.equal(await page.locator('.editor .cm-lintRange-error').count(), 0);
  await ann.leave();
});

test('a loop without an end is ended by its fuel, with its log at its turn, and the page answers meanwhile', async () => {
  const ann = await here.arrive();
  const page = await ann.open();
  const shop = await Workshop.open(page, '?language=wat');
  await shop.write('(data (i32.const 4096) "before it") (func $turn (call $log (i32.const 4096) (i32.const 9)) (loop $l (br $l)))');
  await shop.run(/fuel/);
  assert.match(await page.locator('#log li').innerText(), /turn \d+ before it/);
  // A game is stopped while it is played, however fast that is.
  await shop.write('(func $turn (call $conquerors_finish))');
  await page.evaluate(() => {
    const [status, stop] = ['status', 'stop'].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
    new MutationObserver((_, watch) => {
      if (!/^Turn/.test(status.innerText)) return;
      watch.disconnect();
      stop.click();
    }).observe(status, { childList: true });
  });
  await shop.run(/^Stopped/);
  await ann.leave();
});

test('a draft survives a reload and another tab, and nothing that was written is lost', async () => {
  const ann = await here.arrive();
  const page = await ann.open();
  const shop = await Workshop.open(page);
  const template = await shop.text();
  await shop.write('// first');
  await page.reload();
  await shop.content.waitFor();
  assert.equal(await shop.text(), '// first', 'also what was typed just before');
  const other = await Workshop.open(await ann.open());
  await other.write('// second');
  await page.locator('#draft-words', { hasText: 'Another tab' }).waitFor();
  for (const kept of ['// second', '// first']) {
    await page.locator('#earlier').click();
    await until('what was replaced is kept beside it', () => shop.text(), kept);
  }
  await page.locator('#afresh').click();
  await until('the template is there', async () => (await shop.text()).trim(), template.trim());
  // Another game has a draft of its own.
  await Workshop.open(page, '?game=life2');
  assert.match(await shop.text(), /A bot for the arena/);
  await ann.leave();
});

test('a stranger who claims a name comes back to the draft, and submits it', async () => {
  const bea = await here.arrive();
  const page = await bea.open();
  const shop = await Workshop.open(page, '?game=war-of-life&language=wat');
  await shop.write(`;; mine\n${await shop.text()}`);
  const text = await shop.text();
  await page.locator('#nameless a').click();
  await page.locator('#claim [name=name]').fill('Bea');
  await page.locator('#claim button').click();
  await page.locator('#to-the-workshop').click();
  await shop.content.waitFor();
  assert.equal(await shop.text(), text);
  assert.equal(await page.locator('#games [aria-current]').innerText(), 'War of Life');
  await page.locator('#write [name=name]').fill('newcomer');
  await page.locator('#write [type=submit]').click();
  await page.waitForURL(/\/bots\/newcomer\/versions\/1$/);
  await page.locator('#verdict:not([data-state="pending"])').waitFor();
  assert.equal(await page.locator('#verdict').getAttribute('data-state'), 'accepted', await page.locator('#verdict').innerText());
  await bea.leave();
});

test('many games give a score with its interval, and a game is played on from a turn with another text', async () => {
  const ann = await here.arrive();
  const page = await ann.open();
  const shop = await Workshop.open(page);
  await page.locator('#many').click();
  await page.locator('#results li:nth-child(20)').waitFor();
  assert.match(await page.locator('#scored').innerText(), /^\d*½? of 20 points\. (No significant difference|Your bot is (stronger|weaker)): .*Elo/);
  await page.locator('#results li:first-child button').click();
  // Its seed is random, so it may be short.
  const turn = await page.locator('#scrubber').evaluate((scrubber) => `${Math.ceil(Number(/** @type {HTMLInputElement} */ (scrubber).max) / 2)}`);
  await page.locator('#scrubber').fill(turn);
  await page.locator('#turn', { hasText: `turn ${turn} of` }).waitFor();
  const words = await page.locator('#words-of-turn').innerText();
  await shop.write('function turn(o) {\n  return skip();\n}');
  await page.locator('#from-here').click();
  await page.locator('#workshop[data-state="ready"] #status', { hasText: OVER }).waitFor();
  await page.locator('#scrubber').fill(turn);
  assert.equal(await page.locator('#words-of-turn').innerText(), words, 'what was played stays');
  await ann.leave();
});

test('a game of the site is tried again from a turn, with its opponent, by another bot', async () => {
  const ann = await here.arrive();
  const api = new Api(here.server.url, await ann.claim('Ann'));
  const entrants = ['easy', 'hard'].map((bot) => `[[entrants]]\nname = "${bot}"\nbaseline = "${bot}"\n`);
  const { id } = (await api.post('tournaments', { definition: `name = "Two"\npairs = 1\n${entrants.join('')}`, entry: 'named' }, [201])).body;
  const games = async () => (await api.get(`games?tournament=${id}`)).body;
  const [{ id: game }] = await until('a game', games, ({ length }) => length > 0, { limitMs: EDITION_LIMIT_MS, everyMs: 500 });
  const page = await ann.open(`/games/${game}#turn=2`);
  await page.locator('#turn', { hasText: 'Turn 2 of' }).waitFor();
  await page.locator('#try-here').click();
  const shop = new Workshop(page);
  await page.locator('#turn', { hasText: /^turn 2 of/ }).waitFor();
  const loser = await page.locator('#seat').inputValue();
  assert.match(await page.locator('#opponent').inputValue(), /^baseline:(easy|hard)@/);
  const words = await page.locator('#words-of-turn').innerText();
  await shop.write('function turn(o) {\n  return skip();\n}');
  await page.locator('#from-here').click();
  await page.locator('#workshop[data-state="ready"] #status', { hasText: OVER }).waitFor();
  assert.match(await page.locator('#title').innerText(), loser === '0' ? /^your bot – / : / – your bot$/);
  await page.locator('#scrubber').fill('2');
  assert.equal(await page.locator('#words-of-turn').innerText(), words, 'what was played stays');
  await ann.leave();
});
