// The cost of pages to the browser: a frame of the largest board, a room that stays open for days, the preview of a
// cell; and the order in which a page with a board loads what it needs.
//
// The gate counts work: calls of the canvas, listeners, bytes. The night measures time and memory as well
// (`cargo xtask heap`), which needs the machine for itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved, watchShifts } from '../lib/layout.mjs';
import { scene } from '../lib/scene.mjs';
import { chooseAction, look, startEngine } from '../lib/moves.mjs';
import { moduleIn } from '../lib/modules.mjs';
import { NIGHT } from '../lib/setting.mjs';
import { INITIAL } from '../../static/rooms/state.js';
import { TurnMaking } from '../../static/rooms/turn-making.js';
import { until, within } from '../lib/until.mjs';

const here = scene();

/**
 * The maximum number of a frame's calls of the canvas for each cell that lives or dies: a mark is a path of a few
 * lines.
 */
const CALLS_A_CELL_MAX = 12;
/** The maximum number of a frame's fills and strokes of paths: marks of a seat are one path. */
const PATHS_A_SEAT_MAX = 8;
/**
 * The maximum median of processor time that a frame's script takes on the main thread, compared with the plain frames
 * between them, which fill every cell with one call; and in milliseconds. Plain frames take 9 ms on a quiet machine.
 */
const FRAME_TIMES_MAX = 0.6;
const FRAME_MS_MAX = 6;
/** Boards on a phone, a laptop and a large screen: their width in CSS pixels, and the density of the screen. */
const BOARDS = [[390, 3], [900, 1], [2_160, 1]];
/** The largest board and the maximum number of seats of any game. */
const [SIDE, SEATS] = [64, 16];
/** The number of generations animated. */
const GENERATIONS = NIGHT ? 20 : 2;

/** The number of plies and heartbeats that the room receives; at night as many as in days. */
const PLIES = NIGHT ? 10_000 : 60;
const BEATS_A_PLY = 3;
/** The maximum growth of the heap in total, in bytes, however long the room is open. */
const HEAP_BYTES_MAX = 5_000_000;
/** The number of plies before the first measurement: by then everything that is kept once has been allocated. */
const PLIES_BEFORE = 40;
/**
 * Timeouts up to this long, in ms, are skipped in this page: turns are animated as usual, but take no time. Longer
 * ones, as for a silent server, remain.
 */
const WAIT_MS_MAX = 1_000;

/** The number of previews, for each game. */
const LOOKS = NIGHT ? 200 : 3;
/**
 * The maximum median cost of a preview after 250 turns of two seats, compared with those after 5 that are made in turns
 * with them.
 */
const LATE_TIMES_MAX = 1.5;

/** @param {number[]} numbers */
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/**
 * Loads a page with the largest board, and nothing else.
 * @param {import('playwright-core').Page} page
 * @param {number} width
 */
async function largestBoard(page, width) {
  await page.evaluate(async ({ module, side, width }) => {
    const { Board } = await import(module);
    const canvas = document.createElement('canvas');
    canvas.style.width = `${width}px`;
    document.body.replaceChildren(canvas);
    /** @type {any} */ (window).board = new Board(canvas, { rows: side, cols: side, zones: [] });
  }, { module: await moduleIn(page, 'board/board.js'), side: SIDE, width });
}

/** Animates generations on that board, each followed by a plain frame. @param {import('playwright-core').Page} page */
const animate = (page) => page.evaluate(async ({ side, seats, generations }) => {
  const board = /** @type {any} */ (window).board;
  const plain = /** @type {CanvasRenderingContext2D} */ (new OffscreenCanvas(900, 900).getContext('2d'));
  const colours = Array.from({ length: seats }, (_, seat) => `#${(0x777777 + seat * 0x50301).toString(16)}`);
  const plainFrame = () => new Promise((resolve) => requestAnimationFrame(() => {
    console.timeStamp('plain');
    for (let at = 0; at < side * side; at++) {
      plain.fillStyle = colours[at % seats];
      plain.fillRect(at % side, Math.floor(at / side), 1, 1);
    }
    resolve(null);
  }));
  // Half of the cells live, a different half each time: more than in any game.
  const soup = (/** @type {number} */ turn) =>
    Array.from({ length: side * side }, (_, at) => ((at * 7 + turn * 13 + (at >> 6) * 5) % 2 ? '.' : String.fromCharCode(97 + ((at + turn) % seats)))).join('');
  let now = soup(0);
  for (let turn = 1; turn <= generations; turn++) {
    const next = soup(turn);
    /** @type {any[]} */
    const [births, deaths] = [[], []];
    for (let at = 0; at < next.length; at++) {
      const [row, col] = [Math.floor(at / side), at % side];
      if (now[at] === '.' && next[at] !== '.') births.push({ row, col, owner: next[at] });
      if (now[at] !== '.' && next[at] === '.') deaths.push({ row, col, owner: now[at] });
    }
    await board.evolve({ cells: next }, { births, deaths }, 100);
    await plainFrame();
    now = next;
  }
}, { side: SIDE, seats: SEATS, generations: GENERATIONS });

for (const [width, density] of NIGHT ? BOARDS : BOARDS.slice(0, 1)) {
  test(`a frame of the largest board takes few calls of the canvas, ${width} px wide at density ${density}`, async (t) => {
    const ann = await here.arrive({ reducedMotion: 'no-preference', viewport: { width, height: 1000 }, deviceScaleFactor: density });
    const page = await ann.open('/privacy');
    await largestBoard(page, width);
    // Painting is one task, so what is counted until the next task is one painting.
    await page.evaluate(() => {
      const counting = /** @type {any} */ (window);
      counting.paintings = [];
      let now = { calls: 0, paths: 0 };
      const ink = /** @type {any} */ (CanvasRenderingContext2D.prototype);
      for (const name of Object.getOwnPropertyNames(ink)) {
        const { value: call } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(ink, name));
        if (typeof call !== 'function' || name === 'constructor') continue;
        ink[name] = function (/** @type {any[]} */ ...how) {
          if (now.calls === 0) queueMicrotask(() => (counting.paintings.push(now), (now = { calls: 0, paths: 0 })));
          now.calls += 1;
          if (name === 'fill' || name === 'stroke') now.paths += 1;
          return call.apply(this, how);
        };
      }
    });
    await animate(page);
    const paintings = await page.evaluate(() => /** @type {any} */ (window).paintings);
    const most = (/** @type {'calls' | 'paths'} */ what) => Math.max(...paintings.map((/** @type {any} */ painting) => painting[what]));
    t.diagnostic(`${paintings.length} paintings, at most ${most('calls')} calls and ${most('paths')} fills and strokes of paths`);
    assert.ok(paintings.length >= 2 * GENERATIONS, `${paintings.length} paintings`);
    // Before and after the generation half of the cells live.
    assert.ok(most('calls') <= CALLS_A_CELL_MAX * SIDE * SIDE, `${most('calls')} calls`);
    assert.ok(most('paths') <= PATHS_A_SEAT_MAX * SEATS, `${most('paths')} fills and strokes`);
    await ann.leave();
  });
}

for (const [width, density] of NIGHT ? BOARDS : []) {
  test(`a frame of the largest board is drawn in time, ${width} px wide at density ${density}`, async (t) => {
    const ann = await here.arrive({ reducedMotion: 'no-preference', viewport: { width, height: 1000 }, deviceScaleFactor: density });
    const page = await ann.open('/privacy');
    const wire = await ann.context.newCDPSession(page);
    /** @type {any[]} */
    const events = [];
    wire.on('Tracing.dataCollected', ({ value }) => void events.push(...value));
    const complete = new Promise((resolve) => wire.once('Tracing.tracingComplete', resolve));
    await largestBoard(page, width);
    await wire.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline', 'toplevel'] } });
    await animate(page);
    await wire.send('Tracing.end');
    await within('the end of the trace', complete);
    const marks = events.filter(({ name, args }) => name === 'TimeStamp' && args.data.message === 'plain').map(({ ts }) => ts);
    /** @type {{plain: number[], board: number[]}} */
    const ms = { plain: [], board: [] };
    for (const { name, ts, dur, tdur } of events) {
      if (name !== 'FireAnimationFrame' || tdur === undefined) continue;
      ms[marks.some((mark) => ts <= mark && mark <= ts + dur) ? 'plain' : 'board'].push(tdur / 1000);
    }
    assert.ok(ms.plain.length > 0 && ms.board.length > 0, `${ms.plain.length} plain frames and ${ms.board.length} others were traced`);
    const times = median(ms.board) / median(ms.plain);
    t.diagnostic(`${ms.board.length} frames, script ${median(ms.board).toFixed(2)} ms at the median, ${Math.max(...ms.board).toFixed(2)} ms at most`);
    t.diagnostic(`plain frames ${median(ms.plain).toFixed(2)} ms at the median: ${times.toFixed(2)} times as much`);
    assert.ok(times <= FRAME_TIMES_MAX, `${times} times a plain frame`);
    assert.ok(median(ms.board) <= FRAME_MS_MAX, `${median(ms.board)} ms`);
    await ann.leave();
  });
}

test('a room that is open for long keeps no more elements, listeners or memory', async (t) => {
  const bob = await here.arrive();
  const page = await bob.open();
  await page.addInitScript((most) => {
    const inTime = window.setTimeout;
    /** @type {any} */ (window).setTimeout = (/** @type {any} */ act, /** @type {number} */ ms = 0, /** @type {any[]} */ ...more) => inTime(act, ms <= most ? 0 : ms, ...more);
  }, WAIT_MS_MAX);
  /** @type {import('playwright-core').WebSocketRoute | null} */
  let socket = null;
  /** @type {string[]} */
  const heard = [];
  await page.routeWebSocket(/\/socket\b/, (route) => {
    const server = route.connectToServer();
    socket = route;
    server.onMessage((message) => {
      heard.push(String(message));
      route.send(message);
    });
  });
  await page.goto('/play');
  await page.locator('#play button').first().click();
  await page.locator('main#room[data-phase="yours"]').waitFor();
  const state = await until('a state', () => heard.map((text) => JSON.parse(text)).findLast(({ type }) => type === 'state'));
  const wire = await bob.context.newCDPSession(page);
  /** What is kept after a collection. */
  const kept = async () => {
    await wire.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners } = await wire.send('Memory.getDOMCounters');
    return { heap: (await wire.send('Runtime.getHeapUsage')).usedSize, counts: [nodes, jsEventListeners] };
  };
  // A turn of this person and its answer, according to the rules.
  const engine = startEngine();
  let after = state;
  for (let ply = 0; ply < 2; ply++) {
    const position = look(engine, after);
    const action = engine.compose(state.ruleset, [chooseAction(position, here.random)]);
    const turns = [...after.turns, [{ seat: position.awaiting[0], action }]];
    after = { ...after, ply: turns.length, turns, digest: engine.position({ ...position.game, turns }).digest };
  }
  let events = state.events;
  // The page reports this, because polling it takes longer than the ply.
  const shows = (/** @type {number} */ ply) => page.locator('main#room').evaluate((main, ply) => new Promise((resolve) => {
    const look = () => main.dataset.phase === 'yours' && main.dataset.ply === ply && (changes.disconnect(), resolve(null));
    const changes = new MutationObserver(look);
    changes.observe(main, { attributes: true });
    look();
  }), String(ply));
  // Two plies are shown and taken back, again and again, and each turn is animated.
  const hear = async (/** @type {number} */ plies) => {
    for (let ply = 0; ply < plies; ply += 2) {
      for (const told of [after, state]) {
        events += 1;
        socket?.send(JSON.stringify({ ...told, events }));
        for (let beat = 0; beat < BEATS_A_PLY; beat++) socket?.send(JSON.stringify({ type: 'beat' }));
        await within(`ply ${told.ply} on the page`, shows(told.ply));
      }
    }
  };
  await hear(PLIES_BEFORE);
  const before = await kept();
  await hear(PLIES);
  const later = await kept();
  const grown = later.heap - before.heap;
  t.diagnostic(`${PLIES} plies and ${BEATS_A_PLY * PLIES} beats: the heap grew by ${(grown / 1000).toFixed(0)} kB`);
  const more = later.counts.map((count, which) => count - before.counts[which]);
  assert.ok(Math.max(...more) < PLIES / 2, `[elements, listeners] grew by ${more}, in ${PLIES} plies`);
  if (NIGHT) assert.ok(grown <= HEAP_BYTES_MAX, `${grown} bytes`);
  await bob.leave();
});

test('looking at what a cell leads to costs the same late in a game', (t) => {
  const engine = startEngine();
  /** A game with a number of turns in which all seats pass. @param {number} turns */
  const game = (turns) => {
    /** @type {any} */
    const text = { ruleset: 'game-of-game-of-life@1', options: 'seats=2,lots=fixed', seed: '00'.repeat(32), turns: [] };
    const { tools } = engine.position(text);
    const pass = tools.find(({ input }) => input === 'nothing')?.name ?? '';
    const action = engine.compose(text.ruleset, [{ tool: pass, cells: [] }]);
    return { text: { ...text, turns: Array.from({ length: turns }, () => [0, 1].map((seat) => ({ seat, action }))) }, tool: tools[0].name };
  };
  /** @param {{text: any, tool: string}} game */
  const looker = ({ text, tool }) => {
    /** The bytes of requests to the rules. */
    let asked = 0;
    const engine = startEngine((/** @type {number} */ bytes) => (asked += bytes));
    const look = () => engine.check(text, 0, [{ tool, cells: [[1, 1]] }]);
    // The first preview makes the rules hold the game.
    look();
    asked = 0;
    return {
      look: () => {
        const start = performance.now();
        look();
        return performance.now() - start;
      },
      bytes: () => asked / LOOKS,
    };
  };
  const [early, late] = [looker(game(5)), looker(game(250))];
  const times = Array.from({ length: LOOKS }, () => [early.look(), late.look()]);
  const [earlyMs, lateMs] = [0, 1].map((which) => median(times.map((pair) => pair[which])));
  t.diagnostic(`a look at turn 5: ${earlyMs.toFixed(3)} ms and ${early.bytes()} bytes, at turn 250: ${lateMs.toFixed(3)} ms and ${late.bytes()} bytes`);
  assert.equal(late.bytes(), early.bytes(), 'what was played is not sent again, so nobody can play it again');
  if (NIGHT) assert.ok(lateMs <= LATE_TIMES_MAX * earlyMs, `${lateMs} and ${earlyMs} ms`);
});

test('a room asks about one game until something is played', () => {
  const engine = startEngine();
  const games = new Set();
  const watched = Object.assign(Object.create(engine), {
    position: (/** @type {any} */ game) => engine.position(game),
    check: (/** @type {any} */ game, /** @type {number} */ seat, /** @type {any} */ calls) => (games.add(game), engine.check(game, seat, calls)),
  });
  const latest = { events: 1, ply: 0, awaiting: [0], ruleset: 'conquerors@2', options: 'chain_needs_home,weighted_majority', turns: [], forfeits: [], outcome: null, digest: '', trouble: null };
  /** @type {any} */
  let state = { ...INITIAL, latest };
  const turn = new TurnMaking(watched, () => state);
  for (const [row, col] of turn.usually([]).next.slice(0, 40)) turn.refusal([row, col + 12]);
  assert.equal(games.size, 1, 'however many cells were pointed at');
  state = { ...state, latest: { ...latest, events: 2 } };
  turn.usually([]);
  assert.equal(games.size, 2, 'and about another when the room said something');
  const position = { ...turn.shown };
  turn.know(position);
  assert.equal(turn.shown, position, 'what the page knows is not computed again');
});

test('a page with a board loads the typeface after the rules, and has it the next time', async () => {
  const cat = await here.arrive();
  await watchShifts(cat.context);
  const page = await cat.open('/practice?opponent=');
  const letters = () => page.evaluate(() => getComputedStyle(document.body).fontFamily);
  const ready = page.locator('main#room[data-phase="yours"]');
  await ready.waitFor();
  await until('the typeface is there', () => page.evaluate(() => localStorage.getItem('arena.font')));
  const asked = await page.evaluate(() => {
    const files = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource'));
    return files.map(({ name, startTime, responseEnd }) => ({ name, startTime, responseEnd }));
  });
  const rules = asked.filter(({ name }) => name.endsWith('.wasm'));
  const typeface = asked.filter(({ name }) => name.endsWith('.woff2'));
  assert.ok(rules.length > 0 && typeface.length === 1, `${rules.length} and ${typeface.length} requests`);
  const [end, start] = [Math.max(...rules.map(({ responseEnd }) => responseEnd)), typeface[0].startTime];
  assert.ok(start >= end, `the rules end at ${end} ms, the typeface starts at ${start} ms`);
  assert.doesNotMatch(await letters(), /Atkinson/, 'what is read does not change its letters');
  assert.deepEqual(await moved(page), []);
  await page.reload();
  await ready.waitFor();
  assert.match(await letters(), /Atkinson/);
  assert.deepEqual(await moved(page), []);
  await cat.leave();
});
