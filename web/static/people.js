// The parts of a room for people: clocks, draw offers, rematches, chat and spectators. A room against a bot that nobody can join has none
// of them.

/** @import { Came, Word } from './transport.js' */
/** @import { State } from './room-state.js' */

import { say } from './say.js';
import { isQuiet, rememberQuiet } from './settings.js';

/** The interval at which the clocks are updated, in milliseconds. */
const TICK_MS = 250;

/** Below this time, in milliseconds, a clock shows tenths of a second. */
const SHORT_MS = 10_000;

/** @param {string} id @returns {HTMLElement | null} null if this room has no such element */
const part = (id) => document.getElementById(id);

/**
 * The text of a clock.
 * @param {number} ms
 */
export function clockText(ms) {
  if (ms < SHORT_MS) return (Math.max(0, Math.floor(ms / 100)) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export class People {
  #tell;
  /** @type {State | null} */
  #state = null;
  /** When the state that the clocks show was received. */
  #heardAt = 0;
  /** Whether this page goes on to the players' next game: once, if it was open when they agreed to it. */
  #follows = false;

  /** The number of the last message shown, and how many came while the chat was out of sight. */
  #lastSaid = 0;
  #unread = 0;

  /** @param {(word: Word) => Promise<Came>} tell */
  constructor(tell) {
    this.#tell = tell;
    part('chat')?.addEventListener('toggle', () => this.#showNews(0));
    const mute = /** @type {HTMLInputElement | null} */ (part('chat-mute'));
    if (mute) {
      const room = part('room')?.dataset.room ?? '';
      mute.checked = isQuiet(room);
      mute.addEventListener('change', () => {
        rememberQuiet(room, mute.checked);
        if (!mute.checked) this.#unmute();
      });
    }
    part('chat-form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#speak(/** @type {HTMLInputElement} */ (part('chat-text')));
    });
    part('draw')?.addEventListener('click', () => this.#ask());
    part('once-more')?.addEventListener('click', () => this.#tell({ type: 'rematch' }));
  }

  /**
   * Sends the text in the field. If it was not accepted, it returns to the field, before what was typed meanwhile.
   * @param {HTMLInputElement} field
   */
  async #speak(field) {
    const text = field.value;
    field.value = '';
    if (text.trim() === '' || (await this.#tell({ type: 'chat', text })) === 'applied') return;
    field.value = field.value === '' ? text : `${text} ${field.value}`;
  }

  #ask() {
    const ply = this.#state?.latest?.ply;
    if (ply !== undefined) this.#tell({ type: 'draw', ply });
  }

  /** @param {State} state */
  show(state) {
    const people = state.latest?.people;
    if (!people) return;
    if (this.#state === null) setInterval(() => this.#tick(), TICK_MS);
    if (state.latest !== this.#state?.latest) this.#heardAt = performance.now();
    this.#state = state;
    const chat = part('chat');
    if (chat) chat.hidden = !people.chat;
    if (people.next === null) this.#follows = state.you.length > 0;
    else if (this.#follows) {
      this.#follows = false;
      location.assign(`/rooms/${people.next}`);
    }
    this.#tick();
    this.#showDraw(state, people.offers);
    this.#showRematch(state, people);
  }

  /** @param {State} state @param {number[]} offers */
  #showDraw({ you, latest }, offers) {
    const button = /** @type {HTMLButtonElement | null} */ (part('draw'));
    if (!button) return;
    const mine = offers.some((seat) => you.includes(seat));
    const theirs = offers.some((seat) => !you.includes(seat));
    button.disabled = mine || latest?.outcome !== null;
    button.classList.toggle('ready', theirs);
    button.textContent = mine ? say('Draw offered') : theirs ? say('Accept the draw') : say('Offer a draw');
  }

  /** @param {State} state @param {{rematch: number[], next: string | null}} people */
  #showRematch({ you, names, latest }, { rematch, next }) {
    const [button, said] = [/** @type {HTMLButtonElement | null} */ (part('once-more')), part('rematch-said')];
    if (!button || !said) return;
    const mine = rematch.some((seat) => you.includes(seat));
    const other = rematch.find((seat) => !you.includes(seat));
    button.hidden = you.length === 0 || latest?.outcome === null || next !== null;
    button.disabled = mine;
    said.hidden = rematch.length === 0 && next === null;
    const link = () => Object.assign(document.createElement('a'), { href: `/rooms/${next}`, textContent: say('Their next game') });
    const words = mine ? say('Waiting for the others to agree …') : other === undefined ? '' : say('{0} wants a rematch.', names[other] ?? '');
    said.replaceChildren(next === null ? words : link());
  }

  #tick() {
    const [line, state] = [part('clocks'), this.#state];
    const people = state?.latest?.people;
    if (!line || !state || !people) return;
    line.hidden = people.left_ms.length === 0;
    const gone = performance.now() - this.#heardAt;
    const clocks = people.left_ms.flatMap((left, seat) => {
      if (left === null) return [];
      const runs = people.running.includes(seat);
      const clock = Object.assign(document.createElement('span'), { textContent: `${state.you.length === 1 && state.you[0] === seat ? say('You') : (state.names[seat] ?? '')} ${clockText(runs ? left - gone : left)}` });
      clock.className = runs ? 'clock running' : 'clock';
      clock.dataset.seat = String(seat);
      return [clock, ' '];
    });
    if (line.textContent !== clocks.map((one) => (typeof one === 'string' ? one : one.textContent)).join('')) line.replaceChildren(...clocks);
  }

  /**
   * Shows messages, or keeps others' for later while they are muted. They are written as plain text, without links or markup.
   * @param {readonly {number: number, seat: number | null, mine: boolean, text: string}[]} lines
   */
  chat(lines) {
    const [list, box] = [part('chat-lines'), /** @type {HTMLDetailsElement | null} */ (part('chat'))];
    const mute = /** @type {HTMLInputElement | null} */ (part('chat-mute'));
    if (!list || !box) return;
    for (const { number, seat, mine, text } of lines) {
      if (number <= this.#lastSaid) continue;
      this.#lastSaid = number;
      const isHidden = mute?.checked === true && !mine;
      const who = mine ? say('You') : seat === null ? say('a spectator') : `${this.#state?.names[seat] ?? ''} (${seat + 1})`;
      const line = document.createElement('li');
      line.append(Object.assign(document.createElement('bdi'), { textContent: who }), ': ', Object.assign(document.createElement('bdi'), { textContent: text }));
      if (!mine) line.append(' ', this.#reporting(number));
      line.hidden = isHidden;
      list.append(line);
      list.scrollTop = list.scrollHeight;
      if (!box.open && !isHidden) this.#showNews(this.#unread + 1);
    }
  }

  /** Shows the messages that others wrote while they were muted. */
  #unmute() {
    const list = part('chat-lines');
    if (!list) return;
    for (const line of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('[hidden]'))) line.hidden = false;
    list.scrollTop = list.scrollHeight;
  }

  /** A button that reports a message to the operator. @param {number} number */
  #reporting(number) {
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet', textContent: say('Report') });
    button.addEventListener('click', async () => {
      button.disabled = true;
      const came = await this.#tell({ type: 'report', number });
      button.disabled = came === 'applied';
      if (came === 'applied') button.textContent = say('Reported');
    });
    return button;
  }

  /** @param {number} unread */
  #showNews(unread) {
    this.#unread = unread;
    const tag = part('chat-news');
    if (!tag) return;
    tag.hidden = unread === 0;
    tag.textContent = unread > 9 ? '9+' : String(unread);
  }

  /** The number of the last message received. */
  get heard() {
    return this.#lastSaid;
  }

  /** The number of spectators, and the seats whose players are present. @param {number} watching @param {number[]} here */
  count(watching, here) {
    const [line, state] = [part('spectators'), this.#state];
    if (!line) return;
    const names = state?.latest?.people && !state.latest.outcome ? state.names : [];
    const isPerson = (/** @type {number} */ seat) => state?.latest?.seats?.[seat]?.startsWith('person:') ?? false;
    const away = names.flatMap((name, seat) => (here.includes(seat) || !isPerson(seat) ? [] : [say('{0} is away.', name)]));
    const watched = watching === 0 ? [] : [watching === 1 ? say('1 spectator.') : say('{0} spectators.', watching)];
    line.textContent = [...away, ...watched].join(' ');
    line.hidden = line.textContent === '';
  }
}
