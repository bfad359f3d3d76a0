// The page of a finished game: its record, played again by the rules in this page.

/** @import { Colour, Preview, Replay } from './engine.js' */

import { Board, wait } from './board.js';
import { paintChart } from './chart.js';
import { capital, describeForfeit, describePreview, describeStart, describeTurn } from './describe.js';
import { loadEngine } from './engine.js';
import { ENGINE_URL, byId, copy, layZones, showPosition, write, writeOrHide } from './page.js';
import { marksOf, placedScene, playTurn } from './play-turn.js';
import { offerRecompute } from './recompute-button.js';

/** How long the result of a turn stands before the next one, in milliseconds. */
const BETWEEN_MS = 350;

const scrubber = /** @type {HTMLInputElement} */ (byId('scrubber'));
const before = /** @type {HTMLInputElement} */ (byId('before'));

/**
 * The turn that an address asks for.
 * @param {string} hash such as `#turn=7`
 * @returns {number | null}
 */
function turnAsked(hash) {
  const turn = /^#turn=(\d{1,4})$/.exec(hash)?.[1];
  return turn === undefined ? null : Number(turn);
}

class ReplayPage {
  /** Turns that are shown as played. */
  #turn = 0;
  /** @type {AbortController | null} ends the playing */
  #playing = null;

  /** @param {import('./engine.js').Engine} engine @param {Replay} replay a verified one */
  constructor(engine, replay) {
    this.engine = engine;
    this.replay = replay;
    this.rules = engine.rules();
    this.turns = replay.turns.length;
    this.board = new Board(/** @type {HTMLCanvasElement} */ (byId('board')), this.rules);
    layZones(this.rules);
    scrubber.max = String(this.turns);
    this.#listen();
    this.go(turnAsked(location.hash) ?? 0);
  }

  /** @param {number} turn */
  go(turn) {
    this.stop();
    this.#show(turn);
  }

  stop() {
    this.#playing?.abort();
    this.#playing = null;
    this.#showButtons();
  }

  async play() {
    const { signal } = (this.#playing = new AbortController());
    if (this.#turn === this.turns) this.#show(0);
    this.#showButtons();
    while (this.#turn < this.turns && !signal.aborted) {
      await wait(BETWEEN_MS, signal);
      if (signal.aborted) return;
      const action = this.replay.turns[this.#turn].action;
      const [preview, after] = [this.#preview(this.#turn + 1), this.replay.positions[this.#turn + 1]];
      await playTurn(this.board, { preview, action, after }, signal);
      if (signal.aborted) return;
      this.#show(this.#turn + 1);
    }
    this.stop();
  }

  /** What turn `turn`, from 1, led to. @param {number} turn @returns {Preview} */
  #preview(turn) {
    return this.engine.preview(this.replay.positions[turn - 1], this.replay.turns[turn - 1].action);
  }

  /** @param {number} asked */
  #show(asked) {
    const turn = Math.min(this.turns, Math.max(0, asked));
    this.#turn = turn;
    byId('game').dataset.turn = String(turn);
    scrubber.value = String(turn);
    scrubber.setAttribute('aria-valuetext', `Turn ${turn} of ${this.turns}`);
    write('turn', `Turn ${turn} of ${this.turns}`);
    const position = this.replay.positions[turn];
    showPosition(position, this.rules);
    this.#showTurn(turn);
    paintChart(/** @type {HTMLCanvasElement} */ (byId('chart')), this.replay.positions, turn);
    this.#showButtons();
  }

  /** @param {number} turn */
  #showTurn(turn) {
    const position = this.replay.positions[turn];
    if (turn === 0) {
      this.board.show({ board: position.board });
      write('words-of-turn', describeStart(position));
      write('fuel', '');
      return;
    }
    const { action, colour, fuel } = this.replay.turns[turn - 1];
    const preview = this.#preview(turn);
    if (before.checked) {
      const deaths = [...preview.cleared, ...preview.deaths];
      this.board.show({ ...placedScene(preview, action), births: preview.births, deaths });
    } else {
      this.board.show({ board: position.board, ...marksOf(action) });
    }
    write('words-of-turn', `${describeTurn(action, colour)} ${describePreview(preview)}`);
    write('fuel', fuel === null ? `${capital(colour)} is not metered.` : `Fuel of the turn: ${fuel.toLocaleString('en')}`);
  }

  #showButtons() {
    const playing = this.#playing !== null;
    const play = byId('play');
    if (play.textContent !== (playing ? 'Pause' : 'Play')) play.textContent = playing ? 'Pause' : 'Play';
    play.setAttribute('aria-pressed', String(playing));
    // While it plays, nobody could listen as fast as turns go by.
    for (const id of ['turn', 'words-of-turn']) byId(id).setAttribute('aria-live', playing ? 'off' : 'polite');
  }

  #listen() {
    const on = {
      first: () => this.go(0),
      prev: () => this.go(this.#turn - 1),
      play: () => (this.#playing === null ? void this.play() : this.stop()),
      next: () => this.go(this.#turn + 1),
      last: () => this.go(this.turns),
    };
    for (const [id, act] of Object.entries(on)) {
      byId(id).addEventListener('click', act);
      /** @type {HTMLButtonElement} */ (byId(id)).disabled = false;
    }
    scrubber.disabled = false;
    scrubber.addEventListener('input', () => this.go(scrubber.valueAsNumber));
    before.addEventListener('change', () => this.go(this.#turn));
    addEventListener('hashchange', () => this.go(turnAsked(location.hash) ?? this.#turn));
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const target = /** @type {HTMLElement} */ (event.target);
      // Elsewhere these keys have a meaning of their own.
      const taken = target.closest('input:not(#scrubber), textarea, summary, a') !== null;
      const pressed = event.key === ' ' && target.closest('button') !== null;
      const keys = new Map([['ArrowLeft', on.prev], ['ArrowRight', on.next], ['Home', on.first], ['End', on.last], [' ', on.play]]);
      const act = keys.get(event.key);
      if (act === undefined || taken || pressed) return;
      event.preventDefault();
      act();
    });
    const share = /** @type {HTMLButtonElement} */ (byId('share'));
    share.disabled = false;
    share.addEventListener('click', () => {
      const link = `${location.origin}${location.pathname}#turn=${this.#turn}`;
      history.replaceState(null, '', `#turn=${this.#turn}`);
      copy(link, share, /** @type {HTMLInputElement} */ (byId('share-link')));
    });
  }
}

/** @param {Replay} replay */
function showVerdict({ verified, why_not, forfeits }) {
  const words = verified
    ? 'Verified: the rules in this page agree with every turn, every digest and the outcome.'
    : `Not verified: ${why_not}.`;
  byId('verified').dataset.verified = String(verified);
  write('verified', words);
  const names = ['blue', 'red'].map((/** @type {string} */ colour) => byId(`name-${colour}`).textContent?.trim() ?? colour);
  const items = forfeits.map((forfeit) => Object.assign(document.createElement('li'), { textContent: describeForfeit(forfeit, names) }));
  byId('forfeits').replaceChildren(...items);
  byId('forfeits').hidden = items.length === 0;
}

async function start() {
  const record = byId('game').dataset.record ?? '';
  const [engine, answer] = await Promise.all([loadEngine(ENGINE_URL), fetch(record)]);
  if (!answer.ok) throw new Error(`the record cannot be had (${answer.status})`);
  const replay = engine.replay(await answer.text());
  showVerdict(replay);
  if (replay.verified) {
    new ReplayPage(engine, replay);
    offerRecompute(record);
  } else write('turn', 'This record cannot be shown.');
}

start().catch((error) => {
  byId('verified').dataset.verified = 'false';
  write('verified', 'Not verified.');
  write('turn', 'This game cannot be shown.');
  writeOrHide('trouble', error instanceof Error ? error.message : String(error));
});
