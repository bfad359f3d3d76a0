// The record of a game, as sent by the server.

import assert from 'node:assert/strict';

/**
 * Checks that a finished room's record passes `arena replay`, and is the game that was played.
 * @param {import('./server.mjs').Server} server
 * @param {import('./api.mjs').Api} api
 * @param {any} state the room's last
 * @returns {Promise<any>} the record
 */
export async function checkRecord(server, api, state) {
  const text = await api.text(`games/${state.room}/record`);
  server.replay(text);
  const record = JSON.parse(text);
  const played = record.turns.map((/** @type {any} */ turn) => turn.plays);
  assert.deepEqual(played, state.turns, 'the record has the plays of the room');
  assert.deepEqual(record.outcome, state.outcome, 'the record has the outcome of the room');
  return record;
}
