// The state of a room's page, and its reaction to every message and input: a pure function. The engine has already
// checked an input that arrives here; `room.js` and `view.js` display the state.

/** @import { Answer, Call, Forfeit, GameText, Pair } from '../rules/engine.js' */
/** @import * as wire from '../../types/wire.d.ts' */

import { scriptRoomsPlayedElsewhere } from '../text/en/script-rooms.js';

import { refusalOf } from './refusals.js';

/** The number of command numbers per page and of distinct pages: together below 2^53. */
const COMMANDS_MAX = 2 ** 13;
const PAGES = 2 ** 39;

/**
 * What a room on the server has and a practice board lacks, and the other way round: the position from which an edited
 * board is played, a seed if the start depends on it, and by seat why the rules refused an answer.
 * @typedef {Pick<
 *   wire.RoomState,
 *   'events' | 'ply' | 'awaiting' | 'ruleset' | 'options' | 'outcome' | 'digest' | 'trouble'
 * >
 *   & Partial<Pick<wire.RoomState, 'room' | 'seats' | 'first' | 'people'>>
 *   & {from?: string | null, seed?: string, turns: Answer[][], forfeits: Forfeit[]}
 *   & {reasons?: Record<number, string>}} RoomState
 */

/**
 * A message of a room.
 * @typedef {Exclude<wire.RoomMessage, {type: 'state'}> | (RoomState & {type: 'state'})} Message
 */

/**
 * What happens on the page: the rules are loaded, the connection opens or closes, a ply was shown; a reason for the
 * visitor, with the number of cells missing when the turn was to be ended; why this page cannot show the room properly.
 * @typedef {{type: 'ready'} | {type: 'connection', open: boolean} | {type: 'shown'} | {type: 'why', why: string, missing?: number}
 *   | {type: 'fault', fault: string}} Happened
 */

/**
 * An input that changes the draft turn. A resignation has no number.
 * @typedef {{type: 'place', cell: Pair} | {type: 'cells', cells: Pair[]} | {type: 'whole', call: Call} | {type: 'tool', tool: string | null}
 *   | {type: 'undo'} | {type: 'clear'} | {type: 'sent', client_seq: number | null}} Input
 */

/** @typedef {Message | Happened | Input} Event */

/**
 * A draft turn: cells for the usual tool. A call of another tool takes precedence; the cells are kept and count again
 * without it.
 * @typedef {{cells: Pair[], whole: Call | null}} Draft
 */

/**
 * @typedef {object} State
 * @property {boolean} ready whether the rules are loaded
 * @property {boolean} connected
 * @property {number[]} you the page's own seats
 * @property {string[]} names by seat
 * @property {(string | null)[]} pages by seat
 * @property {RoomState | null} latest
 * @property {number} shown the number of plies that the page has shown
 * @property {Draft} draft
 * @property {string | null} tool the tool used by taps; null for the game's usual one
 * @property {{client_seq: number | null} | null} sent a command that has not yet changed the room; a resignation has
 *   the number null
 * @property {string} why the last refusal, in words
 * @property {number} missing the number of cells missing when the turn was to be ended; 0 after any other input
 * @property {string} fault why this page cannot show the room properly
 * @property {boolean} gone whether the room no longer exists
 */

/** @typedef {'loading' | 'yours' | 'sending' | 'waiting' | 'animating' | 'watching' | 'over'} Phase */

/**
 * The game up to a ply, in the engine's form.
 * @param {RoomState} latest
 * @param {number} [ply] by default the one being played
 * @returns {GameText}
 */
export const gameOf = ({ ruleset, options, seed, from, turns, forfeits }, ply = turns.length) => ({
  ruleset,
  options,
  seed,
  from,
  turns: turns.slice(0, ply),
  forfeits,
});

/** @type {Draft} */
const EMPTY = { cells: [], whole: null };

/** The message after a draft was discarded because another window ended the turn. */
export const PLAYED_ELSEWHERE = scriptRoomsPlayedElsewhere();

/** @type {State} */
export const INITIAL = {
  ready: false,
  connected: false,
  you: [],
  names: [],
  pages: [],
  latest: null,
  shown: 0,
  draft: EMPTY,
  tool: null,
  sent: null,
  why: '',
  missing: 0,
  fault: '',
  gone: false,
};

/**
 * @param {State} state
 * @returns {Phase}
 */
export function phaseOf({ ready, latest, shown, you, sent }) {
  if (!ready || latest === null) return 'loading';
  if (shown < latest.turns.length) return 'animating';
  if (latest.outcome !== null) return 'over';
  if (you.length === 0) return 'watching';
  if (sent !== null) return 'sending';
  return latest.awaiting.some((seat) => you.includes(seat)) ? 'yours' : 'waiting';
}

/**
 * The call that would be sent now; null if there is none yet, or while another tool needs its target.
 * @param {State} state
 * @param {string} usual the game's usual tool
 * @returns {Call | null}
 */
export function drafted({ draft: { cells, whole }, tool }, usual) {
  return whole ?? (cells.length > 0 && tool === null ? { tool: usual, cells } : null);
}

/**
 * @param {State} state
 * @param {Event} event
 * @returns {State}
 */
export function reduce(state, event) {
  switch (event.type) {
    case 'hello':
      return { ...state, you: event.you, names: event.names, pages: event.pages };
    case 'state':
      return moved(state, event);
    case 'applied':
    case 'beat':
    case 'chat':
      // The state that follows a command contains it and more; the rest is shown beside the board.
      return state;
    case 'rejected':
      // A late answer to an earlier command changes nothing.
      return state.sent?.client_seq === event.client_seq ? { ...state, sent: null, why: refusalOf(event) } : state;
    case 'error':
      return { ...state, why: refusalOf(event), gone: state.gone || event.code === 'gone' };
    case 'ready':
      return { ...state, ready: true };
    case 'connection':
      return { ...state, connected: event.open };
    case 'shown':
      return { ...state, shown: Math.min(state.shown + 1, state.latest?.turns.length ?? 0) };
    case 'why':
      return { ...state, why: event.why, missing: event.missing ?? 0 };
    case 'fault':
      return { ...state, fault: event.fault };
    default:
      return phaseOf(state) === 'yours' ? drawn(state, event) : state;
  }
}

/** @param {State} state @param {RoomState} told @returns {State} */
function moved(state, told) {
  const before = state.latest;
  if (before !== null && told.events < before.events) return state;
  // The omitted turns are known.
  const latest = told.first ? { ...told, turns: [...(before?.turns ?? []).slice(0, told.first), ...told.turns] } : told;
  // The page starts from the first state: earlier plies are not animated.
  if (before === null) return { ...state, latest, shown: latest.turns.length };
  // An edited board has no history.
  if (latest.from !== before.from)
    return { ...state, latest, shown: latest.turns.length, sent: null, draft: EMPTY, tool: null, why: '', missing: 0 };
  // With simultaneous turns, a draft ends once this page's answer is in the turn.
  const asks = (/** @type {RoomState} */ { awaiting }) => awaiting.some((seat) => state.you.includes(seat));
  const isAnswered = asks(before) && !asks(latest);
  if (latest.ply === before.ply && latest.outcome === null && !isAnswered) return { ...state, latest };
  const { draft, sent } = state;
  // Another window of this player ended the turn that was drafted here.
  const lost = sent === null && (draft.cells.length > 0 || draft.whole !== null || state.why === PLAYED_ELSEWHERE);
  // Turns that were taken back are no longer shown.
  const shown = Math.min(state.shown, latest.turns.length);
  return { ...state, latest, shown, sent: null, draft: EMPTY, tool: null, why: lost ? PLAYED_ELSEWHERE : '', missing: 0 };
}

/** @param {State} state @param {Input} event @returns {State} */
function drawn(state, event) {
  const { draft, tool } = state;
  const next = { ...state, why: '', missing: 0 };
  switch (event.type) {
    case 'place':
      return { ...next, draft: { cells: [...draft.cells, event.cell], whole: null }, tool: null };
    case 'cells':
      return { ...next, draft: { cells: event.cells, whole: null }, tool: null };
    case 'whole':
      return { ...next, draft: { ...draft, whole: event.call }, tool: event.call.cells.length > 0 ? event.call.tool : null };
    case 'tool':
      // Putting a tool away discards its target.
      return { ...next, tool: event.tool, draft: { ...draft, whole: event.tool === tool ? draft.whole : null } };
    case 'undo':
      if (draft.whole !== null) return { ...next, draft: { ...draft, whole: null } };
      return { ...next, draft: { ...draft, cells: draft.cells.slice(0, -1) } };
    case 'clear':
      return { ...next, draft: EMPTY, tool: null };
    case 'sent':
      return { ...next, sent: { client_seq: event.client_seq } };
    default:
      // A message of a later release.
      return state;
  }
}

/**
 * Command numbers that no other page is likely to use: a random part for the page, then a counter.
 * @param {number} random at least 0 and less than 1
 * @returns {() => number}
 */
export function sequence(random) {
  const page = Math.floor(random * PAGES) * COMMANDS_MAX;
  let counter = 0;
  return () => page + (counter++ % COMMANDS_MAX);
}
