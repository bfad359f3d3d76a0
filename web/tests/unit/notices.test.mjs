// What the bar at the board says while a room's people offer, leave, talk and come back at random. The modules that say
// it are the page's; the room and the visitor's hands are simulated. At each moment the bar shows the most pressing
// notice that is true and that the visitor has not closed; a closed one comes back only when it is said anew; each new
// one sounds once. `cargo xtask schedules` tries more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Element } from '../lib/document.mjs';
import { Random } from '../lib/random.mjs';

/** @param {string} name @param {number} otherwise the value without that environment variable */
const setting = (name, otherwise) => Number(process.env[name] ?? otherwise);

/** What happens at most in a game; the kinds of notices, the most pressing first; the visitor's seat and the other. */
const [EVENTS_MAX, KINDS, ME, OTHER] = [60, ['still', 'draw', 'rematch', 'chat', 'gone'], 0, 1];
const NAMES = ['Ann', 'Bob'];
/** Parts of the page that a room for people has. */
const PARTS = 'bar bar-words bar-buttons board sound room chat chat-lines chat-text chat-mute chat-news draw once-more rematch-said clocks spectators'.split(' ');

/** As much more of the DOM as these modules use. */
class Part extends Element {
  scrollTop = 0;
  scrollHeight = 0;
  checked = false;
  classList = { toggle() {} };
}

/** @type {Map<string, Part>} */
const parts = new Map();
/** The notices that were sounded. */
let sounds = 0;
const page = {
  title: '',
  activeElement: null,
  getElementById: (/** @type {string} */ id) => parts.get(id) ?? null,
  createElement: (/** @type {string} */ tag) => new Part(tag),
};
let [now, ticks] = [0, /** @type {(() => void)[]} */ ([])];
const went = /** @type {string[]} */ ([]);
Object.assign(globalThis, {
  document: page,
  location: { protocol: 'http:', host: 'here', search: '', assign: (/** @type {string} */ to) => went.push(to) },
  sessionStorage: { getItem: () => null, setItem() {}, removeItem() {} },
  localStorage: { getItem: () => null, setItem() {} },
  addEventListener() {},
  innerHeight: 600,
  setInterval: (/** @type {() => void} */ tick) => ticks.push(tick),
});
Object.defineProperty(globalThis, 'performance', { value: { now: () => now }, configurable: true });

const { notify, titled } = await import('../../static/rooms/bar.js');
const { People } = await import('../../static/rooms/people.js');

/** The page's parts, empty. */
function open() {
  for (const kind of /** @type {any[]} */ (KINDS)) notify(kind, null);
  for (const id of PARTS) parts.set(id, new Part('div', { id }));
  const sound = /** @type {any} */ (parts.get('sound'));
  sound.dataset = new Proxy({}, { set: (_, name, value) => ((sounds += name === 'last' && value === 'news' ? 1 : 0), true) });
  /** @type {Part} */ (parts.get('room')).dataset = { room: 'r', awayMinutes: '5' };
  part('chat-lines').getBoundingClientRect = () => /** @type {any} */ ({ top: 0, bottom: 10 });
  [sounds, now, ticks] = [0, 0, []];
  went.length = 0;
}

/** @param {string} id */
const part = (id) => /** @type {Part} */ (parts.get(id));

/** A room with two people, what its page hears of it, and what should be said there. */
class Told {
  /** @type {number[]} */
  offers = [];
  /** @type {number[]} */
  rematch = [];
  /** @type {string | null} */
  next = null;
  ply = 0;
  isOver = false;
  isHere = true;
  isStill = false;
  events = 0;
  said = 0;
  /** The notice of each kind that is true: what it is about. @type {Map<string, string>} */
  due = new Map();
  /** What the visitor closed. @type {Map<string, string>} */
  closed = new Map();
  sounds = 0;
  counts = { still: 0, draw: 0, rematch: 0, gone: 0, chat: 0, closed: 0, pressed: 0 };

  /** @param {Random} random */
  constructor(random) {
    this.random = random;
    this.people = new People(async (word) => (this.hears(ME, word.type), 'applied'));
  }

  /** Something is true from now on, or no longer. @param {string} kind @param {string | null} about */
  sets(kind, about) {
    if (about === null) {
      this.due.delete(kind);
      this.closed.delete(kind);
    } else if (this.due.get(kind) !== about && this.closed.get(kind) !== about) {
      if (!this.due.has(kind)) this.sounds++;
      this.due.set(kind, about);
      this.closed.delete(kind);
    }
  }

  /** What a person says. @param {number} seat @param {string} what */
  hears(seat, what) {
    if (this.isOver ? what !== 'rematch' : what === 'rematch') return;
    const mine = this.offers.includes(ME);
    if (what === 'draw') {
      if (this.offers.includes(1 - seat)) this.ends();
      else this.offers = [seat];
    } else if (what === 'decline') {
      if (!this.offers.includes(1 - seat)) return;
      this.offers = [];
      if (mine) return this.shows({ declined: true });
    } else if (what === 'rematch') {
      if (!this.rematch.includes(seat)) this.rematch = [...this.rematch, seat];
    } else if (what === 'turn') [this.ply, this.offers] = [this.ply + 1, []];
    else return;
    this.shows({ turned: what === 'turn' });
  }

  ends() {
    [this.isOver, this.offers] = [true, []];
  }

  /** The page gets the state. @param {{declined?: boolean, turned?: boolean}} [how] */
  shows({ declined = false, turned = false } = {}) {
    this.sets('still', this.isStill ? 'still' : null);
    const offered = this.offers.includes(OTHER);
    if (offered) this.sets('draw', 'offered');
    else if (declined) this.sets('draw', 'declined');
    else if (this.isOver || this.offers.includes(ME) || turned) this.sets('draw', null);
    this.sets('rematch', this.next !== null ? 'next' : this.rematch.includes(OTHER) && !this.rematch.includes(ME) ? 'wanted' : null);
    this.people.show(this.state());
    this.away();
  }

  /** @returns {any} */
  state() {
    const { offers, rematch, next, ply, isOver, isStill } = this;
    const people = { offers, rematch, next, left_ms: [1_000, 1_000], running: [], stands_still: isStill || undefined, chat: true, started: true, finished: isOver };
    const latest = { events: ++this.events, ply, awaiting: [ply % 2], outcome: isOver ? {} : null, trouble: null, seats: ['person:1', 'person:2'], people };
    return { you: [ME], names: NAMES, latest };
  }

  away() {
    this.people.count(0, this.isHere ? [ME, OTHER] : [ME]);
    this.sets('gone', this.isHere || this.isOver ? null : 'away');
  }

  /** Somebody writes a message. @param {boolean} mine */
  talks(mine) {
    const text = `message ${++this.said}`;
    const [box, mute] = [/** @type {any} */ (part('chat')), part('chat-mute')];
    if (!mine && !mute.checked && !box.open) {
      this.sets('chat', null);
      this.sets('chat', text);
    }
    this.people.chat([{ number: this.said, seat: mine ? ME : OTHER, mine, text }]);
    // A message comes twice where a line breaks.
    if (this.random.below(4) === 0) this.people.chat([{ number: this.said, seat: mine ? ME : OTHER, mine, text }]);
  }

  /** The visitor uses a button of the bar. */
  presses() {
    const buttons = part('bar-buttons').children;
    if (part('bar').hidden || buttons.length === 0) return;
    const [kind, button] = [part('bar').dataset.kind, this.random.pick(buttons)];
    if (button.tag === 'a') return;
    this.closed.set(kind, /** @type {string} */ (this.due.get(kind)));
    this.due.delete(kind);
    this.counts[button === buttons.at(-1) ? 'closed' : 'pressed']++;
    button.does('click');
    const box = part('chat');
    if (kind === 'chat' && box.open) this.sets('chat', null);
    if (kind === 'chat' && box.open) box.does('toggle');
  }

  happens() {
    const [random, box] = [this.random, part('chat')];
    now += random.below(1_000);
    switch (random.below(12)) {
      case 0:
        return this.hears(OTHER, 'draw');
      case 1:
        return this.hears(ME, 'draw');
      case 2:
        return this.hears(OTHER, 'decline');
      case 3:
        return this.hears(random.below(2), 'turn');
      case 4:
        return this.hears(OTHER, 'rematch');
      case 5:
        if (random.below(3) === 0 && !this.isOver) (this.ends(), this.shows());
        return;
      case 6:
        this.isHere = !this.isHere;
        return this.away();
      case 7:
        return this.talks(random.below(3) === 0);
      case 8:
        if (random.below(3) === 0) part('chat-mute').checked = !part('chat-mute').checked;
        box.open = !box.open;
        this.sets('chat', null);
        return box.does('toggle');
      case 10:
        // The site takes no turns, or takes them again.
        this.isStill = !this.isStill;
        return this.shows();
      case 9:
        // The same state again, as after a line was lost.
        return this.shows();
      default:
        return this.presses();
    }
  }

  /** Compares the bar with what is true. @param {string} when */
  compare(when) {
    for (const tick of ticks) tick();
    const kind = KINDS.find((kind) => this.due.has(kind));
    const [bar, words] = [part('bar'), part('bar-words').textContent];
    assert.equal(bar.hidden ? undefined : bar.dataset.kind, kind, `${when}: what is shown`);
    assert.equal(sounds, this.sounds, `${when}: sounds`);
    assert.equal(page.title, kind === undefined ? 'A room' : `(!) ${words} – A room`, when);
    if (kind === undefined) return;
    this.counts[/** @type {'draw'} */ (kind)]++;
    const about = String(this.due.get(kind));
    if (kind === 'chat') assert.ok(words.includes(about), `${when}: ${words}`);
    else assert.equal(words.includes('Bob'), ['offered', 'wanted', 'away'].includes(about), `${when}: ${words} of ${about}`);
  }
}

test('whatever people do, the bar says what is true, once, and loses nothing', () => {
  const [count, seed] = [setting('ARENA_SCHEDULES', 150), setting('ARENA_SCHEDULE_SEED', 1)];
  /** @type {Record<string, number>} */
  const sums = {};
  for (let number = 0; number < count; number++) {
    const random = new Random((seed * 0x9e3779b1) ^ (number * 0x85ebca6b));
    open();
    titled('A room');
    const told = new Told(random);
    told.shows();
    for (let event = random.below(EVENTS_MAX); event > 0; event--) {
      told.happens();
      told.compare(`game ${number} of seed ${seed}, ${event} before its end`);
    }
    for (const [name, times] of Object.entries(told.counts)) sums[name] = (sums[name] ?? 0) + times;
  }
  assert.deepEqual(went, []);
  for (const [name, times] of Object.entries(sums)) assert.ok(times > 0, `${name} happens: ${JSON.stringify(sums)}`);
});
