// The workshop: a bot is written, and plays in this page by the same rules, fuel and check as on the site. Nothing is
// sent before its author submits it.

/** @import { Engine } from './rules/engine.js' */
/** @import { Api } from './workshop/api.js' */
/** @import { Match, Played, Said } from './workshop/bench.js' */
/** @import { End } from './workshop/trial.js' */

import { capital, describeForfeit, describeOutcome, describePlays } from './board/words.js';
import { fileUrl } from './files.js';
import { loadEngine } from './rules/engine.js';
import { keepOffline } from './page/offline.js';
import { byId, element, moduleUrl, write } from './page/page.js';
import { granted, ofBrowser } from './page/storage.js';
import { moduleOf } from './rules/bot-bytes.js';
import { hashOf } from './rules/header.js';
import { hexOf } from './rules/hex.js';
import { showGame } from './replays/game-player.js';
import { compiled } from './replays/site-workers.js';
import { fetched } from './net/fetched.js';
import { Layer, Script, ofPython, ofTypeScript } from './workshop/api.js';
import { Drafts } from './workshop/drafts.js';
import { Keeping } from './workshop/keeping.js';
import { verdictOn } from './workshop/judge.js';
import { failureIn, linesByTurn } from './workshop/log.js';
import { lostGames } from './workshop/lost.js';
import { scoreOfLost, scoreWords } from './workshop/score.js';
import { Trial } from './workshop/trial.js';
import { Writing } from './workshop/writing.js';
import { scriptPageNoWorker } from './text/en/script-page.js';
import * as workshop from './text/en/script-workshop.js';

/** The minimum interval between two sentences about the progress, in milliseconds. */
const TELL_EVERY_MS = 250;

const {
  game = '',
  language = '',
  mediaType = '',
  own = '',
  template = '',
  declared = '',
  ruleset = '',
  options = '',
  budgets: limits = '{}',
  textMax,
  many,
  listed,
  record: address,
  turn,
  lost: lostList = '',
  lostMax,
  loser,
} = byId('workshop').dataset;
/** @type {{fuel_per_move: number, memory_bytes: number, module_bytes: number}} */
const budgets = JSON.parse(limits);
const opponent = /** @type {HTMLSelectElement} */ (byId('opponent'));
const seat = /** @type {HTMLSelectElement} */ (byId('seat'));
/** How often something was run. */
let runs = 0;
/** The game that is watched, to be played on from the turn that is shown. @type {Match | null} */
let here = null;

/** What the bot may call, once it was asked for. @type {Promise<Api> | null} */
let declaring = null;

async function declarations() {
  try {
    const text = await (await fetched(declared)).text();
    return language === 'wat' ? new Layer(text) : new Script(language === 'python' ? ofPython(text) : ofTypeScript(text), game);
  } catch (error) {
    declaring = null;
    throw error;
  }
}

const field = /** @type {HTMLTextAreaElement} */ (byId('text'));
/** What the page came with. */
const given = field.value;
const drafts = new Drafts(granted(ofBrowser), `${game} ${language}`, hexOf(crypto.getRandomValues(new Uint8Array(8))));
const kept = drafts.load();
// Before, nothing that is typed would be kept.
field.readOnly = false;
// What the site has refused is what its author sees first.
if (kept !== null && document.querySelector('#write-problem') === null) field.value = kept;
const writing = new Writing(field, {
  language,
  label: document.querySelector('label[for="text"]')?.textContent ?? '',
  run: () => void run([against(drawn(), Number(seat.value))]),
  changed: () => keeping.changed(),
  api: () => (declaring ??= declarations()),
});
const keeping = new Keeping(drafts, writing, async () => (await fetched(template)).text());
if (listed !== undefined) {
  if (kept === null) keeping.changed();
  else keeping.take(given);
  // Loaded again, the page has what became of it.
  history.replaceState(null, '', `/workshop?${new URLSearchParams({ game, language })}`);
}

/** @type {Promise<{engine: Engine, trial: Trial}> | null} */
let loading = null;

/** What plays, loaded once; after a failure, once more. */
const loaded = () =>
  (loading ??= load().catch((error) => {
    loading = null;
    throw error;
  }));

async function load() {
  const startWorker = () => new Worker(fileUrl('workshop-worker.js'), { type: 'module' });
  const [engine, opponents, texts] = await Promise.all([
    loadEngine(moduleUrl('engine')),
    compiled(moduleUrl('opponents')),
    compiled(moduleUrl('texts')),
  ]);
  return { engine, trial: new Trial(startWorker, { engine: opponents, texts }) };
}

/** A game against the chosen opponent. @param {string} seed @param {number} seat @returns {Match} */
const against = (seed, seat) => ({ ruleset, options, seed, seat, opponent: opponent.value, from: null });

/** What an opponent is called. @param {string} id */
const nameOf = (id) => [...opponent.options].find(({ value }) => value === id)?.text ?? id;

/** A seed that nobody has had. */
const drawn = () => hexOf(crypto.getRandomValues(new Uint8Array(32)));

/** Games in pairs, with one seed and the seats swapped. @returns {Match[]} */
const pairs = () => Array.from({ length: Number(many) / 2 }, drawn).flatMap((seed) => [0, 1].map((seat) => against(seed, seat)));

/** @param {'running' | 'ready'} state */
function show(state) {
  byId('workshop').dataset.state = state;
  byId('run').toggleAttribute('disabled', false);
  byId('many').toggleAttribute('disabled', false);
  document.querySelector('#lost')?.toggleAttribute('disabled', false);
  byId('stop').toggleAttribute('disabled', state !== 'running');
}

/**
 * Runs what is written.
 * @param {Match[]} matches one alone is watched
 * @param {(games: number[], said: Said) => string} [score] the score of several in words, by their half points
 */
async function run(matches, score = scoreWords) {
  const { text } = writing;
  const long = tooLong(text);
  if (long !== null) return write('status', long);
  const number = (runs += 1);
  writing.mark(null);
  write('status', workshop.scriptWorkshopLoading());
  show('running');
  try {
    const { engine, trial } = await loaded();
    if (number !== runs) return;
    const hash = hashOf(matches[0].opponent);
    const bytes = hash === null ? undefined : await moduleOf(hash);
    if (number !== runs) return;
    /** @type {Played[]} */
    const games = [];
    let toldAt = 0;
    const end = await trial.run(
      { language, text, budgets },
      matches.map((match) => ({ ...match, bytes })),
      {
        turn(turn, game) {
          if (performance.now() - toldAt < TELL_EVERY_MS) return;
          toldAt = performance.now();
          write(
            'status',
            matches.length > 1
              ? workshop.scriptWorkshopGame({ game: game + 1, games: matches.length })
              : workshop.scriptWorkshopTurn({ turn }),
          );
        },
        played(game, said) {
          games.push(game);
          if (matches.length > 1) list(engine, games, matches, (halves) => score(halves, said));
        },
      },
    );
    // A later run has the page.
    if (number !== runs) return;
    tell(end);
    byId('score').hidden = matches.length === 1;
    if (matches.length === 1 && games.length === 1) watched(engine, games[0], matches[0]);
    else if (end.kind === 'over') {
      const failures = games.filter(({ failed }) => failed).length;
      const words = failures > 0 ? ` ${workshop.scriptWorkshopFailures({ games: failures })}` : '';
      write('status', `${byId('scored').textContent}${words}`);
    }
  } catch (error) {
    if (number !== runs) return;
    write('status', workshop.scriptWorkshopFailed({ why: error instanceof Error ? error.message : String(error) }));
  }
  show('ready');
}

/** The opponent in the game that is tried again. */
const winner = opponent.value;

/** Runs all games that were lost to it. */
async function runLost() {
  write('status', workshop.scriptWorkshopLoading());
  try {
    const matches = await lostGames({ list: lostList, opponent: winner, loser, max: Number(lostMax) });
    if (matches.length === 0) write('status', workshop.scriptWorkshopNoneLost());
    else await run(matches, scoreOfLost);
  } catch (error) {
    write('status', workshop.scriptWorkshopFailed({ why: error instanceof Error ? error.message : String(error) }));
  }
}

/** Asks the judge for its verdict. */
async function ask() {
  const { text } = writing;
  byId('ask').toggleAttribute('disabled', true);
  write('judged', workshop.scriptWorkshopJudging());
  write('judged', tooLong(text) ?? (await verdictOn({ game, mediaType, text })));
  byId('ask').toggleAttribute('disabled', false);
}

/**
 * Says that there is no connection, instead of a page of the browser's own in place of this one.
 * @param {Event} step to another page: `page/forms.js` does it for forms
 */
function stay(step) {
  if (navigator.onLine) return;
  step.preventDefault();
  write('judged', workshop.scriptWorkshopNoConnection());
}

/** Why a text is too long; null if it is not. @param {string} text */
function tooLong(text) {
  const bytes = new TextEncoder().encode(text).length;
  return bytes > Number(textMax) ? workshop.scriptWorkshopTooLong({ bytes, max: String(textMax) }) : null;
}

/** The words for half points. */
const RESULTS = [workshop.scriptWorkshopLost(), workshop.scriptWorkshopDrew(), workshop.scriptWorkshopWon()];

/**
 * Lists the newest of some games, each to be watched, and their score.
 * @param {Engine} engine
 * @param {Played[]} games
 * @param {Match[]} matches
 * @param {(games: number[]) => string} score
 */
function list(engine, games, matches, score) {
  const [game, played] = [games.length, games[games.length - 1]];
  if (game === 1) byId('results').replaceChildren();
  byId('score').hidden = false;
  const result = RESULTS[played.halves];
  const button = element('button', { type: 'button', textContent: result });
  button.ariaLabel = workshop.scriptWorkshopWatch({ game, result });
  button.dataset.halves = String(played.halves);
  button.addEventListener('click', () => watched(engine, played, matches[game - 1]));
  byId('results').append(element('li', {}, button));
  write('scored', score(games.map(({ halves }) => halves)));
}

/** Says how games ended that were not all played. @param {End} end */
function tell(end) {
  if (end.kind === 'flaw') {
    const { flaw } = end;
    if (flaw.text === own) writing.mark(flaw);
    write('status', flaw.text === own ? workshop.scriptWorkshopFlaw(flaw) : workshop.scriptWorkshopFlawElsewhere(flaw));
  } else if (end.kind === 'refused') write('status', workshop.scriptWorkshopRefused({ why: end.why }));
  else if (end.kind === 'silent') write('status', workshop.scriptWorkshopSilent());
  else if (end.kind === 'failed') write('status', workshop.scriptWorkshopFailed({ why: end.why || scriptPageNoWorker() }));
}

/**
 * Shows a game: one that was played, from its first turn, or one that is tried again, at its turn.
 * @param {Engine} engine
 * @param {{record: string, left: Played['left'] | null}} played
 * @param {Match} match
 * @param {number} [at] turn
 */
function watched(engine, { record, left }, match, at) {
  const mine = match.seat;
  const players = [workshop.scriptWorkshopYou(), nameOf(match.opponent)];
  if (mine === 1) players.reverse();
  const [one, other] = players;
  const replay = engine.replay(record);
  const names = { players, seats: replay.film?.seat_names ?? [] };
  const failed = replay.forfeits.some((forfeit) => forfeit.seat === mine);
  const failure = left === null || !failed ? null : failureIn(own, left.lines);
  if (failure?.flaw) writing.mark(failure.flaw);
  const why = failure?.flaw ? workshop.scriptWorkshopFlaw(failure.flaw) : failure?.message;
  const reason = (/** @type {number} */ seat) => (seat === mine ? why : undefined);
  const forfeits = replay.forfeits.map((forfeit) => describeForfeit(forfeit, names, reason(forfeit.seat)));
  write('status', [...forfeits, describeOutcome(replay.outcome, names)].map(capital).join(' '));
  const lines = left === null ? [] : linesByTurn(left, replay);
  const items = lines.map(({ turn, text }) => item(turn, text));
  byId('log').replaceChildren(...items);
  if (left !== null && left.dropped > 0) byId('log').append(item(-1, workshop.scriptWorkshopLinesDropped({ lines: left.dropped })));
  byId('log-title').hidden = lines.length === 0;
  const player = showGame(replay, workshop.scriptWorkshopVersus({ one, other }), (turn) => {
    const { plays } = replay.turns[turn - 1] ?? { plays: [] };
    here = { ...match, from: { record, turns: turn } };
    write('words-of-turn', replay.film === null || plays.length === 0 ? '' : describePlays(plays, replay.film));
    write('fuel', fuelOf(plays.find(({ seat }) => seat === mine)?.fuel ?? null));
    for (const [at, element] of items.entries())
      element.toggleAttribute('data-now', Math.min(lines[at].turn, replay.turns.length) === turn);
    // The list is scrolled, not the page: its reader may be typing.
    byId('log').scrollTop = items.find((element) => element.hasAttribute('data-now'))?.offsetTop ?? 0;
  });
  for (const control of document.querySelectorAll('#player :disabled')) control.removeAttribute('disabled');
  if (at !== undefined) return player?.show(at);
  void player?.play();
  // On a phone the board is below the text. Who types stays there.
  if (!document.activeElement?.matches('.editor')) byId('stage').scrollIntoView({ block: 'nearest' });
}

/** Shows the game that is tried again. @param {string} address of its record */
async function tryAgain(address) {
  const [{ engine }, record] = await Promise.all([loaded(), fetched(address).then((answer) => answer.text())]);
  const { header } = engine.replay(record);
  watched(engine, { record, left: null }, against(header.seed, Number(seat.value)), Number(turn));
  write('status', workshop.scriptWorkshopTryFromHere({ turn: Number(turn) }));
}

/** A line of the log. @param {number} turn @param {string} text */
function item(turn, text) {
  if (turn < 0) return element('li', { textContent: text });
  const when = turn === 0 ? workshop.scriptWorkshopLineOfStart() : workshop.scriptWorkshopLineOfTurn({ turn });
  return element('li', {}, element('span', { className: 'note', textContent: when }), ' ', text);
}

/** @param {number | null} fuel of a turn */
function fuelOf(fuel) {
  if (fuel === null) return '';
  const { lang } = document.documentElement;
  const budget = budgets.fuel_per_move;
  const percent = ((100 * fuel) / budget).toLocaleString(lang, { maximumSignificantDigits: 2 });
  return workshop.scriptWorkshopFuel({ fuel: fuel.toLocaleString(lang), budget: budget.toLocaleString(lang), percent });
}

keepOffline();
byId('run').addEventListener('click', () => void run([against(drawn(), Number(seat.value))]));
byId('many').addEventListener('click', () => void run(pairs()));
document.querySelector('#lost')?.addEventListener('click', () => void runLost());
byId('ask').addEventListener('click', () => void ask());
byId('ask').toggleAttribute('disabled', false);
document.querySelector('#nameless a')?.addEventListener('click', stay);
byId('from-here').addEventListener('click', () => here && void run([here]));
if (address !== undefined) tryAgain(address).catch((error) => write('status', workshop.scriptWorkshopFailed({ why: error.message })));
byId('stop').addEventListener('click', () => {
  runs += 1;
  show('ready');
  write('status', workshop.scriptWorkshopStopped());
  // What did not load plays nothing.
  loading?.then(
    ({ trial }) => trial.stop(),
    () => {},
  );
});
show('ready');
