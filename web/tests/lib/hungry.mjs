// Recursions that need as much of an engine's own stack for a unit as can be: `arena/meter/tests/hungry.json`.

import { readFileSync } from 'node:fs';
import { Texts } from '../../static/rules/texts.js';
import * as setting from './setting.mjs';

/** The limits of a bot in a game by default. */
const BUDGETS = { memory_bytes: 4 << 20, module_bytes: 1 << 20 };

/** Where a bot keeps how deep its next turn goes. */
export const DEPTH_AT = 16;

const built = new URL('../../engine/built/arena_texts.wasm', import.meta.url);
const texts = new Texts(new WebAssembly.Instance(new WebAssembly.Module(readFileSync(built))));

/**
 * A text in which each `[FROM..TO EACH]` stands for so many `EACH`, and a `#` there for the number.
 * @param {string} text
 */
const writtenOut = (text) =>
  text.replace(/\[(\d+)\.\.(\d+) (.*?)\]/g, (_, from, to, each) =>
    Array.from({ length: to - from + 1 }, (_, at) => each.replaceAll('#', String(Number(from) + at))).join(' '),
  );

/**
 * For each, how deep its calls may be nested, and a bot: its calls are nested so deeply in its first turn, which it
 * passes, and one deeper in its second.
 * @returns {{what: string, depth: number, bytes: Uint8Array, metered: Uint8Array}[]}
 */
export function hungry() {
  const { globals, shapes } = JSON.parse(setting.source('arena/meter/tests/hungry.json'));
  return shapes.map((/** @type {{what: string, depth: number, fields: string}} */ { what, depth, fields }) => {
    const hex = [depth & 0xff, depth >> 8].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
    const text = `(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1)
      (data (i32.const 8) "\\01\\00\\00") (data (i32.const ${DEPTH_AT}) "${hex}")
      ${writtenOut(`${globals} ${fields}`)}
      (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
      (func (export "arena_turn") (param i32) (result i64)
        (call $down (i32.load (i32.const ${DEPTH_AT})))
        (i32.store (i32.const ${DEPTH_AT}) (i32.add (i32.load (i32.const ${DEPTH_AT})) (i32.const 1)))
        (i64.const 0x300000008)))`;
    const bytes = texts.made('wat', text).module;
    return { what, depth, bytes, metered: texts.metered(bytes, BUDGETS).module };
  });
}
