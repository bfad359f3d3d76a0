#!/usr/bin/env node
// arena-verify: checks a tournament's folder without wasmtime, in worker threads of Node.
//
// The rules, the static check, the meter and the fold of standings are the arena's own code, compiled to WebAssembly;
// bots run in Node's engine, metered, with no imports but `arena.log` and `arena.fuel`. `docs/verifying.md` says what
// that trusts.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

/** In a package, everything stands beside this file; in the repository, where it is made. */
const PACKED = new URL('./built/', import.meta.url);
const isPacked = statSync(PACKED, { throwIfNoEntry: false }) !== undefined;
const at = (/** @type {string} */ packed, /** @type {string} */ own) => (isPacked ? new URL(packed, PACKED) : new URL(own, import.meta.url));
const { claimed, doneOf, drawn, playAgain } = await import(String(at('verification.js', '../static/replays/verification.js')));

/** Exit codes, as of `arena verify`. */
const [IDENTICAL, DIFFERS, NOT_DONE, DAMAGED, OTHER_RELEASE, INCOMPLETE, SAMPLED] = [0, 1, 2, 3, 4, 5, 7];

const USE = `usage: arena-verify DIR [--sample GAMES] [--threads N] [--deadline SECONDS]

Checks the folder of a tournament, and plays its games again: all, or a sample.`;

/** The files of a folder by path, with \`/\` between. @param {string} folder */
function filesOf(folder) {
  const files = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    files.set(path.slice(join(folder, '/').length).replaceAll('\\', '/'), new Uint8Array(readFileSync(path)));
  }
  return files;
}

/** A worker with the interface of the web's. */
function start() {
  const worker = new Worker(new URL('./thread.mjs', import.meta.url), {
    workerData: String(at('recompute-worker.js', '../static/recompute-worker.js')),
    // The meter's units need 720 KiB; Node gives a thread 4 MB.
    resourceLimits: { stackSizeMb: 4 },
  });
  const web = {
    /** @type {((event: any) => void) | null} */
    onmessage: null,
    /** @type {((event: any) => void) | null} */
    onerror: null,
    postMessage: (/** @type {unknown} */ data) => worker.postMessage(data),
    terminate: () => void worker.terminate(),
  };
  worker.on('message', (data) => web.onmessage?.({ data }));
  worker.on('error', (error) => web.onerror?.(error));
  return web;
}

/** @param {string} name */
const compiled = (name) => WebAssembly.compile(readFileSync(at(name, `../engine/built/${name}`)));

/** @param {any} finding @returns {string} */
function words(finding) {
  if (finding.phrases) return `the rules do not agree: ${finding.phrases.map((/** @type {any} */ phrase) => phrase.join(' ')).join('; ')}`;
  if (finding.refused !== undefined) return `a bot is refused: ${finding.refused}`;
  const where = [finding.turn === null ? [] : [`turn ${finding.turn}`], finding.seat === null ? [] : [`seat ${finding.seat + 1}`]].flat();
  return `${where.join(', ')}: ${finding.what.replaceAll('_', ' ')} is ${finding.expected} when it is played again, and ${finding.found} in the record`;
}

/** @param {string} folder @param {{sample?: string, threads?: string, deadline?: string}} how @returns {Promise<[number, string]>} */
async function verified(folder, { sample, threads, deadline }) {
  const files = filesOf(folder);
  const read = await claimed(start, await compiled('arena_ledger.wasm'), files);
  if (read.wrong) {
    const { file, why, other_release } = read.wrong;
    return [other_release ? OTHER_RELEASE : DAMAGED, `${folder}, ${file}: ${why}`];
  }
  const { claims } = read;
  const engine = await compiled(claims.wide ? 'arena_opponents_wide.wasm' : 'arena_opponents.wasm');
  const modules = { engine, meter: await compiled('arena_meter.wasm') };
  const all = claims.games.map(([/** @type {number} */ number]) => number);
  const games = sample === undefined ? all : drawn(all, Number(sample));
  const tally = { games, all: all.length, identical: [], notChecked: [], differs: null };
  const tell = (/** @type {any} */ now) => process.stderr.isTTY && process.stderr.write(`\r${doneOf(now)} of ${games.length} games `);
  const workers = Number(threads ?? availableParallelism());
  const silenceMax = deadline === undefined ? undefined : Number(deadline) * 1000;
  const found = await playAgain({ files, claims, tally, modules, start, workers, tell, silenceMax });
  if (process.stderr.isTTY) process.stderr.write('\n');
  if (found.differs !== null) return [DIFFERS, `game ${found.differs.game} differs: ${words(found.differs.finding)}`];
  const again = `played again with the bots' own bytes: ${found.identical.length} of ${all.length} games`;
  if (found.notChecked.length > 0) return [INCOMPLETE, `${again}\nnot checked, which is no verdict: games ${found.notChecked.join(', ')}`];
  if (claims.unfinished) return [INCOMPLETE, `${again}\nthe tournament is not finished`];
  const standings = 'the standings that follow from the records are those in the folder, byte for byte';
  if (games.length < all.length) return [SAMPLED, `${again}, a sample\n${standings}`];
  const died = claims.void > 0 ? `\nvoid games, which were not played again: ${claims.void}` : '';
  return [claims.void > 0 ? INCOMPLETE : IDENTICAL, `${again}\n${standings}${died}`];
}

try {
  const number = { type: /** @type {const} */ ('string') };
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { sample: number, threads: number, deadline: number } });
  if (positionals.length !== 1 || Object.values(values).some((value) => !(Number(value) > 0))) {
    console.error(USE);
    process.exitCode = NOT_DONE;
  } else {
    const [code, said] = await verified(positionals[0], values);
    console.log(said);
    process.exitCode = code;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = NOT_DONE;
}
