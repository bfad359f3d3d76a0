// The common set-up of browser tests: a server, a browser, people, and the removal of all of them at the end.

import { after, before } from 'node:test';
import { Person, startBrowser } from './browser.mjs';
import { explainFailures } from './failures.mjs';
import { Random } from './random.mjs';
import { Server } from './server.mjs';
import { lifeLimit } from './until.mjs';

/**
 * The time limit of a file of browser tests, which takes a minute or two on idle cores, and several times as long on
 * busy ones.
 */
const SECONDS_MAX = 900;

/**
 * Registers set-up and tear-down with node:test.
 * @param {{standing?: string[], restarts?: boolean, secondsMax?: number}} [wanted] the games whose standing tournaments
 *   the test needs: no other games use the machine; whether it kills the server and starts it again; and the time limit
 *   of the whole file
 * @returns {{server: Server, browser: import('playwright-core').Browser, random: Random, arrive(options?: object): Promise<Person>}}
 */
export function scene({ standing = [], restarts = false, secondsMax = SECONDS_MAX } = {}) {
  lifeLimit(secondsMax);
  const random = Random.forThisRun();
  const scene = /** @type {any} */ ({
    random,
    arrive: (/** @type {object} */ options) => Person.arrive(scene.browser, scene.server.url, options),
  });
  before(async () => {
    console.log(`ARENA_TEST_SEED=${random.seed}`);
    scene.server = await Server.start(standing, { restarts });
    scene.browser = await startBrowser();
  });
  explainFailures(() => scene.server);
  after(async () => {
    await scene.browser?.close();
    await scene.server?.close();
  });
  return scene;
}
