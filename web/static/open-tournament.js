// The page that opens a dropped tournament folder. Everything happens in the page: nothing is uploaded.

/** @import { Tournament } from './replays/tournament-folder.js' */

import { fileUrl } from './files.js';
import { loadEngine } from './rules/engine.js';
import { fetched } from './net/fetched.js';
import { messagesBy } from './page/messages.js';
import * as tables from './text/en/script-tables.js';
import { watch } from './replays/game-player.js';
import { byId, element, write } from './page/page.js';
import { NotATournament, tournamentOf, untarred } from './replays/tournament-folder.js';
import * as replays from './text/en/script-replays.js';

/** Bytes of a file that the page reads, packed or not: what a browser's tab has room for. */
const FILE_BYTES_MAX = 512 << 20;
/** The maximum number of listed games. */
const GAMES_MAX = 2_000;
/** Columns of the games that are shown, with their titles. @type {Readonly<Record<string, string>>} */
const OF_GAMES = {
  number: replays.scriptReplaysColumnNumber(),
  seats: replays.scriptReplaysColumnSeats(),
  ids: replays.scriptReplaysColumnIds(),
  winner: replays.scriptReplaysColumnWinner(),
  reason: replays.scriptReplaysColumnReason(),
  turns: replays.scriptReplaysColumnTurns(),
  score: replays.scriptReplaysColumnScore(),
  marks: replays.scriptReplaysColumnMarks(),
};

/** What the columns of standings are called, and values of the games' columns, by their codes. */
const columnWords = messagesBy('scriptTablesColumn', tables);
const reasonWords = messagesBy('scriptTablesReason', tables);
const markWords = messagesBy('scriptTablesMark', tables);

const ARCHIVE_URL = fileUrl('arena_archive.wasm');

/** Unpacks Zstandard. @param {Uint8Array} packed @returns {Promise<Uint8Array>} */
async function unpacked(packed) {
  const { instance } = await WebAssembly.instantiateStreaming(fetched(ARCHIVE_URL), {});
  const { memory, arena_alloc: alloc, arena_unpack: unpack } = /** @type {any} */ (instance.exports);
  const address = alloc(packed.length) >>> 0;
  if (address === 0) throw new NotATournament(replays.scriptReplaysArchiveTooLarge());
  new Uint8Array(memory.buffer, address, packed.length).set(packed);
  const answer = BigInt.asUintN(64, unpack(address, packed.length));
  if (answer === 0n) throw new NotATournament(replays.scriptReplaysArchiveNotUnpacked());
  // The module is dropped with its memory, so nothing needs to be freed.
  return new Uint8Array(memory.buffer, Number(answer >> 32n), Number(answer & 0xffffffffn));
}

/** @typedef {Map<string, () => Promise<Uint8Array>>} Files */

/** @param {Blob} blob */
async function bytesOf(blob) {
  if (blob.size > FILE_BYTES_MAX) throw new NotATournament(replays.scriptReplaysFileTooLarge());
  return new Uint8Array(await blob.arrayBuffer());
}

/** @param {File} file @returns {Promise<Files>} the files in an archive */
async function filesIn(file) {
  const bytes = await bytesOf(file);
  const tar = file.name.endsWith('.zst') ? await unpacked(bytes) : bytes;
  return new Map([...untarred(tar)].map(([path, content]) => [path, async () => content]));
}

/** @param {readonly File[]} files chosen: an archive, or all files of a folder @returns {Promise<Files>} */
async function filesOf(files) {
  const [first] = files;
  if (files.length === 1 && /\.tar(\.zst)?$/.test(first.name)) return filesIn(first);
  return new Map(files.map((file) => [file.webkitRelativePath || file.name, () => bytesOf(file)]));
}

/** All files of a dropped folder. @param {any} entry @returns {Promise<[string, () => Promise<Uint8Array>][]>} */
async function gathered(entry) {
  if (entry.isFile) {
    const file = () => new Promise((resolve, reject) => entry.file(resolve, reject));
    return [[entry.fullPath.slice(1), async () => bytesOf(/** @type {File} */ (await file()))]];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    /** @type {any[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const inside of some) found.push(...(await gathered(inside)));
  }
}

/** @param {DataTransfer} dropped @returns {Promise<Files>} */
async function filesDropped(dropped) {
  // Requested at once: the dropped items are gone after the first await.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry());
  const folder = entries.find((entry) => entry?.isDirectory);
  return folder ? new Map(await gathered(folder)) : filesOf([...dropped.files]);
}

/**
 * @param {string} id
 * @param {string[][]} rows the heading first
 * @param {(row: string[]) => HTMLElement | null} [last] a last cell
 */
function fill(id, [heading = [], ...rows], last) {
  const top = element('tr', {}, ...heading.map((title) => element('th', { textContent: title, scope: 'col' })));
  if (last) top.append(element('td', {}));
  const lines = rows.map((row) => {
    const line = element('tr', {}, ...row.map((text) => element('td', { textContent: text })));
    if (last) line.append(element('td', {}, last(row) ?? ''));
    return line;
  });
  byId(id).replaceChildren(element('thead', {}, top), element('tbody', {}, ...lines));
}

/**
 * A table reduced to the columns whose names satisfy a predicate.
 * @param {string[][]} rows
 * @param {(name: string) => boolean} is
 */
function columns(rows, is) {
  const kept = (rows[0] ?? []).map((name, at) => (is(name) ? at : -1)).filter((at) => at >= 0);
  return rows.map((row) => kept.map((at) => row[at] ?? ''));
}

/** The first twelve digits of the hash of a bot's bytes, or a built-in opponent with its version. @param {string} id */
const shortId = (id) => id.replace(/^sha256:(.{12}).*$/, '$1').replace(/^baseline:/, '');

/** @param {Tournament} tournament */
function show({ name, standings, games, records }) {
  write('name', name);
  document.title = `${name} – Life Arena`;
  const [heading = [], ...rows] = standings;
  const ids = heading.indexOf('id');
  fill('standings', [
    heading.map((column) => columnWords(column)),
    ...rows.map((row) => row.map((text, at) => (at === ids ? shortId(text) : text))),
  ]);
  const [known = [], ...played] = columns(games, (column) => Object.keys(OF_GAMES).includes(column));
  /** Texts for the values of some columns of the games. @type {Readonly<Record<string, (text: string) => string>>} */
  const words = {
    reason: (text) => reasonWords(text),
    marks: (text) =>
      text
        .split(' ')
        .map((mark) => markWords(mark))
        .join(', '),
  };
  const told = played.slice(0, GAMES_MAX).map((row) => row.map((text, at) => words[known[at] ?? '']?.(text) ?? text));
  fill('games', [known.map((column) => OF_GAMES[column]), ...told], ([number, seats]) => {
    const record = records.get(Number(number));
    if (record === undefined) return null;
    const title = replays.scriptReplaysGameTitle({ number, seats });
    const button = element('button', {
      type: 'button',
      textContent: replays.scriptReplaysWatch(),
      ariaLabel: `${replays.scriptReplaysWatch()}: ${title}`,
    });
    button.addEventListener('click', async () => watch(await engineFor(record), `${record}\n`, title));
    return button;
  });
  const left = played.length - GAMES_MAX;
  write('left-out', left > 0 ? replays.scriptReplaysGamesLeftOut({ games: left }) : '');
  byId('tournament').hidden = false;
}

/** The address of each game's rules. @type {Readonly<Record<string, string>>} */
const ENGINES = JSON.parse(byId('open').dataset.engines ?? '{}');
/** The engines requested so far. @type {Map<string, Promise<import('./rules/engine.js').Engine>>} */
const engines = new Map();

/** The engine for a record's game; for unknown games any engine, which reports the problem. @param {string} record */
function engineFor(record) {
  const url = ENGINES[JSON.parse(record).header.ruleset] ?? Object.values(ENGINES)[0];
  const engine = engines.get(url) ?? loadEngine(url);
  engines.set(url, engine);
  return engine;
}

/** @param {Promise<Files>} files */
async function open(files) {
  write('trouble', '');
  byId('trouble').hidden = true;
  try {
    show(await tournamentOf(await files));
  } catch (error) {
    byId('tournament').hidden = true;
    write(
      'trouble',
      error instanceof NotATournament
        ? error.message
        : replays.scriptReplaysCannotBeOpened({ why: error instanceof Error ? error.message : error }),
    );
    byId('trouble').hidden = false;
  }
}

for (const id of ['archive', 'folder']) {
  const input = /** @type {HTMLInputElement} */ (byId(id));
  input.addEventListener('change', () => input.files?.length && void open(filesOf([...input.files])));
}
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  if (event.dataTransfer) void open(filesDropped(event.dataTransfer));
});
