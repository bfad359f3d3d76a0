// The worker in which the workshop's games are played. The page ends it if nothing is heard from it in time, or if it
// is no longer wanted.

/** @import { Match, Written } from './workshop/bench.js' */

import { Refused } from './rules/meter.js';
import { Flawed } from './rules/texts.js';
import { Bench } from './workshop/bench.js';

/** @type {Bench | null} */
let bench = null;

/**
 * A message has the modules of the rules and of texts, or a bot and games that it plays, one after the other.
 * @param {{engine: WebAssembly.Module, texts: WebAssembly.Module} | {bot: Written, games: Match[]}} asked
 */
async function take(asked) {
  if ('engine' in asked) {
    bench = new Bench(asked.engine, asked.texts);
    return;
  }
  if (bench === null) return;
  const bot = await bench.ready(asked.bot);
  /** @type {number[]} */
  const halves = [];
  for (const [game, match] of asked.games.entries()) {
    const played = await bench.play(bot, await bench.other(match, asked.bot.budgets), match, (turn) => postMessage({ game, turn }));
    halves.push(played.halves);
    postMessage({ played, said: bench.said(halves) });
  }
  postMessage({ over: true });
}

addEventListener('message', ({ data }) => {
  take(data).catch((error) => {
    if (error instanceof Flawed) postMessage({ flaw: error.flaw });
    else if (error instanceof Refused) postMessage({ refused: error.message });
    else postMessage({ failed: error instanceof Error ? error.message : String(error) });
  });
});
