// A room's feedback besides the texts of its state: sounds, the coach, the goal of a lesson.

/** @import { Call, Position } from '../rules/engine.js' */
/** @import { Changes } from '../board/picture.js' */
/** @import { Phase, State } from './state.js' */
/** @import { Played } from '../board/words.js' */

import { ofChange, ofDraft, ofEnd } from './coach.js';
import { judge, reached } from './lesson.js';
import { write } from '../page/page.js';
import { offerSound, sound } from './sound.js';

/**
 * What the page shows.
 * @typedef {object} Heard
 * @property {State} state
 * @property {Phase} phase
 * @property {Call | null} call the draft call
 * @property {{changes: Changes, cells: string} | null} coming what it leads to
 * @property {(ply: number) => Position} at the position after a number of plies
 */

export class Voice {
  #cells = 0;
  /** @type {Phase | null} */
  #phase = null;
  #coach = document.getElementById('coach');
  #goal = document.getElementById('lesson')?.dataset.goal ?? null;

  constructor() {
    offerSound();
  }

  /** @param {Heard} heard */
  show({ state, phase, call, coming, at }) {
    const cells = state.draft.cells.length;
    if (phase === 'yours' && cells > this.#cells) sound('place');
    this.#cells = cells;
    const outcome = state.latest?.outcome ?? null;
    if (phase === 'over' && this.#phase !== null && this.#phase !== 'over' && this.#phase !== 'loading' && outcome) {
      sound(state.you.length === 1 && outcome.winner !== null && !state.you.includes(outcome.winner) ? 'lost' : 'won');
    }
    this.#phase = phase;
    if (phase === 'over' && outcome) write('explained', ofEnd(at(state.shown), outcome.reason).join(' '));
    if (this.#coach === null || phase === 'animating') return;
    write('coach', this.#said({ state, phase, call, coming, at }).join(' '));
  }

  /** @param {Heard} heard @returns {string[]} */
  #said({ state: { shown, you }, phase, call, coming, at }) {
    if (phase !== 'yours') return [];
    const position = at(shown);
    const seat = position.awaiting.find((seat) => you.includes(seat)) ?? position.awaiting[0];
    if (call !== null && call.cells.length > 0) {
      return ofDraft(position, { cells: call.cells, after: coming?.cells ?? null, deaths: coming?.changes.deaths ?? [] }, seat);
    }
    const before = shown >= 2 ? at(shown - 2) : null;
    return before?.awaiting[0] === seat ? ofChange(before, position, seat) : [];
  }

  /**
   * Reacts to a ply that was played.
   * @param {number} ply
   * @param {readonly Played[]} plays
   * @param {(ply: number) => Position} at
   */
  played(ply, plays, at) {
    const [before, after] = [at(ply), at(ply + 1)];
    // With simultaneous turns, the first seat's answer comes first.
    const [{ seat, calls }] = plays;
    const tool = before.tools.find(({ name }) => name === calls[0]?.tool);
    sound(tool !== undefined && tool.spread > 0 ? 'bomb' : 'turn');
    if (seat === 0) this.#judge({ before, after, tool: tool?.name ?? '', cells: calls.flatMap(({ cells }) => cells) });
  }

  /** Says whether a turn reaches the lesson's goal, if there is one. @param {import('./lesson.js').Ended} ended */
  #judge(ended) {
    if (this.#goal !== null) judge(reached(this.#goal, ended));
  }
}
