// Reads a tournament's folder that a visitor opens: the folder itself, or an archive of it. Nothing leaves the page.

import * as replays from '../text/en/script-replays.js';

/** The size of an archive's blocks, in bytes. */
const BLOCK = 512;
/** The maximum number of members of an archive: a tournament has fewer files. */
const MEMBERS_MAX = 10_000;

/** What the page shows of a folder: its name, tables with a heading, and the games' records by number. */
/** @typedef {{name: string, standings: string[][], games: string[][], records: Map<number, string>}} Tournament */

/** Says in a sentence what is wrong with the files. */
export class NotATournament extends Error {}

/**
 * The files of an archive by path. Source: POSIX ustar.
 * @param {Uint8Array} bytes
 * @returns {Map<string, Uint8Array>}
 */
export function untarred(bytes) {
  const files = new Map();
  let members = 0;
  const text = (/** @type {Uint8Array} */ field) => new TextDecoder().decode(field).replace(/\0.*$/s, '');
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0;) {
    const field = (/** @type {number} */ from, /** @type {number} */ to) => text(bytes.subarray(at + from, at + to));
    const size = parseInt(field(124, 136).trim(), 8);
    const [name, kind, before] = [field(0, 100), field(156, 157), field(345, 500)];
    const content = at + BLOCK;
    if (!(size >= 0) || content + size > bytes.length || members >= MEMBERS_MAX)
      throw new NotATournament(replays.scriptReplaysArchiveCutShort());
    if (kind === '0' || kind === '') files.set(before === '' ? name : `${before}/${name}`, bytes.subarray(content, content + size));
    members++;
    at = content + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/**
 * The rows of a CSV table, including its heading. Source: RFC 4180.
 * @param {string} text
 * @returns {string[][]}
 */
export function rowsOf(text) {
  /** @type {string[][]} */
  const rows = [];
  let row = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

/**
 * The records of a journal by game number. Source: the runner's journal, one line per game: checksum, number, record.
 * @param {string} text
 * @returns {Map<number, string>}
 */
export function recordsOf(text) {
  const records = new Map();
  for (const line of text.split('\n')) {
    const [, number, record] = /^[0-9a-f]{16} (\d+) (\{"format":.*)$/.exec(line) ?? [];
    if (record !== undefined) records.set(Number(number), record);
  }
  return records;
}

/**
 * Reads a tournament from its files.
 * @param {Map<string, () => Promise<Uint8Array>>} files by path; the folder may be inside other folders
 * @returns {Promise<Tournament>}
 */
export async function tournamentOf(files) {
  const [manifest] = [...files.keys()]
    .filter((path) => path === 'manifest.json' || path.endsWith('/manifest.json'))
    .sort((a, b) => a.length - b.length);
  if (manifest === undefined) throw new NotATournament(replays.scriptReplaysNoManifest());
  const root = manifest.slice(0, -'manifest.json'.length);
  const text = async (/** @type {string} */ path) => {
    const read = files.get(root + path);
    return read === undefined ? '' : new TextDecoder().decode(await read());
  };
  const [definition, standings, games, journal] = await Promise.all(
    ['definition.toml', 'results/standings.csv', 'results/games.csv', 'journal'].map(text),
  );
  if (standings === '') throw new NotATournament(replays.scriptReplaysNoResultsYet());
  const [, quoted = ''] = /^name = ("(?:[^"\\]|\\.)*")$/m.exec(definition) ?? [];
  const name = quoted === '' ? replays.scriptReplaysATournament() : String(JSON.parse(quoted));
  return { name, standings: rowsOf(standings), games: rowsOf(games), records: recordsOf(journal) };
}
