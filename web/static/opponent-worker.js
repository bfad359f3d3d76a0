// The worker in which the opponent of a practice game thinks. The page terminates it if it takes too long.

/** @import { Engine, GameText } from './rules/engine.js' */
/** @import { Metered } from './rules/meter.js' */

import { fileUrl } from './files.js';
import { moduleOf } from './rules/bot-bytes.js';
import { loadEngine } from './rules/engine.js';
import { Guests } from './rules/guests.js';
import { loadMeter } from './rules/meter.js';
import { hashOf } from './rules/header.js';

/** @typedef {{engine: string, entrant: string, seat: number, seatSeed: string, game: GameText}} Question */

const guests = new Guests();
/** @type {Promise<Engine> | null} */
let engine = null;
/** @type {Promise<Omit<Metered, 'module'> & {module: WebAssembly.Module}> | null} */
let bot = null;
/**
 * By seat: where the bot, which may remember, wants its observations, and the turns before its last one.
 * @type {Map<number, {at: number, turns: string}>}
 */
const seated = new Map();

/** @param {string} entrant @param {{memory_bytes: number, module_bytes: number}} budgets */
async function compiled(entrant, budgets) {
  const [bytes, meter] = await Promise.all([moduleOf(hashOf(entrant) ?? ''), loadMeter(fileUrl('arena_meter.wasm'))]);
  const { module, startFuel } = meter.metered(bytes, budgets);
  return { module: await WebAssembly.compile(module), startFuel };
}

/** @param {Question} question @returns {Promise<string>} the action in hex */
async function answer({ engine: url, entrant, seat, seatSeed, game }) {
  const rules = await (engine ??= loadEngine(url, guests));
  const { ruleset } = game;
  const shown = (/** @type {number} */ turn) => rules.observe({ ...game, turns: game.turns.slice(0, turn) }, seat, seatSeed);
  const now = shown(game.turns.length);
  const builtIn = rules.answer(ruleset, entrant, now.observation);
  if (builtIn !== null) return builtIn;
  const { module, startFuel } = await (bot ??= compiled(entrant, now.budgets));
  const turns = JSON.stringify(game.turns);
  // After turns were taken back, the bot restarts and is shown every observation it would have had.
  const known = seated.get(seat);
  let at = known?.at;
  if (at === undefined || !turns.startsWith(known?.turns.slice(0, -1) ?? '')) {
    guests.seat(seat, module);
    at = await rules.begin(ruleset, seat, startFuel, now.observation.length / 2);
    for (const [turn, plays] of game.turns.entries())
      if (plays.some((play) => play.seat === seat)) await rules.turn(ruleset, seat, at, shown(turn).observation);
  }
  seated.set(seat, { at, turns });
  return rules.turn(ruleset, seat, at, now.observation);
}

addEventListener('message', ({ data }) => {
  answer(data).then(
    (action) => postMessage({ action }),
    (error) => postMessage({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
