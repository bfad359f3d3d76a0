// The types in the comments of the pages' modules hold, in TypeScript's strict mode; those of what is sent are the
// API's.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const path = (/** @type {string} */ from) => fileURLToPath(new URL(from, import.meta.url));

test('the types of the wire are generated from the document of the API', () => {
  const { status, stderr } = spawnSync(process.execPath, [path('../types.mjs'), '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('tsc has nothing to say', () => {
  const tsc = path('../node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', path('../tsconfig.json')], { encoding: 'utf8' });
  assert.equal(stdout, '');
  assert.equal(status, 0);
});
