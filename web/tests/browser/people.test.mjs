// Two people at a board: they find each other by a code, in the lobby and by chance; one reloads, a third watches, one
// has no socket; they agree to a draw, play a rematch, resign and run out of time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api } from '../lib/api.mjs';
import { ON_A_PHONE, Person, ask } from '../lib/browser.mjs';
import { look, startEngine } from '../lib/moves.mjs';
import { Proxy } from '../lib/proxy.mjs';
import { RoomPage } from '../lib/room_page.mjs';
import { outOfView, resize } from '../lib/layout.mjs';
import { scene } from '../lib/scene.mjs';
import { Table } from '../lib/table.mjs';
import { until } from '../lib/until.mjs';

const here = scene();

const ROOM = /\/rooms\/[0-9a-f]{32}/;

/**
 * Opens a room for others.
 * @param {import('playwright-core').Page} page
 * @param {{door?: string, seat?: string, clock?: string, kind?: string}} [wish]
 */
async function openRoom(page, { door = 'private', seat = '0', clock = 'game-600-5', kind = '' } = {}) {
  await page.goto('/lobby');
  for (const [name, value] of Object.entries({ door, seat, clock, kind })) await page.locator(`#open-room [name=${name}]`).selectOption(value);
  await page.locator('#open-room button').click();
  await page.waitForURL(ROOM);
  await page.locator('#waiting-room #code').waitFor();
}

/**
 * Joins the room of a code, whose page names the terms first.
 * @param {import('playwright-core').Page} page
 * @param {string | null} code
 */
async function sitDown(page, code) {
  await page.goto(`/lobby?room=${code}`);
  await page.locator('#join button').click();
  await page.locator('#waiting-room').getByText('10 min + 5 s a turn').waitFor();
  await page.locator('#waiting-room button.primary').first().click();
}

/**
 * Waits until a page says this about the presence of others.
 * @param {import('playwright-core').Page} page
 * @param {string} words
 */
async function present(page, words) {
  const line = page.locator('#spectators');
  await until('the presence of others', () => line.textContent(), words);
}

/** Screens on which a person's notices are in view, without scrolling, in CSS pixels. */
const SCREENS = [{ width: 1366, height: 768 }, { width: 1024, height: 768 }, { width: 390, height: 844 }];

/**
 * The bar at the board of a page, once it says something: in view on every screen, and in the page's title.
 * @param {import('playwright-core').Page} page
 * @param {string} words
 */
async function told(page, words) {
  const bar = page.locator('#bar:not([hidden])');
  await bar.getByText(words).waitFor();
  assert.ok((await page.title()).startsWith(`(!) ${words}`), await page.title());
  const size = page.viewportSize();
  for (const screen of SCREENS) {
    await resize(page, screen);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    assert.deepEqual(await outOfView(page, '#bar, #bar button, #bar a'), [], `${words} at ${screen.width} px`);
  }
  if (size) await resize(page, size);
  return bar;
}

/** The table of a room whose game has begun. @param {import('playwright-core').Page} page */
async function seated(page) {
  await page.locator('main#room').waitFor();
  return new Table(page, here.random);
}

/** Plays a ply of the seat to move. @param {Table[]} tables @param {'click' | 'tap'} [hand] */
async function ply(tables, hand = 'click') {
  const shown = () => Promise.all(tables.map((table) => table.shown()));
  const phases = await until('somebody is to move', shown, (all) => all.some(({ phase }) => phase === 'yours'));
  const table = tables[phases.findIndex(({ phase }) => phase === 'yours')];
  await table.page.bringToFront();
  const position = await table.position();
  await table.place(position, table.choose(position), table[hand]);
  const { ply } = await table.shown();
  await table.page.locator('#send').click();
  for (const each of tables) await each.when(`ply ${ply + 1}`, (shown) => shown.ply > ply);
}

test('by a code: clocks, a reload, somebody who looks on, a draw and once more with seats swapped', async () => {
  const [ann, bob, eve] = [await here.arrive(), await here.arrive(ON_A_PHONE), await here.arrive()];
  const [first, second] = [await ann.open(), await bob.open()];
  await openRoom(first);
  const code = await first.locator('#code').textContent();
  assert.match(await first.locator('#room-link').inputValue(), /\/rooms\/[0-9a-f]{32}$/);
  await sitDown(second, code);
  const tables = [await seated(first), await seated(second)];
  await tables[0].reach('yours');
  await tables[1].reach('waiting');
  const look = new Table(await eve.open(await tables[0].path()), here.random);
  await look.reach('watching');
  for (const page of [first, second]) await present(page, '1 spectator.');
  await ply(tables);
  await ply(tables, 'tap');
  await second.reload();
  await tables[1].reach('waiting');
  assert.equal((await tables[1].shown()).ply, 2, 'the same ply after a reload');
  await ply(tables);
  await look.when('ply 3', (shown) => shown.ply === 3);
  assert.match(String(await first.locator('#clocks').textContent()), /You \d+:\d\d guest \d+:\d\d/);
  const { people } = await tables[0].state();
  assert.equal(people.left_ms.length, 2);

  await first.locator('#chat summary').click();
  await first.locator('#chat-text').fill('a <b>http://nowhere.example</b>');
  await first.locator('#chat-form button').click();
  await until('Bob sees that there is news', () => second.locator('#chat-news').textContent(), '1');
  await told(second, 'guest (1): a <b>http://nowhere.example</b>');
  assert.equal(await second.locator('#chat-lines').textContent(), 'guest (1): a <b>http://nowhere.example</b> Report', 'text, no markup and no link');
  await second.locator('#chat summary').click();
  await second.locator('#chat-lines button').click();
  await second.locator('#chat-lines').getByText('Reported').waitFor();
  await second.locator('#chat-mute').check();
  // Six at a time, until it is too much: a busy machine may be so slow that the first six are no flood.
  let sent = 0;
  await until('a flood is refused', async () => {
    sent = await first.evaluate((sent) => {
      const text = /** @type {HTMLInputElement} */ (document.getElementById('chat-text'));
      for (let message = 0; message < 6; message++, sent++) {
        text.value = `again ${sent}`;
        text.form?.requestSubmit();
      }
      return sent;
    }, sent);
    return first.getByText(/too many messages: at most five in five seconds/i).count();
  });
  await until('what was not said is in the field again', () => first.locator('#chat-text').inputValue(), /again \d/);
  assert.ok((await second.locator('#chat-lines li').count()) < 1 + sent, 'a flood is cut');
  // A person who muted others does not see their messages, even after a reload, and sees them after unmuting.
  const [line, earlier] = ['again 0', 'nowhere.example'].map((text) => second.locator('#chat-lines li', { hasText: text }));
  for (const isFresh of [false, true]) {
    if (isFresh) await second.reload();
    await until('what was said is there', () => line.count(), 1);
    assert.ok(await second.locator('#chat-mute').isChecked());
    const hidden = await Promise.all([earlier, line].map((one) => one.getAttribute('hidden')));
    assert.deepEqual(hidden, [isFresh ? '' : null, ''], 'it is not shown; what was seen before stays as long as the page');
    assert.ok(await second.locator('#chat-news').isHidden(), 'nor is it counted');
  }
  await second.locator('#chat summary').click();
  await second.locator('#chat-mute').uncheck();
  for (const one of [earlier, line]) await one.waitFor();
  await first.locator('#draw').click();
  await until('Bob is offered a draw', () => second.locator('#draw').textContent(), 'Accept the draw');
  await (await told(second, 'guest offers a draw.')).getByText('Decline').click();
  await (await told(first, 'Your offer of a draw was declined.')).getByLabel('Close the message').click();
  await ply(tables, 'tap');
  assert.ok(await second.locator('#bar').isHidden());
  await first.locator('#draw').click();
  await (await told(second, 'guest offers a draw.')).getByText('Accept the draw').click();
  for (const table of [...tables, look]) await table.reach('over');
  assert.match(String(await second.locator('#result-words').textContent()), /both agreed/);
  const before = await tables[0].path();
  await first.locator('#chat-text').fill('half written');
  await first.locator('#once-more').click();
  await second.locator('#rematch-said').getByText('wants a rematch.').waitFor();
  await (await told(second, 'guest wants a rematch.')).getByText('Rematch, seats swapped').click();
  for (const page of [first, second]) await page.waitForURL((url) => ROOM.test(url.pathname) && !url.pathname.endsWith(before));
  await until('the message that was half written', () => first.locator('#chat-text').inputValue(), 'half written');
  await told(look.page, 'The players have begun another game.');
  // Who comes late with the code sees the game that it was for.
  const late = await eve.open(`/lobby?room=${code}`);
  await late.locator('#join button').click();
  await late.waitForURL((url) => url.pathname.endsWith(before));
  await tables[1].reach('yours');
  await tables[0].reach('waiting');
  await ply(tables);
  await present(first, '');
  await second.close();
  await present(first, 'guest is away.');
  await told(first, 'guest is away.');
  await bob.open(await tables[0].path());
  await present(first, '');
  // Going back leads to the finished game, which stays open and links to the next one.
  await first.goBack();
  await tables[0].reach('over');
  await first.locator('#rematch-said').getByRole('link', { name: 'Their next game' }).click();
  await first.waitForURL((url) => ROOM.test(url.pathname) && url.pathname !== before);
  for (const person of [ann, bob, eve]) await person.leave();
});

test('the page of a person who sits down waits for the answer, which has the cookie, however soon the game begins', async () => {
  const proxy = await Proxy.start(here.server.url);
  proxy.through = true;
  const [ann, bob] = [await here.arrive(), await Person.arrive(here.browser, proxy.url)];
  const [first, second] = [await ann.open(), await bob.open()];
  /** @type {any[]} */
  const heard = [];
  second.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(JSON.parse(String(payload)))));
  await openRoom(first);
  await second.goto(`/lobby?room=${await first.locator('#code').textContent()}`);
  await second.locator('#join button').click();
  const began = () => heard.filter(({ people }) => people?.started).length;
  await until('the page hears of the room', () => heard.length);
  assert.equal(began(), 0);
  /** @type {() => void} */
  let release = () => {};
  proxy.held = new Promise((resolve) => (release = resolve));
  await second.locator('#waiting-room button.primary').first().click({ noWaitAfter: true });
  await (await seated(first)).reach('yours');
  await until('the page hears that the game has begun, before the answer to its form', began);
  release();
  // A page that was loaded again would have no cookie, so it would look on.
  await (await seated(second)).reach('waiting');
  for (const person of [ann, bob]) await person.leave();
  proxy.close();
});

test('in the lobby, which lists who waits at once, and by which rules; who is not to move may resign', async () => {
  const [ann, bob] = [await here.arrive(), await here.arrive()];
  const lobby = await bob.open('/lobby');
  const first = await ann.open();
  await openRoom(first, { door: 'public', clock: 'turn-300', kind: 'v1' });
  const id = new URL(first.url()).pathname.split('/').pop();
  await lobby.locator(`#waiting [data-room="${id}"]`).getByText('V1 rules (versions 5.4 and 5.5), 5 min a turn').waitFor();
  // What is new is announced, and not all else once more.
  await lobby.locator('#lobby-news').getByText(/^Waiting for an opponent: .* 5 min a turn\.$/).waitFor({ state: 'attached' });
  assert.equal(await lobby.locator('[aria-live]:has([data-room]), [role=status]:has([data-room])').count(), 0);
  await lobby.locator(`#waiting [data-room="${id}"] button`).click();
  const tables = [await seated(first), await seated(lobby)];
  for (const page of [first, lobby]) assert.equal(await page.locator('#kind').textContent(), 'V1 rules (versions 5.4 and 5.5)');
  assert.equal((await tables[0].state()).options, '');
  await tables[0].reach('yours');
  await ply(tables);
  await ply(tables);
  // The lists say who looks on; those who play do not.
  const eve = await here.arrive();
  const lists = await eve.open('/lobby');
  const listed = async (/** @type {number} */ watching) => {
    await until('the list of the lobby', () => lists.locator('#playing').innerText(), (text) => text.includes(`2 turns, ${watching} watching`));
    const games = await eve.open('/games');
    await until('the list of games', () => games.reload().then(() => games.locator('#live').innerText()), (text) => text.includes(`2 turns, ${watching} watching`));
    await games.close();
  };
  await listed(0);
  const looking = new Table(await eve.open(await tables[0].path()), here.random);
  await looking.reach('watching');
  await lists.reload();
  await listed(1);
  await eve.leave();
  await lobby.locator('#resign').click();
  await lobby.locator('#resign').click();
  for (const table of tables) await table.reach('over');
  assert.equal(await first.locator('#result-title').textContent(), 'You win');
  await ann.leave();
  await bob.leave();
});

test('a double click opens one room', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/lobby');
  const api = new Api(here.server.url);
  const rooms = async () => (await api.get('lobby')).body.waiting.map((/** @type {{room: string}} */ { room }) => room);
  const before = await rooms();
  await page.locator('#open-room [name=door]').selectOption('public');
  // The answer to the first click is on its way when the second comes.
  let sent = 0;
  let hear = () => {};
  const answered = new Promise((resolve) => (hear = () => resolve(null)));
  await page.route('**/lobby?once=*', async (route) => {
    sent += 1;
    if (sent > 1) return route.continue();
    await route.fetch({ maxRedirects: 0 });
    hear();
  });
  const button = page.locator('#open-room button');
  await button.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await button.boundingBox()) ?? assert.fail('a button');
  const click = () => page.mouse.click(x + width / 2, y + height / 2);
  await click();
  await answered;
  await click();
  await until('the room', () => page.url(), ROOM);
  await page.locator('#waiting-room').waitFor();
  const opened = (await rooms()).filter((/** @type {string} */ room) => !before.includes(room));
  assert.deepEqual(opened, [new URL(page.url()).pathname.split('/').pop()], `${sent} requests`);
  assert.equal(sent, 2, 'the browser sent the form twice');
  // The next visitor who asks for any opponent would sit down in it.
  await page.locator('#leave').click();
  await until('the room is closed', async () => (await rooms()).length, before.length);
  await ann.leave();
});

test('by chance, one of them without a socket; a code that nobody has opens nothing', async () => {
  const [ann, bob] = [await here.arrive(), await here.arrive()];
  const pages = [await ann.open('/lobby'), await bob.open('/lobby')];
  for (const page of pages) {
    await page.locator('#pair button').click();
    await page.waitForURL(ROOM);
    // A waiting person can be found once their page is open.
    if (page === pages[0]) await until('somebody waits', async () => (await lobbyOf(page)).waiting, ({ length }) => length === 1);
  }
  const tables = [await seated(pages[0]), await seated(pages[1])];
  await ply(tables);
  // A socket that opens and stays silent, as behind some proxies.
  let through = false;
  await pages[1].routeWebSocket(/\/socket\b/, (route) => void (through && route.connectToServer()));
  await pages[1].reload();
  await pages[1].locator('main#room[data-transport="poll"]').waitFor();
  await tables[1].reach('yours', 'waiting');
  for (let turn = 0; turn < 2; turn++) await ply(tables);
  // Once sockets get through again, the page returns to one.
  through = true;
  await pages[1].evaluate(() => dispatchEvent(new Event('online')));
  const transport = () => tables[1].main.getAttribute('data-transport');
  await until('how the page is connected again', transport, 'socket');
  await ply(tables);
  await pages[1].goto(`${await tables[1].path()}?net=poll`);
  await tables[1].reach('yours', 'waiting');
  await ply(tables);
  const fresh = await bob.open(await tables[1].path());
  await pages[1].close();
  [pages[1], tables[1]] = [fresh, new Table(fresh, here.random)];
  await tables[1].reach('yours', 'waiting');
  // A page whose socket was delayed by the machine for seconds uses requests, and retries a socket after a minute.
  await fresh.locator('main#room[data-transport="socket"]').waitFor();
  assert.equal((await tables[1].shown()).ply, 5);

  const eve = await here.arrive();
  const typed = await eve.open('/lobby');
  await typed.locator('#join input').fill('zzzzzz');
  await eve.forgiving(/404/, async () => {
    await typed.locator('#join button').click();
    await typed.getByText('No waiting room has this code.').waitFor();
    // Whatever was typed is still there.
    assert.equal(await typed.locator('#join input').inputValue(), 'zzzzzz');
    const wanted = { game: 'war-of-life', kind: 'cross', clock: 'turn-300', seat: '1', door: 'public' };
    for (const [name, value] of Object.entries(wanted)) await typed.locator(`#open-room [name=${name}]`).selectOption(value);
    await typed.locator('#open-room [name=invite]').fill('Nobody at all');
    await typed.locator('#open-room [name=chat]').uncheck();
    await typed.locator('#open-room button').click();
    await typed.locator('#open-room [data-refused]').waitFor();
    const kept = await typed.locator('#open-room').evaluate((form) => Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (form))));
    assert.deepEqual({ ...wanted, invite: 'Nobody at all', ...kept }, kept);
    assert.equal(kept.chat, undefined);
  });
  // What was sent well is forgotten.
  await typed.locator('#open-room [name=invite]').fill('');
  await typed.locator('#open-room button').click();
  await typed.waitForURL(ROOM);
  await typed.goto('/lobby');
  assert.equal(await typed.locator('#open-room [name=clock]').inputValue(), 'game-600-5');
  for (const person of [ann, bob, eve]) await person.leave();
});

test('an invitation is in the window when the front page opens, below a notice of the operator, too', async () => {
  const [ann, bob] = [await here.arrive(), await here.arrive()];
  await ann.claim('A host');
  await bob.claim('An invited guest');
  const page = await ann.open('/lobby');
  await page.locator('#open-room [name=invite]').fill('An invited guest');
  await page.locator('#open-room button').click();
  await page.waitForURL(ROOM);
  await here.server.act({ act: 'post_notice', new_name: 'Maintenance '.repeat(15).trim() });
  const front = await bob.open('/');
  for (const language of ['en', 'es']) {
    await bob.context.addCookies([{ name: 'arena_language', value: language, url: here.server.url }]);
    for (const screen of SCREENS) {
      await resize(front, screen);
      await front.goto('/');
      await front.locator('body > .notice').waitFor();
      assert.deepEqual(await outOfView(front, '#invited a'), [], `${language} at ${screen.width} px`);
    }
  }
  await here.server.act({ act: 'remove_notice' });
  for (const person of [ann, bob]) await person.leave();
});

test('behind a proxy that refuses sockets, and then no longer does', async () => {
  const proxy = await Proxy.start(here.server.url);
  const [ann, bob] = [await Person.arrive(here.browser, proxy.url), await here.arrive()];
  const [first, second] = [await ann.open(), await bob.open()];
  await ann.forgiving(/WebSocket connection/, async () => {
    await openRoom(first);
    const code = await first.locator('#code').textContent();
    await sitDown(second, code);
    const tables = [await seated(first), await seated(second)];
    await first.locator('main#room[data-transport="poll"]').waitFor();
    await tables[0].reach('yours');
    for (let turn = 0; turn < 3; turn++) await ply(tables);
    assert.ok(proxy.refused > 1, 'it was tried more than once');
    proxy.through = true;
    await first.evaluate(() => dispatchEvent(new Event('online')));
    const transport = () => tables[0].main.getAttribute('data-transport');
    await until('how the page is connected', transport, 'socket');
    await ply(tables);
    // A tab told to use no sockets, on any page, does the same in later rooms.
    await second.goto('/play?net=poll');
    await second.goto('/lobby');
    await openRoom(second, { door: 'public' });
    await first.goto('/lobby');
    await first.locator(`#waiting [data-room="${new URL(second.url()).pathname.split('/').pop()}"] button`).click();
    await seated(second);
    await second.locator('main#room[data-transport="poll"]').waitFor();
  });
  await ann.leave();
  await bob.leave();
  proxy.close();
});

test('the form of a room has what belongs to the game that is chosen; without script all of it, with the games\u2019 names', async () => {
  const ann = await here.arrive();
  const page = await ann.open('/lobby');
  const form = page.locator('#open-room');
  /** Visible labels, by the names of their fields. */
  const fields = async () => {
    const names = await form.locator('input:not([type=hidden]), select').evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('name')));
    return ['seats', 'turns', 'kind', 'number'].filter((name) => names.includes(name));
  };
  const choices = (/** @type {string} */ name) => form.locator(`[name=${name}] option`).allInnerTexts();
  for (const [game, own, seats, kind] of /** @type {[string, string[], number, RegExp | null]} */ ([
    ['war-of-life', ['kind', 'number'], 2, /deal/],
    ['game-of-game-of-life', ['seats', 'turns'], 2, null],
    ['conquerors', ['kind'], 2, /V2 rules/],
  ])) {
    await form.locator('[name=game]').selectOption(game);
    assert.deepEqual(await fields(), own, game);
    assert.equal((await choices('seat')).length, 1 + seats, `${game}: by lot, or one of its seats`);
    if (kind) assert.match((await choices('kind'))[0], kind, 'the usual has its name');
  }
  assert.ok((await choices('kind')).length > 1 && (await form.locator('optgroup').count()) === 0, 'kinds of one game');
  // Choices for another game are not sent.
  await form.locator('[name=kind]').selectOption('v1');
  await form.locator('[name=game]').selectOption('game-of-game-of-life');
  await form.locator('[name=seats]').selectOption('3');
  assert.equal((await choices('seat')).length, 4, 'as many seats as players');
  await form.locator('button').click();
  await page.waitForURL(ROOM);
  await page.locator('#waiting-room').getByText('Game of Game of Life').waitFor();

  const plain = await here.arrive({ javaScriptEnabled: false });
  const still = await plain.open('/lobby');
  const named = await still.locator('#open-room .of-game').evaluateAll((parts) => parts.map((part) => [part.querySelector('legend')?.checkVisibility(), part.querySelector('select, input')?.checkVisibility()]));
  assert.ok(named.length > 2, `${named.length} parts`);
  assert.deepEqual(named.flat().filter((seen) => seen !== true), [], 'each is there with its games');
  for (const person of [ann, plain]) await person.leave();
});

/** A board without edges, for three players. */
const size = { rows: 12, cols: 12 };

/**
 * Names the cell farthest from all living ones, so that no player is out by it, and ends the turn.
 * @param {RoomPage} table
 */
async function answer(table) {
  await table.reach('yours');
  await table.page.bringToFront();
  const { cells } = look(startEngine(), await table.state());
  const living = [...String(cells)].flatMap((cell, at) => (cell === '.' ? [] : [[Math.floor(at / size.cols), at % size.cols]]));
  const around = (/** @type {number} */ steps, /** @type {number} */ side) => Math.min(steps, side - steps);
  const apart = (/** @type {number[]} */ [row, col], /** @type {number[]} */ [other, across]) => Math.max(around(Math.abs(row - other), size.rows), around(Math.abs(col - across), size.cols));
  const alone = (/** @type {number[]} */ cell) => Math.min(...living.map((other) => apart(cell, other)));
  const next = String((await table.board.getAttribute('data-next')) ?? '').split(' ').filter((cell) => cell !== '').map((cell) => cell.split(',').map(Number));
  assert.ok(next.length > 0, 'some cells are open');
  const [far] = next.toSorted((one, other) => alone(other) - alone(one));
  await table.click(/** @type {[number, number]} */ (far));
  await table.page.locator('#send').click();
}

test('three seats play at once, and once more: two people, and a bot of theirs in the seat that is left', async () => {
  const [ann, bob] = [await here.arrive(), await here.arrive(ON_A_PHONE)];
  const [first, second] = [await ann.open('/lobby'), await bob.open()];
  for (const [name, value] of Object.entries({ game: 'game-of-game-of-life', seats: '3', turns: '50', seat: '0', clock: 'game-600-5' })) {
    await first.locator(`#open-room [name=${name}]`).selectOption(value);
  }
  await first.locator('#open-room button').click();
  await first.waitForURL(ROOM);
  const code = await first.locator('#waiting-room #code').textContent();
  await sitDown(second, code);
  await second.locator('#waiting-room').getByText('Waiting for players').waitFor();
  assert.equal(await second.locator('#bots').count(), 0, 'bots are the host\u2019s');
  await first.locator('#waiting-room tr', { hasText: 'B' }).getByText('guest').waitFor();
  await first.locator('#bots [name=opponent]').selectOption('greedy');
  await first.locator('#bots button').click();
  for (const page of [first, second]) await page.locator('main#room').waitFor();
  const tables = [new RoomPage(first, here.random, size), new RoomPage(second, here.random, size)];
  for (let turn = 0; turn < 3; turn++) {
    await answer(tables[turn % 2]);
    await tables[turn % 2].reach('waiting');
    assert.equal((await tables[turn % 2].shown()).ply, turn, 'the turn waits for the other');
    await answer(tables[1 - (turn % 2)]);
    for (const table of tables) await table.when(`turn ${turn + 1}`, ({ ply, phase }) => ply === turn + 1 && phase !== 'animating');
  }
  assert.match(String(await first.locator('#clock').textContent()), /^47 turns left$/);
  await first.locator('#resign').click();
  await first.locator('#resign').click();
  await tables[0].when('Ann is out', ({ phase }) => phase === 'waiting');
  await answer(tables[1]);
  // By chance that turn may eliminate one of the two remaining players, which ends the game.
  const { phase } = await tables[1].when('the others go on', (shown) => shown.ply === 4 && ['yours', 'over'].includes(shown.phase));
  for (let click = 0; phase === 'yours' && click < 2; click++) await second.locator('#resign').click();
  for (const table of tables) await table.reach('over');
  const before = new URL(first.url()).pathname;
  await first.locator('#once-more').click();
  await second.locator('#rematch-said').getByText('wants a rematch.').waitFor();
  await second.locator('#once-more').click();
  for (const page of [first, second]) {
    await page.waitForURL((url) => ROOM.test(url.pathname) && url.pathname !== before);
    await page.locator('main#room').getByText('greedy').first().waitFor();
  }
  for (const table of tables) await answer(table);
  for (const table of tables) await table.when('the bot answered, too', ({ ply }) => ply === 1);
  for (const person of [ann, bob]) await person.leave();
});

/** @param {import('playwright-core').Page} page */
const lobbyOf = async (page) => (await ask(page, '/api/v1/lobby')).json();
