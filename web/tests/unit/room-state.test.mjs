// The state of a room's page: the effects of messages and inputs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INITIAL, PLAYED_ELSEWHERE, drafted as draftedWith, phaseOf, reduce } from '../../static/rooms/state.js';
import { refusalOf } from '../../static/rooms/refusals.js';

const drafted = (state) => draftedWith(state, 'place');

const SKIP = '010300';
const SKIPS = { tool: 'skip', cells: [] };
const BOMB = { tool: 'bomb', cells: [[4, 4]] };

/** A state message after a number of plies; blue begins. */
const told = (plies, more = {}) => ({
  type: 'state',
  events: 1 + plies,
  ply: plies,
  awaiting: [plies % 2],
  options: '',
  turns: Array.from({ length: plies }, (_, ply) => [{ seat: ply % 2, action: SKIP, fuel: null }]),
  forfeits: [],
  outcome: null,
  digest: '',
  trouble: null,
  ...more,
});

const hello = (you) => ({ type: 'hello', you, names: ['Ann', 'hard'], pages: [null, '/bots/hard'] });
const after = (...events) => events.reduce(reduce, INITIAL);
const seated = (...events) => after({ type: 'ready' }, hello([0]), ...events);
const phases = (events, state = INITIAL) => events.map((event) => phaseOf((state = reduce(state, event))));

test('a turn goes through the phases', () => {
  const events = [
    { type: 'ready' }, hello([0]), told(0), { type: 'place', cell: [1, 2] }, { type: 'sent', client_seq: 5 },
    { type: 'applied', ply: 0, client_seq: 5 }, told(1), { type: 'shown' }, told(2), { type: 'shown' },
  ];
  assert.deepEqual(phases(events), [
    'loading', 'loading', 'yours', 'yours', 'sending', 'sending', 'animating', 'waiting', 'animating', 'yours',
  ]);
});

test('a spectator watches, and nothing is placed', () => {
  const state = after({ type: 'ready' }, hello([]), told(3), { type: 'place', cell: [1, 2] });
  assert.equal(phaseOf(state), 'watching');
  assert.deepEqual(state.draft.cells, []);
});

test('the first state is where the page begins, and later ones are shown ply by ply', () => {
  let state = seated(told(4));
  assert.equal(state.shown, 4);
  state = reduce(state, told(7));
  const plies = [];
  while (phaseOf(state) === 'animating') plies.push((state = reduce(state, { type: 'shown' })).shown);
  assert.deepEqual(plies, [5, 6, 7]);
  assert.equal(reduce(state, { type: 'shown' }).shown, 7, 'no more than were played');
});

test('the end is shown after the last ply', () => {
  const outcome = { winner: 1, reason: 'extinction', tally: [0, 9] };
  const events = [{ type: 'ready' }, hello([0]), told(0), told(2, { outcome, awaiting: [] }), { type: 'shown' }, { type: 'shown' }];
  assert.deepEqual(phases(events).slice(2), ['yours', 'animating', 'animating', 'over']);
});

test('a resignation ends the game in the same ply', () => {
  const state = seated(told(2), { type: 'sent', client_seq: null });
  assert.equal(phaseOf(state), 'sending');
  const outcome = { winner: 1, reason: 'forfeit', tally: [0, 9] };
  assert.equal(phaseOf(reduce(state, told(2, { outcome, events: 4, awaiting: [] }))), 'over');
});

test('an older state changes nothing', () => {
  const state = seated(told(4));
  assert.equal(reduce(state, told(2)), state);
});

test('a draft lives through news of the same ply and ends with it', () => {
  const drawn = seated(told(2), { type: 'place', cell: [1, 2] }, { type: 'place', cell: [1, 3] });
  assert.deepEqual(drafted(drawn), { tool: 'place', cells: [[1, 2], [1, 3]] });
  const again = reduce(drawn, told(2, { trouble: 'it is tried again' }));
  assert.deepEqual(again.draft, drawn.draft);
  assert.deepEqual(reduce(drawn, told(3)).draft.cells, []);
});

test('what takes the whole turn hides the cells and gives them back', () => {
  const cells = seated(told(2), { type: 'place', cell: [1, 2] });
  const skip = reduce(cells, { type: 'whole', call: SKIPS });
  assert.deepEqual(drafted(skip), SKIPS);
  assert.deepEqual(drafted(reduce(skip, { type: 'undo' })), drafted(cells));
  assert.deepEqual(drafted(reduce(skip, { type: 'place', cell: [1, 3] })), { tool: 'place', cells: [[1, 2], [1, 3]] });
  assert.equal(drafted(reduce(skip, { type: 'clear' })), null);
  assert.equal(drafted(reduce(cells, { type: 'undo' })), null);
});

test('a bomb that is put away takes its target along', () => {
  const aiming = seated(told(14), { type: 'place', cell: [1, 2] }, { type: 'tool', tool: 'bomb' });
  assert.equal(drafted(aiming), null, 'nothing is sent while it looks for a target');
  const aimed = reduce(aiming, { type: 'whole', call: BOMB });
  assert.deepEqual(drafted(aimed), BOMB);
  assert.equal(drafted(reduce(aimed, { type: 'undo' })), null, 'still aiming');
  assert.deepEqual(drafted(reduce(aimed, { type: 'tool', tool: null })), { tool: 'place', cells: [[1, 2]] });
});

test('a rejected command gives the turn back with its cells and says why', () => {
  const sent = seated(told(2), { type: 'place', cell: [1, 2] }, { type: 'sent', client_seq: 7 });
  const late = reduce(sent, { type: 'rejected', ply: 1, client_seq: 6, code: 'stale_ply', message: 'late' });
  assert.equal(phaseOf(late), 'sending', 'the answer to an earlier one');
  const state = reduce(sent, { type: 'rejected', ply: 2, client_seq: 7, code: 'illegal_move', message: 'no' });
  assert.deepEqual([phaseOf(state), state.why, state.draft.cells], ['yours', 'no', [[1, 2]]]);
});

test('in English a room says what the site says, whatever its code', () => {
  const sentence = 'your account has had its share of turns; try again in 3 s';
  for (const code of ['too_many', 'stale_ply', 'a_new_one']) assert.equal(refusalOf({ code, message: sentence }), sentence);
});

test('what a turn lacked is said until something else is done', () => {
  const early = seated(told(2), { type: 'place', cell: [1, 2] }, { type: 'why', why: 'Too early.', missing: 3 });
  assert.deepEqual([early.missing, early.why], [3, 'Too early.']);
  for (const event of [{ type: 'place', cell: [1, 3] }, { type: 'undo' }, { type: 'why', why: '' }, told(3)]) {
    assert.equal(reduce(early, event).missing, 0, event.type);
  }
});

test('a message of a type it does not know changes nothing', () => {
  const drawn = seated(told(2), { type: 'place', cell: [1, 2] });
  for (const state of [INITIAL, drawn, reduce(drawn, { type: 'sent', client_seq: 1 })]) {
    for (const type of ['beat', 'news']) assert.equal(reduce(state, { type }), state);
  }
});

test('nothing is placed out of turn', () => {
  for (const state of [INITIAL, seated(told(1)), seated(told(0), { type: 'sent', client_seq: 1 }), seated(told(0), told(2))]) {
    for (const event of [{ type: 'place', cell: [1, 2] }, { type: 'whole', call: SKIPS }, { type: 'tool', tool: 'bomb' }]) {
      assert.equal(reduce(state, event), state);
    }
  }
});

test('where all play at once, who has answered waits for the others', () => {
  const at = (ply, awaiting, events) => told(ply, { awaiting, events });
  let state = seated(at(0, [0, 1, 2], 1), { type: 'place', cell: [1, 2] });
  state = reduce(state, at(0, [0, 2], 2));
  assert.deepEqual([phaseOf(state), state.draft.cells.length], ['yours', 1], 'another has answered');
  state = reduce(reduce(state, { type: 'sent', client_seq: 5 }), at(0, [2], 3));
  assert.deepEqual([phaseOf(state), state.draft.cells.length, state.why], ['waiting', 0, '']);
  state = reduce(state, at(1, [0, 1, 2], 4));
  assert.equal(phaseOf(state), 'animating');
  const elsewhere = reduce(seated(at(0, [0, 1], 1), { type: 'place', cell: [1, 2] }), at(0, [1], 2));
  assert.deepEqual([phaseOf(elsewhere), elsewhere.why], ['waiting', PLAYED_ELSEWHERE]);
});

test('a state that leaves out turns that are known is completed', () => {
  const first = seated(told(3));
  const later = told(5);
  const next = reduce(first, { ...later, first: 3, turns: later.turns.slice(3) });
  assert.deepEqual(next.latest?.turns, later.turns);
  assert.equal(next.shown, 3);
  const same = reduce(next, { ...later, events: 9, first: 5, turns: [] });
  assert.deepEqual(same.latest?.turns, later.turns);
});
