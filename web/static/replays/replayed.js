// The turns of a replayed game, for its own page and for the small player.

/** @import { Board } from '../board/board.js' */
/** @import { Turn } from '../board/play-turn.js' */
/** @import { Film, Replay } from '../rules/engine.js' */

import { wait } from '../board/board.js';
import { frameAt, stageAt } from '../board/picture.js';
import { playTurn } from '../board/play-turn.js';

/** At higher speeds, in turns a second, cells change without animation. */
const SMOOTH_PER_SECOND_MAX = 5;

/**
 * @param {Replay} replay
 * @param {number} turn from 1
 */
export const callsOf = ({ turns }, turn) => turns[turn - 1].plays.flatMap(({ calls }) => calls);

/**
 * @param {Replay} replay
 * @param {Film} film
 * @param {number} turn from 1
 * @returns {Turn}
 */
export const turnOf = (replay, film, turn) => ({
  now: frameAt(film.frames, turn - 1),
  stage: stageAt(film, turn - 1),
  after: frameAt(film.frames, turn),
  calls: callsOf(replay, turn),
});

/**
 * Takes the time of a turn, and animates it if there is time enough.
 * @param {Board} board
 * @param {Replay} replay
 * @param {Film} film
 * @param {{turn: number, perSecond: number, signal: AbortSignal}} at the turn, from 1, and the speed
 */
export async function animateTurn(board, replay, film, { turn, perSecond, signal }) {
  const ms = 1000 / perSecond;
  if (perSecond > SMOOTH_PER_SECOND_MAX) return wait(ms, signal);
  await wait(0.4 * ms, signal);
  if (!signal.aborted) await playTurn(board, turnOf(replay, film, turn), film.tools, 0.6 * ms, signal);
}
