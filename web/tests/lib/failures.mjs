// After a failed test: what its pages show, and what the server said meanwhile.

import { afterEach, beforeEach } from 'node:test';
import { Person } from './browser.mjs';
import { within } from './until.mjs';

/** A page that does not answer is not waited for longer, in milliseconds. */
const ANSWER_MS = 5_000;
/** The length of what is repeated of a page's text, in characters. */
const TEXT_MAX = 600;

/**
 * Registers this with node:test.
 * @param {() => import('./server.mjs').Server | undefined} server
 */
export function explainFailures(server) {
  beforeEach(() => server()?.forget());
  afterEach(async (t) => {
    if (/** @type {any} */ (t).passed) return;
    for (const { context, complaints } of Person.here) {
      for (const page of context.pages()) console.log(`    ${page.url()} shows ${await shown(page)}`);
      for (const complaint of complaints) console.log(`    complaint: ${complaint}`);
    }
    console.log(`    the server said during "${t.name}":\n${server()?.lastWords() || '    | nothing'}`);
  });
}

/**
 * The state of a page, and the start of its text.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string>}
 */
async function shown(page) {
  const look = page.evaluate((max) => {
    const main = document.querySelector('main') ?? document.body;
    return JSON.stringify({ ...main.dataset, text: main.innerText.replace(/\s+/g, ' ').slice(0, max) });
  }, TEXT_MAX);
  return within('its text', look, ANSWER_MS).catch(String);
}
