// Lessons: practice games with a goal. The template holds their texts; the page says when the goal is reached.

/** @import { Pair, Position } from '../rules/engine.js' */

import { notify } from './bar.js';
import { byId, write } from '../page/page.js';
import { ownerOf } from '../board/seats.js';
import { scriptRoomsNotYet, scriptRoomsTakeBack } from '../text/en/script-rooms.js';

/**
 * A turn that the learner has completed.
 * @typedef {object} Ended
 * @property {Position} before
 * @property {Position} after the turn and its generation, before anybody else answers
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
  // All placed cells live on.
  alive: ({ after, cells }) => cells.length > 0 && cells.every(([row, col]) => after.cells[row * after.cols + col] === ownerOf(0)),
  grows: ({ before, after, cells }) => count(after.cells) > count(before.cells) + cells.length,
  more: ({ before, after }) => count(after.cells) > count(before.cells),
  // One of the seat's cells lives in this zone, counted from the left.
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

/** Says whether a turn has reached the goal. @param {boolean} good */
export function judge(good) {
  const lesson = byId('lesson');
  if (lesson.dataset.done === 'true') return;
  lesson.dataset.done = String(good);
  byId('lesson-done').hidden = !good;
  write('lesson-said', good ? '' : scriptRoomsNotYet());
  const next = /** @type {HTMLAnchorElement} */ (byId('lesson-next'));
  next.classList.toggle('primary', good);
  // The same words may be said again.
  notify('lesson', null);
  notify(
    'lesson',
    good
      ? { words: byId('lesson-done').textContent ?? '', choices: [{ text: next.textContent ?? '', href: next.href }], sound: 'won' }
      : {
          words: scriptRoomsNotYet(),
          choices: [{ text: scriptRoomsTakeBack(), act: () => byId('take-back').click() }],
        },
  );
}
