// The parts of a room for people: clocks, draw offers, rematches, chat and spectators. A room against a bot that nobody
// can join has none of them.

/** @import { Came, Word } from '../net/transport.js' */
/** @import { RoomState, State } from './state.js' */

import { notify } from './bar.js';
import { troubleOf } from './trouble.js';
import { isolated } from '../page/isolated.js';
import { element } from '../page/page.js';
import { draftFor, isQuiet, rememberDraft, rememberQuiet } from '../page/settings.js';
import { sentence } from '../board/words.js';
import { scriptPageYou } from '../text/en/script-page.js';
import * as rooms from '../text/en/script-rooms.js';

/** The interval at which the clocks are updated, in milliseconds. */
const TICK_MS = 250;

/** Below this time, in milliseconds, a clock shows tenths of a second. */
const SHORT_MS = 10_000;

/** @param {string} id @returns {HTMLElement | null} null if this room has no such element */
const part = (id) => document.getElementById(id);

/**
 * Tells who may have sat down that without cookies they only watch. The page has the words if the site saw no cookie in
 * a new room.
 */
function sayWhoPlays() {
  const line = part('no-cookie');
  if (!line || (line.hidden && navigator.cookieEnabled)) return;
  notify('cookies', { words: line.textContent ?? '' });
}

/** @param {HTMLElement} element */
function isInView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

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
  /** The seats whose players are away, and since when, as `performance.now` has it. @type {Map<number, number>} */
  #away = new Map();
  /** Whether this page goes on to the players' next game: once, if it was open when they agreed to it. */
  #follows = false;

  /** The number of the last message shown, and how many came while the chat was out of sight. */
  #lastSaid = 0;
  #unread = 0;

  /** @param {(word: Word) => Promise<Came>} tell */
  constructor(tell) {
    this.#tell = tell;
    part('chat')?.addEventListener('toggle', () => (this.#showNews(0), notify('chat', null)));
    const mute = /** @type {HTMLInputElement | null} */ (part('chat-mute'));
    if (mute) {
      const room = part('room')?.dataset.room ?? '';
      mute.checked = isQuiet(room);
      mute.addEventListener('change', () => {
        rememberQuiet(room, mute.checked);
        if (!mute.checked) this.#unmute();
      });
    }
    const field = /** @type {HTMLInputElement | null} */ (part('chat-text'));
    if (field) this.#keepDraft(field);
    part('chat-form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#speak(/** @type {HTMLInputElement} */ (field));
    });
    part('draw')?.addEventListener('click', () => this.#ask('draw'));
    part('once-more')?.addEventListener('click', () => this.#tell({ type: 'rematch' }));
  }

  /** A half-written message comes along to the players' next game. @param {HTMLInputElement} field */
  #keepDraft(field) {
    const room = part('room')?.dataset.room ?? '';
    field.value ||= draftFor(room);
    /** @type {HTMLDetailsElement} */ (part('chat')).open ||= field.value !== '';
    addEventListener('pagehide', () => rememberDraft(this.#state?.latest?.people?.next ?? room, field.value));
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

  /** Offers a draw, accepts one, or declines it. @param {'draw' | 'decline'} type */
  #ask(type) {
    const ply = this.#state?.latest?.ply;
    if (ply !== undefined) this.#tell({ type, ply });
  }

  /** @param {State} state */
  show(state) {
    if (state.latest !== null && state.you.length === 0) sayWhoPlays();
    const people = state.latest?.people;
    if (!people) return;
    if (this.#state === null) setInterval(() => this.#tick(), TICK_MS);
    const before = this.#state?.latest ?? null;
    this.#state = state;
    if (state.latest === before) return;
    this.#heardAt = performance.now();
    const chat = part('chat');
    if (chat) chat.hidden = !people.chat;
    const isLeaving = people.next !== null && this.#follows;
    this.#follows = people.next === null && state.you.length > 0;
    if (isLeaving) return location.assign(`/rooms/${people.next}`);
    this.#tick();
    notify('still', people.stands_still ? { words: rooms.scriptRoomsClocksStandStill() } : null);
    this.#showDraw(state, people.offers, before);
    this.#showRematch(state, people);
  }

  /** @param {State} state @param {number[]} offers @param {RoomState | null} before the room until now */
  #showDraw({ you, names, latest }, offers, before) {
    const button = /** @type {HTMLButtonElement | null} */ (part('draw'));
    if (!button) return;
    const isMine = (/** @type {number[]} */ offers) => offers.some((seat) => you.includes(seat));
    const [mine, other] = [isMine(offers), offers.find((seat) => !you.includes(seat))];
    const isOver = latest?.outcome !== null;
    button.disabled = mine || isOver;
    button.classList.toggle('ready', other !== undefined);
    button.textContent = mine
      ? rooms.scriptRoomsDrawOffered()
      : other !== undefined
        ? rooms.scriptRoomsDrawAccept()
        : rooms.scriptRoomsDrawOffer();
    const isSameTurn = before?.ply === latest?.ply && String(before?.awaiting) === String(latest?.awaiting);
    if (!isOver && you.length > 0 && other !== undefined && !mine) {
      notify('draw', {
        words: rooms.scriptRoomsOffersDraw({ player: names[other] ?? '' }),
        choices: [
          { text: rooms.scriptRoomsDrawAccept(), act: () => this.#ask('draw') },
          { text: rooms.scriptRoomsDecline(), act: () => this.#ask('decline') },
        ],
      });
    } else if (!isOver && isSameTurn && isMine(before?.people?.offers ?? []) && offers.length === 0) {
      notify('draw', { words: rooms.scriptRoomsDrawDeclined() });
    } else if (isOver || mine || !isSameTurn) {
      notify('draw', null);
    }
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
    const link = () => element('a', { href: `/rooms/${next}`, textContent: rooms.scriptRoomsTheirNextGame() });
    const wanted = other === undefined ? '' : rooms.scriptRoomsWantsRematch({ player: names[other] ?? '' });
    said.replaceChildren(next === null ? (mine ? rooms.scriptRoomsRematchWaits() : wanted) : link());
    if (next !== null)
      notify('rematch', {
        words: rooms.scriptRoomsAnotherGame(),
        choices: [{ text: rooms.scriptRoomsTheirNextGame(), href: `/rooms/${next}` }],
      });
    else if (next === null && !mine && wanted !== '' && you.length > 0) {
      const agree = { text: rooms.scriptRoomsRematch(), act: () => this.#tell({ type: 'rematch' }) };
      notify('rematch', { words: wanted, choices: [agree, { text: rooms.scriptRoomsNoThanks(), act: () => {} }] });
    } else notify('rematch', null);
  }

  #tick() {
    const [line, state] = [part('clocks'), this.#state];
    const people = state?.latest?.people;
    if (!line || !state || !people) return;
    this.#showAway();
    line.hidden = people.left_ms.length === 0;
    const gone = performance.now() - this.#heardAt;
    const clocks = people.left_ms.flatMap((left, seat) => {
      if (left === null) return [];
      const runs = people.running.includes(seat);
      const who = state.you.length === 1 && state.you[0] === seat ? scriptPageYou() : (state.names[seat] ?? '');
      const [className, time] = [runs ? 'clock running' : 'clock', clockText(runs ? left - gone : left)];
      const clock = element('span', { className }, element('bdi', { textContent: who }), ` ${time}`);
      clock.dataset.seat = String(seat);
      return [clock, ' '];
    });
    if (line.textContent !== clocks.map((one) => (typeof one === 'string' ? one : one.textContent)).join(''))
      line.replaceChildren(...clocks);
  }

  /**
   * Shows messages, or keeps others' for later while they are muted. They are written as plain text, without links or
   * markup.
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
      const who = mine
        ? scriptPageYou()
        : seat === null
          ? rooms.scriptRoomsASpectator()
          : `${this.#state?.names[seat] ?? ''} (${seat + 1})`;
      const line = element('li', {}, element('bdi', { textContent: who }), ': ', element('bdi', { textContent: text }));
      if (!mine) line.append(' ', this.#reporting(number));
      line.hidden = isHidden;
      list.append(line);
      list.scrollTop = list.scrollHeight;
      if (!box.open && !isHidden) this.#showNews(this.#unread + 1);
      if (!mine && !isHidden && !(box.open && isInView(list))) this.#announce(`${isolated(who)}: ${isolated(text)}`);
    }
  }

  /** Shows a message at the board. @param {string} words */
  #announce(words) {
    const answer = () => {
      const box = /** @type {HTMLDetailsElement} */ (part('chat'));
      box.open = true;
      /** @type {HTMLElement} */ (part('chat-text')).focus();
      box.scrollIntoView({ block: 'nearest' });
    };
    // The same may be said again.
    notify('chat', null);
    notify('chat', { words, choices: [{ text: rooms.scriptRoomsAnswer(), act: answer }] });
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
    const button = element('button', { type: 'button', className: 'quiet', textContent: rooms.scriptRoomsReport() });
    button.addEventListener('click', async () => {
      button.disabled = true;
      const came = await this.#tell({ type: 'report', number });
      button.disabled = came === 'applied';
      if (came === 'applied') button.textContent = rooms.scriptRoomsReported();
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

  /**
   * The number of spectators, and the seats whose players are present.
   * @param {number} watching
   * @param {number[]} here
   */
  count(watching, here) {
    const [line, state] = [part('spectators'), this.#state];
    if (!line) return;
    const isPerson = (/** @type {number} */ seat) => state?.latest?.seats?.[seat]?.startsWith('person:') ?? false;
    const away =
      state?.latest?.people && !state.latest.outcome
        ? state.names.flatMap((_, seat) => (here.includes(seat) || !isPerson(seat) ? [] : [seat]))
        : [];
    // Who was away before has been away since then.
    const now = performance.now();
    this.#away = new Map(away.map((seat) => [seat, this.#away.get(seat) ?? now]));
    const told = away.map((seat) => rooms.scriptRoomsAway({ player: state?.names[seat] ?? '' }));
    const watched = watching === 0 ? [] : [rooms.scriptRoomsSpectators({ spectators: watching })];
    line.textContent = [...told, ...watched].join(' ');
    line.hidden = line.textContent === '';
    this.#showAway();
  }

  /** Says to players who of the others is away, and offers to end a game that only waits for them. */
  #showAway() {
    const state = this.#state;
    const latest = state?.latest;
    if (latest?.people?.finished && latest.outcome === null && latest.trouble !== null) {
      return notify('gone', { words: sentence(troubleOf(latest)), choices: [{ text: rooms.scriptRoomsToLobby(), href: '/lobby' }] });
    }
    if (!state || !latest || state.you.length === 0 || this.#away.size === 0 || latest.outcome !== null) return notify('gone', null);
    const words = [...this.#away.keys()].map((seat) => rooms.scriptRoomsAway({ player: state.names[seat] ?? '' }));
    const minutes = Number(part('room')?.dataset.awayMinutes);
    // A clock ends the game of those who stay away.
    const waits =
      latest.people?.left_ms.length === 0 && latest.awaiting.length > 0 && latest.awaiting.every((seat) => this.#away.has(seat));
    if (!waits) return notify('gone', { words: words.join(' ') });
    const since = Math.max(...latest.awaiting.map((seat) => this.#away.get(seat) ?? 0));
    const isLong = performance.now() - since >= minutes * 60_000;
    words.push(isLong ? rooms.scriptRoomsMayEnd() : rooms.scriptRoomsMayEndAfter({ minutes }));
    const end = { text: rooms.scriptRoomsEndWithoutResult(), act: () => this.#tell({ type: 'close' }) };
    notify('gone', { words: words.join(' '), choices: isLong ? [end] : [] });
  }
}
