// A browser whose pages must be quiet: no errors on the console, no exceptions, no violations of the content policy.

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { fromSomewhere } from './networks.mjs';
import * as setting from './setting.mjs';
import { LIMIT_MS } from './until.mjs';

const ARGUMENTS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-smooth-scrolling',
  // Otherwise the browser keeps a spare process for the last person's context, and starts another one for the next
  // person.
  '--disable-site-isolation-trials',
];

/** A browser without a window reports a mouse, whatever its contexts say. Source: Blink's PointerType and HoverType. */
const FINGERS = '--blink-settings=primaryHoverType=1,availableHoverTypes=1,primaryPointerType=2,availablePointerTypes=2';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** How often starting a browser is tried: rarely its process dies at once, before a page of ours is open. */
const STARTS_MAX = 3;

/** The context options of a phone. */
export const ON_A_PHONE = { viewport: PHONE, hasTouch: true, isMobile: true };

/**
 * @param {'mouse' | 'fingers'} [pointer] the pointer that style sheets see
 * @returns {Promise<import('playwright-core').Browser>}
 */
export async function startBrowser(pointer = 'mouse') {
  const args = pointer === 'mouse' ? ARGUMENTS : [...ARGUMENTS, FINGERS];
  const start = () => chromium.launch({ executablePath: setting.chromium(), args, headless: true });
  for (let failed = 1; failed < STARTS_MAX; failed += 1) {
    try {
      return await start();
    } catch (error) {
      console.log(`the browser did not start, once more: ${error}`);
    }
  }
  return start();
}

/** A person: a browser context with a network of its own, and all complaints of its pages. */
export class Person {
  /** Those who have not left. @type {Set<Person>} */
  static here = new Set();
  /** @type {string[]} */
  complaints = [];
  /** @type {RegExp | null} complaints that are currently expected */
  #forgiven = null;

  /**
   * @param {import('playwright-core').BrowserContext} context
   * @param {string} url of the server
   */
  constructor(context, url) {
    this.context = context;
    this.url = url;
  }

  /**
   * @param {import('playwright-core').Browser} browser
   * @param {string} url of the server
   * @param {import('playwright-core').BrowserContextOptions} [options]
   */
  static async arrive(browser, url, options = {}) {
    // Storing files for offline practice fetches all of them: only the test of that allows it.
    const usual = { baseURL: url, viewport: DESKTOP, reducedMotion: /** @type {const} */ ('reduce'), serviceWorkers: /** @type {const} */ ('block') };
    const context = await browser.newContext({ ...usual, extraHTTPHeaders: fromSomewhere(), ...options });
    context.setDefaultTimeout(LIMIT_MS);
    const person = new Person(context, url);
    Person.here.add(person);
    await context.exposeBinding('complain', (_, what) => person.#complain(what));
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        /** @type {any} */ (window).complain(`content policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
      });
    });
    context.on('console', (message) => {
      if (message.type() === 'error') person.#complain(`console: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => person.#complain(`exception: ${error.error().stack}`));
    return person;
  }

  /** @param {string} [path] @returns {Promise<import('playwright-core').Page>} */
  async open(path) {
    const page = await this.context.newPage();
    if (path) await page.goto(path);
    return page;
  }

  /** @param {string} what */
  #complain(what) {
    if (!this.#forgiven?.test(what)) this.complaints.push(what);
  }

  /**
   * Lets a page complain while something is broken on purpose.
   * @template T
   * @param {RegExp | null} what the expected complaints
   * @param {() => Promise<T>} during
   */
  async forgiving(what, during) {
    this.#forgiven = what;
    try {
      return await during();
    } finally {
      this.#forgiven = null;
    }
  }

  /** Closes all pages; fails if one has complained. */
  async leave() {
    Person.here.delete(this);
    await this.context.close();
    assert.deepEqual(this.complaints, [], 'pages are quiet');
  }

  /**
   * Claims a name.
   * @param {string} name
   * @returns {Promise<string>} the player code
   */
  async claim(name) {
    const page = await this.open('/account');
    await page.locator('#claim [name=name]').fill(name);
    await page.locator('#claim [type=submit], #claim button').first().click();
    const code = (await page.locator('#player-code').innerText()).trim();
    assert.notEqual(code, '');
    await page.close();
    return code;
  }
}

/**
 * Asks as a page does, without one. A server closes a connection that was idle for a while; where a request meets that,
 * browsers send it again, and so does this.
 * @param {import('playwright-core').Page} page
 * @param {string} path
 */
export const ask = (page, path) => page.request.get(path, { maxRetries: 1 });

/** Checks that no part of a page is wider than its window. @param {import('playwright-core').Page} page */
export async function noOverflow(page) {
  const { wide, room } = await page.evaluate(() => {
    const root = document.documentElement;
    return { wide: Math.max(root.scrollWidth, document.body.scrollWidth), room: root.clientWidth };
  });
  if (wide <= room) return;
  const who = await page.evaluate((room) => {
    const over = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > room + 0.5);
    return over.slice(0, 5).map((element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ''}.${element.className}`);
  }, room);
  assert.fail(`${page.url()} is ${wide} px wide in a window of ${room} px: ${who.join(', ')}`);
}
