// What every browser test needs: a server, a browser, people, and all of them gone at the end.

import { after, before } from 'node:test';
import { Person, startBrowser } from './browser.mjs';
import { Random } from './random.mjs';
import { Server } from './server.mjs';
import { lifeLimit } from './until.mjs';

/** A file of browser tests takes a minute or two on quiet cores, and some times that on busy ones. */
const SECONDS_MAX = 900;

/**
 * Registers the beginning and the end with node:test.
 * @param {{standing?: string[], secondsMax?: number}} [wanted] games whose standing tournaments the test looks at: none else takes the
 *   machine; and how long the whole file may take
 * @returns {{server: Server, browser: import('playwright-core').Browser, random: Random, arrive(options?: object): Promise<Person>}}
 */
export function scene({ standing = [], secondsMax = SECONDS_MAX } = {}) {
  lifeLimit(secondsMax);
  const random = Random.forThisRun();
  const scene = /** @type {any} */ ({
    random,
    arrive: (/** @type {object} */ options) => Person.arrive(scene.browser, scene.server.url, options),
  });
  before(async () => {
    console.log(`ARENA_TEST_SEED=${random.seed}`);
    scene.server = await Server.start(standing);
    scene.browser = await startBrowser();
  });
  after(async () => {
    await scene.browser?.close();
    await scene.server?.close();
  });
  return scene;
}
