// The controls of a replay: buttons, keys, the slider, the page's address and autoplay.

/** @import { Replay } from '../rules/engine.js' */

import { wait } from '../board/board.js';
import { divergence } from './divergence.js';
import { fetched } from '../net/fetched.js';
import { byId, copy, element, write } from '../page/page.js';
import { scriptPageGameNotShown } from '../text/en/script-page.js';
import * as replays from '../text/en/script-replays.js';

/** How long a turn is shown before it enters the address: browsers limit how often an address may change. */
const ADDRESS_MS = 250;

/**
 * The turn in an address.
 * @param {string} hash such as `#turn=7`
 * @returns {number | null}
 */
export function turnAsked(hash) {
  const turn = /^#turn=(\d{1,5})$/.exec(hash)?.[1];
  return turn === undefined ? null : Number(turn);
}

export class Playback {
  /** The number of turns shown as played. */
  #turn = 0;
  /** @type {AbortController | null} stops the autoplay */
  #playing = null;
  /** The timer that writes the turn into the address. */
  #saying = 0;
  #show;
  #step;
  #scrubber = /** @type {HTMLInputElement} */ (byId('scrubber'));

  /**
   * @param {object} parts
   * @param {number} parts.turns
   * @param {(turn: number) => void} parts.show shows the board after a number of turns
   * @param {(turn: number, signal: AbortSignal) => Promise<void>} parts.step animates a turn, counted from 1, before it
   *   is shown
   */
  constructor({ turns, show, step }) {
    /** @readonly */
    this.turns = turns;
    this.#show = show;
    this.#step = step;
    this.#scrubber.max = String(turns);
    this.#listen();
    this.go(turnAsked(location.hash) ?? 0);
  }

  /** @param {number} turn */
  go(turn) {
    this.stop();
    this.#to(turn);
  }

  /** Shows the same turn again. */
  again() {
    this.go(this.#turn);
  }

  stop() {
    this.#playing?.abort();
    this.#playing = null;
    this.#showButtons();
  }

  async play() {
    const { signal } = (this.#playing = new AbortController());
    if (this.#turn === this.turns) this.#to(0);
    this.#showButtons();
    while (this.#turn < this.turns && !signal.aborted) {
      await this.#step(this.#turn + 1, signal);
      if (signal.aborted) return;
      this.#to(this.#turn + 1);
    }
    this.stop();
  }

  /** @param {number} asked */
  #to(asked) {
    const turn = Math.min(this.turns, Math.max(0, asked));
    if (turn !== this.#turn) this.#sayTurn(turn);
    this.#turn = turn;
    byId('game').dataset.turn = String(turn);
    this.#scrubber.value = String(turn);
    this.#scrubber.setAttribute('aria-valuetext', replays.scriptReplaysTurn({ turn, turns: this.turns }));
    write('turn', replays.scriptReplaysTurn({ turn, turns: this.turns }));
    for (const part of document.querySelectorAll('#debug [data-part="turn"]')) part.textContent = String(Math.max(1, turn));
    for (const id of ['play-on', 'try-here']) {
      const link = document.getElementById(id);
      if (link instanceof HTMLAnchorElement) link.search = `?from=${byId('game').dataset.game}&turn=${turn}`;
    }
    this.#show(turn);
    this.#showButtons();
  }

  /** Writes the turn into the address, which is a link to what is shown. @param {number} turn */
  #sayTurn(turn) {
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => history.replaceState(null, '', `#turn=${turn}`), ADDRESS_MS);
  }

  #showButtons() {
    const playing = this.#playing !== null;
    write('play', playing ? replays.scriptReplaysPause() : replays.scriptReplaysPlay());
    byId('play').setAttribute('aria-pressed', String(playing));
    // During autoplay turns pass too fast to be announced.
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
    this.#scrubber.disabled = false;
    this.#scrubber.addEventListener('input', () => this.go(this.#scrubber.valueAsNumber));
    addEventListener('hashchange', () => this.go(turnAsked(location.hash) ?? this.#turn));
    const more = new Map([
      ['Home', on.first],
      ['End', on.last],
      [' ', on.play],
    ]);
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const target = /** @type {HTMLElement} */ (event.target);
      // These elements have their own uses for the keys.
      const taken = target.closest('input:not(#scrubber), select, textarea, summary, a') !== null;
      const pressed = event.key === ' ' && target.closest('button') !== null;
      const arrows = new Map([
        ['ArrowLeft', on.prev],
        ['ArrowRight', on.next],
      ]);
      // Elsewhere these keys scroll the page.
      const steering = target.closest('.board-area, .controls') !== null;
      const act = arrows.get(event.key) ?? (steering ? more.get(event.key) : undefined);
      if (act === undefined || taken || pressed) return;
      event.preventDefault();
      act();
    });
    const share = /** @type {HTMLButtonElement} */ (byId('share'));
    share.disabled = false;
    share.addEventListener('click', () => {
      const link = `${location.origin}${location.pathname}#turn=${this.#turn}`;
      copy(link, share, /** @type {HTMLInputElement} */ (byId('share-link')));
    });
  }
}

/**
 * Fetches the record of the page's game.
 * @returns {Promise<{url: string, text: string}>}
 */
export async function fetchRecord() {
  const url = byId('game').dataset.record ?? '';
  return { url, text: await (await fetched(url)).text() };
}

/**
 * Shows whether the rules agree with the record, and which seats could not go on.
 * @param {Pick<Replay, 'verified' | 'why_not'>} replay
 * @param {string[]} forfeits in words
 */
export function showFinding({ verified, why_not: whyNot }, forfeits) {
  const words = verified ? replays.scriptReplaysVerified() : replays.scriptReplaysNotVerifiedBecause({ why: divergence(whyNot) });
  byId('verified').dataset.verified = String(verified);
  write('verified', words);
  byId('forfeits').replaceChildren(...forfeits.map((text) => element('li', { textContent: text })));
  byId('forfeits').hidden = forfeits.length === 0;
  if (!verified) write('turn', replays.scriptReplaysRecordNotShown());
}

/** @param {unknown} error */
export function showFailure(error) {
  byId('verified').dataset.verified = 'false';
  write('verified', replays.scriptReplaysNotVerified());
  write('turn', scriptPageGameNotShown());
  write('trouble', error instanceof Error ? error.message : String(error));
  byId('trouble').hidden = false;
}
