// What a room's page knows, and how every message and input changes it: a pure function. What is legal is asked of the engine before
// an input gets here; what is drawn is made of this state in room.js and room-view.js.

/** @import { Answer, Call, Forfeit, GameText, Outcome, Pair } from './engine.js' */

import { retold, say } from './say.js';

/** Numbers that one page may give to its commands, and pages that may be told apart: together below 2^53. */
const COMMANDS_MAX = 2 ** 13;
const PAGES = 2 ** 39;

/**
 * A room as the server tells it.
 * @typedef {object} RoomState
 * @property {number} events a later state has more
 * @property {(string | null)[]} [seats] who sits where: ids as records have them
 * @property {number} ply
 * @property {number[]} awaiting seats that have yet to answer
 * @property {string} ruleset
 * @property {string | null} [from] the position that it begins with, where that is not the start
 * @property {string} options
 * @property {string} [seed] the game's, in hex; told where the start depends on it
 * @property {number} [first] the turn that the first of `turns` is, where the server left out those that are known
 * @property {Answer[][]} turns what was played in each turn that is over
 * @property {Forfeit[]} forfeits
 * @property {Outcome | null} outcome
 * @property {string} digest of the game so far, in hex
 * @property {string | null} trouble
 * @property {PeopleState} [people] what only rooms have that people find and join
 */

/**
 * @typedef {object} PeopleState
 * @property {boolean} started
 * @property {boolean} finished
 * @property {boolean} chat whether people chat
 * @property {number[]} programs seats of accounts' own programs
 * @property {number[]} offers seats that offer a draw
 * @property {(number | null)[]} left_ms what each clock has left, in milliseconds; none in rooms without clocks
 * @property {number[]} running seats whose clocks run
 * @property {number[]} rematch seats that want to play once more
 * @property {string | null} next where they do
 */

/**
 * The turn in the making: cells for the usual tool. A call of another tool stands before them; they are still there without it.
 * @typedef {{cells: Pair[], whole: Call | null}} Draft
 */

/**
 * @typedef {object} State
 * @property {boolean} ready whether the rules are loaded
 * @property {boolean} connected
 * @property {number[]} you own seats
 * @property {string[]} names by seat
 * @property {(string | null)[]} pages by seat
 * @property {RoomState | null} latest
 * @property {number} shown plies that the page has shown
 * @property {Draft} draft
 * @property {string | null} tool in hand: what a tap uses; null is the game's usual one
 * @property {{client_seq: number | null} | null} sent a command that has not yet changed the room; null is the number of a resignation
 * @property {string} why the last refusal, in words
 * @property {number} missing cells that a turn lacked when it was to be ended; 0 once something else was done
 * @property {string} fault what is wrong with the page's view of the room
 * @property {boolean} gone whether there is no such room any more
 */

/** @typedef {'loading' | 'yours' | 'sending' | 'waiting' | 'animating' | 'watching' | 'over'} Phase */

/**
 * The game up to a ply, as the engine takes it.
 * @param {RoomState} latest
 * @param {number} [ply] by default the one being played
 * @returns {GameText}
 */
export const gameOf = ({ ruleset, options, seed, from, turns, forfeits }, ply = turns.length) => ({ ruleset, options, seed, from, turns: turns.slice(0, ply), forfeits });

/** @type {Draft} */
const EMPTY = { cells: [], whole: null };

/** What is said when a draft is gone that was never sent. */
export const PLAYED_ELSEWHERE = say('This turn was ended in another window of yours; what was placed in this one is gone.');

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
 * The call that would be sent now; null when there is none yet, as while another tool looks for its target.
 * @param {State} state
 * @param {string} usual the game's usual tool
 * @returns {Call | null}
 */
export function drafted({ draft: { cells, whole }, tool }, usual) {
  return whole ?? (cells.length > 0 && tool === null ? { tool: usual, cells } : null);
}

/** @typedef {{type: string, [field: string]: any}} Event a server's message as it came, or an input */

/**
 * @param {State} state
 * @param {Event} event
 * @returns {State}
 */
export function reduce(state, event) {
  return heard(state, event) ?? put(state, event);
}

/** @param {State} state @param {Event} event @returns {State | null} null for what is no message of the server */
function heard(state, event) {
  switch (event.type) {
    case 'hello':
      return { ...state, you: event.you, names: event.names, pages: event.pages };
    case 'state':
      return moved(state, /** @type {any} */ (event));
    case 'applied':
      // The state that follows says the same and more.
      return state;
    case 'rejected':
      if (['draw', 'rematch', 'chat', 'report'].includes(event.what)) return { ...state, why: retold(event.message) };
      // An earlier command's answer, come late, changes nothing.
      return state.sent?.client_seq === event.client_seq ? { ...state, sent: null, why: retold(event.message) } : state;
    case 'error':
      return { ...state, why: retold(event.message), gone: state.gone || event.code === 'gone' };
    default:
      return null;
  }
}

/** @param {State} state @param {RoomState} told @returns {State} */
function moved(state, told) {
  const before = state.latest;
  if (before !== null && told.events < before.events) return state;
  // What is left out is known.
  const latest = told.first ? { ...told, turns: [...(before?.turns ?? []).slice(0, told.first), ...told.turns] } : told;
  // The first state is where the page begins: what was played before it is history.
  if (before === null) return { ...state, latest, shown: latest.turns.length };
  // Another board, laid by hand, has no history.
  if (latest.from !== before.from) return { ...state, latest, shown: latest.turns.length, sent: null, draft: EMPTY, tool: null, why: '', missing: 0 };
  // Where all play at once, a turn goes on when this page's answer is in it.
  const asks = (/** @type {RoomState} */ { awaiting }) => awaiting.some((seat) => state.you.includes(seat));
  const isAnswered = asks(before) && !asks(latest);
  if (latest.ply === before.ply && latest.outcome === null && !isAnswered) return { ...state, latest };
  const { draft, sent } = state;
  // Another window of this player ended the turn that was being made here.
  const lost = sent === null && (draft.cells.length > 0 || draft.whole !== null || state.why === PLAYED_ELSEWHERE);
  // Of turns that were taken back nothing is to be shown any more.
  const shown = Math.min(state.shown, latest.turns.length);
  return { ...state, latest, shown, sent: null, draft: EMPTY, tool: null, why: lost ? PLAYED_ELSEWHERE : '', missing: 0 };
}

/** @param {State} state @param {Event} event @returns {State} */
function put(state, event) {
  switch (event.type) {
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

/** Inputs that make a turn. @param {State} state @param {Event} event @returns {State} */
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
      // A tool that is put away takes its target along.
      return { ...next, tool: event.tool, draft: { ...draft, whole: event.tool === tool ? draft.whole : null } };
    case 'undo':
      if (draft.whole !== null) return { ...next, draft: { ...draft, whole: null } };
      return { ...next, draft: { ...draft, cells: draft.cells.slice(0, -1) } };
    case 'clear':
      return { ...next, draft: EMPTY, tool: null };
    case 'sent':
      return { ...next, sent: { client_seq: event.client_seq } };
    default:
      return state;
  }
}

/**
 * Numbers for commands that no other page is likely to give: a random part of the page, then a counter.
 * @param {number} random at least 0 and less than 1
 * @returns {() => number}
 */
export function sequence(random) {
  const page = Math.floor(random * PAGES) * COMMANDS_MAX;
  let counter = 0;
  return () => page + (counter++ % COMMANDS_MAX);
}
