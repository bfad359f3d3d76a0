// The state of a world's page, and its reaction to every input and message: a pure function. `world.js` turns what
// happens into events, asks the rules, and draws.

/** @import { WorldHolder } from '../../types/wire.d.ts' */
/** @import { Camera, Size } from './camera.js' */
/** @import { Fall, Kingdom, Look, Spot } from './engine.js' */
/** @import { Holders, Refused, Reply } from './feed.js' */
/** @import { Pattern } from './patterns.js' */
/** @import { Phrase } from '../page/messages.js' */

import { inEnglish, messagesBy, phrasesBy } from '../page/messages.js';
import { scriptOtherAnswer } from '../text/en/script-answers.js';
import * as answers from '../text/en/script-answers.js';
import * as life2 from '../text/en/script-life2.js';
import * as worldAnswers from '../text/en/script-world-answers.js';
import { fitted, wrapped } from './camera.js';
import { BASE_SIDE } from './engine.js';
import { PATTERNS, patternOf } from './patterns.js';
import * as worlds from '../text/en/script-worlds.js';

/** The cell size around the visitor's base, in CSS pixels; at first the whole world is shown. */
const SCALE_NEAR = 14;
/** The side of a world until the page has one. */
const SIDE = 512;

/** @typedef {'look' | 'join' | 'place'} Mode what a tap does */

/**
 * @typedef {object} State
 * @property {number | null} account the visitor's; null before the greeting, and for those who only look on
 * @property {ReadonlyMap<number, string>} names by account
 * @property {Look | null} look the world at present
 * @property {Camera} camera
 * @property {Spot} cursor
 * @property {boolean} cursorUsed
 * @property {Spot | null} hover the cell pointed at
 * @property {Mode} mode
 * @property {Pattern} pattern the pattern to stamp
 * @property {readonly Spot[]} draft the cells to be placed
 * @property {number} placed the number of cells placed since the page was opened
 * @property {number} moves the number of moves of the view since then
 * @property {boolean} centred whether the view has moved to the present base
 * @property {number} mourned the generation of the fall that was last told
 * @property {string} said the message beside the board
 * @property {number} sayings how often there was one: the same may be said again
 * @property {'fallen' | null} kind of that message
 */

/** @type {State} */
export const INITIAL = {
  account: null,
  names: new Map(),
  look: null,
  camera: { x: SIDE / 2, y: SIDE / 2, scale: 0 },
  cursor: [SIDE / 2, SIDE / 2],
  cursorUsed: false,
  hover: null,
  mode: 'look',
  pattern: patternOf(PATTERNS[0].rle),
  draft: [],
  placed: 0,
  moves: 0,
  centred: false,
  mourned: -1,
  said: '',
  sayings: 0,
  kind: null,
};

/**
 * The site greets, names the holders of slots, or answers a call; the world changes; the view moves, by hand or to the
 * base; the cursor steps or is put somewhere, or something is pointed at; a mode, a pattern or a draft is chosen;
 * something is to be said.
 * @typedef {{type: 'hello', account: number | null} | {type: 'slots', slots: Holders} | {type: 'reply', reply: Reply, why?: Phrase[]}
 *   | {type: 'looked', look: Look} | {type: 'see', camera: Camera} | {type: 'home'} | {type: 'step', dx: number, dy: number}
 *   | {type: 'point', spot: Spot, byKey: boolean} | {type: 'hover', spot: Spot | null} | {type: 'mode', mode: Mode}
 *   | {type: 'pattern', pattern: Pattern} | {type: 'draft', draft: readonly Spot[]} | {type: 'say', text: string}} Event
 */

/** The side of the world. @param {State} state */
export const sideOf = ({ look }) => look?.side ?? SIDE;

/** The kingdom of the visitor. @param {State} state @returns {Kingdom | null} */
export const ownOf = ({ look }) => look?.slots.find(({ slot }) => slot === look.slot) ?? null;

/** The reason for a code of the API, in words. */
const refusalBy = messagesBy('scriptAnswers', { ...answers, ...worldAnswers }, scriptOtherAnswer);

/** What the rules of worlds tell. */
const phrased = phrasesBy(life2);

/** @param {string} words @returns {string} words with their full stop; empty without any */
const stopped = (words) => (/[.!?]$/.test(words) || words === '' ? words : `${words}.`);

/** The rules' reason as a sentence; empty without one. @param {readonly Phrase[]} why */
export const reason = (why) => stopped(phrased(why));

/**
 * Why a call did nothing: the site's own sentence in English, else what the rules tell, else the message of its code.
 * @param {Refused} reply
 * @param {readonly Phrase[]} why
 */
const refusalOf = ({ code, message = '' }, why) => stopped(inEnglish(message) || phrased(why) || refusalBy(code));

/** The time of a number of generations, in hours, minutes and seconds. @param {number} generations */
export function durationOf(generations) {
  const seconds = Math.ceil(generations / 10);
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/**
 * @param {State} state
 * @param {Event} event
 * @param {Size} size of the board in the page
 * @returns {State}
 */
export function reduce(state, event, size) {
  switch (event.type) {
    case 'hello':
      return { ...state, account: event.account };
    case 'slots':
      return named(state, event.slots);
    case 'reply':
      return answered(state, event);
    case 'looked':
      return looked(state, event.look, size);
    case 'see':
      return { ...state, camera: fitted(event.camera, size, sideOf(state)), moves: state.moves + 1 };
    case 'home':
      return atHome(state, size);
    case 'step': {
      const [x, y] = [state.cursor[0] + event.dx, state.cursor[1] + event.dy].map((at) => wrapped(at, sideOf(state)));
      // The cursor stays in view.
      const camera = { ...state.camera, x: x + 0.5, y: y + 0.5 };
      return reduce({ ...state, cursorUsed: true, hover: null, cursor: [x, y] }, { type: 'see', camera }, size);
    }
    case 'point':
      return { ...state, cursor: event.spot, cursorUsed: state.cursorUsed || event.byKey };
    case 'hover':
      return { ...state, hover: event.spot };
    case 'mode':
      return inMode(state, event.mode);
    case 'pattern':
      return { ...state, pattern: event.pattern };
    case 'draft':
      return { ...state, draft: event.draft };
    case 'say':
      return saying(state, event.text);
  }
}

/** @param {State} state @param {string} said @param {'fallen' | null} [kind] @returns {State} */
const saying = (state, said, kind = null) => ({ ...state, said, kind, sayings: state.sayings + 1 });

/** @param {State} state @param {Holders} slots @returns {State} */
function named(state, slots) {
  const named = (/** @type {Pick<WorldHolder, 'bot' | 'name'>} */ { bot, name }) =>
    bot ? worlds.scriptWorldsWithBot({ name, bot }) : name;
  const names = slots.flatMap((slot) => (slot ? [/** @type {const} */ ([slot.account, named(slot)])] : []));
  return { ...state, names: new Map([...state.names, ...names]) };
}

/** @param {State} state @param {Mode} mode @returns {State} */
function inMode(state, mode) {
  const next = { ...state, mode };
  return mode === 'join' ? saying(next, worlds.scriptWorldsChooseBase()) : next;
}

/** @param {State} state @param {Size} size @returns {State} */
function atHome(state, size) {
  const own = ownOf(state);
  if (!own) return state;
  const [x, y] = own.base;
  const side = sideOf(state);
  const camera = fitted({ x: x + BASE_SIDE / 2, y: y + BASE_SIDE / 2, scale: SCALE_NEAR }, size, side);
  return { ...state, cursor: [wrapped(x + 3, side), wrapped(y + 3, side)], camera };
}

/** @param {State} before @param {Look} look @param {Size} size @returns {State} */
function looked(before, look, size) {
  const held = ownOf(before) !== null;
  /** @type {State} */
  let state = { ...before, look };
  const owns = ownOf(state) !== null;
  if (owns && !state.centred) state = atHome({ ...state, centred: true, mode: 'place' }, size);
  // After joining again, the view moves to the new base.
  if (held && !owns) state = { ...state, draft: [], centred: false, mode: 'look' };
  const { fallen } = look;
  if (fallen === null || fallen.generation === state.mourned) return state;
  return saying({ ...state, mourned: fallen.generation }, fallWords(state, fallen, held), 'fallen');
}

/**
 * What became of the account's kingdom, and when.
 * @param {State} state
 * @param {Fall} fall
 * @param {boolean} held whether the page has seen it fall
 */
function fallWords({ names, look }, { generation, cause, by }, held) {
  // Only holders of slots have names here.
  const name = by === null ? undefined : names.get(by);
  const ago = durationOf((look?.generation ?? 0) - generation);
  const when = held ? worlds.scriptWorldsFallen() : worlds.scriptWorldsFell({ generation, ago });
  const siege = name === undefined ? worlds.scriptWorldsFellInSiege() : worlds.scriptWorldsFellTo({ attacker: name });
  const operator = worlds.scriptWorldsFellByOperator();
  const why = cause === 'siege' ? siege : cause === 'operator' ? operator : worlds.scriptWorldsFellByGrace();
  return `${when} ${why} ${worlds.scriptWorldsMayJoinAgain()}`;
}

/** @param {State} state @param {Extract<Event, {type: 'reply'}>} event @returns {State} */
function answered(state, { reply, why = [] }) {
  if (reply.type === 'rejected') return saying(state, refusalOf(reply, why));
  if (reply.type !== 'answer') return state;
  const { what, answer } = reply;
  switch (what) {
    case 'get_slots_info':
      return named(state, /** @type {Holders} */ (answer));
    case 'join_game': {
      const words = worlds.scriptWorldsJoined({ slot: answer });
      return saying({ ...state, mode: 'place' }, words);
    }
    case 'place_cells': {
      const words = worlds.scriptWorldsCellsPlaced({ cells: Number(answer) });
      return saying({ ...state, draft: [], placed: state.placed + Number(answer) }, words);
    }
    case 'seat_bot': {
      const nobody = worlds.scriptWorldsPlaysAlone();
      return saying(state, answer === null ? nobody : worlds.scriptWorldsBotPlays({ bot: answer }));
    }
    case 'faucet':
      return saying(state, worlds.scriptWorldsCoins({ coins: answer }));
    default:
      return state;
  }
}
