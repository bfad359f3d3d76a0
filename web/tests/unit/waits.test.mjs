// Tests wait by `lib/until.mjs` alone: bounded, for a condition that has a name.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const tests = new URL('../', import.meta.url);

/** Waits without a condition, loops without an end, and time that machines need. */
const FORBIDDEN = [/\bsetTimeout\(/, /\bsetInterval\(/, /timers\/promises/, /waitForTimeout/, /for \([^;]*; *;/, /while \((true|1)\)/];

/** Where they are allowed, and why. @type {Record<string, {reason: string, line: RegExp}>} */
const ALLOWED = {
  'lib/until.mjs': { reason: 'it is the helper', line: /./ },
  'browser/watch.test.mjs': { reason: 'a made-up page that throws later', line: /throw new Error\("it rained"\)/ },
  'unit/waits.test.mjs': { reason: 'it names them', line: /./ },
};

/** @param {string} text @returns {{line: string, at: number}[]} the lines of code that wait in a forbidden way */
const waits = (text) =>
  text.split('\n').flatMap((line, at) => (FORBIDDEN.some((wait) => wait.test(line.replace(/^ *(\/\/|\*|\/\*\*).*/, ''))) ? [{ line: line.trim(), at: at + 1 }] : []));

test('no test waits for a time, or without an end', () => {
  const files = ['', 'browser/', 'lib/', 'unit/'].flatMap((folder) =>
    readdirSync(new URL(folder || './', tests)).filter((file) => file.endsWith('.mjs')).map((file) => folder + file));
  assert.ok(files.length > 60, `${files.length} files`);
  const found = files.flatMap((file) =>
    waits(readFileSync(new URL(file, tests), 'utf8')).filter(({ line }) => !ALLOWED[file]?.line.test(line)).map(({ line, at }) => `web/tests/${file}:${at}: ${line}`));
  assert.deepEqual(found, [], 'wait by lib/until.mjs');
});

test('such waits are found', () => {
  for (const bad of ['await new Promise((r) => setTimeout(r, 5));', 'await page.waitForTimeout(5);', 'for (;;) {', 'for (let at = 0; ; at += 1) {', 'while (true) {', "import { setTimeout as wait } from 'node:timers/promises';"]) {
    assert.equal(waits(bad).length, 1, bad);
  }
  for (const good of ["mock.timers.enable({ apis: ['setTimeout', 'Date'] });", 'for (let at = 0; at < 3; at++) {', '// for (;;) is forbidden', 'while (!done) {']) {
    assert.deepEqual(waits(good), [], good);
  }
});
