// Writes a room's state into its page. It makes no decisions.

/** @import { Call, Legality, Making, Position, Tool } from '../rules/engine.js' */
/** @import { Changes } from '../board/picture.js' */
/** @import { Phase, State } from './state.js' */
/** @import { Played } from '../board/words.js' */

import { titled } from './bar.js';
import { byId, element, keyHint, write, writeOrHide, writeParagraphs } from '../page/page.js';
import {
  capital,
  countedCells,
  describeChanges,
  describeForfeit,
  describeOpen,
  describeOutcome,
  describePlays,
  describePosition,
  listed,
  phrased,
  seatLabel,
  toolName,
  toolPurpose,
} from '../board/words.js';
import { troubleOf } from './trouble.js';
import { isolated } from '../page/isolated.js';
import { scriptPageYou } from '../text/en/script-page.js';
import * as rooms from '../text/en/script-rooms.js';

/**
 * The state to display.
 * @typedef {object} Shown
 * @property {State} state
 * @property {Phase} phase
 * @property {Position} position the one on the board
 * @property {readonly Played[]} last the answers that led to the position
 * @property {readonly Played[]} next the answers that are being animated
 * @property {Call | null} call the draft call; null unless it is the page's turn
 * @property {(Legality & Making) | null} check what the rules say of the call
 * @property {readonly Tool[]} possible the tools that can be used now; empty unless it is the page's turn
 * @property {{changes: Changes, tally: readonly number[]} | null} coming what the draft turn leads to; null if no
 *   preview is wanted
 * @property {readonly HTMLButtonElement[]} buttons the buttons of all tools except the usual
 */

/** @param {Shown} shown */
export function render(shown) {
  const { state, phase, position, coming } = shown;
  const { latest, you, fault, names } = state;
  const room = byId('room');
  room.dataset.phase = phase;
  room.dataset.ply = String(state.shown);
  writeOrHide('trouble', fault !== '' ? fault : latest === null ? '' : troubleOf(latest));
  write('status', statusText(shown));
  write('why', state.why);
  byId('status').hidden = phase === 'over';
  byId('notes').hidden = phase === 'over';
  showPlayers(shown);
  showControls(shown);
  write('preview', coming ? describeChanges(coming.changes, position.seat_names, coming.tally) : '');
  if (/** @type {HTMLDetailsElement} */ (byId('words')).open) {
    writeParagraphs('description', describePosition(position, position, { players: names, seats: position.seat_names }));
  }
  showResult(shown);
  titled(`${phase === 'yours' ? rooms.scriptRoomsYourTurn() : ''}${names.map(isolated).join(' – ')}`);
  byId('watching').hidden = you.length > 0;
}

/** @param {Shown} shown @returns {string} */
function statusText(shown) {
  const { state, phase, position } = shown;
  const { names } = state;
  const seats = position.seat_names;
  const awaiting = state.latest?.awaiting ?? [];
  switch (phase) {
    case 'yours':
      return yourTurn(shown);
    case 'sending':
      return rooms.scriptRoomsSending();
    case 'waiting':
      return `${lastTurn(shown)}${thinking(awaiting.map((seat) => names[seat]))}`;
    case 'animating':
      return shown.next.length > 0 ? describePlays(shown.next, position) : '';
    case 'watching':
      if (awaiting.length !== 1) return `${lastTurn(shown)}${thinking(awaiting.map((seat) => names[seat]))}`;
      return `${lastTurn(shown)}${rooms.scriptRoomsToMove({ player: names[awaiting[0]], seat: seatLabel(awaiting[0], seats) })}`;
    case 'over':
      // The result already says it.
      return '';
    default:
      return rooms.scriptRoomsLoading();
  }
}

/** @param {readonly string[]} names of those who have yet to answer */
const thinking = (names) =>
  names.length === 1
    ? rooms.scriptRoomsIsThinking({ player: names[0] })
    : names.length === 0
      ? ''
      : rooms.scriptRoomsAreThinking({ players: listed(names.map(isolated)) });

/** @param {Shown} shown @returns {string} the turn that led here, followed by a space */
const lastTurn = ({ last, position }) => (last.length > 0 ? `${describePlays(last, position)} ` : '');

/** @param {Shown} shown @returns {string} */
function yourTurn(shown) {
  const { state, position, check, call, possible } = shown;
  const [usual] = position.tools;
  const { tool, draft, missing } = state;
  if (missing > 0 && tool === null && usual.input === 'cells') {
    const how = capital(toolName(usual));
    return draft.cells.length === 0
      ? rooms.scriptRoomsUseCells({ tool: how, cells: countedCells(missing) })
      : rooms.scriptRoomsUseMoreCells({ tool: how, cells: missing });
  }
  const whole = position.tools.find(({ name }) => name === draft.whole?.tool);
  if (check?.legal && draft.whole && whole) {
    const ready =
      draft.whole.cells.length > 0
        ? rooms.scriptRoomsAimed({ tool: toolName(whole) })
        : rooms.scriptRoomsYouWill({ tool: toolName(whole) });
    return `${ready} ${rooms.scriptRoomsEndTurnOrUndo({ endKey: keyHint('E'), undoKey: keyHint('U') })}`;
  }
  const inHand = position.tools.find(({ name }) => name === tool);
  if (inHand)
    return rooms.scriptRoomsToolInHand({
      tool: toolName(inHand),
      purpose: toolPurpose(inHand),
      button: capital(toolName(inHand)),
      key: keyHint('Esc'),
    });
  if (usual.input === 'piece') return pieceTurn(shown, usual);
  if (check?.legal) return rooms.scriptRoomsTurnReady({ endKey: keyHint('E'), undoKey: keyHint('U') });
  if (usual.input === 'cell') return `${lastTurn(shown)}${rooms.scriptRoomsChooseCell()}`;
  const left = countedCells(usual.most - (call?.cells.length ?? 0));
  if (draft.cells.length > 0) return rooms.scriptRoomsCellsLeft({ cells: left });
  if (possible.length > 0 && !possible.includes(usual)) return rooms.scriptRoomsCanOnly({ tools: listed(possible.map(toolName)) });
  return `${lastTurn(shown)}${rooms.scriptRoomsUseTool({ tool: toolName(usual), cells: left })}`;
}

/** @param {Shown} shown @param {Tool} usual @returns {string} */
function pieceTurn(shown, usual) {
  switch (shown.state.draft.cells.length) {
    case 0:
      return `${lastTurn(shown)}${rooms.scriptRoomsChoosePiece()}`;
    case 1:
      return rooms.scriptRoomsChooseTarget();
    default:
      return rooms.scriptRoomsChooseAgain({ tool: toolName(usual), key: keyHint('E') });
  }
}

/** @param {Shown} shown */
function showPlayers({ state: { names, pages, you, latest }, position }) {
  const programs = latest?.people?.programs ?? [];
  const label = (/** @type {number} */ seat) => seatLabel(seat, position.seat_names);
  const called = names.map((_, seat) => (programs.includes(seat) ? rooms.scriptRoomsAProgram({ seat: label(seat) }) : label(seat)));
  const between = names.length > 2 ? ', ' : rooms.scriptRoomsAgainst();
  // Where the visitor's name is "You", the sentence says already which seat is theirs.
  const told = names.map((name, seat) =>
    name === scriptPageYou() && names.length === 2 && seat === 1 ? rooms.scriptRoomsAgainstYou() : name,
  );
  const versus = told.flatMap((name, seat) => {
    const page = pages[seat];
    const who = page ? element('a', { href: page, textContent: isolated(name) }) : isolated(name);
    return [who, ` (${called[seat]})${seat + 1 === told.length ? '.' : between}`];
  });
  const own = you.length === 1 && names[you[0]] !== scriptPageYou() ? ` ${rooms.scriptRoomsYouAre({ seat: label(you[0]) })}` : '';
  const text = `${told.map((name, seat) => `${isolated(name)} (${called[seat]})`).join(between)}.${own}`;
  // Unchanged links are not replaced: one may have the focus.
  if (byId('versus').textContent !== text) byId('versus').replaceChildren(...versus, own);
}

/** @param {Shown} shown */
function showControls({ state, phase, position, check, possible, buttons }) {
  const { you, draft, tool, latest } = state;
  const yours = phase === 'yours';
  const plays = you.length > 0 && latest?.outcome === null;
  for (const id of ['turn-controls', 'resign-line']) byId(id).hidden = !plays;
  const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (byId(id));
  const complete = yours && (check?.legal ?? false);
  button('send').disabled = !complete;
  button('send').classList.toggle('ready', complete);
  button('resign').disabled = !yours && !(phase === 'waiting' && latest?.people);
  button('undo').disabled = !yours || (draft.cells.length === 0 && draft.whole === null);
  button('clear').disabled = button('undo').disabled;
  const seat = (yours ? position.awaiting.find((one) => you.includes(one)) : you[0]) ?? 0;
  buttons.forEach((element, at) => {
    const { name } = position.tools[at + 1];
    const limit = position.limits[seat]?.[at + 1] ?? null;
    const able = possible.some((one) => one.name === name);
    // Tools that cannot be used now stay pressable, so that #why can give the reason. A tool without limits is shown
    // only while it can be used.
    element.classList.toggle('closed', !able);
    element.hidden = !able && limit === null;
    element.setAttribute('aria-pressed', String(tool === name || draft.whole?.tool === name));
    const small = element.querySelector('small');
    const text = limit === null ? '' : phrased([limit]);
    if (small && small.textContent !== text) small.textContent = text;
  });
  const mover = position.awaiting.length === 1 ? position.awaiting[0] : undefined;
  write(
    'reach',
    check ? describeOpen(check.open) : mover === undefined ? '' : describeOpen(position.open, seatLabel(mover, position.seat_names)),
  );
}

/** @param {Shown} shown */
function showResult({ state: { latest, you, names }, phase, position }) {
  byId('result').hidden = phase !== 'over';
  if (phase !== 'over' || !latest?.outcome) return;
  const { outcome } = latest;
  const called = { players: names, seats: position.seat_names };
  write(
    'result-title',
    resultTitle(
      outcome.winner,
      you,
      names.map((_, seat) => seatLabel(seat, called.seats)),
    ),
  );
  write(
    'result-words',
    [
      describeOutcome(outcome, called),
      ...latest.forfeits.map((forfeit) => describeForfeit(forfeit, called, latest.reasons?.[forfeit.seat])),
    ].join(' '),
  );
}

/**
 * @param {number | null} winner
 * @param {readonly number[]} you own seats
 * @param {readonly string[]} seats their names
 */
export function resultTitle(winner, you, seats) {
  if (winner === null) return rooms.scriptRoomsADraw();
  if (you.length !== 1) return rooms.scriptRoomsSeatWins({ seat: capital(seats[winner]) });
  return you[0] === winner ? rooms.scriptRoomsYouWin() : rooms.scriptRoomsYouLose();
}
