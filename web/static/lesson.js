// A lesson: a game in the page that has a goal. The page says when it is reached; the words stand in the template.

/** @import { Pair, Position } from './engine.js' */

import { byId, write } from './page.js';
import { ownerOf } from './seats.js';
import { say } from './say.js';

/**
 * A turn that the learner has ended.
 * @typedef {object} Ended
 * @property {Position} before
 * @property {Position} after the turn and its generation, before anybody answers
 * @property {string} tool
 * @property {readonly Pair[]} cells
 */

/** @param {string} cells */
const count = (cells) => cells.split(ownerOf(0)).length - 1;

/**
 * Goals by name, for the first seat.
 * @type {Readonly<Record<string, (ended: Ended, wanted: string) => boolean>>}
 */
const GOALS = {
  turn: () => true,
  // Every cell that was placed lives on.
  alive: ({ after, cells }) => cells.length > 0 && cells.every(([row, col]) => after.cells[row * after.cols + col] === ownerOf(0)),
  grows: ({ before, after, cells }) => count(after.cells) > count(before.cells) + cells.length,
  more: ({ before, after }) => count(after.cells) > count(before.cells),
  // A cell of the seat's lives in this zone, from the left.
  zone: ({ after }, zone) => {
    const start = after.zones.slice(0, Number(zone)).reduce((sum, { cols }) => sum + cols, 0);
    const end = start + (after.zones[Number(zone)]?.cols ?? 0);
    return [...after.cells].some((owner, at) => owner === ownerOf(0) && at % after.cols >= start && at % after.cols < end);
  },
  tool: ({ tool }, name) => tool === name,
  leads: ({ after }) => after.tally[0] > after.tally[1],
  wins: ({ after }) => after.outcome?.winner === 0,
};

/**
 * Whether a turn reaches a goal.
 * @param {string} goal such as `zone:1`
 * @param {Ended} ended
 */
export function reached(goal, ended) {
  const [name, wanted = ''] = goal.split(':');
  return GOALS[name]?.(ended, wanted) ?? false;
}

/** Says what became of a turn. @param {boolean} good */
export function judge(good) {
  const lesson = byId('lesson');
  if (lesson.dataset.done === 'true') return;
  lesson.dataset.done = String(good);
  byId('lesson-done').hidden = !good;
  write('lesson-said', good ? '' : say('Not yet. Take the turn back and try again.'));
  byId('lesson-next').classList.toggle('primary', good);
}
