// What it takes to check a tournament of 840 games: processor time of `arena verify`, of `arena-verify`, and of all
// processes of a browser one tab of which plays the games again. Each at most twice that of the first.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Person, startBrowser } from './lib/browser.mjs';
import { Server } from './lib/server.mjs';
import * as setting from './lib/setting.mjs';
import { lifeLimit, until } from './lib/until.mjs';

const ROUNDS = 3;
/** At most so many times as much as `arena verify`. */
const TIMES_MAX = 2;
const DEFINITION = fileURLToPath(new URL('../../tournaments/definitions/opening.toml', import.meta.url));
const VERIFIER = fileURLToPath(new URL('../verify/main.mjs', import.meta.url));
/** Seconds that a browser may take for an edition. */
const SECONDS_MAX = 1_200;

/** The output of a program that ends well. @param {string} program @param {string[]} args */
function ran(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** The seconds of processor time of a program and its children, user and system. @param {string[]} command */
function secondsOf(...command) {
  // The last line of `times` is what the shell's children took.
  const [, ...figures] = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(ran('sh', '-c', '"$@" && times', 'sh', ...command)) ?? [];
  const [userMinutes, user, systemMinutes, system] = figures.map(Number);
  return 60 * (userMinutes + systemMinutes) + user + system;
}

/** The same of all processes of a browser so far. @param {import('playwright-core').Browser} browser */
async function secondsIn(browser) {
  const wire = await browser.newBrowserCDPSession();
  const { processInfo } = await wire.send('SystemInfo.getProcessInfo');
  await wire.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/**
 * What a tab takes for the tournament of an archive, in a browser of its own.
 * @param {string} url
 * @param {Buffer} archive
 */
async function inATab(url, archive) {
  const browser = await startBrowser();
  try {
    const page = await (await Person.arrive(browser, url)).open('/standings');
    // In place of the site's edition, which is short.
    await page.route('**/folder', (route) => route.fulfill({ body: archive, contentType: 'application/x-tar' }));
    await page.locator('#recompute-sample').selectOption('');
    const before = await secondsIn(browser);
    await page.locator('#recompute-all').click();
    const result = page.locator('#recomputed');
    await page.locator('#recomputed:not([data-kind="running"])[data-kind]').waitFor({ timeout: 1e3 * SECONDS_MAX });
    const took = (await secondsIn(browser)) - before;
    assert.equal(await result.getAttribute('data-kind'), 'done', await result.innerText());
    console.log(await result.innerText());
    return took;
  } finally {
    await browser.close();
  }
}

/** @param {number[]} figures */
const spread = (figures) => {
  const [least, ...more] = figures.toSorted((one, other) => one - other);
  return [[least, ...more][figures.length >> 1], least, more.at(-1) ?? least];
};
const shown = (/** @type {number[]} */ figures) => {
  const [middle, least, most] = spread(figures).map((figure) => figure.toFixed(2));
  return `${middle} (${least} - ${most})`;
};

lifeLimit(ROUNDS * 3 * SECONDS_MAX);
const folder = join(setting.out(), 'recomputed');
rmSync(folder, { recursive: true, force: true });
ran(setting.arena(), 'tournament', 'run', DEFINITION, '--out', folder);
ran('tar', '--create', '--format', 'ustar', '--file', `${folder}.tar`, '--directory', setting.out(), 'recomputed');
const server = await Server.start(['conquerors']);
try {
  const played = async () => (await (await fetch(`${server.url}/api/v1/standings`)).json()).edition !== null;
  await until('there are standings', played, true, { everyMs: 1_000 });
  /** @type {Record<string, () => number | Promise<number>>} */
  const ways = {
    'arena verify': () => secondsOf(setting.arena(), 'verify', folder),
    'arena-verify': () => secondsOf(process.execPath, VERIFIER, folder),
    'a tab': () => inATab(server.url, readFileSync(`${folder}.tar`)),
  };
  /** @type {[string, number[], number[]][]} */
  const took = Object.keys(ways).map((way) => [way, [], []]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [way, seconds, times] of took) {
      seconds.push(await ways[way]());
      times.push(seconds[round] / took[0][1][round]);
      console.log(`round ${round + 1}: ${way} ${seconds[round].toFixed(2)} s`);
    }
  }
  console.log(`processor time: median (least - most) of ${ROUNDS} rounds, and how many times that of arena verify`);
  for (const [way, seconds, times] of took) {
    const isBeyond = spread(times)[0] > TIMES_MAX;
    console.log(`${way.padEnd(12)} ${shown(seconds)} s, ${shown(times)} times${isBeyond ? ' BEYOND' : ''}`);
    if (isBeyond) process.exitCode = 1;
  }
} finally {
  await server.close();
}
process.exit();
