// The types in the comments of the pages' modules hold, in TypeScript's strict mode; those of what is sent are the
// API's.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const path = (/** @type {string} */ from) => fileURLToPath(new URL(from, import.meta.url));

test('the types of the wire are generated from the document of the API', () => {
  const { status, stderr } = spawnSync(process.execPath, [path('../types.mjs'), '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

const tsc = path('../node_modules/typescript/bin/tsc');

test('a message that a code chooses is not called without its parts', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'arena-types-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'call.js');
  const messages = '{ sayOver: () => "over", sayTurn: (/** @type {{turn: number}} */ { turn }) => `turn ${turn}` }';
  const faults = (/** @type {string} */ call) => {
    writeFileSync(file, `import { messagesBy } from ${JSON.stringify(path('../../static/page/messages.js'))};\n${call};\n`);
    const options = '--allowJs --checkJs --noEmit --strict --target es2024 --module esnext --moduleResolution bundler'.split(' ');
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, '--ignoreConfig', file], { encoding: 'utf8' });
    return stdout.match(/TS\d+/g) ?? [];
  };
  assert.deepEqual(faults(`messagesBy('say', ${messages})('turn', { turn: 3 })`), []);
  assert.deepEqual(faults(`messagesBy('sayOver', ${messages})('')`), []);
  assert.deepEqual(faults(`messagesBy('say', ${messages})('turn')`), ['TS2554']);
  assert.deepEqual(faults(`messagesBy('say', ${messages})('turn', {})`), ['TS2741']);
});

test('new scripts have no faults, and a wrong call is one', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'arena-types-'));
  t.after(() => rmSync(folder, { recursive: true }));
  copyFileSync(path('../../../sdk/javascript/bot.d.ts'), join(folder, 'bot.d.ts'));
  const faults = (/** @type {string} */ language, /** @type {string} */ config, also = '') => {
    const template = (/** @type {string} */ name) => readFileSync(path(`../../../sdk/templates/${language}/${name}`), 'utf8');
    writeFileSync(join(folder, config), template(config));
    writeFileSync(join(folder, 'bot.js'), template('bot.js') + also);
    const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', join(folder, config)], { encoding: 'utf8' });
    return stdout.match(/TS\d+/g) ?? [];
  };
  for (const [language, config] of [['javascript', 'jsconfig.json'], ['typescript', 'tsconfig.json']]) {
    assert.deepEqual(faults(language, config), []);
    assert.deepEqual(faults(language, config, 'bomb(1);'), ['TS2554']);
  }
});

test('tsc has nothing to say', () => {
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', path('../tsconfig.json')], { encoding: 'utf8' });
  assert.equal(stdout, '');
  assert.equal(status, 0);
});
