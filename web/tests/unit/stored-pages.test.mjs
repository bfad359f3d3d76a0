// The service worker on lines and releases that come and go at random. Its script is the real one; the browser that
// runs it, its cache and the site are simulated. Whatever happens, a page comes from the server while there is one;
// without a line it is the stored copy of that very page, as everybody gets it, or the page that says that there is no
// connection, with status 503. `cargo xtask schedules` tries more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script, createContext } from 'node:vm';
import { Random } from '../lib/random.mjs';
import { source } from '../lib/setting.mjs';

/** @param {string} name @param {number} otherwise the value without that environment variable */
const setting = (name, otherwise) => Number(process.env[name] ?? otherwise);

const SCRIPT = source('web/static/service-worker.js');
const SITE = 'http://site';
const MISSING = '/offline';
/** Pages that a release may store: other releases have others. */
const PAGES = [
  '/practice',
  '/practice?game=one',
  '/practice?game=one&opponent=easy',
  '/practice?game=one&opponent=hard',
  '/practice?game=field&seats=9&opponent=easy',
  '/learn',
  '/learn/one/1',
];
/** Pages that none stores. */
const OTHERS = ['/', '/standings', '/rooms/7', '/practice?game=one&opponent=mine', '/learn/one/99', '/practice?game=one&from=standing-1.1'];
/** What is done at most in a history, and how many requests reach the site before the line breaks while it is weak. */
const [DEEDS_MAX, ANSWERS_MAX] = [60, 12];

/** The caches of a browser. A folder takes all of a list or nothing, as browsers do. */
class Caches {
  /** @type {Map<string, Map<string, string>>} */
  folders = new Map();

  /** @param {(request: any) => Promise<any>} fetch */
  constructor(fetch) {
    this.fetch = fetch;
  }

  /** @param {string} name */
  async open(name) {
    const folder = this.folders.get(name) ?? new Map();
    this.folders.set(name, folder);
    return {
      addAll: async (/** @type {any[]} */ requests) => {
        const answers = await Promise.all(requests.map(async (request) => [keyOf(request), await (await this.fetch(request)).text()]));
        for (const [key, body] of answers) folder.set(key, body);
      },
      match: async (/** @type {any} */ request, /** @type {any} */ how) => found(folder, request, how),
    };
  }

  async keys() {
    return [...this.folders.keys()];
  }

  /** @param {string} name */
  async delete(name) {
    return this.folders.delete(name);
  }

  /** @param {any} request @param {any} how */
  async match(request, how) {
    return [...this.folders.values()].map((folder) => found(folder, request, how)).find(Boolean);
  }
}

/** @param {any} request */
function keyOf(request) {
  const { pathname, search } = new URL(typeof request === 'string' ? request : request.url, SITE);
  return pathname + search;
}

/**
 * What a folder has for a request. Pages vary by language and cookie, and a stored one was asked for without a cookie.
 * @param {Map<string, string>} folder
 * @param {any} request
 * @param {{ignoreVary?: boolean}} [how]
 */
function found(folder, request, how) {
  const body = folder.get(keyOf(request));
  const varies = !keyOf(request).startsWith('/static/') && how?.ignoreVary !== true;
  return body === undefined || varies ? undefined : new Response(body);
}

/** A browser at a site, whose line breaks and whose releases follow each other. */
class Visit {
  release = 1;
  language = 'en';
  isOnline = true;
  /** So many requests still reach the site; without a number, all. @type {number | undefined} */
  left = undefined;
  /** The worker in charge. @type {{kept: any, listeners: Map<string, (event: any) => void>} | undefined} */
  worker = undefined;
  counts = { stored: 0, missing: 0, online: 0, broken: 0, updates: 0 };

  /** @param {Random} random */
  constructor(random) {
    this.random = random;
    /** What the browser's own cache keeps of pages that it showed. @type {Map<string, string>} */
    this.shown = new Map();
    this.caches = new Caches((request) => this.answer(request));
  }

  /** What the current release stores. */
  kept() {
    const pages = PAGES.filter((_, at) => (at + this.release) % 4 !== 0);
    return { version: `v${this.release}`, language: this.language, files: [`/static/${this.release}/a.js`, '/static/same.js'], pages, missing: MISSING };
  }

  /**
   * What the site says at an address, and to whom.
   * @param {string} path
   * @param {{credentials?: string, language?: string}} who
   */
  content(path, { credentials, language = this.language }) {
    if (path.startsWith('/static/')) return `file ${path}`;
    return `release ${this.release}, ${language}, ${path}, ${credentials === 'omit' ? 'everybody' : 'this visitor'}`;
  }

  /** The site's answer over the line. @param {any} request */
  async answer(request) {
    const shown = this.shown.get(keyOf(request));
    // A page is asked for from the site; everything else may come from the cache, unless it is reloaded.
    if (shown !== undefined && request.mode !== 'navigate' && request.cache !== 'reload') return new Response(shown);
    if (this.left === 0) this.isOnline = false;
    if (!this.isOnline) throw new TypeError('no line');
    if (this.left !== undefined) this.left--;
    return new Response(this.content(keyOf(request), { credentials: request.credentials, language: request.headers?.['Accept-Language'] }));
  }

  /** The browser looks for a new worker, as it does at each visit. */
  async update() {
    const [kept, listeners] = [this.kept(), new Map()];
    if (JSON.stringify(this.worker?.kept) === JSON.stringify(kept) || !this.isOnline) return;
    const self = {
      KEPT: kept,
      location: { href: `${SITE}/service-worker.js` },
      addEventListener: (/** @type {string} */ type, /** @type {any} */ listener) => listeners.set(type, listener),
      skipWaiting: async () => {},
      clients: { claim: async () => {} },
    };
    class Asked {
      /** @param {string} path @param {object} how */
      constructor(path, how) {
        Object.assign(this, { url: SITE + path, method: 'GET', ...how });
      }
    }
    const fetch = (/** @type {any} */ request) => this.answer(request);
    new Script(SCRIPT).runInContext(createContext({ self, caches: this.caches, fetch, Request: Asked, Response, URL }));
    const worker = { kept, listeners };
    const during = async (/** @type {string} */ type) => {
      /** @type {Promise<unknown>[]} */
      const waits = [];
      listeners.get(type)?.({ waitUntil: (/** @type {Promise<unknown>} */ wait) => waits.push(wait) });
      await Promise.all(waits);
    };
    try {
      await during('install');
    } catch {
      // The worker before stays in charge.
      this.counts.broken++;
      return;
    }
    this.worker = worker;
    this.counts.updates++;
    await during('activate');
    assert.deepEqual(await this.caches.keys(), [`arena-${kept.version}`], 'nothing of an earlier release is left');
  }

  /** The browser asks for something; undefined is a request that fails. @param {any} request */
  async ask(request) {
    /** @type {Promise<Response> | undefined} */
    let answered;
    const event = { request, respondWith: (/** @type {Promise<Response>} */ answer) => (answered = answer) };
    this.worker?.listeners.get('fetch')?.(event);
    try {
      return await (answered ?? this.answer(request));
    } catch {
      return undefined;
    }
  }

  /** Visits a page, and compares what comes with what may come. */
  async visit() {
    const { random, worker } = this;
    const base = random.pick([...PAGES, ...OTHERS]);
    const more = (/** @type {string} */ text) => `${base}${base.includes('?') ? '&' : '?'}${text}`;
    const path = random.pick([base, base, more('seats=4'), more('named='), more('named=somebody')]);
    const wanted = this.content(path, {});
    const answer = await this.ask({ url: SITE + path, method: 'GET', mode: 'navigate', credentials: 'include' });
    if (this.isOnline) {
      assert.equal(await answer?.text(), wanted, `${path}: while there is a line, the server answers`);
      if (random.below(2) === 0) this.shown.set(path, wanted);
      this.counts.online++;
      return;
    }
    if (worker === undefined) return assert.equal(answer, undefined, `${path}: there is nothing to show`);
    const [{ version, language, pages }, text] = [worker.kept, await answer?.text()];
    const own = pages.find((/** @type {string} */ page) => isSame(page, path));
    const copy = `release ${version.slice(1)}, ${language}, ${own ?? MISSING}, everybody`;
    assert.equal(text, copy, `${path}: its own copy, or that there is no connection`);
    assert.equal(answer?.status, own === undefined ? 503 : 200, path);
    this.counts[own === undefined ? 'missing' : 'stored']++;
  }

  /** Asks for a file of some release, or changes something. */
  async load() {
    const path = this.random.pick([`/static/${this.release}/a.js`, `/static/${Math.max(1, this.release - 1)}/a.js`, '/static/same.js', '/static/other.js']);
    const answer = await this.ask({ url: SITE + path, method: 'GET', mode: 'cors' });
    if (answer !== undefined) assert.equal(await answer.text(), `file ${path}`);
    if (answer === undefined) assert.ok(!this.isOnline && !this.worker?.kept.files.includes(path), `${path} is stored`);
    const posted = await this.ask({ url: `${SITE}/play`, method: 'POST', mode: 'navigate', credentials: 'include' });
    assert.equal(posted !== undefined, this.isOnline, 'nothing is done without the server');
  }

  async deed() {
    switch (this.random.below(8)) {
      case 0:
        this.release++;
        return;
      case 1:
        this.language = this.random.pick(['en', 'es']);
        return;
      case 2:
      case 3:
        [this.isOnline, this.left] = [this.random.below(2) === 0, undefined];
        return;
      case 4:
        // The line may break within what is stored.
        this.left = this.random.below(2) === 0 ? this.random.below(ANSWERS_MAX) : undefined;
        await this.update();
        this.left = undefined;
        return;
      case 5:
        return this.load();
      default:
        return this.visit();
    }
  }
}

/**
 * Whether a page serves an address: the number of seats and an empty name make no other page.
 * @param {string} page
 * @param {string} path
 */
function isSame(page, path) {
  const parts = (/** @type {string} */ address) => {
    const { pathname, searchParams } = new URL(address, SITE);
    return [pathname, ...[...searchParams].filter(([name, value]) => name !== 'seats' && !(name === 'named' && value === '')).map(String)].join(' ');
  };
  return parts(page) === parts(path);
}

test('whatever lines and releases do, a stored page is the page that was asked for', async () => {
  const [count, seed] = [setting('ARENA_SCHEDULES', 150), setting('ARENA_SCHEDULE_SEED', 1)];
  /** @type {Record<string, number>} */
  const all = { stored: 0, missing: 0, online: 0, broken: 0, updates: 0 };
  for (let number = 0; number < count; number++) {
    const random = new Random((seed * 0x9e3779b1) ^ (number * 0x85ebca6b));
    const visit = new Visit(random);
    try {
      for (let deeds = random.below(DEEDS_MAX); deeds > 0; deeds--) await visit.deed();
    } catch (error) {
      throw new Error(`history ${number} of seed ${seed}`, { cause: error });
    }
    for (const [name, times] of Object.entries(visit.counts)) all[name] += times;
  }
  assert.ok(Object.values(all).every((times) => times > 0), `all of it happens: ${JSON.stringify(all)}`);
});
