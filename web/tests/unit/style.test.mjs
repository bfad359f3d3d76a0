// The style sheet keeps to its own scale.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const style = readFileSync(new URL('../../static/style.css', import.meta.url), 'utf8');

test('in the dark, colours change and nothing else', () => {
  const [, ...blocks] = style.split('@media (prefers-color-scheme: dark) {\n');
  const lines = blocks.flatMap((block) => block.slice(0, block.indexOf('\n}')).split('\n').map((line) => line.trim()));
  assert.ok(lines.length > 20, `${lines.length} lines`);
  assert.equal(blocks.length, style.split('prefers-color-scheme').length - 1, 'each of them is looked at');
  assert.deepEqual(lines.filter((line) => line !== '' && !/^(:root \{|--[a-z0-9-]+: #[0-9a-f]{6,8};|\})$/.test(line)), []);
});

test('texts have the sizes of one scale', () => {
  const sizes = style.split('\n').flatMap((line) => [...line.matchAll(/font-size: ([^;}]+)/g)].map(([, size]) => ({ size: size.trim(), line })));
  // What is drawn in a picture is measured in the picture's units.
  const drawn = (/** @type {string} */ line) => line.includes('.history text');
  const stray = sizes.filter(({ size, line }) => !/^var\(--text-[a-z]+\)$|^1em$|^100%$/.test(size) && !drawn(line));
  assert.deepEqual(stray.map(({ line }) => line.trim()), []);
  const scale = new Set(sizes.map(({ size }) => size).filter((size) => size.startsWith('var')));
  assert.ok(scale.size <= 6, `${[...scale]}`);
});
