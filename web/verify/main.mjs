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
const at = (/** @type {string} */ packed, /** @type {string} */ own) =>
  isPacked ? new URL(packed, PACKED) : new URL(own, import.meta.url);
const { begun, claimed, doneOf, isWhole, missedOf, playAgain, totalOf } = await import(
  String(at('verification.js', '../static/replays/verification.js'))
);
const { ownOf } = await import(String(at('ledger.js', '../static/rules/ledger.js')));
const { findingWords } = await import(String(at('divergence.js', '../static/replays/divergence.js')));

/** Exit codes, as of `arena verify`. */
const [IDENTICAL, DIFFERS, NOT_DONE, DAMAGED, OTHER_RELEASE, INCOMPLETE, NOT_CONFIRMED, SAMPLED] = [0, 1, 2, 3, 4, 5, 6, 7];
/** Those of a folder that is wrong before a game is played. */
const WRONG = { differs: DIFFERS, damaged: DAMAGED, other_release: OTHER_RELEASE, no_tournament: NOT_DONE };

const USE = `usage: arena-verify DIR [--sample GAMES] [--threads N] [--deadline SECONDS]

Checks the folder of a tournament, and plays its games again: all, or a sample.`;

/** The maximum of an argument: as for `arena verify`, and what a timer takes. */
const [SAMPLE_MAX, THREADS_MAX, DEADLINE_S_MAX] = [2 ** 32 - 1, 1024, 2_147_483];
/** How many games, or names of files, are listed. */
const LISTED_MAX = 32;

/** Wrong usage. */
class WrongUse extends Error {}

/**
 * A whole number.
 * @param {string} name @param {string | undefined} text @param {number} max
 * @returns {number | undefined}
 */
function whole(name, text, max) {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(text) || Number(text) > max) throw new WrongUse(`--${name} takes a whole number from 1 to ${max}, not ${text}`);
  return Number(text);
}

/** @param {string | undefined} text @returns {number | undefined} milliseconds */
function deadlineOf(text) {
  if (text === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (!(seconds > 0 && seconds <= DEADLINE_S_MAX))
    throw new WrongUse(`--deadline takes seconds, more than 0 and at most ${DEADLINE_S_MAX}, not ${text}`);
  return seconds * 1000;
}

/**
 * The files of a folder that are a tournament's, by path with `/` between; and what else is there, which is not read.
 * @param {WebAssembly.Module} ledger @param {string} folder
 * @returns {{files: Map<string, Uint8Array>, others: any[], wrong?: undefined} | {wrong: any}}
 */
function filesOf(ledger, folder) {
  const kindOf = (/** @type {import('node:fs').Dirent} */ entry) => (entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other');
  const list = (/** @type {string} */ within) =>
    readdirSync(join(folder, within), { withFileTypes: true }).map((entry) => [
      within === '' ? entry.name : `${within}/${entry.name}`,
      kindOf(entry),
    ]);
  let entries = list('');
  let own = ownOf(ledger, entries);
  if (own.wrong) return own;
  entries = [...entries, ...own.enter.flatMap(list)];
  own = ownOf(ledger, entries);
  if (own.wrong) return own;
  const files = new Map(own.read.map((/** @type {string} */ name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
  return { files, others: entries.filter(([name]) => !files.has(name)) };
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

/** @param {number} count @param {string} what */
const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** @param {readonly (number | string)[]} all */
const listed = (all) => `${all.slice(0, LISTED_MAX).join(', ')}${all.length > LISTED_MAX ? `, and ${all.length - LISTED_MAX} more` : ''}`;

/** @param {readonly number[]} numbers */
const games = (numbers) => listed([...numbers].sort((a, b) => a - b));

/** What was checked, in lines. @param {any} tally @param {any} claims @returns {string[]} */
function covered(tally, claims) {
  const { identical, byRules, ended, all } = tally;
  const lines = [`played again with the bots' own bytes: ${identical.length} of ${counted(all, 'game')}`];
  if (byRules.length > 0) lines.push(`replayed by the rules alone: ${byRules.length}`);
  if (claims.void > 0) lines.push(`void, not counted: ${counted(claims.void, 'game')}; of these, played here again: ${ended.length}`);
  if (tally.games.length < all) {
    const { missed, of, percent } = missedOf(tally);
    lines.push(`one forged game would have been missed with a chance of ${missed}/${of} = ${percent.toFixed(1)} %`);
  }
  const foreign = claims.incomplete?.foreign ?? [];
  if (foreign.length > 0) lines.push(`not the tournament's, and not looked at: ${listed(foreign)}`);
  return lines;
}

/** Why not everything could be checked. @param {any} tally @param {any} claims @returns {string[]} */
function lacks(tally, claims) {
  const { notChecked, untold } = tally;
  const left = totalOf(tally) - doneOf(tally);
  return [
    notChecked.length > 0 ? [`not checked, which is no verdict: games ${games(notChecked)}`] : [],
    untold.length > 0
      ? [`this engine says the same of several kinds of traps, so the detail of a forfeit was not compared in games ${games(untold)}`]
      : [],
    left > 0 ? [`not played again: ${counted(left, 'game')}`] : [],
    claims.incomplete ? [claims.incomplete.why] : [],
  ].flat();
}

/**
 * @param {string} folder @param {{sample?: number, threads?: number, silenceMax?: number}} how
 * @returns {Promise<[number, string]>}
 */
async function verified(folder, { sample, threads, silenceMax }) {
  const ledger = await compiled('arena_ledger.wasm');
  const named = filesOf(ledger, folder);
  const read = named.wrong ? named : await claimed(start, ledger, named.files, named.others);
  if (read.wrong) {
    const { file, why, kind } = read.wrong;
    return [WRONG[/** @type {keyof typeof WRONG} */ (kind)], `${folder}, ${file}: ${why}`];
  }
  const { claims } = read;
  const engine = await compiled(claims.wide ? 'arena_opponents_wide.wasm' : 'arena_opponents.wasm');
  const modules = { engine, meter: await compiled('arena_meter.wasm') };
  const tally = begun(claims, sample);
  const tell = (/** @type {any} */ now) => process.stderr.isTTY && process.stderr.write(`\r${doneOf(now)} of ${totalOf(now)} games `);
  const workers = threads ?? availableParallelism();
  const found = await playAgain({ files: named.files, claims, tally, modules, start, workers, tell, silenceMax });
  if (process.stderr.isTTY) process.stderr.write('\n');
  if (found.differs !== null) return [DIFFERS, `${folder} DIFFERS\n  game ${found.differs.game}: ${findingWords(found.differs.finding)}`];
  const lines = covered(found, claims);
  if (found.ended.length > 0) {
    const said = `${folder}: nothing differs, but ${counted(found.ended.length, 'void game')} could not be confirmed: a process that dies is a fact about one machine`;
    return [
      NOT_CONFIRMED,
      [...lines, said, `  games that come to their end here: ${games(found.ended)}; arena verify has the standings if they counted`].join(
        '\n',
      ),
    ];
  }
  if (!isWhole(found, claims)) {
    const why = lacks(found, claims).map((lack) => `\n  ${lack}`);
    return [INCOMPLETE, [...lines, `${folder}: nothing differs, but not everything could be checked:${why.join('')}`].join('\n')];
  }
  if (found.byRules.length > 0) {
    const [played, others] = [found.identical, found.byRules].map((games) => counted(games.length, 'game'));
    const said = `${folder}: nothing differs in the sample. That covers ${played} and what is derived from all of them; whether bots played the other ${others} is not known`;
    return [SAMPLED, [...lines, said].join('\n')];
  }
  return [IDENTICAL, [...lines, `${folder} is identical: everything recomputed is the same, byte for byte`].join('\n')];
}

try {
  const text = { type: /** @type {const} */ ('string') };
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { sample: text, threads: text, deadline: text } });
  if (positionals.length !== 1) throw new WrongUse('it takes one folder');
  const [sample, threads] = [whole('sample', values.sample, SAMPLE_MAX), whole('threads', values.threads, THREADS_MAX)];
  const [code, said] = await verified(positionals[0], { sample, threads, silenceMax: deadlineOf(values.deadline) });
  console.log(said);
  process.exitCode = code;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof WrongUse) console.error(`\n${USE}`);
  process.exitCode = NOT_DONE;
}
