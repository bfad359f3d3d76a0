// `arena-verify`: a tournament's folder is verified in Node's own engine, and the answers are those of `arena verify`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Recomputer } from '../../static/rules/recompute.js';
import * as setting from '../lib/setting.mjs';
import { DEEPER, GROW_THEN, LOOP, NO_INTEGER, ONE_BYTE_AT_0, TRAP, bot } from '../lib/tiny_bots.mjs';

const MAIN = fileURLToPath(new URL('../../verify/main.mjs', import.meta.url));

/** Bots that lose in every way that fuel, stack and memory decide, and one that plays. */
const BOTS = {
  traps: bot(TRAP, [1]),
  loops: bot(LOOP, [1]),
  dives: bot(DEEPER, [1]),
  grows: bot([...GROW_THEN, ...ONE_BYTE_AT_0], [1]),
  nonsense: bot(ONE_BYTE_AT_0, [1]),
};

const DEFINITION = `name = "A cup of forfeits"
ruleset = "conquerors@2"
seed = 7
pairs = 1


[[entrants]]
name = "easy"
baseline = "easy"

[[entrants]]
name = "mason"
gallery = "mason"

[[entrants]]
name = "gardener"
gallery = "gardener"
${Object.keys(BOTS)
  .map((name) => `\n[[entrants]]\nname = "${name}"\nfile = "${name}.wasm"\n`)
  .join('')}`;

/** Tournaments of two games, each of a built-in opponent and this bot. */
const DUELS = { 'a-duel': bot(ONE_BYTE_AT_0, [1]), 'a-nan': bot(NO_INTEGER, [1]) };

/** @type {string} */
let place;
const cup = () => join(place, 'cup');

/** A tournament of two games, played once. @param {keyof typeof DUELS} [name] */
const duel = (name = 'a-duel') => join(place, name);

/** @param {string} program @param {string[]} args */
function ran(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 240_000 });
  return { status, said: stdout + stderr };
}

const arena = (/** @type {string[]} */ ...args) => ran(setting.arena(), ...args);
const verifier = (/** @type {string[]} */ ...args) => ran(process.execPath, MAIN, ...args, '--threads', '2');

before(() => {
  place = mkdtempSync(join(tmpdir(), 'arena-verifier-'));
  for (const [name, bytes] of Object.entries(BOTS)) writeFileSync(join(place, `${name}.wasm`), bytes);
  const definition = join(place, 'cup.toml');
  writeFileSync(definition, DEFINITION);
  const { status, said } = arena('tournament', 'run', definition, '--out', cup());
  assert.equal(status, 0, said);
  for (const [name, bytes] of Object.entries(DUELS)) {
    writeFileSync(join(place, `${name}.wasm`), bytes);
    const [easy] = DEFINITION.split('[[entrants]]').slice(1);
    const two = `${DEFINITION.slice(0, DEFINITION.indexOf('[[entrants]]'))}[[entrants]]${easy}[[entrants]]\nname = "other"\nfile = "${name}.wasm"\n`;
    writeFileSync(join(place, `${name}.toml`), two);
    assert.equal(arena('tournament', 'run', join(place, `${name}.toml`), '--out', duel(/** @type {any} */ (name))).status, 0);
  }
});
after(() => rmSync(place, { recursive: true, force: true }));

/** The journal's lines with other records, whose checksums are right. @param {string} journal @param {(record: string, at: number) => string} change */
function rewritten(journal, change) {
  const lines = journal
    .trimEnd()
    .split('\n')
    .map((line, at) => {
      const [, number, record] = /** @type {RegExpExecArray} */ (/^\S+ (\d+) (.*)$/.exec(line));
      const rest = `${number} ${change(record, at)}\n`;
      return `${createHash('sha256').update(rest).digest('hex').slice(0, 16)} ${rest}`;
    });
  return lines.join('');
}

/**
 * A copy of a tournament, by default the cup, with another journal.
 * @param {string} name @param {(record: string, at: number) => string} change @param {string} [of]
 */
function forged(name, change, of = cup()) {
  const folder = join(place, name);
  cpSync(of, folder, { recursive: true });
  writeFileSync(join(folder, 'journal'), rewritten(readFileSync(join(folder, 'journal'), 'utf8'), change));
  return folder;
}

test('an untouched folder is the same, forfeits included', () => {
  const [own, other] = [arena('verify', cup()), verifier(cup())];
  assert.equal(own.status, 0, own.said);
  assert.equal(other.status, 0, other.said);
  assert.match(other.said, /played again with the bots' own bytes: 56 of 56 games/);
  assert.match(other.said, /byte for byte/);
  const journal = readFileSync(join(cup(), 'journal'), 'utf8');
  for (const code of ['trap', 'fuel_exhausted', 'stack_overflow', 'bad_output']) assert.match(journal, new RegExp(`"code":"${code}"`));
});

test('a unit of fuel that is not what was used is found', () => {
  let changed = '';
  const folder = forged('fuel', (record, at) => {
    const other = record.replace(/"fuel":(\d*)([0-8])\b/, (_, before, last) => `"fuel":${before}${Number(last) + 1}`);
    if (changed !== '' || other === record) return record;
    changed = String(at);
    return other;
  });
  assert.notEqual(changed, '');
  const [own, other] = [arena('verify', folder), verifier(folder)];
  assert.deepEqual([own.status, other.status], [1, 1], own.said + other.said);
  assert.match(other.said, /the fuel is `\d+` in the record, and `\d+` when it is played again/);
});

test('another reason of a forfeit is found', () => {
  const folder = forged('detail', (record) => record.replace('calls were nested too deeply', 'calls were nested too widely'));
  assert.deepEqual([arena('verify', folder).status, verifier(folder).status], [1, 1]);
});

test('bytes that do not follow from the journal are found before any game is played', () => {
  const folder = join(place, 'results');
  cpSync(cup(), folder, { recursive: true });
  const file = join(folder, 'results', 'standings.json');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/"points": ?\d/, (text) => `${text.slice(0, -1)}9`),
  );
  const { status, said } = verifier(folder);
  assert.deepEqual([status, arena('verify', folder).status], [1, 1], said);
  assert.match(said, /standings\.json: byte \d+/);
});

test('a sample is never called the whole, the other games are replayed, and a call without an end is no verdict', () => {
  const sample = verifier(cup(), '--sample', '5');
  assert.equal(sample.status, 7, sample.said);
  assert.match(sample.said, /: 5 of 56 games\nreplayed by the rules alone: 51\none forged game .* a chance of 51\/56 = 91\.1 %\n/);
  const late = verifier(cup(), '--sample', '3', '--deadline', '0.001');
  assert.equal(late.status, 5, late.said);
  assert.match(late.said, /not checked, which is no verdict/);
  assert.doesNotMatch(late.said, /byte for byte/);
  const illegal = forged('illegal', (record) => record.replace(/"digest":"./, (text) => text.slice(0, -1) + (text.endsWith('0') ? 1 : 0)));
  const found = verifier(illegal, '--sample', '1');
  assert.deepEqual([arena('verify', illegal, '--sample', '1').status, found.status], [1, 1], found.said);
  assert.match(found.said, /The rules do not agree: [a-z]/);
  assert.doesNotMatch(found.said, /\[object/);
});

test('an argument that is no whole number, or too large, is wrong usage', () => {
  for (const wrong of [
    ['--threads', '0.5'],
    ['--threads', '0'],
    ['--threads', '1025'],
    ['--sample', '0.5'],
    ['--sample', '1e3'],
    ['--deadline', '1e10'],
    ['--deadline', 'Infinity'],
    ['--deadline', '2147484'],
    ['--deadline', '0'],
  ]) {
    const { status, said } = ran(process.execPath, MAIN, duel(), ...wrong);
    assert.deepEqual([status, /usage: /.test(said)], [2, true], `${wrong} ${said}`);
  }
  assert.equal(verifier().status, 2);
});

test('a folder is the same by whatever name', () => {
  for (const name of ['.', './', `../${basename(duel())}/`]) {
    const { status, stdout } = spawnSync(process.execPath, [MAIN, name], { cwd: duel(), encoding: 'utf8' });
    assert.equal(status, 0, `${name} ${stdout}`);
  }
});

const cutShort = (/** @type {string} */ folder) => {
  const journal = join(folder, 'journal');
  writeFileSync(journal, readFileSync(journal, 'utf8').replace(/[^\n]*\n$/, ''));
};
const without =
  (/** @type {string[]} */ ...names) =>
  (/** @type {string} */ folder) =>
    names.forEach((name) => rmSync(join(folder, name), { recursive: true }));
const withFile =
  (/** @type {string} */ name, bytes = 'x') =>
  (/** @type {string} */ folder) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  };

/** What a folder can have become, and the exit code. @type {[string, number, (folder: string) => void][]} */
const FOLDERS = [
  ['as it was', 0, () => {}],
  ['notes', 5, withFile('notes.txt')],
  ['notes in its results', 5, withFile('results/notes.txt')],
  ['what a system leaves', 5, withFile('entrants/.DS_Store')],
  ['a bot of nobody', 5, withFile(`entrants/${'0'.repeat(64)}.wasm`)],
  ['a large file', 5, (folder) => (withFile('film.mkv')(folder), truncateSync(join(folder, 'film.mkv'), 600 << 20))],
  ['an empty folder', 5, (folder) => mkdirSync(join(folder, 'results', 'deep'))],
  ['a pipe', 5, (folder) => assert.equal(ran('mkfifo', join(folder, 'pipe')).status, 0)],
  [
    'a pipe in the place of its index',
    3,
    (folder) => (without('index')(folder), assert.equal(ran('mkfifo', join(folder, 'index')).status, 0)),
  ],
  ['an index that was not moved', 5, withFile('index.new')],
  ['old results', 5, withFile('results.old/standings.csv')],
  [
    'a link in its results',
    3,
    (folder) => (without('results/games.csv')(folder), symlinkSync('standings.csv', join(folder, 'results', 'games.csv'))),
  ],
  ['no index', 3, without('index')],
  [
    'an index of another order',
    1,
    (folder) => withFile('index', readFileSync(join(folder, 'index'), 'utf8').split('\n').reverse().join('\n').slice(1) + '\n')(folder),
  ],
  ['no results', 5, without('index', 'results')],
  ['a game less, with results', 3, (folder) => (cutShort(folder), without('index')(folder))],
  ['a game less', 5, (folder) => (cutShort(folder), without('index', 'results')(folder))],
  [
    'other line ends',
    3,
    (folder) =>
      withFile('results/standings.csv', readFileSync(join(folder, 'results', 'standings.csv'), 'utf8').replaceAll('\n', '\r\n'))(folder),
  ],
  ['neither manifest nor results', 2, without('manifest.json', 'results')],
];

for (const [what, code, change] of FOLDERS) {
  test(`a folder has the same exit code: ${what}`, () => {
    const folder = join(place, what.replaceAll(' ', '-'));
    cpSync(duel(), folder, { recursive: true });
    change(folder);
    const [own, other] = [arena('verify', folder), verifier(folder)];
    assert.deepEqual([own.status, other.status], [code, code], own.said + other.said);
    assert.equal(/byte for byte/.test(other.said), code === 0, other.said);
  });
}

test('a void game is played again: one that comes to its end here is not confirmed', () => {
  const folder = forged('void', (record, at) => (at === 0 ? '{"void":{"tries":3,"quarantined":[]}}' : record), duel());
  without('index', 'results')(folder);
  assert.equal(arena('tournament', 'resume', folder).status, 0);
  for (const args of [[folder], [folder, '--sample', '1']]) {
    const [own, other] = [arena('verify', ...args), verifier(...args)];
    assert.deepEqual([own.status, other.status], [6, 6], own.said + other.said);
    assert.match(other.said, /void, not counted: 1 game; of these, played here again: 1\n/);
    assert.doesNotMatch(other.said, /byte for byte/);
  }
});

test('what a bot has left is told with a difference, too', async () => {
  const compiled = (/** @type {string} */ name) => WebAssembly.compile(readFileSync(new URL(`../../engine/built/${name}`, import.meta.url)));
  const recomputer = new Recomputer(await compiled('arena_opponents.wasm'), await compiled('arena_meter.wasm'));
  const [, record] = /** @type {RegExpExecArray} */ (/^\S+ 0 (.*)$/m.exec(readFileSync(join(duel(), 'journal'), 'utf8')));
  const bytes = DUELS['a-duel'];
  const bots = new Map([[`sha256:${createHash('sha256').update(bytes).digest('hex')}`, bytes]]);
  const other = record.replace('"detail":"', '"detail":"not ');
  for (const [text, kind] of [[record, 'identical'], [other, 'differs']]) {
    /** @type {any} */
    const found = await recomputer.run(`${text}\n`, bots, () => {});
    assert.deepEqual([found.kind, found.left.map((/** @type {any} */ of) => of.memory)], [kind, [65_536]], JSON.stringify(found));
  }
});

test('where the engine does not tell one trap from another, nobody says that it was compared', () => {
  const { status, said } = verifier(duel('a-nan'));
  assert.equal(status, 5, said);
  assert.match(said, /says the same of several kinds of traps, so the detail of a forfeit was not compared in games 0, 1/);
  assert.equal(arena('verify', duel('a-nan')).status, 0);
});
