// What pages announce before their modules ask for it: every module that will be needed, or it is found out late, one wave after another.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const web = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** A module with all that it imports. @param {string} name @param {Set<string>} [found] */
function needed(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other] of web(`static/${name}`).matchAll(/^import [^'"]*from '\.\/([\w-]+\.js)'/gm)) needed(other, found);
  return found;
}

/** @param {string} template @returns {string[]} */
const announced = (template) => [...web(`templates/${template}`).matchAll(/rel="modulepreload" href="\{\{ crate::assets::at\("([\w-]+\.js)"\) \}\}"/g)].map(([, name]) => name);

/** Templates, and the modules that their pages begin with or load later. @type {[string, string[]][]} */
const PAGES = [
  ['room.html', ['room.js', 'server-room.js', 'practice.js']],
  ['game.html', ['replay.js']],
  ['front.html', ['front.js']],
];

for (const [template, [first, ...later]] of PAGES) {
  test(`${template} announces the modules that it needs, and no others`, () => {
    const all = needed(first);
    all.delete(first);
    for (const name of later) needed(name, all);
    assert.deepEqual(announced(template).sort(), [...all].sort());
  });
}
