// Verifies the folder of a tournament: what follows from its files, and its games, all or a sample, played again. The
// games that are not in a sample are replayed by the rules.

/** @import { Apart, Finding } from '../rules/recompute.js' */
/** @import { Entry } from '../rules/ledger.js' */
/** @import { Modules, Working } from './recomputing.js' */

import { Recomputing, SILENCE_MS_MAX } from './recomputing.js';

/**
 * Why not everything in a folder could be checked: a code with a sentence, and files that are not the tournament's.
 * Unless the code is `unfinished` or `no_results`, the results in it were compared.
 * @typedef {{code: 'unfinished' | 'no_results' | 'leftovers' | 'foreign', why: string, foreign: string[]}} Lack
 */

/**
 * What a folder says, once its manifest, definition, bots, journal and results were found to agree, byte for byte.
 * `games` are those that have records: number, beginning and end of the record in the journal. Games are `void` because
 * a bot's process died, and count for nobody; those of them that were played have the header of a record.
 * @typedef {{games: [number: number, from: number, to: number][], void: number,
 *   void_played: [number: number, header: string][], wide: boolean, incomplete: Lack | null}} Claims
 */

/**
 * What a folder contradicts: what follows from its journal (`differs`), itself, this release, or that it is a
 * tournament's.
 * @typedef {{file: string, why: string, kind: 'differs' | 'damaged' | 'other_release' | 'no_tournament'}} Contradiction
 */

/**
 * The games of a verification, by number: those to play again, while the others are replayed by the rules; and what was
 * found so far.
 * @typedef {object} Tally
 * @property {number[]} games
 * @property {number} all how many there are with a record
 * @property {number} void how many void games are to be played again
 * @property {number[]} identical
 * @property {number[]} untold those of them in which the engine did not tell a bot's trap from others
 * @property {number[]} byRules with which the rules agree
 * @property {number[]} ended void games that come to their end here
 * @property {number[]} notChecked
 * @property {{game: number, finding: Finding} | null} differs the first difference that was found
 */

/** The folder of bots in a tournament's, the ending of their files, and their ids. */
const [ENTRANTS, WASM, BOT_ID] = ['entrants/', '.wasm', /sha256:[0-9a-f]{64}/g];
/** How many random numbers are drawn at once. */
const DRAWS_MAX = 4096;

/**
 * The claims of a folder, or where it contradicts itself.
 * @param {() => Working} start starts a worker
 * @param {WebAssembly.Module} ledger
 * @param {Map<string, Uint8Array>} files by path
 * @param {readonly Entry[]} [others] what else is in it, and was not read
 * @returns {Promise<{claims: Claims, wrong?: undefined} | {wrong: Contradiction}>}
 */
export function claimed(start, ledger, files, others = []) {
  const worker = start();
  /** @type {Promise<any>} */
  const answer = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.failed === undefined ? resolve(data) : reject(new Error(data.failed)));
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage({ ledger, files, others });
  });
  return answer.finally(() => worker.terminate());
}

/** A sample. @param {readonly number[]} games @param {number} size @returns {number[]} in order */
export function drawn(games, size) {
  const left = [...games];
  const draws = new Uint32Array(Math.min(size, left.length));
  for (let at = 0; at < draws.length; at += DRAWS_MAX) crypto.getRandomValues(draws.subarray(at, at + DRAWS_MAX));
  const sample = Array.from(draws, (draw) => {
    // A remainder of 32 bits favours no game by more than one in twenty thousand.
    const at = draw % left.length;
    const last = Number(left.pop());
    return at === left.length ? last : left.splice(at, 1, last)[0];
  });
  return sample.sort((a, b) => a - b);
}

/**
 * A tally before any game is played.
 * @param {Pick<Claims, 'games' | 'void_played'>} claims
 * @param {number} [sample] how many games are to be drawn
 * @returns {Tally}
 */
export function begun(claims, sample) {
  const all = claims.games.map(([number]) => number);
  const none = { identical: [], untold: [], byRules: [], ended: [], notChecked: [], differs: null };
  return { games: sample === undefined ? all : drawn(all, sample), all: all.length, void: claims.void_played.length, ...none };
}

/** How many games are done. @param {Tally} tally */
export const doneOf = ({ identical, byRules, ended, notChecked, differs }) =>
  identical.length + byRules.length + ended.length + notChecked.length + (differs ? 1 : 0);

/** How many there are. @param {Tally} tally */
export const totalOf = (tally) => tally.all + tally.void;

/** Whether everything was checked that was to be, if no game differs. @param {Tally} tally @param {Claims} claims */
export const isWhole = (tally, claims) =>
  doneOf(tally) === totalOf(tally) && tally.notChecked.length + tally.untold.length + claims.void === 0 && claims.incomplete === null;

/**
 * The chance that one forged game was not among those played again: so many of so many.
 * @param {Tally} tally
 */
export function missedOf({ games, all }) {
  const missed = all - games.length;
  return { missed, of: all, percent: Math.round((1000 * missed) / all) / 10 };
}

/**
 * Plays games of a folder again, void ones too, and replays the others by the rules, until all are done, one differs,
 * or it is ended.
 * @param {object} how
 * @param {Map<string, Uint8Array>} how.files of the folder, by path
 * @param {Claims} how.claims
 * @param {Tally} how.tally to continue from
 * @param {Modules} how.modules
 * @param {() => Working} how.start starts a worker
 * @param {number} how.workers how many play at once
 * @param {(tally: Tally) => void} how.tell called after each game, with the same tally that grows
 * @param {AbortSignal} [how.signal] ends it
 * @param {number} [how.silenceMax] milliseconds that a call of a bot may take
 * @returns {Promise<Tally>}
 */
export async function playAgain({ files, claims, tally, modules, start, workers, tell, signal, silenceMax = SILENCE_MS_MAX }) {
  const bots = new Map(
    [...files]
      .filter(([path]) => path.startsWith(ENTRANTS) && path.endsWith(WASM))
      .map(([path, bytes]) => [`sha256:${path.slice(ENTRANTS.length, -WASM.length)}`, bytes]),
  );
  const journal = /** @type {Uint8Array} */ (files.get('journal'));
  const now = structuredClone(tally);
  const isPlayed = new Set([...now.games, ...claims.void_played.map(([game]) => game)]);
  const done = new Set([...now.identical, ...now.byRules, ...now.ended, ...now.notChecked]);
  /** @type {[number: number, text: () => string][]} */
  const records = claims.games.map(([game, from, to]) => [game, () => new TextDecoder().decode(journal.subarray(from, to))]);
  /** @type {[number: number, text: () => string][]} */
  const headers = claims.void_played.map(([game, header]) => [game, () => header]);
  const open = [...records, ...headers].filter(([game]) => !done.has(game)).reverse();
  /** @param {string} record */
  const needed = (record) =>
    new Map([...new Set(record.match(BOT_ID))].flatMap((id) => (bots.has(id) ? [[id, /** @type {Uint8Array} */ (bots.get(id))]] : [])));
  /** @param {number} game @param {Finding | Apart} finding */
  function take(game, finding) {
    if (finding.kind === 'identical') now.identical.push(game);
    else if (finding.kind === 'by_rules') now.byRules.push(game);
    else if (finding.kind === 'ended') now.ended.push(game);
    else if (finding.kind === 'not_checked') now.notChecked.push(game);
    else if (finding.kind === 'differs') now.differs ??= { game, finding };
    if (finding.kind === 'identical' && finding.untold) now.untold.push(game);
  }
  const silent = new Set();
  const players = Array.from({ length: Math.min(workers, open.length) }, () => new Recomputing(start, modules, silent, silenceMax));
  const end = () => players.forEach((player) => player.end());
  signal?.addEventListener('abort', end);
  await Promise.all(
    players.map(async (player) => {
      while (!signal?.aborted && now.differs === null) {
        const next = open.pop();
        if (next === undefined) break;
        const [game, text] = next;
        const record = text();
        const finding = await player.run(record, isPlayed.has(game) ? needed(record) : null);
        if (finding === null) break;
        take(game, finding);
        tell(now);
      }
      player.end();
    }),
  );
  signal?.removeEventListener('abort', end);
  return now;
}
