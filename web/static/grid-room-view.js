// Writes the state of a room of any game into its page. It decides nothing.

/** @import { GridPosition, Picture } from './engine.js' */
/** @import { Played } from './grid-words.js' */
/** @import { Phase, State } from './room-state.js' */

import { capital } from './describe.js';
import { changes } from './grid.js';
import { describeChanges, describeGridForfeit, describeGridOutcome, describePlay } from './grid-words.js';
import { byId, write, writeOrHide } from './page.js';
import { resultTitle, showConnection, showPlayers } from './room-view.js';
import { seatLabel } from './seats.js';

/**
 * All that is shown.
 * @typedef {object} GridShown
 * @property {State} state
 * @property {Phase} phase
 * @property {GridPosition} position the one on the board
 * @property {Played | null} last what led to it
 * @property {Played | null} next what is shown now
 * @property {Picture | null} after what the move at hand would lead to
 */

/** @param {GridShown} shown */
export function renderGrid(shown) {
  const { state, phase, position, after } = shown;
  const { latest, you, draft } = state;
  const seats = [0, 1].map((seat) => seatLabel(seat, position.seat_names));
  const room = byId('room');
  room.dataset.phase = phase;
  room.dataset.ply = String(state.shown);
  showConnection(state);
  writeOrHide('trouble', state.fault !== '' ? state.fault : (latest?.trouble ?? ''));
  write('status', statusText(shown));
  write('why', state.why);
  showPlayers(state, seats);
  const plays = you.length > 0 && latest?.outcome === null;
  for (const id of ['turn-controls', 'nudge', 'resign-line']) byId(id).hidden = !plays;
  const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (byId(id));
  const complete = phase === 'yours' && draft.cells.length === 2;
  button('send').disabled = !complete;
  button('send').classList.toggle('ready', complete);
  button('clear').disabled = phase !== 'yours' || draft.cells.length === 0;
  button('resign').disabled = phase !== 'yours';
  write('preview', after ? previewText(position, after, seats) : '');
  showResult(shown, seats);
  document.title = `${phase === 'yours' ? '● Your turn: ' : ''}${state.names.join(' – ')}`;
  byId('watching').hidden = you.length > 0;
}

/** @param {GridPosition} position @param {Picture} after @param {string[]} seats */
function previewText(position, after, seats) {
  const tally = after.tally.map((cells, seat) => `${seats[seat]} ${cells}`).join(', ');
  return `${describeChanges(changes(position.cells, after.cells, position.cols))} Then: ${tally}.`;
}

/** @param {GridShown} shown @returns {string} */
function statusText({ state, phase, position, last: play, next }) {
  const { latest, names, draft } = state;
  const seats = position.seat_names;
  const last = play ? `${describePlay(play, seats)}. ` : '';
  const [mover] = position.awaiting;
  switch (phase) {
    case 'yours':
      return `${last}${['Your turn: choose a piece.', 'Choose where it goes.', 'Choose the same cell again to move there.'][draft.cells.length]}`;
    case 'sending':
      return 'Sending your move …';
    case 'waiting':
      return `${last}${names[mover]} is thinking …`;
    case 'animating':
      return next ? `${describePlay(next, seats)}.` : '';
    case 'watching':
      return `${last}${names[mover]} (${seatLabel(mover, seats)}) is to move.`;
    case 'over':
      return latest?.outcome ? describeGridOutcome(latest.outcome, { players: names, seats }) : '';
    default:
      return 'Loading …';
  }
}

/** @param {GridShown} shown @param {string[]} seats */
function showResult({ state: { latest, names, you }, phase, position }, seats) {
  byId('result').hidden = phase !== 'over';
  if (phase !== 'over' || !latest?.outcome) return;
  write('result-title', capital(resultTitle(latest.outcome.winner, you, seats)));
  const called = { players: names, seats: position.seat_names };
  const forfeits = latest.forfeits.map((forfeit) => describeGridForfeit(forfeit, called));
  write('result-words', [describeGridOutcome(latest.outcome, called), ...forfeits].join(' '));
}
