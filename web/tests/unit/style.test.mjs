// The style sheet keeps to its own scale.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const style = readFileSync(new URL('../../static/style.css', import.meta.url), 'utf8');

test('texts have the sizes of one scale', () => {
  const sizes = style.split('\n').flatMap((line) => [...line.matchAll(/font-size: ([^;}]+)/g)].map(([, size]) => ({ size: size.trim(), line })));
  // What is drawn in a picture is measured in the picture's units.
  const drawn = (/** @type {string} */ line) => line.includes('.history text');
  const stray = sizes.filter(({ size, line }) => !/^var\(--text-[a-z]+\)$|^1em$|^100%$/.test(size) && !drawn(line));
  assert.deepEqual(stray.map(({ line }) => line.trim()), []);
  const scale = new Set(sizes.map(({ size }) => size).filter((size) => size.startsWith('var')));
  assert.ok(scale.size <= 6, `${[...scale]}`);
});
