// The style sheet keeps to its scale of sizes, and a rule for an id matches only the elements that it is meant for.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
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
  // Text in a picture is measured in the picture's units.
  const drawn = (/** @type {string} */ line) => line.includes('.history text');
  const stray = sizes.filter(({ size, line }) => !/^var\(--text-[a-z]+\)$|^1em$|^100%$/.test(size) && !drawn(line));
  assert.deepEqual(stray.map(({ line }) => line.trim()), []);
  const scale = new Set(sizes.map(({ size }) => size).filter((size) => size.startsWith('var')));
  assert.ok(scale.size <= 6, `${[...scale]}`);
});

test('spaces are those of one scale', () => {
  const spaces = [...style.matchAll(/[{;\s]((?:margin|padding|gap|row-gap|column-gap)(?:-[a-z-]+)?): ([^;}]+)/g)].map(([, property, space]) => `${property}: ${space.trim()}`);
  assert.ok(spaces.filter((space) => space.includes('var(--space-')).length > 100, `${spaces.length} spaces`);
  // Hairlines are as wide as borders, and the screen says what its edge covers.
  const raw = (/** @type {string} */ space) => space.replace(/var\(--(space-[a-z0-9]+|gutter)\)|env\([a-z-]+\)|(?<![\w.])-?[123]px|auto|calc|max|inherit/g, '').match(/\d*\.?\d+[a-z%]+/g);
  assert.deepEqual(spaces.filter(raw), []);
});

test('all texts but code have the family that is shipped', () => {
  const families = [...style.matchAll(/font(?:-family)?: ([^;}]+)/g)].map(([, family]) => family);
  const stray = families.filter((family) => !/var\(--(font|mono|system)\)|inherit|"Atkinson"/.test(family));
  assert.deepEqual(stray, []);
  assert.match(style, /body \{[^}]*font: [^;]*var\(--font\)/, 'headings have the family of the body');
});

test('the typeface is the package’s, byte for byte', () => {
  const shipped = createHash('sha256').update(readFileSync(new URL('../../static/atkinson.woff2', import.meta.url))).digest('hex');
  // Its files/atkinson-hyperlegible-next-latin-wght-normal.woff2.
  assert.equal(shipped, '18b2a1a39a2fa298b0ba5390aca68462669826c90925656f1c1f6796e0e1bbaf');
  const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const version = devDependencies['@fontsource-variable/atkinson-hyperlegible-next'];
  assert.ok(style.includes(`@fontsource-variable/atkinson-hyperlegible-next ${version},`), 'the style says which');
  assert.match(readFileSync(new URL('../../static/atkinson-license.txt', import.meta.url), 'utf8'), /SIL OPEN FONT LICENSE Version 1\.1/);
});

/** The kinds of elements with an id on some page. @returns {Map<string, Set<string>>} */
function kindsOfIds() {
  const folder = new URL('../../templates/', import.meta.url);
  const kinds = new Map();
  for (const file of readdirSync(folder)) {
    for (const [, kind, id] of readFileSync(new URL(file, folder), 'utf8').matchAll(/<([a-z0-9]+)\b[^<>]*?\sid="([a-z0-9-]+)"/g)) {
      kinds.set(id, (kinds.get(id) ?? new Set()).add(kind));
    }
  }
  return kinds;
}

test('a rule for an id alone is meant for all that has it', () => {
  const kinds = kindsOfIds();
  assert.ok((kinds.get('next')?.size ?? 0) > 1, 'a button of one page, a paragraph of another');
  const rules = [...style.replace(/\/\*[^]*?\*\//g, '').matchAll(/([^{};]+)\{/g)].map(([, selectors]) => selectors);
  const alone = rules.flatMap((selectors) => selectors.split(',')).flatMap((selector) => /^\s*#([\w-]+)\s*$/.exec(selector)?.[1] ?? []);
  assert.ok(alone.length > 10, `${alone}`);
  assert.deepEqual(alone.filter((id) => (kinds.get(id)?.size ?? 0) > 1), []);
});
