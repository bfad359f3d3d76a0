// Every page of the site, with something to show on each.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { Api } from './api.mjs';
import { ask } from './browser.mjs';
import { variant } from './guests.mjs';
import { PieceTable } from './piece_table.mjs';
import { OPERATOR_TOKEN } from './server.mjs';
import * as setting from './setting.mjs';
import { Table } from './table.mjs';
import { until } from './until.mjs';
import { Workshop } from './workshop_page.mjs';

/** Bots of the gallery that are submitted, so that the standings have enough rows. */
const GALLERY = ['gardener', 'strategist', 'mason', 'scatter'];

/** The number of these bots that the person submits: an edition admits no more of one owner. */
const OWN = 3;

/** The name of another person, written from right to left. */
const OTHER = 'مريم';

/** All games, by their names. */
export const GAMES = ['conquerors', 'war-of-life', 'game-of-game-of-life', 'life2'];

/** The time limit of an edition: hundreds of games, of a build with checks, in milliseconds. */
export const EDITION_LIMIT_MS = 300_000;

/**
 * A page to check.
 * @typedef {object} Looked
 * @property {string} name
 * @property {string} path
 * @property {string} template the server's template
 * @property {boolean} [own] whether only the owner of a bot may see it; the path continues that of a game of that bot
 * @property {boolean} [stranger] whether the visitor is not signed in
 * @property {boolean} [refuses] whether its status is an error, which browsers report
 * @property {(page: import('playwright-core').Page) => Promise<void>} [reach] reaches the page if the path alone does
 *   not
 * @property {(page: import('playwright-core').Page) => Promise<void>} [prepare] prepares the page before the checks
 */

/**
 * Who looks at such pages: each visit takes a large part of what an account may ask for in an hour.
 * @typedef {{cookies: import('playwright-core').Cookie[], game: string}} Owner
 */

/** Browsers' messages about an error status. */
export const REFUSED = /status of 4\d\d/;

/**
 * Fills a server with people, bots and games.
 * @param {import('./server.mjs').Server} server
 * @param {import('./browser.mjs').Person} person who gets the name Ann, and the bots
 * @param {import('./random.mjs').Random} random
 * @param {{owners?: number, all?: boolean}} [wanted] the number of owners, and whether all pages are wanted, or one for
 *   each template
 * @returns {Promise<{pages: Looked[], owners: Owner[]}>}
 */
export async function furnish(server, person, random, { owners: many = 1, all = true } = {}) {
  const api = new Api(server.url, await person.claim('Ann'));
  const other = await Api.claim(server.url, OTHER);
  for (const [place, bot] of GALLERY.entries()) await judged(place < OWN ? api : other, bot, setting.botBytes(bot));
  await judged(api, 'gardener', variant(setting.botBytes('gardener'), 2));
  const refused = await judged(api, 'gardener', Buffer.from('not a module'));
  const owners = [];
  for (let number = 0; number < many; number += 1) owners.push(await owner(server, number));

  const page = await person.open();
  const midGame = once(async () => (await Table.openAt(page, random, { opponent: 'hard', guided: true }, ({ round }) => round === 5)).path());
  const over = once(async () => {
    const finished = await Table.openAt(page, random, { opponent: 'normal' }, ({ round }) => round === 12);
    await finished.turnByMouse();
    return finished.path();
  });
  // While an edition is played, its page is loaded again and again; its games are there when it is finished.
  await saidOn(page, '/standings', (text) => GALLERY.every((bot) => text.includes(`<tr data-bot="${bot}">`)) && text.includes(STILL));
  const [, replay] = await saidOn(page, '/bots/gardener', (text) => /id="games"[^]*?href="(\/games\/[^"]+)"/.exec(text));
  await page.goto('/bots/gardener');
  const author = String(await page.locator('.lead a[href^="/authors/"]').getAttribute('href'));
  const tables = once(() => together(api, other));
  await operate(page);
  /** @type {(Omit<Looked, 'path' | 'template'> & {template?: string, path: string | (() => Promise<string>)})[]} */
  const known = [
    // With games: `front.test.mjs` has it without any.
    { name: 'front', path: '/' },
    { name: 'standings', path: '/standings' },
    { name: 'bot', path: '/bots/gardener' },
    { name: 'baseline', template: 'bot', path: '/bots/hard' },
    { name: 'bot-lost', template: 'bot', path: '/bots/gardener?result=lost&opponent=hard' },
    { name: 'games', path: '/games' },
    { name: 'tournaments', path: '/tournaments' },
    { name: 'volunteers', path: '/volunteers', reach: volunteers },
    { name: 'tournament-new', path: '/tournaments/new' },
    { name: 'tournament', path: () => tournament(page) },
    { name: 'version', path: '/bots/gardener/versions/1' },
    { name: 'verdict-refused', template: 'version', path: `/bots/gardener/versions/${refused}` },
    // The template of all chapters, with its longest tables and listings; `axe.test.mjs` has every chapter on a phone.
    { name: 'guide', path: '/guide' },
    { name: 'guide-wat', template: 'guide', path: '/guide/wat' },
    { name: 'guide-abi', template: 'guide', path: '/guide/abi' },
    { name: 'search', path: '/guide/search?q=fuel' },
    // Without a tournament: `open.test.mjs` has it with one.
    { name: 'open', path: '/open' },
    { name: 'again', path: '/again?version=1', own: true },
    { name: 'profile', path: '/profile', own: true },
    { name: 'log', path: '/log', own: true },
    { name: 'submit', path: '/submit' },
    { name: 'play', path: '/play' },
    { name: 'learn', path: '/learn' },
    { name: 'lesson', template: 'room', path: '/learn/conquerors/7' },
    { name: 'lesson-life2', template: 'world', path: '/learn/life2' },
    { name: 'rules_page', path: '/rules/conquerors' },
    { name: 'rules-field', template: 'rules_page', path: '/rules/game-of-game-of-life' },
    { name: 'author', path: author },
    { name: 'practice', template: 'room', path: '/practice?opponent=' },
    { name: 'practice-on', template: 'room', path: `/practice?from=${replay.split('/').pop()}&turn=9` },
    { name: 'room', path: async () => `${await midGame()}?guided=on`, prepare: (page) => draft(page, random) },
    { name: 'room-over', template: 'room', path: over },
    { name: 'offline', path: '/offline' },
    { name: 'lobby', path: '/lobby' },
    { name: 'room-people', template: 'room', path: async () => (await tables())[0] },
    { name: 'waiting', path: async () => (await tables())[1] },
    { name: 'game', path: `${replay}#turn=9` },
    { name: 'replay-room', template: 'game', path: async () => `${(await over()).replace('/rooms/', '/games/')}#turn=13` },
    { name: 'room-war-of-life', template: 'room', path: async () => (await PieceTable.open(page, random, { seat: 1 })).path() },
    { name: 'replay-field', template: 'game', path: async () => `${await fieldGame(api)}#turn=150` },
    { name: 'account', path: '/account' },
    { name: 'workshop', path: '/workshop', prepare: (page) => new Workshop(page).run(/wins|draw/).then(() => {}) },
    { name: 'operator', path: '/operator' },
    { name: 'privacy', path: '/privacy' },
    { name: 'people', path: '/people' },
    { name: 'api', path: '/api' },
    { name: 'worlds', path: '/worlds' },
    { name: 'world', path: '/worlds/meadow' },
    { name: 'world_rules', path: '/rules/world' },
    { name: 'account-claim', template: 'account', path: '/account', stranger: true },
    { name: 'account-refused', template: 'account', path: '/account', stranger: true, refuses: true, reach: refusedThere },
    { name: 'code', path: '/account/code', stranger: true, reach: claimed },
    { name: 'token', path: '/account/token', stranger: true, reach: tokened },
    { name: 'operator_door', path: '/operator', stranger: true },
    { name: 'problem', path: '/bots/nobody', refuses: true },
    { name: 'room-many', template: 'room', path: () => ofMany(api) },
    { name: 'lesson-done', template: 'room', path: '/learn/conquerors/8', prepare: skipped },
    { name: 'standings-only', template: 'standings', path: `/standings?only=${author.split('/').pop()}`, prepare: (page) => onlyOf(page, author) },
    ...GAMES.slice(1).map((game) => ({ name: `standings-${game}`, template: 'standings', path: () => stillStandings(page, game) })),
    ...['war-of-life', 'life2'].map((game) => ({ name: `rules-${game}`, template: 'rules_page', path: `/rules/${game}` })),
  ];
  // A new template is missing here until somebody adds its page, with its name.
  assert.deepEqual(templates().filter((template) => !known.some(({ name }) => name === template)), [], 'every template has a page');
  /** @type {Looked[]} */
  const pages = [];
  for (const one of known.filter(({ template }) => all || template === undefined)) {
    pages.push({ template: one.name, ...one, path: typeof one.path === 'string' ? one.path : await one.path() });
  }
  await page.close();
  return { pages, owners };
}

/** In the page of standings of which nothing is played any more. */
const STILL = 'data-moving="false"';

/**
 * The address of a game's standings, once they are still.
 * @param {import('playwright-core').Page} page
 * @param {string} game
 */
async function stillStandings(page, game) {
  const path = `/standings/${game}`;
  await saidOn(page, path, (text) => text.includes(STILL));
  return path;
}

/**
 * Makes something when it is first asked for, once.
 * @template T
 * @param {() => Promise<T>} make
 * @returns {() => Promise<T>}
 */
function once(make) {
  /** @type {Promise<T> | undefined} */
  let made;
  return () => (made ??= make());
}

/**
 * An account with a bot that has played, signed in.
 * @param {import('./server.mjs').Server} server
 * @param {number} number
 * @returns {Promise<Owner>}
 */
async function owner({ url }, number) {
  const api = await Api.claim(url, `Owner ${number}`);
  const [bot, bytes] = [`own-${number}`, variant(setting.botBytes('scatter'), number)];
  await judged(api, bot, bytes);
  // In a tournament of its own: copies have one place in the standing one.
  const file = `${createHash('sha256').update(bytes).digest('hex')}.wasm`;
  const definition = `name = "${bot}"\npairs = 1\n[[entrants]]\nname = "${bot}"\nfile = "${file}"\n[[entrants]]\nname = "easy"\nbaseline = "easy"\n`;
  const game = await played(api, bot, definition);
  const session = await fetch(`${url}/session`, { method: 'POST', redirect: 'manual', headers: { ...api.from, origin: url }, body: new URLSearchParams({ code: String(api.token) }) });
  const given = { domain: new URL(url).hostname, path: '/', expires: -1, httpOnly: true, secure: false, sameSite: /** @type {const} */ ('Lax') };
  const cookies = session.headers.getSetCookie().map((cookie) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    return { name, value, ...given };
  });
  return { cookies, game };
}

/**
 * Two people at a board, and a third who waits in the lobby.
 * @param {Api} one
 * @param {Api} other
 * @returns {Promise<[string, string]>} the addresses of their room and of the third person's
 */
async function together(one, other) {
  // The clocks last longer than the checks.
  const { body: table } = await one.post('lobby', { seat: 0, clock: 'turn-3600', public: true }, [201]);
  await other.post('lobby/joins', { code: table.code }, [200, 201]);
  const third = await Api.claim(other.url, 'Emil');
  const { body: open } = await third.post('lobby', { clock: 'game-600-5', public: true }, [201]);
  return [`/rooms/${table.room}`, `/rooms/${open.room}`];
}

/** A room with the maximum number of seats, all but one taken by bots; returns its address. @param {Api} one */
export async function ofMany(one) {
  const { body: table } = await one.post('lobby', { game: 'game-of-game-of-life', seats: 16, turns: 50, clock: 'none', public: true }, [201]);
  await one.post(`rooms/${table.room}/bots`, { opponent: 'greedy' }, [200]);
  return `/rooms/${table.room}`;
}

/**
 * The standings show the rows of one author alone.
 * @param {import('playwright-core').Page} page
 * @param {string} author address
 */
async function onlyOf(page, author) {
  const rows = page.locator('#standings tbody tr');
  const authors = rows.locator(`td.author a[href="${author}"]`);
  assert.deepEqual([await rows.count(), await authors.count()], [OWN, OWN]);
}

/** Claims a name, which leads to the page with its code. @param {import('playwright-core').Page} page */
async function claimed(page) {
  await page.goto('/account');
  await page.fill('#claim [name=name]', `Guest ${Math.random().toString(36).slice(2, 10)}`);
  await page.click('#claim button');
  await page.locator('#player-code').waitFor();
}

/** Makes a token, which leads to its page. @param {import('playwright-core').Page} page */
async function tokened(page) {
  await claimed(page);
  await page.goto('/account');
  await page.fill('#newtoken [name=name]', 'laptop');
  await page.click('#newtoken button');
  await page.locator('#token').waitFor();
}

/** Tries to sign in with an invalid code. @param {import('playwright-core').Page} page */
async function refusedThere(page) {
  await page.goto('/account');
  await page.fill('#signin [name=code]', 'no code');
  await page.click('#signin button');
  await page.locator('#signin [role=alert], #signin .problem').first().waitFor();
}

/**
 * Shows the page of volunteers, which only a site with PostgreSQL has: as the server's tests know it, with this site's
 * files and policy.
 * @param {import('playwright-core').Page} page
 */
async function volunteers(page) {
  const other = await ask(page, '/tournaments');
  const [files] = /\/static\/[0-9a-f]+\//.exec(await other.text()) ?? [''];
  const text = setting.source('arena/server/tests/snapshots/people/volunteers.txt');
  const body = text.slice(text.indexOf('<!doctype html>')).replaceAll('/static/HEX/', files);
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': other.headers()['content-security-policy'] };
  await page.route('**/volunteers', (route) => route.fulfill({ body, headers }));
  await page.goto('/volunteers');
  await page.unroute('**/volunteers');
}

/** Completes a lesson with a skip. @param {import('playwright-core').Page} page */
async function skipped(page) {
  await page.locator('main#room[data-phase="yours"]').waitFor();
  await page.locator('[data-tool="skip"]').click();
  await page.locator('#send').click();
  await page.locator('#lesson[data-done="true"]').waitFor();
  await page.locator('main#room[data-phase="yours"]').waitFor();
}

/** The templates of whole pages, without extension. */
const templates = () => {
  const folder = new URL('../../templates/', import.meta.url);
  const whole = readdirSync(folder).filter((file) => readFileSync(new URL(file, folder), 'utf8').startsWith('{% extends "base.html" %}'));
  return whole.map((file) => file.replace('.html', ''));
};

/**
 * Opens a page and waits until it has loaded its contents.
 * @param {import('playwright-core').Page} page
 * @param {Looked} looked
 * @param {Owner} owner
 * @param {{scripted?: boolean}} [how] without script nothing is loaded later
 */
export async function visit(page, { path, own, stranger, reach }, owner, { scripted = true } = {}) {
  const context = page.context();
  const cookies = await context.cookies();
  if (own || stranger) {
    await context.clearCookies();
    // In the same language.
    await context.addCookies([...cookies.filter(({ name }) => name === 'arena_language'), ...(own ? owner.cookies : [])]);
  }
  try {
    if (reach) await reach(page);
    else await load(page, own ? `${owner.game}${path}` : path);
    if (scripted) await settled(page);
  } finally {
    if (own || stranger) {
      await context.clearCookies();
      await context.addCookies(cookies);
    }
  }
}

/**
 * Loads a page, even if it is already open. A blank page in between would be slower: a page of another site has its own
 * process, which costs more than the page.
 * @param {import('playwright-core').Page} page
 * @param {string} path
 */
async function load(page, path) {
  const { pathname, search } = new URL(page.url());
  const [address, turn] = path.split('#');
  await page.goto(path);
  // Going to another turn of the same game does not reload the page.
  if (turn !== undefined && address === pathname + search) await page.reload();
}

/**
 * Opens a tournament with a form; returns its address once all games are played.
 * @param {import('playwright-core').Page} page
 */
async function tournament(page) {
  await page.goto('/tournaments/new');
  await page.fill('#new-tournament [name=name]', 'Spring cup');
  await page.fill('#new-tournament [name=bots]', 'gardener, mason');
  await page.fill('#new-tournament [name=reserved]', 'easy, hard');
  await page.fill('#new-tournament [name=places]', '4');
  await page.fill('#new-tournament [name=pairs]', '1');
  await page.selectOption('#new-tournament [name=format]', 'swiss');
  await page.click('#new-tournament [type=submit]');
  await page.locator('#progress[data-stage=finished]').waitFor();
  return new URL(page.url()).pathname;
}

/**
 * Signs the operator in and performs an action, so that there is a log.
 * @param {import('playwright-core').Page} page
 */
async function operate(page) {
  await page.goto('/operator');
  await page.fill('#operator [name=token]', OPERATOR_TOKEN);
  await page.click('#operator button');
  await page.fill('#one-account [name=name]', OTHER);
  await page.selectOption('#one-account [name=act]', 'enable_account');
  await page.fill('#one-account [name=reason]', 'it was disabled by mistake');
  await page.click('#one-account button');
  await page.locator('#log').waitFor();
  await page.fill('#one-world [name=name]', 'meadow');
  await page.fill('#one-world [name=reason]', 'somebody asked for one');
  await page.click('#one-world button');
  await page.locator('a[href="/worlds/meadow"]').waitFor();
}

/**
 * A game with five seats, in a tournament of its own: a standing one plays hundreds.
 * @param {Api} api of an account
 * @returns {Promise<string>} its page's address
 */
export async function fieldGame(api) {
  const entrants = ['nothing', 'random', 'greedy', 'safety', 'planner'].map((bot) => `[[entrants]]\nname = "${bot}"\nbaseline = "${bot}"\n`);
  const keys = 'name = "Field"\nruleset = "game-of-game-of-life@1"\noptions = "seats=5"\nformat = "field"\ngames = 1\npairs = 0\n';
  return played(api, 'Field', keys + entrants.join(''));
}

/** A game of Life2, whose board shows blocks of cells. @param {Api} api @returns {Promise<string>} its address */
export async function life2Game(api) {
  const entrants = ['expander', 'besieger', 'idle'].map((bot) => `[[entrants]]\nname = "${bot}"\nbaseline = "${bot}"\n`);
  const keys = 'name = "Blocks"\nruleset = "life2@2"\noptions = "seats=3,coins=1000"\nformat = "field"\ngames = 1\npairs = 0\n';
  return played(api, 'Blocks', keys + entrants.join(''));
}

/**
 * Opens a tournament, and waits for its first game.
 * @param {Api} api
 * @param {string} name
 * @param {string} definition
 * @returns {Promise<string>} the game's address
 */
async function played(api, name, definition) {
  const { id } = (await api.post('tournaments', { definition, entry: 'named' }, [201])).body;
  const games = async () => (await api.get(`games?tournament=${id}`)).body;
  const [game] = await until(`games of ${name}`, games, ({ length }) => length > 0, { limitMs: EDITION_LIMIT_MS, everyMs: 500 });
  return `/games/${game.id}`;
}

/**
 * Waits until a page's text contains something. The text is fetched without loading the page: a browser that loads a
 * page twice a second would slow down the games that it waits for.
 * @template T
 * @param {import('playwright-core').Page} page of who asks
 * @param {string} path
 * @param {(text: string) => T} find
 * @returns {Promise<NonNullable<T>>}
 */
export async function saidOn(page, path, find) {
  const main = async () => (await (await ask(page, path)).text()).replace(/^[^]*?<main/, '<main');
  return /** @type {any} */ (find(await until(`${path} has ${find}`, main, find, { limitMs: EDITION_LIMIT_MS, everyMs: 500 })));
}

/**
 * Places the first cells of a turn.
 * @param {import('playwright-core').Page} page
 * @param {import('./random.mjs').Random} random
 */
async function draft(page, random) {
  const table = new Table(page, random);
  const position = await table.position();
  await table.place(position, table.choose(position).slice(0, 3), table.click);
}

/**
 * Uploads a version and waits for its verdict.
 * @param {Api} api
 * @param {string} bot
 * @param {Uint8Array} bytes
 * @returns {Promise<number>} of the version
 */
export async function judged(api, bot, bytes) {
  await api.upload(bot, bytes, [200, 201, 202, 422]);
  const newest = async () => (await api.get(`bots/${bot}/versions`)).body[0];
  return (await until(`a verdict on ${bot}`, newest, ({ state }) => state !== 'pending', { everyMs: 100 })).number;
}

/**
 * Waits until a page has loaded its contents: the board is drawn, the room joined.
 * @param {import('playwright-core').Page} page
 */
export async function settled(page) {
  await page.waitForLoadState('load');
  if ((await page.locator('main#room').count()) > 0) {
    await page.locator('main#room:not([data-phase="loading"]):not([data-phase="animating"])').waitFor();
  }
  if ((await page.locator('main#world').count()) > 0) await page.locator('main#world[data-phase="live"]').waitFor();
  if ((await page.locator('main#workshop').count()) > 0) await page.locator('.editor .cm-content').waitFor();
  if ((await page.locator('main#game').count()) > 0) await page.locator('#verified:is([data-verified="true"], [data-verified="false"])').waitFor();
}
