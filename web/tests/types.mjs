// Writes the types of what pages get and send, from the API's document: `npm run types`. `--check` compares them with
// the file instead.

import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';

const DOCUMENT = new URL('../../arena/server/openapi.json', import.meta.url);
const TYPES = new URL('../types/wire.d.ts', import.meta.url);

/** The types that pages name; what these consist of comes with them. */
const WANTED = ['RoomCommand', 'RoomMessage', 'StandingsView', 'TournamentMessage', 'WorldCommand', 'WorldMessage', 'WorldState'];

const BANNER = '// Generated from arena/server/openapi.json: `npm run types --prefix web/tests`.';

/**
 * The API's schemas by name. A reference with a description would be a type of its own.
 * @returns {Record<string, any>}
 */
function schemas() {
  const text = readFileSync(DOCUMENT, 'utf8').replaceAll('#/components/schemas/', '#/$defs/');
  return JSON.parse(text, (_, value) => (value?.$ref ? { $ref: value.$ref } : value)).components.schemas;
}

/** @param {Record<string, any>} all @param {string[]} names @returns {string[]} these and all that they refer to */
function reached(all, names) {
  const found = new Set(names);
  for (const name of found) {
    for (const [, other] of JSON.stringify(all[name]).matchAll(/"#\/\$defs\/(\w+)"/g)) found.add(other);
  }
  return [...found].sort();
}

const all = schemas();
const $defs = Object.fromEntries(reached(all, WANTED).map((name) => [name, { title: name, ...all[name] }]));
const style = { printWidth: 140, singleQuote: true };
const types = await compile({ title: 'Wire', $defs, anyOf: WANTED.map((name) => ({ $ref: `#/$defs/${name}` })) }, 'Wire', {
  additionalProperties: false,
  bannerComment: BANNER,
  ignoreMinAndMaxItems: true,
  style,
});
if (process.argv.includes('--check')) {
  if (readFileSync(TYPES, 'utf8') !== types) throw new Error('web/types/wire.d.ts differs: run `npm run types --prefix web/tests`');
} else {
  writeFileSync(TYPES, types);
}
