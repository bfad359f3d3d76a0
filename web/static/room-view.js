// Writes a room's state into its page: what the pages of all games say alike, and the rest of a board with zones. It decides nothing.

/** @import { Colour, Draft, Outcome, Position, Preview, Rules } from './engine.js' */
/** @import { Played } from './grid-words.js' */
/** @import { Phase, RoomState, State } from './room-state.js' */

import { COLOURS, capital, describeBomb, describeForfeit, describeOutcome, describePreview, describeReach, describeTurn } from './describe.js';
import { byId, showPosition, write, writeOrHide } from './page.js';
import { drafted } from './room-state.js';

/**
 * All that is shown.
 * @typedef {object} Shown
 * @property {State} state
 * @property {Phase} phase
 * @property {Position} position the one on the board
 * @property {Played | null} last the turn that led to it
 * @property {Played | null} next the turn that is shown now
 * @property {Draft | null} check what the engine says of the cells placed; null unless it is the page's turn
 * @property {Preview | null} preview null when none is wanted
 * @property {boolean} complete whether the turn could be sent
 * @property {Rules} rules
 */

/** @param {Shown} shown */
export function render(shown) {
  const { state, phase, position, complete, rules } = shown;
  const { names } = state;
  showRoom(state, { phase, seats: COLOURS, complete });
  showPosition(position, rules);
  write('status', statusText(shown));
  COLOURS.forEach((colour, seat) => write(`name-${colour}`, names[seat]));
  showControls(shown);
  showResult(state, { phase, seats: COLOURS }, ({ outcome, forfeits }) => {
    return [describeOutcome(outcome, names), ...forfeits.map((forfeit) => describeForfeit(forfeit, names))];
  });
}

/**
 * What the pages of all rooms say alike.
 * @param {State} state
 * @param {{phase: Phase, seats: readonly string[], complete: boolean}} shown the game's names of the seats, and whether the turn
 * could be sent
 */
export function showRoom(state, { phase, seats, complete }) {
  const { latest, you, fault } = state;
  const room = byId('room');
  room.dataset.phase = phase;
  room.dataset.ply = String(state.shown);
  showConnection(state);
  writeOrHide('trouble', fault !== '' ? fault : (latest?.trouble ?? ''));
  write('why', state.why);
  showPlayers(state, seats);
  const plays = you.length > 0 && latest?.outcome === null;
  for (const id of ['turn-controls', 'nudge', 'resign-line']) byId(id).hidden = !plays;
  const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (byId(id));
  button('send').disabled = !complete;
  button('send').classList.toggle('ready', complete);
  button('resign').disabled = phase !== 'yours';
  document.title = `${phase === 'yours' ? '● Your turn: ' : ''}${state.names.join(' – ')}`;
  byId('watching').hidden = you.length > 0;
}

/** @param {State} state */
export function showConnection({ connected, gone }) {
  byId('room').dataset.connection = connected ? 'open' : 'closed';
  writeOrHide('connection', connected ? '' : gone ? 'This room is gone.' : 'No connection: reconnecting …');
}

/** @param {Shown} shown @returns {string} */
function statusText(shown) {
  const { state, phase, position } = shown;
  const { latest, names } = state;
  const mover = position.to_move;
  const name = mover === null ? '' : names[COLOURS.indexOf(mover)];
  switch (phase) {
    case 'yours':
      return yourTurn(shown);
    case 'sending':
      return 'Sending your turn …';
    case 'waiting':
      return `${lastTurn(shown)}${name} is thinking …`;
    case 'animating':
      return shown.next ? describeTurn(shown.next, COLOURS[shown.next.seat]) : '';
    case 'watching':
      return `${lastTurn(shown)}${name} (${mover}) is to move.`;
    case 'over':
      return latest?.outcome ? describeOutcome(latest.outcome, names) : '';
    default:
      return 'Loading …';
  }
}

/** @param {Shown} shown @returns {string} the turn that led here, and a space */
const lastTurn = ({ last }) => (last ? `${describeTurn(last, COLOURS[last.seat])} ` : '');

/** @param {Shown} shown @returns {string} */
function yourTurn(shown) {
  const { state, position, check, complete } = shown;
  const { mode, draft, missing } = state;
  const left = check?.placements_left ?? 0;
  const cells = `${left} ${left === 1 ? 'cell' : 'cells'}`;
  if (missing > 0) return `Place ${missing}${draft.cells.length > 0 ? ' more' : ''} ${missing === 1 ? 'cell' : 'cells'}.`;
  if (draft.whole?.tool === 'bomb') return 'The bomb is aimed. End turn (E) drops it, Undo (U) takes it back.';
  if (draft.whole) return `You ${draft.whole.tool}. End turn (E) sends it, Undo (U) takes it back.`;
  if (mode === 'bomb') return 'Choose the middle of the square to be cleared. Esc puts the bomb away.';
  if (complete) return 'Your turn is ready. End turn (E) sends it, Undo (U) takes the last cell back.';
  if (draft.cells.length > 0) return `Your turn: ${cells} left.`;
  if (position.pass.legal) return 'Your turn. Nothing can be placed: pass.';
  return `${lastTurn(shown)}Your turn: place ${cells}.`;
}

/**
 * @param {State} state
 * @param {readonly string[]} colours what the game calls its seats
 */
function showPlayers({ names, pages, you }, colours) {
  const versus = names.flatMap((name, seat) => {
    const page = pages[seat];
    const who = page ? Object.assign(document.createElement('a'), { href: page, textContent: name }) : name;
    return seat === 0 ? [who, ` (${colours[0]}) plays `] : [who, ` (${colours[1]}).`];
  });
  const own = you.length === 1 ? ` You are ${colours[you[0]]}.` : '';
  const text = `${names[0]} (${colours[0]}) plays ${names[1]} (${colours[1]}).${own}`;
  // Links are not replaced while nothing has changed: the focus may be on one.
  if (byId('versus').textContent !== text) byId('versus').replaceChildren(...versus, own);
}

/** @param {Shown} shown */
function showControls({ state, phase, position, check, preview, rules }) {
  const { you, draft, mode, latest } = state;
  const yours = phase === 'yours';
  const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (byId(id));
  button('undo').disabled = !yours || (draft.cells.length === 0 && draft.whole === null);
  button('clear').disabled = button('undo').disabled;
  // What is not possible now may be pressed all the same: then #why says why.
  for (const [id, possible, pressed] of /** @type {const} */ ([
    ['bomb', yours && position.bomb.legal, mode === 'bomb'],
    ['skip', yours && position.skip.legal, draft.whole?.tool === 'skip'],
    ['pass', yours && position.pass.legal, draft.whole?.tool === 'pass'],
  ])) {
    button(id).classList.toggle('closed', !possible);
    button(id).setAttribute('aria-pressed', String(pressed));
  }
  button('pass').hidden = !(yours && position.pass.legal);
  /** @type {Colour} */
  const colour = (yours ? position.to_move : null) ?? COLOURS[you[0] ?? 0];
  write('bomb-state', describeBomb(position, colour, rules));
  write('skip-state', position.skip_used[colour] ? 'used' : 'once');
  const left = check?.placements_left ?? 0;
  write('moves-left', yours && draft.whole === null ? `${left} ${left === 1 ? 'cell' : 'cells'} left.` : '');
  const over = latest?.outcome !== null;
  write('reach', over ? '' : check ? describeReach(check.reach) : describeReach(position.reach, position.to_move ?? ''));
  write('preview', preview && drafted(state) ? describePreview(preview) : '');
}

/**
 * @param {State} state
 * @param {{phase: Phase, seats: readonly string[]}} shown the game's names of the seats
 * @param {(end: {outcome: Outcome, forfeits: RoomState['forfeits']}) => string[]} words what is said of the end
 */
export function showResult({ latest, you }, { phase, seats }, words) {
  byId('result').hidden = phase !== 'over';
  if (phase !== 'over' || !latest?.outcome) return;
  const { outcome, forfeits } = latest;
  write('result-title', resultTitle(outcome.winner, you, seats));
  write('result-words', words({ outcome, forfeits }).join(' '));
}

/**
 * @param {number | null} winner
 * @param {readonly number[]} you own seats
 * @param {readonly string[]} colours what the game calls its seats
 */
export function resultTitle(winner, you, colours) {
  if (winner === null) return 'A draw';
  if (you.length !== 1) return `${capital(colours[winner])} wins`;
  return you[0] === winner ? 'You win' : 'You lose';
}
