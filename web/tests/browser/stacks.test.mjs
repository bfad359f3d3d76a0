// How deep a bot's calls may be nested is a rule, and a worker of the browser has the stack for it: bots that need as
// much of it as can be play there as in the arena. Without stacks for calls, a worker has too little, and says so.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { variant } from '../lib/guests.mjs';
import { DEPTH_AT, hungry } from '../lib/hungry.mjs';
import { scene } from '../lib/scene.mjs';
import * as setting from '../lib/setting.mjs';

/** The units of nested calls; how many times as many a worker must have the stack for; what is tried beyond that. */
const [STACK_UNITS_MAX, ROOM_MIN, ROOM_STEP, ROOM_MAX] = [65_536, 1.2, 0.03, 2];

const here = scene();
const place = mkdtempSync(join(tmpdir(), 'arena-stacks-'));
after(() => rmSync(place, { recursive: true, force: true }));

const bots = hungry();

/** The records of their games against `nothing`, as the arena plays them. */
function played() {
  const entrants = bots.map(({ bytes }, at) => {
    writeFileSync(join(place, `${at}.wasm`), bytes);
    return `\n[[entrants]]\nname = "bot-${at}"\nfile = "${at}.wasm"\n`;
  });
  const terms = 'name = "Hungry bots"\nruleset = "game-of-game-of-life@1"\noptions = "seats=2"\nseed = 7\nformat = "gauntlet"\npairs = 1\n';
  writeFileSync(join(place, 'cup.toml'), `${terms}[[entrants]]\nname = "nothing"\nbaseline = "nothing"\n${entrants.join('')}`);
  const { status, stdout, stderr } = spawnSync(setting.arena(), ['tournament', 'run', join(place, 'cup.toml'), '--out', join(place, 'cup')]);
  assert.equal(status, 0, `${stdout}${stderr}`);
  return readFileSync(join(place, 'cup', 'journal'), 'utf8').match(/\{"format":.*/g) ?? [];
}

/**
 * What a page's worker finds of each record.
 * @param {import('playwright-core').Page} page @param {string[]} records
 * @returns {Promise<any[]>}
 */
const recomputed = (page, records) =>
  page.evaluate(
    async ({ records, bots }) => {
      const beside = /** @type {HTMLScriptElement} */ (document.querySelector('script[type=module]')).src;
      const [engine, meter] = await Promise.all(
        ['arena_opponents', 'arena_meter'].map((name) => WebAssembly.compileStreaming(fetch(new URL(`${name}.wasm`, beside)))),
      );
      const worker = new Worker(new URL('recompute-worker.js', beside), { type: 'module' });
      const hash = async (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      const modules = new Map();
      for (const bytes of bots.map((bot) => Uint8Array.from(bot))) {
        modules.set(`sha256:${Array.from(await hash(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')}`, bytes);
      }
      worker.postMessage({ engine, meter });
      const found = [];
      for (const record of records) {
        found.push(
          await new Promise((resolve, reject) => {
            worker.onerror = ({ message }) => reject(new Error(message));
            worker.onmessage = ({ data }) => data.turns === undefined && resolve(data.finding ?? data);
            worker.postMessage({ record: `${record}\n`, bots: modules });
          }),
        );
      }
      worker.terminate();
      return found;
    },
    { records, bots: bots.map(({ bytes }) => [...bytes]) },
  );

test('bots that need as much stack as can be end in a worker as in the arena, and without JSPI it may be too little', async () => {
  const records = played();
  assert.equal(records.length, 2 * bots.length);
  for (const record of records) assert.match(record, /"forfeits":\[\{"seat":\d,"turn":1,"code":"stack_overflow"/);
  const ann = await here.arrive();
  const page = await ann.open('/');
  const kinds = async () => [...new Set((await recomputed(page, records)).map(({ kind, why }) => why ?? kind))].toSorted();
  assert.deepEqual(await kinds(), ['identical']);
  await page.route('**/recompute-worker.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `delete WebAssembly.promising; delete WebAssembly.Suspending;${await response.text()}` });
  });
  assert.deepEqual(await kinds(), ['engine', 'identical']);
  await ann.leave();
});

/**
 * Runs in a worker: has each of these bots recurse without an end, with so many units, and names those for which they
 * are too many.
 * @param {{units: number, depthAt: number, bots: {what: string, metered: number[]}[]}} asked
 */
async function beyond({ units, depthAt, bots }) {
  const found = [];
  for (const { what, metered } of bots) {
    const arena = { log() {}, fuel: () => 0n };
    /** @type {any} */
    const exports = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(metered)), { arena }).exports;
    exports['~fuel'].value = 1n << 62n;
    exports['~stack'].value = units;
    new DataView(exports.memory.buffer).setInt32(depthAt, 1 << 30, true);
    /** @type {any} */
    const { promising } = WebAssembly;
    const error = await promising(exports.arena_turn)(0).catch((/** @type {unknown} */ error) => error);
    if (!(error instanceof WebAssembly.RuntimeError)) found.push(`${what}: ${error}`);
  }
  return found;
}

test('a worker has room for more units than the rule', async () => {
  const page = await here.browser.newPage();
  const body = `${beyond} onmessage = ({ data }) => beyond(data).then(postMessage, reportError);`;
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.route('**/worker.js', (route) => route.fulfill({ contentType: 'text/javascript', body }));
  await page.goto('http://localhost/');
  /**
   * Each time of new bytes: once a function is hot, V8 compiles it again, with smaller frames.
   * @param {number} share of the units by the rule @returns {Promise<string[]>}
   */
  const beyondShare = (share) =>
    page.evaluate(
      (asked) => {
        const worker = new Worker('/worker.js');
        worker.postMessage(asked);
        const answer = new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        });
        return answer.finally(() => worker.terminate());
      },
      { units: Math.floor(share * STACK_UNITS_MAX), depthAt: DEPTH_AT, bots: bots.map(({ what, metered }) => ({ what, metered: [...variant(metered, share)] })) },
    );
  assert.deepEqual(await beyondShare(ROOM_MIN), []);
  let room = ROOM_MIN;
  while (room < ROOM_MAX && (await beyondShare(room + ROOM_STEP)).length === 0) room += ROOM_STEP;
  console.log(`of the units by the rule, a worker has the stack for ${Math.round(100 * room)} %`);
  await page.close();
});
