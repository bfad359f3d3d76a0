// The worker in which the opponent of a practice game thinks. The page terminates it if it takes too long.

/** @import { Engine, GameText } from './rules/engine.js' */

import { moduleOf } from './rules/bot-bytes.js';
import { loadEngine } from './rules/engine.js';
import { bytesOf, hexOf } from './rules/hex.js';
import { hashOf, started } from './rules/recompute.js';

/** @typedef {{engine: string, entrant: string, seat: number, seatSeed: string, game: GameText}} Question */

/** @type {Promise<Engine> | null} */
let engine = null;
/** @type {Promise<ArrayBuffer> | null} */
let module = null;
/**
 * By seat: the bot, which may remember, and the turns before its last observation.
 * @type {Map<number, {bot: {turn(observation: Uint8Array): Uint8Array}, turns: string}>}
 */
const seated = new Map();

/** @param {Question} question @returns {Promise<string>} the action in hex */
async function answer({ engine: url, entrant, seat, seatSeed, game }) {
  const rules = await (engine ??= loadEngine(url));
  const shown = (/** @type {number} */ turn) => rules.observe({ ...game, turns: game.turns.slice(0, turn) }, seat, seatSeed);
  const now = shown(game.turns.length);
  const builtIn = rules.answer(game.ruleset, entrant, now.observation);
  if (builtIn !== null) return builtIn;
  module ??= moduleOf(hashOf(entrant) ?? '');
  const turns = JSON.stringify(game.turns);
  // After turns were taken back, the bot restarts and is shown every observation it would have had.
  const known = seated.get(seat);
  let bot = known?.bot;
  if (!bot || !turns.startsWith(known?.turns.slice(0, -1) ?? '')) {
    const anew = await started({ memory_bytes: now.memory_bytes, observation_len: now.observation.length / 2 }, await module);
    game.turns.forEach((plays, turn) => {
      if (plays.some((play) => play.seat === seat)) anew.turn(bytesOf(shown(turn).observation));
    });
    bot = anew;
  }
  seated.set(seat, { bot, turns });
  return hexOf(bot.turn(bytesOf(now.observation)));
}

addEventListener('message', ({ data }) => {
  answer(data).then(
    (action) => postMessage({ action }),
    (error) => postMessage({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
