// Checks hostile bots in V8 as pages and `arena-verify` do: `node rows.mjs FILE`. Each line of the file has a bot's
// bytes, and the record of a game of it, or none if the static check refuses it (`it/slow/threats/engines.rs`). Prints
// what is found, line by line.

import { readFileSync } from 'node:fs';
import { hashOf, headerOf } from '../../../web/static/rules/header.js';
import { Meter, Refused } from '../../../web/static/rules/meter.js';
import { Recomputer } from '../../../web/static/rules/recompute.js';

const compiled = (module) => new WebAssembly.Module(readFileSync(new URL(`../../../web/engine/built/${module}.wasm`, import.meta.url)));
const [OPPONENTS, METER] = ['arena_opponents', 'arena_meter'].map(compiled);
const recomputer = new Recomputer(OPPONENTS, METER);

let meter = new Meter(new WebAssembly.Instance(METER));

/** What the static check says. */
function checked(bytes, budgets) {
  try {
    meter.metered(bytes, budgets);
    return { kind: 'differs', what: 'it is not refused' };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', message: error.message };
    // What trapped is not called again.
    meter = new Meter(new WebAssembly.Instance(METER));
    return { kind: 'not_checked', why: 'engine' };
  }
}

/** What comes of its game. */
async function played(bytes, record) {
  const bots = headerOf(record).entrants.filter((id) => hashOf(id) !== null);
  const { left, ...found } = await recomputer.run(record, new Map(bots.map((id) => [id, bytes])), () => {});
  return found.kind === 'differs' ? { kind: 'differs', what: JSON.stringify(found) } : found;
}

for (const line of readFileSync(process.argv[2], 'utf8').split('\n').slice(0, -1)) {
  const { module, budgets, record } = JSON.parse(line);
  const bytes = Buffer.from(module, 'hex');
  console.log(JSON.stringify(record === null ? checked(bytes, budgets) : await played(bytes, record)));
}
