// Verifies the folder of a tournament: what follows from its files, and its games, all or a sample, played again.

/** @import { Finding } from '../rules/recompute.js' */
/** @import { Modules, Working } from './recomputing.js' */

import { Recomputing, SILENCE_MS_MAX } from './recomputing.js';

/**
 * What a folder says, once its manifest, definition, bots, journal and results were found to agree, byte for byte.
 * `games` are those that have records: number, beginning and end of the record in the journal. In the others a bot's
 * process died.
 * @typedef {{games: [number: number, from: number, to: number][], void: number, wide: boolean,
 *   unfinished: boolean}} Claims
 */

/** What a folder contradicts. @typedef {{file: string, why: string}} Contradiction */

/**
 * The games of a verification: those to play again, all that have records, and what was found so far, by number.
 * @typedef {object} Tally
 * @property {number[]} games
 * @property {number} all
 * @property {number[]} identical
 * @property {number[]} notChecked
 * @property {{game: number, finding: Finding} | null} differs the first difference that was found
 */

/** The folder of bots in a tournament's, and the ending of their files. */
const [ENTRANTS, WASM] = ['entrants/', '.wasm'];

/**
 * The claims of a folder, or where it contradicts itself.
 * @param {() => Working} start starts a worker
 * @param {WebAssembly.Module} ledger
 * @param {Map<string, Uint8Array>} files by path
 * @returns {Promise<{claims: Claims, wrong?: undefined} | {wrong: Contradiction}>}
 */
export function claimed(start, ledger, files) {
  const worker = start();
  /** @type {Promise<any>} */
  const answer = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.failed === undefined ? resolve(data) : reject(new Error(data.failed)));
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage({ ledger, files });
  });
  return answer.finally(() => worker.terminate());
}

/** A sample. @param {readonly number[]} games @param {number} size @returns {number[]} in order */
export function drawn(games, size) {
  const left = [...games];
  const draws = crypto.getRandomValues(new Uint32Array(Math.min(size, left.length)));
  // A remainder of 32 bits favours no game by more than one in twenty thousand.
  const sample = Array.from(draws, (draw) => left.splice(draw % left.length, 1)[0]);
  return sample.sort((a, b) => a - b);
}

/** How many games are done. @param {Tally} tally */
export const doneOf = ({ identical, notChecked, differs }) => identical.length + notChecked.length + (differs ? 1 : 0);

/**
 * Plays games of a folder again until all are done, one differs, or it is ended.
 * @param {object} how
 * @param {Map<string, Uint8Array>} how.files of the folder, by path
 * @param {Claims} how.claims
 * @param {Tally} how.tally to continue from
 * @param {Modules} how.modules
 * @param {() => Working} how.start starts a worker
 * @param {number} how.workers how many play at once
 * @param {(tally: Tally) => void} how.tell called after each game
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
  const records = new Map(claims.games.map(([number, from, to]) => [number, [from, to]]));
  const done = new Set([...tally.identical, ...tally.notChecked]);
  const open = tally.games.filter((game) => !done.has(game)).reverse();
  let now = tally;
  const silent = new Set();
  const players = Array.from({ length: Math.min(workers, open.length) }, () => new Recomputing(start, modules, silent, silenceMax));
  const end = () => players.forEach((player) => player.end());
  signal?.addEventListener('abort', end);
  await Promise.all(
    players.map(async (player) => {
      while (!signal?.aborted && now.differs === null) {
        const game = open.pop();
        if (game === undefined) break;
        const record = new TextDecoder().decode(journal.subarray(...(records.get(game) ?? [])));
        const needed = new Map([...bots].filter(([id]) => record.includes(id)));
        const finding = await player.run(record, needed);
        if (finding === null) break;
        if (finding.kind === 'identical') now = { ...now, identical: [...now.identical, game] };
        else if (finding.kind === 'not_checked') now = { ...now, notChecked: [...now.notChecked, game] };
        else now = { ...now, differs: now.differs ?? { game, finding } };
        tell(now);
      }
      player.end();
    }),
  );
  signal?.removeEventListener('abort', end);
  return now;
}
