// A world's page with the rules' own module and without a browser: its display and its functions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCALE_MAX } from '../../static/worlds/camera.js';
import { CELLS_MAX, PATTERNS, mirrored, patternOf, stamped, turned } from '../../static/worlds/patterns.js';
import { STEPS } from '../../static/worlds/steps.js';
import { properties } from '../lib/document.mjs';
import { ServedWorld } from '../lib/world_log.mjs';
import { SIZE, SMALL, inOrder, opened } from '../lib/world_page.mjs';

/** @import { Spot } from '../../static/worlds/engine.js' */
/** @import { WorldPage } from '../lib/world_page.mjs' */

const SIDE = 64;
/** The account of the visitor, and another one. */
const ANN = 7;
const BOB = 9;
/** The number of generations that ghosts look ahead, and how long each is shown, in milliseconds. */
const AHEAD = 12;
const GHOST_MS = 250;
const COLOURS = properties('light');

/** A pattern from the library. @param {string} id */
const pattern = (id) => patternOf(String(PATTERNS.find((known) => known.id === id)?.rle));

/**
 * The cells of a rectangle.
 * @param {number} left
 * @param {number} top
 * @param {number} wide
 * @param {number} high
 * @returns {Spot[]}
 */
const field = (left, top, wide, high) => Array.from({ length: wide * high }, (_, at) => [left + (at % wide), top + Math.floor(at / wide)]);

/**
 * A world in which Ann has a base in the middle of the second row of quadrants.
 * @param {Partial<import('../lib/world_log.mjs').Held>} [more]
 */
const annsWorld = (more = {}) => new ServedWorld({ kingdoms: [{ slot: 1, account: ANN, base: [20, 20], ...more }], wallets: { [ANN]: 1_000 } });

/** The drawn cells of the draft call. @param {WorldPage} page */
const draftOf = (page) => page.spots(page.drawn('fillRect').filter(({ fillStyle, globalAlpha }) => fillStyle === COLOURS.get('placed') && globalAlpha === 1));

/** The drawn cells that would be added at the pointer. @param {WorldPage} page @param {'legal' | 'illegal'} look */
function stampOf(page, look) {
  const inColour = page.drawn('strokeRect').filter(({ strokeStyle }) => strokeStyle === COLOURS.get(`cursor-${look}`));
  // The quadrant that is wiped next is larger.
  return page.spots(inColour.filter(({ args: [, , wide] }) => wide < SCALE_MAX));
}

test('ghosts are what the rules say of a draft, a generation after the other', async () => {
  // One of her gliders is moving, so that a draft's result depends on the time of the request.
  const world = annsWorld({ alive: stamped(pattern('glider'), [25, 25], SIDE) });
  await opened(world, { account: ANN }, (page) => {
    const ghosts = () => page.drawn('fillRect').filter(({ globalAlpha }) => globalAlpha === 0.5);
    page.choose('blinker');
    assert.deepEqual(ghosts(), [], 'none without a draft');
    page.tap([22, 22]);
    const draft = stamped(pattern('blinker'), [22, 22], SIDE);
    assert.deepEqual(draftOf(page), inOrder(draft));
    const shows = (/** @type {string} */ when) => {
      const { why, frames } = world.copy().try(ANN, { place: draft }, AHEAD);
      assert.deepEqual([why, frames.length], [[], AHEAD]);
      for (let shown = 0; shown < AHEAD; shown++) {
        const frame = frames[Math.floor(page.frame(GHOST_MS) / GHOST_MS) % AHEAD];
        assert.deepEqual(page.spots(ghosts()), inOrder(frame), when);
        assert.ok(frame.length > 0 && frame.every(([, , owner]) => owner === 1));
        assert.ok(ghosts().every(({ fillStyle }) => fillStyle === COLOURS.get('seat-0')), 'in her colour');
      }
      return frames;
    };
    const before = shows('at first');
    page.goOn(10);
    assert.notDeepEqual(shows('ten generations later'), before);
    page.press('clear');
    assert.deepEqual([ghosts(), draftOf(page)], [[], []]);
    page.tap([22, 22]);
    page.press('place');
    assert.deepEqual([ghosts(), draftOf(page)], [[], []], 'what was placed is no draft any more');
    assert.equal(page.text('said'), '3 cells placed.');
  });
});

test('a draft that the rules refuse is said to be, and has no ghosts', async () => {
  const world = new ServedWorld({ kingdoms: [{ slot: 1, account: ANN, base: [20, 20] }], wallets: { [ANN]: 4 } });
  await opened(world, { account: ANN }, (page) => {
    const ghosts = () => page.drawn('fillRect').filter(({ globalAlpha }) => globalAlpha === 0.5);
    for (const [spot, why] of /** @type {[Spot, string][]} */ ([[[20, 20], 'Not your territory.'], [[40, 40], 'Not your territory.']])) {
      page.tap(spot);
      assert.deepEqual([page.text('said'), page.text('bar-words'), draftOf(page)], [why, why, []]);
      // What was closed is there again when it is said again.
      /** @type {Element} */ (page.byId('bar-buttons').children.at(-1)).does('click');
      assert.equal(page.byId('bar').hidden, true);
    }
    page.choose('glider');
    page.tap([23, 23]);
    assert.deepEqual([page.text('said'), draftOf(page).length, ghosts()], ['Insufficient coins.', 5, []], 'the faucet is near');
    page.press('place');
    assert.deepEqual([page.text('said'), draftOf(page).length], ['Insufficient coins.', 5]);
    page.press('faucet');
    page.press('place');
    assert.deepEqual([page.text('said'), page.text('coins')], ['5 cells placed.', '999']);
  });
});

test('an own pattern comes as text, and a text that is none says why', async () => {
  await opened(annsWorld(), { account: ANN }, (page) => {
    assert.equal(page.byId('own').isShown, false);
    page.choose('own');
    assert.equal(page.byId('own').isShown, true);
    const take = (/** @type {string} */ text) => {
      page.byId('rle').value = text;
      page.press('use-rle');
      page.point([23, 23]);
      return page.text('said');
    };
    const corner = patternOf('3o$o!');
    assert.equal(take('#N a corner\nx = 3, y = 2, rule = B3/S23\n3o$o!'), '');
    const inHand = inOrder(stamped(corner, [23, 23], SIDE));
    assert.deepEqual(stampOf(page, 'legal'), inHand);
    const bad = [
      ['3x!', 'x is no letter of a pattern: b is dead, o lives, $ ends a row.'],
      ['0o!', '0o is no run of a pattern.'],
      ['3b!', 'No cell of this pattern lives.'],
      ['', 'No cell of this pattern lives.'],
      [`${'500o$'.repeat(3)}!`, `A pattern has at most ${CELLS_MAX} cells.`],
    ];
    for (const [text, why] of bad) {
      assert.equal(take(text), why);
      assert.deepEqual(stampOf(page, 'legal'), inHand, 'what was in hand still is');
    }
    assert.equal(take('2o$2o!'), '', 'what was said is over');
    page.tap([23, 23]);
    assert.deepEqual(draftOf(page), inOrder(stamped(pattern('block'), [23, 23], SIDE)));
    page.choose('cell');
    assert.equal(page.byId('own').isShown, false);
  });
});

test('a pattern is turned and mirrored by keys and by buttons; a draft is taken back cell by cell, or all at once', async () => {
  await opened(annsWorld(), { account: ANN }, (page) => {
    const glider = pattern('glider');
    page.choose('glider');
    page.point([23, 23]);
    const stands = (/** @type {import('../../static/worlds/patterns.js').Pattern} */ pattern) => assert.deepEqual(stampOf(page, 'legal'), inOrder(stamped(pattern, [23, 23], SIDE)));
    stands(glider);
    page.key('r');
    stands(turned(glider));
    page.press('turn');
    stands(turned(turned(glider)));
    page.key('M');
    stands(mirrored(turned(turned(glider))));
    page.press('mirror');
    stands(turned(turned(glider)));
    page.point([22, 22]);
    assert.equal(stampOf(page, 'legal').length, 5);
    page.point([20, 21]);
    assert.equal(stampOf(page, 'illegal').length, 5, 'over the wall');

    page.choose('cell');
    const [one, two, three] = /** @type {Spot[]} */ ([[22, 22], [24, 22], [22, 24]]);
    for (const spot of [one, two, three]) page.tap(spot);
    assert.deepEqual([draftOf(page), page.text('place')], [[one, two, three], 'Place 3 cells']);
    page.key('Backspace');
    assert.deepEqual(draftOf(page), [one, two]);
    page.tap(one);
    assert.deepEqual(draftOf(page), [two], 'a cell that is there is taken out');
    page.tap(three);
    page.press('clear');
    assert.deepEqual([draftOf(page), page.text('place'), page.byId('place').disabled, page.byId('clear').disabled], [[], 'Place 0 cells', true, true]);
    page.tap(one);
    page.key('Escape');
    assert.deepEqual(draftOf(page), []);
    page.key('Enter');
    assert.deepEqual(draftOf(page), [one], 'where the cursor was left');
    page.key('p');
    assert.equal(page.text('said'), '1 cell placed.');
  });
});

test('a gun of the library is placed where there is room, and shoots', async () => {
  const world = annsWorld({ ground: field(10, 28, 44, 14) });
  await opened(world, { account: ANN }, (page) => {
    page.choose('gosper');
    page.tap([23, 23]);
    assert.deepEqual([page.text('said'), draftOf(page)], ['Not your territory.', []], 'a base is too small for it');
    page.tap([31, 34]);
    assert.deepEqual([page.text('said'), page.text('place')], ['', 'Place 36 cells']);
    page.press('place');
    assert.deepEqual([page.text('said'), page.text('base-coins')], ['36 cells placed.', '136']);
    page.goOn(120);
    const [gun] = world.look().slots;
    assert.ok(gun.cells >= 36 + 3 * 5, `${gun.cells} cells after four of its periods`);
    assert.equal(page.byId('slots').querySelector('[data-part="cells"]')?.textContent, String(gun.cells));
  });
});

test('the small map shows what is looked at, and leads where it is clicked', async () => {
  await opened(annsWorld(), { account: ANN }, (page) => {
    const part = page.byId('minimap').width / SIDE;
    /** The frame of the copy in the middle, of nine. */
    const frame = () => {
      const frames = page.drawn('strokeRect', 'minimap').filter(({ strokeStyle }) => strokeStyle === COLOURS.get('ink'));
      assert.equal(frames.length, 9, 'over the edges, too');
      const [left, top, wide, high] = frames[4].args;
      return { x: (left + wide / 2) / part, y: (top + high / 2) / part, wide: wide / part, high: high / part };
    };
    const { scale } = page.camera;
    assert.deepEqual(frame(), { x: 24, y: 24, wide: SIZE.width / scale, high: SIZE.height / scale }, 'at home');
    const lead = (/** @type {number} */ x, /** @type {number} */ y) => {
      page.byId('minimap').does('click', { clientX: (x / SIDE) * SMALL.width, clientY: (y / SIDE) * SMALL.height });
      page.frame();
    };
    lead(50, 10);
    assert.deepEqual([page.camera, frame().x, frame().y], [{ x: 50, y: 10, scale }, 50, 10]);
    page.press('nearer');
    assert.ok(Math.abs(frame().wide - SIZE.width / scale / 1.5) < 0.1, 'nearer, it is smaller');
    page.press('farther');
    lead(63, 63);
    assert.deepEqual([frame().x, frame().y], [63, 63]);
    page.press('home');
    assert.deepEqual([frame().x, frame().y], [24, 24]);
    lead(3, 3);
    page.key('Home');
    assert.deepEqual(page.camera, { x: 24, y: 24, scale });
  });
});

test('the wipe is counted down beside the board, and dashed on it and on the small map', async () => {
  const world = new ServedWorld({ rates: { wipe: 610, grace: 6_000 }, wallets: { [ANN]: 100 } });
  await opened(world, { account: ANN }, (page) => {
    const dashed = () => page.drawn('strokeRect').filter(({ dashes }) => dashes.length === 2 && dashes[0] === 6).map(({ args }) => args);
    const near = (/** @type {Spot} */ corner) => {
      const { scale } = page.camera;
      const [wide, at] = [(SIDE / 4) * scale, page.at(corner)];
      return dashed().some(([left, top, width]) => Math.abs(left - at.clientX) < scale && Math.abs(top - at.clientY) < scale && Math.abs(width - wide) < 5);
    };
    const onSmall = () => page.drawn('strokeRect', 'minimap').filter(({ dashes }) => dashes.length > 0).map(({ args }) => args);
    assert.equal(page.text('wipe'), 'quadrant 1 in 1:01');
    assert.deepEqual(onSmall(), [[2, 2, 60, 60]]);
    page.press('join');
    page.tap([20, 20]);
    assert.equal(page.byId('world').dataset.slot, '1');
    assert.equal(page.text('wipe'), 'quadrant 1 in 1:01', 'who has joined sees it, too');
    page.goOn(11);
    assert.equal(page.text('wipe'), 'quadrant 1 in 1:00');
    page.goOn(1);
    assert.equal(page.text('wipe'), 'quadrant 1 in 1:00');
    assert.ok(near([0, 0]) && !near([16, 0]), 'the first quadrant');
    page.goOn(589);
    assert.equal(page.text('wipe'), 'quadrant 1 in 0:01');
    page.goOn(9);
    assert.equal(page.text('wipe'), 'quadrant 2 in 1:01');
    assert.ok(near([16, 0]) && !near([0, 0]), 'the second quadrant');
    assert.deepEqual(onSmall(), [[66, 2, 60, 60]]);
  });
});

test('every kingdom has its mark in the table, its name and what it has; the own one stands out', async () => {
  const base = (/** @type {number} */ at) => /** @type {Spot} */ ([16 * (at % 4), 16 * Math.floor(at / 4)]);
  const kingdoms = Array.from({ length: 9 }, (_, at) => ({ slot: at + 1, account: at === 3 ? ANN : 100 + at, base: base(at), coins: 100 + at }));
  await opened(new ServedWorld({ kingdoms }), { account: ANN }, (page) => {
    const rows = page.byId('slots').children;
    assert.equal(rows.length, 9);
    assert.equal(page.byId('nobody').isShown, false);
    const marks = rows.map((row) => JSON.stringify(row.querySelector('canvas')?.notes));
    assert.equal(new Set(marks).size, 9, 'nine marks');
    rows.forEach((row, at) => {
      assert.equal(row.querySelector('bdi')?.textContent, `Account ${kingdoms[at].account}`);
      assert.equal(row.querySelector('[data-part="coins"]')?.textContent, String(100 + at));
      assert.equal(row.querySelector('[data-part="ground"]')?.textContent, '36');
      assert.equal(row.getAttribute('data-mine'), at === 3 ? '' : null);
    });
  });
});

/**
 * A kingdom falls when its base has no coins left, because Bob's next births are in it, or when it had no living cell
 * for too long.
 */
const FALLS = [
  { why: 'besieged', cause: 'Account 9 took the last coin of its base.', generations: 1, kingdoms: [{ slot: 1, account: ANN, base: [20, 20], coins: 1 }, { slot: 2, account: BOB, base: [2, 40], alive: [[19, 22], [19, 23], [19, 24]] }] },
  { why: 'idle', cause: 'It had no living cell for ten minutes.', generations: 40, kingdoms: [{ slot: 1, account: ANN, base: [20, 20], alive: [[23, 23]] }] },
];

test('a kingdom whose slot the operator frees says so', async () => {
  const world = new ServedWorld({ kingdoms: [{ slot: 1, account: ANN, base: [20, 20], alive: [[23, 23]] }] });
  await opened(world, { account: ANN }, (page) => {
    world.free(ANN);
    page.goOn(1);
    assert.equal(page.text('said'), 'Your kingdom has fallen. The operator of this site freed its slot. What is in your wallet is yours; you can join again.');
    assert.equal(page.byId('said').dataset.kind, 'fallen');
  });
});

for (const { why, cause, generations, kingdoms } of FALLS) {
  test(`a kingdom that falls says so, and its account joins again: ${why}`, async () => {
    const world = new ServedWorld({ rates: { wipe: 3_000, grace: 39 }, kingdoms: /** @type {any} */ (kingdoms), wallets: { [ANN]: 250 } });
    await opened(world, { account: ANN }, (page) => {
      const offered = () => ['join', 'home', 'placing'].filter((id) => page.byId(id).isShown);
      const rows = () => page.byId('slots').children.length;
      assert.deepEqual([offered(), page.byId('world').dataset.slot, rows()], [['home', 'placing'], '1', kingdoms.length]);
      page.tap([22, 22]);
      assert.equal(draftOf(page).length, 1);
      page.goOn(generations - 1);
      assert.equal(page.byId('world').dataset.slot, '1', 'not yet');
      page.goOn(1);
      assert.equal(page.text('said'), `Your kingdom has fallen. ${cause} What is in your wallet is yours; you can join again.`);
      assert.equal(page.byId('said').dataset.kind, 'fallen');
      assert.deepEqual([offered(), page.byId('world').dataset.slot, rows()], [['join'], '', kingdoms.length - 1]);
      assert.deepEqual([page.text('coins'), page.text('base-coins')], ['250', '–'], 'what is in the wallet stays');
      assert.deepEqual([draftOf(page), page.drawn('fillRect').filter(({ globalAlpha }) => globalAlpha === 0.5)], [[], []], 'nothing is left of the draft');
      page.goOn(3);
      assert.equal(page.byId('said').dataset.kind, 'fallen', 'it is read later, too');

      page.press('join');
      assert.equal(page.byId('join').getAttribute('aria-pressed'), 'true');
      assert.equal(page.byId('said').dataset.kind, undefined);
      page.tap([40, 8]);
      assert.match(page.text('said'), /^You hold slot 1\. /);
      assert.deepEqual([offered(), page.text('coins'), page.text('base-coins'), rows()], [['home', 'placing'], '150', '100', kingdoms.length]);
      assert.deepEqual(page.camera, { x: 44, y: 12, scale: 14 }, 'at the new base');
      page.tap([43, 11]);
      page.press('place');
      assert.equal(page.text('base-coins'), '101');
    });
  });
}

test('who comes back reads what became of their kingdom, and when', async () => {
  const [{ kingdoms: besieged }, { kingdoms: idle }] = FALLS;
  for (const { kingdoms, words } of [
    { kingdoms: besieged, words: 'Your kingdom fell in generation 1, 0:10 ago. Its base lost its last coin in a siege.' },
    { kingdoms: idle, words: 'Your kingdom fell in generation 40, 0:07 ago. It had no living cell for ten minutes.' },
  ]) {
    const world = new ServedWorld({ rates: { wipe: 3_000, grace: 39 }, kingdoms: /** @type {any} */ (kingdoms), wallets: { [ANN]: 250 } });
    world.step(101);
    await opened(world, { account: ANN }, (page) => {
      assert.equal(page.text('said'), `${words} What is in your wallet is yours; you can join again.`);
      assert.equal(page.byId('said').dataset.kind, 'fallen');
      assert.equal(page.text('bar-words'), page.text('said'));
      const buttons = () => page.byId('bar-buttons').children;
      assert.deepEqual([buttons().length, buttons()[0].textContent], [2, page.text('join')], 'to join and to close');
      buttons()[0].does('click');
      assert.equal(page.byId('join').getAttribute('aria-pressed'), 'true', 'the bar can do what it says');
      page.tap([40, 8]);
      assert.match(page.text('said'), /^You hold slot 1\. /);
      assert.equal(buttons().length, 1, 'nothing is to be joined');
    });
  }
});

test('a kingdom without a living cell reads when it falls', async () => {
  const world = annsWorld();
  await opened(world, { account: ANN }, (page) => {
    assert.deepEqual([page.byId('grace').isShown, page.text('grace')], [true, 'in 10:00, if no cell lives']);
    page.goOn(600);
    assert.equal(page.text('grace'), 'in 9:00, if no cell lives');
    page.choose('block');
    page.tap([22, 22]);
    page.press('place');
    page.goOn(1);
    assert.equal(page.byId('grace').isShown, false);
  });
});

test('the tutorial follows what a visitor does, and is remembered', async () => {
  const [world, stored] = [new ServedWorld({ rates: { wipe: 600, grace: 6_000 } }), new Map()];
  /** The current step: the only visible one. @param {WorldPage} page */
  const step = (page) => {
    const shown = page.byId('steps').children.filter((item) => item.getAttribute('aria-current') === 'step');
    assert.equal(shown.length, 1);
    assert.equal(shown[0].dataset.step, page.byId('tutorial').dataset.step);
    return shown[0].dataset.step;
  };
  /** @param {WorldPage} page @param {boolean} open */
  const turn = (page, open) => (page.byId('tutorial').open = open);
  await opened(world, { account: ANN, stored }, (page) => {
    assert.deepEqual(page.byId('steps').children.map(({ dataset }) => dataset.step), [...STEPS, 'over']);
    assert.equal(page.byId('step-next').isShown, false, 'closed at first: nothing moves');
    turn(page, true);
    page.goOn();
    assert.equal(step(page), 'coins');
    page.press('faucet');
    assert.equal(step(page), 'join');
    page.press('join');
    assert.equal(step(page), 'join');
    page.tap([20, 20]);
    assert.equal(step(page), 'place');
    page.choose('glider');
    page.tap([24, 24]);
    assert.equal(step(page), 'place', 'a draft is not placed yet');
    page.press('place');
    assert.equal(step(page), 'watch');
    page.goOn(49);
    assert.equal(step(page), 'watch');
    page.goOn(1);
    assert.equal(step(page), 'earn');
    assert.deepEqual([...stored.values()], ['earn']);
  });
  await opened(world, { account: ANN, stored }, (page) => {
    assert.equal(step(page), 'earn', 'where it was left');
    page.goOn(10);
    assert.equal(step(page), 'earn', 'who does not read it is not taught');
    turn(page, true);
    page.goOn(10);
    assert.equal(step(page), 'wipe', 'the glider goes on');
    page.press('home');
    assert.equal(step(page), 'wipe');
    // The first quadrant is far from the base.
    for (let nearer = 0; nearer < 3; nearer++) page.press('nearer');
    assert.equal(step(page), 'wipe');
    page.byId('minimap').does('click', { clientX: SMALL.width / 8, clientY: SMALL.height / 8 });
    assert.equal(step(page), 'over');
    assert.deepEqual([page.text('step-next'), page.text('step-skip'), [...stored.values()]], ['Once more', 'Close', ['over']]);
    page.press('step-next');
    page.goOn();
    assert.deepEqual([step(page), page.text('step-next')], ['place', 'Next'], 'what was done is not asked for again');
    page.press('step-next');
    assert.equal(step(page), 'watch');
    page.press('step-skip');
    assert.deepEqual([step(page), page.byId('tutorial').open, [...stored.values()]], ['over', false, ['over']]);
    assert.equal(/** @type {any} */ (document.activeElement).tag, 'summary', 'the keyboard is where it was');
  });
});

test('who only looks on is offered nothing', async () => {
  await opened(annsWorld(), {}, (page) => {
    assert.deepEqual(['faucet', 'join', 'home', 'placing', 'coins', 'base-coins'].filter((id) => page.byId(id).isShown), []);
    page.tap([23, 23]);
    assert.deepEqual([page.text('said'), draftOf(page)], ['', []]);
    page.goOn(5);
    assert.equal(page.text('generation'), '5');
  });
});
