// Reading a tournament's folder in a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotATournament, recordsOf, rowsOf, tournamentOf, untarred } from '../../static/replays/tournament-folder.js';

/** A file in an archive. @param {string} name @param {string} content @param {string} [kind] */
function entry(name, content, kind = '0') {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(kind, 156);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return Buffer.concat([header, body]);
}

const archive = (/** @type {Buffer[]} */ ...entries) => new Uint8Array(Buffer.concat([...entries, Buffer.alloc(1024)]));

test('an archive gives its files', () => {
  const files = untarred(archive(entry('cup/a.txt', 'hello'), entry('cup/', '', '5'), entry('cup/b', '')));
  assert.deepEqual([...files.keys()], ['cup/a.txt', 'cup/b']);
  assert.equal(new TextDecoder().decode(files.get('cup/a.txt')), 'hello');
});

test('what is no whole archive is refused', () => {
  const whole = archive(entry('a', 'x'.repeat(600)));
  for (const bytes of [whole.subarray(0, 700), new Uint8Array(512).fill(65)]) assert.throws(() => untarred(bytes), NotATournament);
  assert.equal(untarred(new Uint8Array(0)).size, 0);
});

test('members are counted, whatever they are, and none reaches beyond the archive', () => {
  const folders = (/** @type {number} */ count) => archive(...Array.from({ length: count }, () => entry('cup/', '', '5')));
  assert.equal(untarred(folders(10_000)).size, 0);
  assert.throws(() => untarred(folders(10_001)), NotATournament);
  for (const size of ['77777777777', '-0000000001', 'x', '00000003001']) {
    const header = entry('a', '');
    header.write(size.padEnd(11, '\0'), 124);
    assert.throws(() => untarred(archive(header)), NotATournament, size);
  }
});

test('rows are split at commas outside of quotes', () => {
  assert.deepEqual(rowsOf('a,b\n"x,""y""",\n1,2\n'), [['a', 'b'], ['x,"y"', ''], ['1', '2']]);
  assert.deepEqual(rowsOf(''), []);
});

test('a journal gives its records, and passes over changes and void games', () => {
  const lines = ['0123456789abcdef 4 {"format":"arena-record/1"}', '0123456789abcdef change {"round":1}', '0123456789abcdef 5 {"void":{}}', 'x'];
  assert.deepEqual([...recordsOf(lines.join('\n'))], [[4, '{"format":"arena-record/1"}']]);
});

test('a folder is one wherever it stands, and only with results', async () => {
  const folder = (/** @type {Record<string, string>} */ files) => new Map(Object.entries(files).map(([path, text]) => [path, async () => new TextEncoder().encode(text)]));
  const whole = {
    'x/cup/manifest.json': '{}', 'x/cup/definition.toml': 'name = "A \\"cup\\""\n', 'x/cup/results/standings.csv': 'rank,name\n1,a\n',
    'x/cup/results/games.csv': 'number,seats\n0,a b\n', 'x/cup/journal': '0123456789abcdef 0 {"format":"arena-record/1"}\n',
  };
  const { name, standings, games, records } = await tournamentOf(folder(whole));
  assert.equal(name, 'A "cup"');
  assert.deepEqual([standings[1], games[1], records.has(0)], [['1', 'a'], ['0', 'a b'], true]);
  await assert.rejects(tournamentOf(folder({ 'a.txt': '' })), /no manifest/);
  await assert.rejects(tournamentOf(folder({ 'manifest.json': '{}' })), /no results yet/);
});
