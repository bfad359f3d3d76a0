// The built module, asked through web/static/rules/engine.js, against records and vectors that it has no part in.
//
//     cargo xtask engine
//     node --test web/engine/tests/engine.test.mjs
//
// Without the module every test fails: nothing is left out silently.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { describePlay, phrased } from '../../static/board/words.js';
import { divergence } from '../../static/replays/divergence.js';
import { Engine, EngineError } from '../../static/rules/engine.js';
import { Guests } from '../../static/rules/guests.js';

const file = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** The frames of a film, all of them whole. */
function whole({ frames }) {
  const cells = [];
  return frames.map((frame) => {
    const changes = typeof frame === 'string' ? [...frame].entries() : frame;
    for (const [place, owner] of changes) cells[place] = owner;
    return cells.join('');
  });
}

const CONQUERORS = 'conquerors@2';
const V2 = 'chain_needs_home,weighted_majority';

const bytes = (module) => readFileSync(new URL(`../built/${module}.wasm`, import.meta.url));
const compiled = (module = 'arena_engine') => new WebAssembly.Module(bytes(module));

/**
 * What a module may have when it travels, in bytes of brotli: a room is there within 2 s on a slow line, an opponent
 * soon after. Who recomputes waits for the meter and the reader of folders, too.
 */
const MODULES = { arena_engine: 150_000, arena_opponents: 168_000, arena_meter: 172_000, arena_ledger: 400_000, arena_archive: 40_000, arena_texts: 620_000, arena_python: 400_000, arena_engine_wide: 150_000, arena_opponents_wide: 150_000 };

const engine = (module = 'arena_engine') => new Engine(new WebAssembly.Instance(compiled(module), new Guests().imports));

/** The example of the format's description. */
function example() {
  const line = file('arena/record/FORMAT.md').split('\n').find((line) => line.startsWith('{"format":'));
  assert.ok(line);
  return `${line}\n`;
}

const golden = (name) =>
  file(`sdk/rules/tests/golden/conquerors/${name}.jsonl`).trim().split('\n').map((line) => JSON.parse(line));

/** FNV-1a of a text, 64 bits, as the vectors have it. */
function fnv(text) {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

const fails = (code, ask) => assert.throws(ask, (error) => error instanceof EngineError && error.code === code);

test('the modules are small', (t) => {
  for (const [module, most] of Object.entries(MODULES)) {
    const { length } = brotliCompressSync(bytes(module));
    t.diagnostic(`${module}: ${length} bytes of brotli, ${bytes(module).length} unpacked`);
    assert.ok(length <= most, `${module} has ${length} bytes`);
  }
});

test('opponents answer in a module of their own', () => {
  const opponents = engine('arena_opponents');
  const game = { ruleset: CONQUERORS, options: V2, seed: '00'.repeat(32), turns: [] };
  const { observation } = opponents.observe(game, 0, '00'.repeat(32));
  const action = opponents.answer(CONQUERORS, 'baseline:easy@1', observation);
  engine().position({ ...game, turns: [[{ seat: 0, action }]] });
  assert.equal(opponents.answer(CONQUERORS, 'baseline:nobody@1', observation), null);
  fails('bad_request', () => opponents.position(game));
  fails('bad_request', () => engine().answer(CONQUERORS, 'baseline:easy@1', observation));
  assert.equal(engine().observe(game, 0, '00'.repeat(32)).observation, observation, 'cells are laid by hand into what a seat is shown');
});

/** The exports of its own that a module has. */
const OWN = { arena_archive: ['arena_unpack'], arena_meter: ['arena_meter'], arena_ledger: ['arena_ledger', 'arena_own'], arena_texts: ['arena_meter', 'arena_pairs', 'arena_text'], arena_python: ['arena_meter', 'arena_pairs', 'arena_text'] };

for (const module of Object.keys(MODULES)) test(`${module} asks for no more than bots and exports no more than its ABI`, () => {
  const asked = new Set(WebAssembly.Module.imports(compiled(module)).map((asked) => asked.module));
  assert.deepEqual([...asked], module.startsWith('arena_opponents') ? ['guests'] : []);
  const names = WebAssembly.Module.exports(compiled(module)).map(({ name, kind }) => `${kind} ${name}`);
  const functions = names.filter((name) => name.startsWith('function'));
  const own = ['arena_alloc', 'arena_free', ...(OWN[module] ?? ['arena_call'])];
  assert.deepEqual(functions.sort(), own.map((name) => `function ${name}`).sort());
  assert.ok(names.includes('memory memory'));
});

/** A game as the page has it. */
const conquerors = (options, actions, seed) => ({ ruleset: CONQUERORS, options, seed, turns: actions.map((action, ply) => [{ seat: ply % 2, action }]) });

test('a record is replayed to its outcome', () => {
  const { verified, film, outcome, digest, turns } = engine().replay(example());
  const record = JSON.parse(example());
  assert.equal(verified, true);
  assert.deepEqual([film.frames.length, film.stages.length, film.notes.length], [1, 0, 1].map((more) => record.turns.length + more));
  assert.deepEqual([outcome, digest], [record.outcome, record.digest]);
  // The first turn places a still life: the board shows just that, at the cells in the action's bytes.
  const [, first] = whole(film);
  const living = [...first].flatMap((cell, at) => (cell === '.' ? [] : [[Math.floor(at / 28), at % 28, cell]]));
  assert.deepEqual(living, [[12, 3, 'a'], [12, 4, 'a'], [13, 3, 'a'], [13, 4, 'a']]);
  assert.deepEqual(turns.map(({ digest }) => digest), record.turns.map(({ digest }) => digest));
  assert.deepEqual([film.notes.at(-1).awaiting, film.tallies.at(-1)], [[], record.outcome.tally]);
});

test('every picture of a replay is the position after its log, and what the turn before led to', () => {
  const rules = engine();
  const { film, turns, header } = rules.replay(example());
  const calls = turns.map(({ plays: [play] }) => play.calls);
  const actions = calls.map((calls) => rules.compose(CONQUERORS, calls));
  assert.deepEqual(rules.describe(CONQUERORS, actions), turns.map(({ plays: [{ calls }] }) => ({ calls })));
  assert.deepEqual(actions, JSON.parse(example()).turns.map(({ plays }) => plays[0].action));
  whole(film).forEach((cells, ply) => {
    const position = rules.position(conquerors(header.options, actions.slice(0, ply)));
    const { clock, awaiting, open, limits } = position;
    assert.deepEqual([position.cells, position.tally, { clock, awaiting, open, limits }], [cells, film.tallies[ply], film.notes[ply]]);
    if (ply === 0) return;
    const { after } = rules.check(conquerors(header.options, actions.slice(0, ply - 1)), (ply - 1) % 2, calls[ply - 1]);
    assert.equal(after.cells, cells);
  });
});

/** Records of other games: a file, its ruleset, and what ends the names of its modules. */
const RECORDS = [
  ['war-of-life', 'war-of-life@1', ''],
  ['game-of-game-of-life', 'game-of-game-of-life@1', ''],
  ['nine-seats', 'game-of-game-of-life@1', ''],
  ['life2', 'life2@2', '_wide'],
];

for (const [name, ruleset, which] of RECORDS) {
  test(`the record ${name} is a film, and is played again by the release that played it`, async () => {
    const rules = engine(`arena_engine${which}`);
    const text = file(`web/engine/tests/records/${name}.json`);
    const record = JSON.parse(text);
    const { film, verified, why_not, outcome } = rules.replay(text);
    assert.ok(verified, divergence(why_not));
    assert.equal(record.header.ruleset, ruleset);
    assert.deepEqual([film.frames.length, film.tallies.at(-1)], [record.turns.length + 1, outcome.tally]);
    const seats = record.header.entrants.length;
    whole(film).forEach((cells, turn) => {
      assert.match(cells, new RegExp(`^[.#a-${String.fromCharCode(96 + seats)}]{${film.rows * film.cols}}$`), `turn ${turn}`);
    });
    fails('unknown_game', () => engine(which === '' ? 'arena_engine_wide' : 'arena_engine').compose(ruleset, []));
    assert.equal((await engine(`arena_opponents${which}`).rerun(text, {})).why, 'release');
    assert.equal(rules.replay(text.replace('"tally":[', '"tally":[1')).verified, false);
  });
}

test('a room of War of Life is followed move by move', () => {
  const rules = engine();
  const game = { ruleset: 'war-of-life@1', options: 'start=pictured', turns: [] };
  for (let ply = 0; ply < 12; ply++) {
    const position = rules.position(game);
    if (position.outcome) break;
    assert.deepEqual(position.awaiting, [ply % 2]);
    const seat = ply % 2;
    const [{ name: tool, input }] = position.tools;
    assert.equal(input, 'piece');
    const check = (...cells) => rules.check(game, seat, [{ tool, cells }]);
    const [from] = check().next;
    const [to] = check(from).next;
    assert.deepEqual([from, to].map(([row, col]) => position.cells[row * 8 + col]), ['ab'[seat], '.']);
    assert.deepEqual([check(from).legal, check(from).action, check(from).after], [false, null, null]);
    const { legal, action, after, next } = check(from, to);
    assert.deepEqual([legal, next], [true, []]);
    game.turns.push([{ seat, action }]);
    assert.equal(rules.position(game).cells, after.cells);
    assert.equal(describePlay({ ...rules.describe(game.ruleset, [action])[0], seat }, position), `${['Blue', 'Red'][seat]} moves ${from} to ${to}`);
    const back = check(from, to);
    assert.deepEqual([back.legal, phrased(back.why_not), back.after], [false, rules.position(game).outcome ? 'the game is over' : `seat ${seat + 1} is not asked`, null]);
  }
  assert.ok(game.turns.length > 2);
  fails('unknown_game', () => rules.position({ ...game, ruleset: 'chess@1' }));
});

test('a changed record is not verified', () => {
  const changed = example().replace('"tally":[0,8]', '"tally":[0,9]');
  const replay = engine().replay(changed);
  assert.equal(replay.verified, false);
  assert.match(divergence(replay.why_not), /outcome/);
  assert.deepEqual([replay.film, replay.turns], [null, []]);
  fails('not_a_record', () => engine().replay('{}'));
});

test('games that others recorded go the same way', () => {
  const rules = engine();
  const games = golden('games');
  assert.equal(games.length, 115);
  const ZONES = { home: 'home', neutral: 'neutral', enemy: 'enemy home (×2)' };
  let boards = 0;
  for (const game of games) {
    const log = [];
    let position = rules.position(conquerors(V2, log));
    game.turns.forEach((turn, ply) => {
      const where = `${game.id}, turn ${ply + 1}`;
      assert.deepEqual(position.awaiting, [turn.p - 1], where);
      assert.equal(phrased([position.clock]), `Round ${turn.round} of 12`, where);
      assert.deepEqual(position.open.map((zone) => phrased([zone])), turn.reach.map((zone) => ZONES[zone]), where);
      const cells = { place: () => turn.cells, bomb: () => [turn.at], skip: () => [] }[turn.a]();
      const check = rules.check(conquerors(V2, log), turn.p - 1, [{ tool: turn.a, cells }]);
      const text = rows(check.after.cells);
      assert.equal(fnv(text), game.hashes[ply], where);
      const living = (cells) => cells.replaceAll('.', '').length;
      if (turn.a === 'bomb') assert.equal(living(position.cells) - living(check.before.cells), turn.killed, where);
      log.push(check.action);
      position = rules.position(conquerors(V2, log));
      assert.equal(position.cells, check.after.cells, where);
      if (game.boards) assert.equal(text, game.boards[ply], where);
      const counts = ['a', 'b'].map((owner) => position.cells.split(owner).length - 1);
      const used = position.limits.map(([, , [skip]]) => skip === 'used');
      assert.deepEqual([counts, position.tally, used, position.outcome !== null], [turn.after.n, turn.after.score, turn.after.skip, turn.after.over], where);
      const bombs = turn.after.cd.map((turnEnds) => (turnEnds === 0 ? 'ready' : `ready in ${turnEnds}`));
      if (position.limits.every(([, [bomb]]) => bomb !== 'from-round')) assert.deepEqual(position.limits.map(([, bomb]) => phrased([bomb])), bombs, where);
      boards += 1;
    });
    const { winner, reason, score } = game.outcome;
    assert.deepEqual(position.outcome, { winner: winner === 0 ? null : winner - 1, reason, tally: score }, game.id);
  }
  assert.ok(boards > 1_400, `${boards} boards`);
});

/** Cells as the vectors have them: rows of blue and red. */
const rows = (cells) => cells.replaceAll('b', 'r').replaceAll('a', 'b').match(/.{28}/g).join('/');

test('a game with an opening starts from its seed, as the contract writes it down', () => {
  const rules = engine();
  const blocks = file('sdk/ABI.md').split('```vector opening\n').slice(1).map((rest) => rest.split('```')[0]);
  assert.ok(blocks.length >= 4);
  for (const block of blocks) {
    const vector = Object.fromEntries(block.trim().split('\n').map((line) => line.split(/ = (.*)/s).slice(0, 2)));
    const seed = vector.seed.replaceAll(' ', '');
    const position = rules.position(conquerors(vector.options, [], seed));
    const cells = (owner) => [...position.cells].flatMap((cell, at) => (cell === owner ? [`${Math.floor(at / 28)},${at % 28}`] : []));
    assert.deepEqual([cells('a').join(' '), cells('b').join(' ')], [vector.blue, vector.red]);
    assert.deepEqual([phrased([position.clock]), position.awaiting], [`Round ${1 + Number(vector.ply) / 2} of 12`, [0]]);
    fails('bad_request', () => rules.position(conquerors(vector.options, [])));
    // The turns of an opening are those of a game from the empty board.
    const turns = Object.keys(vector).filter((key) => key.startsWith('turn ')).map((key) => vector[key]);
    const log = turns.map((cells) => rules.compose(CONQUERORS, [{ tool: 'place', cells: cells.split(' ').map((cell) => cell.split(',').map(Number)) }]));
    if (log.length > 0) assert.equal(rules.position(conquerors(V2, log)).cells, position.cells);
  }
});

test('a draft says which cells are legal and why not', () => {
  const rules = engine();
  const check = (tool, ...cells) => rules.check(conquerors(V2, []), 0, [{ tool, cells }]);
  assert.match(phrased(check('place', [3, 12]).why_not), /neutral ground needs a living cell in your own home/);
  assert.match(phrased(check('place', [3, 3], [3, 12], [3, 3]).why_not), /alive already/);
  const draft = check('place', [3, 3], [3, 12]);
  assert.deepEqual([draft.open.map((zone) => phrased([zone])), draft.legal], [['home', 'neutral'], false]);
  const row = (next) => Array.from({ length: 28 }, (_, col) => (next.some(([at, other]) => at === 3 && other === col) ? 'x' : '.')).join('');
  assert.equal(row(draft.next), 'xxx.xxxxxxxx.xxxxxxx........');
  assert.equal(row(check('place').next), 'xxxxxxxx....................');
  assert.deepEqual([check('bomb').legal, check('skip').legal], [false, true]);
  assert.match(phrased(check('bomb').why_not), /round 7/);
});

test('errors have codes', () => {
  const rules = engine();
  fails('unknown_game', () => rules.position(conquerors('no such option', [])));
  fails('illegal_move', () => rules.position(conquerors(V2, ['010000'])));
  fails('bad_request', () => rules.compose(CONQUERORS, [{ tool: 'dance', cells: [] }]));
  fails('bad_request', () => rules.compose(CONQUERORS, [{ tool: 'bomb', cells: [] }]));
  fails('unknown_game', () => rules.compose('chess@1', []));
  fails('too_long', () => rules.replay('"'.repeat(2 << 20)));
});

test('a buffer for a request has so many bytes and not one more', () => {
  const { arena_alloc, arena_free } = new WebAssembly.Instance(compiled(), {}).exports;
  const longest = 2 * (1 << 20) + 1024;
  const address = arena_alloc(longest);
  assert.notEqual(address, 0);
  arena_free(address, longest);
  assert.equal(arena_alloc(longest + 1), 0);
});

test('neither requests nor answers stay in memory', () => {
  const asks = [
    [50, (rules) => fails('not_a_record', () => rules.replay(' '.repeat(1_000_000)))],
    [300, (rules) => assert.ok(rules.replay(example()).verified)],
  ];
  for (const [times, ask] of asks) {
    const instance = new WebAssembly.Instance(compiled(), {});
    const rules = new Engine(instance);
    const bytes = () => instance.exports.memory.buffer.byteLength;
    for (let round = 0; round < 3; round++) ask(rules);
    const before = bytes();
    for (let round = 0; round < times; round++) ask(rules);
    assert.equal(bytes(), before);
  }
});
