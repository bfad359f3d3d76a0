// `arena-verify`: a tournament's folder is verified in Node's own engine, and the answers are those of `arena verify`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as setting from '../lib/setting.mjs';
import { DEEPER, GROW_THEN, LOOP, ONE_BYTE_AT_0, TRAP, bot } from '../lib/tiny_bots.mjs';

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

/** @type {string} */
let place;
const cup = () => join(place, 'cup');

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
});
after(() => rmSync(place, { recursive: true, force: true }));

/** The journal's lines with other records, whose checksums are right. @param {string} journal @param {(record: string, at: number) => string} change */
function rewritten(journal, change) {
  const lines = journal.trimEnd().split('\n').map((line, at) => {
    const [, number, record] = /** @type {RegExpExecArray} */ (/^\S+ (\d+) (.*)$/.exec(line));
    const rest = `${number} ${change(record, at)}\n`;
    return `${createHash('sha256').update(rest).digest('hex').slice(0, 16)} ${rest}`;
  });
  return lines.join('');
}

/**
 * A copy of the cup with another journal.
 * @param {string} name @param {(record: string, at: number) => string} change
 */
function forged(name, change) {
  const folder = join(place, name);
  cpSync(cup(), folder, { recursive: true });
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
  assert.match(other.said, /fuel is \d+ when it is played again, and \d+ in the record/);
});

test('another reason of a forfeit is found', () => {
  const folder = forged('detail', (record) => record.replace('calls were nested too deeply', 'calls were nested too widely'));
  assert.deepEqual([arena('verify', folder).status, verifier(folder).status], [1, 1]);
});

test('bytes that do not follow from the journal are found before any game is played', () => {
  const folder = join(place, 'results');
  cpSync(cup(), folder, { recursive: true });
  const file = join(folder, 'results', 'standings.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"points": ?\d/, (text) => `${text.slice(0, -1)}9`));
  const { status, said } = verifier(folder);
  assert.equal(status, 3, said);
  assert.match(said, /standings\.json: byte \d+/);
  assert.notEqual(arena('verify', folder).status, 0);
});

test('a sample is never called the whole, and a call without an end is no verdict', () => {
  const sample = verifier(cup(), '--sample', '5');
  assert.equal(sample.status, 7, sample.said);
  assert.match(sample.said, /5 of 56 games, a sample/);
  const late = verifier(cup(), '--sample', '3', '--deadline', '0.001');
  assert.equal(late.status, 5, late.said);
  assert.match(late.said, /not checked, which is no verdict/);
  assert.equal(verifier().status, 2);
});
