// The log of a bot, each line at its turn.

/** @import { Left } from '../rules/recompute.js' */

/** @import { Flaw } from '../rules/texts.js' */

/** @typedef {{turn: number, text: string}} Line turns from 1; 0 is the start */

/**
 * The lines of a bot's log. The turn in which it failed is not in the record.
 * @param {Pick<Left, 'seat' | 'lines' | 'turns'>} left
 * @param {{turns: {plays: {seat: number}[]}[], forfeits: {seat: number, turn: number | null}[]}} replay
 * @returns {Line[]}
 */
export function linesByTurn({ seat, lines, turns: begun }, { turns, forfeits }) {
  const own = turns.flatMap(({ plays }, turn) => (plays.some((play) => play.seat === seat) ? [turn + 1] : []));
  const failed = (forfeits.find((forfeit) => forfeit.seat === seat)?.turn ?? turns.length) + 1;
  return lines.map((text, place) => {
    const asked = begun.filter((before) => before <= place).length;
    return { turn: asked === 0 ? 0 : (own[asked - 1] ?? failed), text };
  });
}

/**
 * Why a script says in its log that it failed, and where, if that is a place in its text.
 * @param {string} own the name of its text
 * @param {readonly string[]} lines
 * @returns {{message: string, flaw: Flaw | null} | null}
 */
export function failureIn(own, lines) {
  const said = lines.findLast((line) => line.startsWith(`${own}:`));
  const [, line, column = '1', message] = /^[^:]*:(?:(\d+)(?::(\d+))?:)? (.*)/.exec(said ?? '') ?? [];
  if (message === undefined) return null;
  return { message, flaw: line === undefined ? null : { text: own, line: Number(line), column: Number(column), message } };
}
