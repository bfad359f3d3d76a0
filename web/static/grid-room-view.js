// Writes the state of a room of any game into its page. It decides nothing.

/** @import { GridPosition, Picture } from './engine.js' */
/** @import { Played } from './grid-words.js' */
/** @import { Phase, State } from './room-state.js' */

import { changes } from './grid.js';
import { describeChanges, describeGridForfeit, describeGridOutcome, describePlay } from './grid-words.js';
import { byId, write } from './page.js';
import { showResult, showRoom } from './room-view.js';
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
  const { names, draft } = state;
  const seats = [0, 1].map((seat) => seatLabel(seat, position.seat_names));
  showRoom(state, { phase, seats, complete: phase === 'yours' && draft.cells.length === 2 });
  write('status', statusText(shown));
  /** @type {HTMLButtonElement} */ (byId('clear')).disabled = phase !== 'yours' || draft.cells.length === 0;
  write('preview', after ? previewText(position, after, seats) : '');
  const called = { players: names, seats: position.seat_names };
  showResult(state, { phase, seats }, ({ outcome, forfeits }) => {
    return [describeGridOutcome(outcome, called), ...forfeits.map((forfeit) => describeGridForfeit(forfeit, called))];
  });
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
