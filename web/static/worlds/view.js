// Writes the state of a world's page beside its board. It makes no decisions.

/** @import { State } from './state.js' */

import { byId, write } from '../page/page.js';
import { durationOf, ownOf } from './state.js';
import { writeKingdoms } from './table.js';
import { scriptWorldsGraceEnds, scriptWorldsPlaceCells, scriptWorldsWipeIn } from '../text/en/script-worlds.js';

/** @param {State} state */
export function writeWorld(state) {
  const { account, draft, kind, look, mode, names, said } = state;
  const saying = byId('said');
  if (kind) saying.dataset.kind = kind;
  else delete saying.dataset.kind;
  write('said', said);
  if (!look) return;
  const own = ownOf(state);
  const page = byId('world');
  page.dataset.generation = String(look.generation);
  page.dataset.slot = String(look.slot ?? '');
  page.dataset.mode = mode;
  write('generation', String(look.generation));
  write('wipe', scriptWorldsWipeIn({ quadrant: look.wipe.quadrant + 1, time: durationOf(look.wipe.generations) }));
  const grace = own?.grace ?? null;
  write('grace', grace === null ? '' : scriptWorldsGraceEnds({ time: durationOf(grace) }));
  byId('grace').hidden = byId('grace-word').hidden = grace === null;
  write('coins', look.balance === null ? '–' : String(look.balance));
  write('base-coins', own ? String(own.coins) : '–');
  const [faucet, join, place, clear] = ['faucet', 'join', 'place', 'clear'].map((id) => /** @type {HTMLButtonElement} */ (byId(id)));
  // A call before the greeting would be lost. Who only looks on has neither button.
  faucet.disabled = join.disabled = account === null;
  // A hidden button would lose the focus.
  const lost = own !== null && document.activeElement === join;
  join.hidden = faucet.hidden || own !== null;
  if (lost) byId('board').focus({ preventScroll: true });
  byId('home').hidden = byId('placing').hidden = own === null;
  join.setAttribute('aria-pressed', String(mode === 'join'));
  place.disabled = clear.disabled = draft.length === 0;
  place.textContent = scriptWorldsPlaceCells({ cells: draft.length });
  writeKingdoms(look, names);
}
