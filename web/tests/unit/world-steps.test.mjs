// The tutorial of a world as a state machine: a visitor's actions lead on, and nothing leads astray.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STEPS, after, begun } from '../../static/worlds/steps.js';
import { Random } from '../lib/random.mjs';

/** @import { Happened, Seen, Step, Tutorial } from '../../static/worlds/steps.js' */

/** @type {Seen} a new visitor */
const NEW = { coins: 0, slot: null, placed: 0, ground: 0, generation: 1_000, moves: 0, wipeInView: false };
/** A visitor with a kingdom. @type {Seen} */
const HELD = { ...NEW, coins: 900, slot: 3, ground: 36 };

/** @type {readonly Step[]} */
const ALL = [...STEPS, 'over'];

/**
 * @param {Tutorial} tutorial
 * @param {Partial<Seen>[]} seen one after the other, each with its changes
 * @param {Seen} [first]
 */
function saw(tutorial, seen, first = NEW) {
  let now = first;
  for (const changed of seen) {
    now = { ...now, ...changed };
    tutorial = after(tutorial, { type: 'saw', seen: now });
  }
  return tutorial;
}

test('each step ends with what it asks for, and not before', () => {
  const done = [{}, { coins: 99 }, { coins: 1_000 }, { coins: 1_000, generation: 1_001 }, { slot: 2, ground: 36 }, { moves: 3, generation: 1_400 }, { placed: 5 }, { generation: 1_449, ground: 39 }, { generation: 1_450, ground: 40 }, { ground: 39 }, { ground: 41 }, { wipeInView: true }, { wipeInView: true, moves: 4 }, { slot: null }];
  const steps = done.map((_, count) => saw(begun(null), done.slice(0, count + 1)).step);
  assert.deepEqual(steps, ['coins', 'coins', 'join', 'join', 'place', 'place', 'watch', 'watch', 'earn', 'earn', 'wipe', 'wipe', 'over', 'over']);
});

test('what is done already is not asked for', () => {
  assert.equal(saw(begun(null), [{}], { ...NEW, coins: 100 }).step, 'join');
  assert.equal(saw(begun(null), [{}], { ...HELD, coins: 0 }).step, 'place', 'who has a kingdom has had the coins');
  assert.equal(saw(after(begun('over'), { type: 'again' }), [{}], HELD).step, 'place');
  // Actions before a step began do not complete it.
  assert.equal(saw(begun('place'), [{}, {}], { ...HELD, placed: 9 }).step, 'place');
  assert.equal(saw(begun('earn'), [{}, {}], { ...HELD, ground: 99 }).step, 'earn');
  assert.equal(saw(begun('wipe'), [{}, {}], { ...HELD, moves: 9, wipeInView: true }).step, 'wipe');
});

test('whose kingdom falls is asked to join again, with coins if there are none', () => {
  for (const step of /** @type {const} */ (['place', 'watch', 'earn'])) {
    assert.equal(saw(begun(step), [{}, { slot: null }], HELD).step, 'join', step);
    assert.equal(saw(begun(step), [{}, { slot: null, coins: 99 }], HELD).step, 'coins', step);
    assert.equal(saw(begun(step), [{ slot: null, coins: 99 }], HELD).step, 'coins', `${step}, while nobody looked`);
    assert.equal(saw(begun(step), [{}, { slot: null }, { slot: 1 }], HELD).step, 'place', step);
  }
  assert.equal(saw(begun('wipe'), [{}, { slot: null }], HELD).step, 'wipe', 'one can look at the wipe without a kingdom');
});

test('who only reads goes on step by step, and is a player once they have a kingdom', () => {
  let tutorial = saw(begun(null), [{}], { ...NEW, coins: null });
  for (const step of ALL.slice(1)) {
    tutorial = saw(after(tutorial, { type: 'next' }), [{}, { generation: 1_010 }], { ...NEW, coins: null });
    assert.equal(tutorial.step, step);
  }
  const reads = saw(after(after(begun(null), { type: 'next' }), { type: 'next' }), [{}]);
  assert.equal(reads.step, 'place');
  const plays = saw(reads, [{}], HELD);
  assert.equal(plays.step, 'place');
  assert.equal(saw(plays, [{ slot: null }], HELD).step, 'join', 'and falls as others do');
});

test('from everywhere it goes on, ends or begins again', () => {
  for (const [place, step] of ALL.entries()) {
    assert.equal(after(begun(step), { type: 'next' }).step, ALL[Math.min(place + 1, ALL.length - 1)]);
    assert.equal(after(begun(step), { type: 'skip' }).step, 'over');
    assert.equal(after(begun(step), { type: 'again' }).step, 'coins');
    assert.equal(begun(step).step, step, 'what was remembered');
  }
  for (const unknown of [null, '', 'a step of another release']) assert.equal(begun(unknown).step, 'coins');
});

test('whatever happens in whatever order, there is a step, and each way from one to another is known', () => {
  const random = Random.forThisRun();
  console.log(`ARENA_TEST_SEED=${random.seed}`);
  const count = (/** @type {number} */ below) => random.below(below);
  const seen = () => ({ coins: random.pick([null, 0, 99, 100, 5_000]), slot: random.pick([null, null, 1, 9]), placed: count(9), ground: count(99), generation: count(9_999), moves: count(9), wipeInView: random.pick([true, false]) });
  let tutorial = begun(null);
  for (let walked = 0; walked < 20_000; walked++) {
    /** @type {Happened} */
    const happened = random.pick(/** @type {any[]} */ ([{ type: 'next' }, { type: 'skip' }, { type: 'again' }, ...Array.from({ length: 20 }, () => ({ type: 'saw', seen: seen() }))]));
    const [before, next] = [structuredClone(tutorial), after(tutorial, happened)];
    assert.deepEqual(tutorial, before, 'the state that it came from is as it was');
    const [from, to] = [before.step, next.step].map((step) => ALL.indexOf(step));
    assert.ok(to >= 0, next.step);
    const isKnown = to === from || to === from + 1 || happened.type === 'skip' || happened.type === 'again'
      || (happened.type === 'saw' && (to > from || (happened.seen.slot === null && to < 2)));
    assert.ok(isKnown, `${before.step} to ${next.step} by ${JSON.stringify(happened)}`);
    // The same observation again changes nothing.
    if (happened.type === 'saw') assert.equal(after(next, happened).step, next.step);
    tutorial = next;
  }
});
