// A client that plays a room to its end and records every ply that it sent, and every acknowledged one.

import assert from 'node:assert/strict';
import { chooseAction, look } from './moves.mjs';

export class Ledger {
  /** @type {Map<number, string>} by ply, the only action that this client sent */
  sent = new Map();
  /** @type {Map<number, string>} by ply, the acknowledged action */
  acknowledged = new Map();

  /** @param {string} room @param {number} seat */
  constructor(room, seat) {
    this.room = room;
    this.seat = seat;
    this.over = false;
  }

  /**
   * The action to send at this ply: the same as before if one was already sent.
   * @param {any} engine
   * @param {any} state of the room
   * @param {import('./random.mjs').Random} random
   * @returns {string}
   */
  actionFor(engine, state, random) {
    const known = this.sent.get(state.ply);
    if (known) return known;
    const action = engine.compose(state.ruleset, [chooseAction(look(engine, state), random)]);
    this.sent.set(state.ply, action);
    return action;
  }

  /**
   * Checks that everything acknowledged is in this state, at its ply, and that no other plays of this client are.
   * @param {any} state
   */
  check(state) {
    const where = `room ${this.room}, ply`;
    assert.equal(state.room, this.room);
    const plays = state.turns.flat();
    assert.deepEqual([state.turns.length, plays.length], [state.ply, state.ply], `${where} ${state.ply}: one play each`);
    for (const [ply, action] of this.acknowledged) {
      assert.deepEqual(pick(plays[ply]), { seat: this.seat, action }, `${where} ${ply} was acknowledged`);
    }
    plays.forEach((/** @type {any} */ play, /** @type {number} */ ply) => {
      assert.equal(play.seat, ply % 2, `${where} ${ply}: blue and red take turns`);
      if (play.seat === this.seat) assert.equal(play.action, this.sent.get(ply), `${where} ${ply}: what was sent for it`);
    });
    if (this.over) assert.ok(state.outcome, `room ${this.room} was over`);
  }

  /** The number of acknowledged plies missing from this state. @param {any} state */
  lost(state) {
    return [...this.acknowledged].filter(([ply, action]) => {
      const [play] = state.turns[ply] ?? [];
      return play?.seat !== this.seat || play.action !== action;
    }).length;
  }

  /** The number of this client's plays at a ply for which they were not sent. @param {any} state */
  twice(state) {
    return state.turns.flat().filter((/** @type {any} */ play, /** @type {number} */ ply) => {
      return play.seat === this.seat && play.action !== this.sent.get(ply);
    }).length;
  }
}

/** @param {any} play */
const pick = (play) => play && { seat: play.seat, action: play.action };
