// The page of a world of Life2: its grounds, the calls of an account, and previews of what they lead to.

/** @import { Fall, Look, Spot, Ghost } from './worlds/engine.js' */
/** @import { Camera } from './worlds/camera.js' */
/** @import { Pattern } from './worlds/patterns.js' */

import { fileUrl } from './files.js';
import { byId, keyHint, write, writeOrHide } from './page/page.js';
import { retold, say } from './page/say.js';
import { LoneWorld } from './worlds/alone.js';
import { fitted, isInView, pushed, spotAt, wrapped, zoomed } from './worlds/camera.js';
import { loadWorldEngine } from './worlds/engine.js';
import { Feed } from './worlds/feed.js';
import { listenToWorld } from './worlds/input.js';
import { BASE_SIDE, QUADRANTS, WorldPainter } from './worlds/paint.js';
import { CELLS_MAX, PATTERNS, NotAPattern, mirrored, patternOf, stamped, turned } from './worlds/patterns.js';
import { forgetKingdoms, writeKingdoms } from './worlds/table.js';
import { WorldTutorial } from './worlds/tutorial.js';

/** The number of generations that ghosts look ahead, and how long each is shown, in milliseconds. */
const AHEAD = 12;
const GHOST_MS = 250;
/** The cell size around the visitor's base, in CSS pixels; at first the whole world is shown. */
const SCALE_NEAR = 14;
/** The interval between recomputations of the ghosts, in generations. */
const TRIED_EVERY = 10;

const page = byId('world');
const canvas = /** @type {HTMLCanvasElement} */ (byId('board'));
const small = /** @type {HTMLCanvasElement} */ (byId('minimap'));
const chosen = /** @type {HTMLSelectElement} */ (byId('pattern'));
const rle = /** @type {HTMLTextAreaElement} */ (byId('rle'));

/** @typedef {'look' | 'join' | 'place'} Mode what a tap does */

/** The time of a number of generations, in hours, minutes and seconds. @param {number} generations */
function durationOf(generations) {
  const seconds = Math.ceil(generations / 10);
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

class WorldPage {
  /** @type {Camera} */
  #camera = { x: 256, y: 256, scale: 0 };
  /** @type {Spot} */
  #cursor = [256, 256];
  #cursorUsed = false;
  /** @type {Spot | null} */
  #hover = null;
  /** @type {Mode} */
  #mode = 'look';
  /** @type {Pattern} */
  #pattern = patternOf(PATTERNS[0].rle);
  /** @type {Spot[]} */
  #draft = [];
  /** @type {{frames: Ghost[][], at: number} | null} what the draft leads to, as computed in one generation */
  #ghosts = null;
  /** @type {number | null} */
  #account = null;
  /** @type {Map<number, string>} names by account */
  #names = new Map();
  /** @type {Look | null} */
  #look = null;
  /** Whether the account held a slot at the last look. */
  #held = false;
  /** The generation of the fall that was last told. */
  #mourned = -1;
  #centred = false;
  #dirty = true;
  /** Whether the cells may differ from those painted last. */
  #changed = true;
  /** The number of placed cells, and of moves of the view, since the page was opened. */
  #placed = 0;
  #moves = 0;
  #painter = new WorldPainter(canvas, small);
  #tutorial = new WorldTutorial();
  #engine;
  #feed;

  /** @param {import('./worlds/engine.js').WorldEngine} engine */
  constructor(engine) {
    this.#engine = engine;
    /** @type {import('./worlds/feed.js').Ears} */
    const ears = {
      reply: (reply) => this.#reply(reply),
      hello: (account) => ((this.#account = account), this.#refresh()),
      connected: (open) => (byId('connection').hidden = open),
      slots: (slots) => this.#name(slots),
    };
    // A page without a world on the server is a lesson.
    this.#feed = page.dataset.world ? new Feed(page.dataset.world, engine, ears) : new LoneWorld(engine, ears);
    this.#listen();
  }

  async open() {
    await this.#feed.open();
    this.#refresh();
    page.dataset.phase = 'live';
    const frame = (/** @type {number} */ now) => {
      if (this.#feed.advance(now)) this.#refresh();
      if (this.#dirty || this.#ghosts) this.#paint(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    new ResizeObserver(() => (this.#dirty = true)).observe(canvas);
  }

  /** @param {import('./worlds/feed.js').Holders} slots */
  #name(slots) {
    for (const slot of slots) if (slot) this.#names.set(slot.account, slot.bot ? say('{0} (bot {1})', slot.name, slot.bot) : slot.name);
    this.#write();
    this.#dirty = true;
  }

  /** Updates the page after a change of the world. */
  #refresh() {
    this.#look = this.#engine.look(this.#account);
    [this.#dirty, this.#changed] = [true, true];
    const own = this.#own();
    if (own && !this.#centred) {
      this.#centred = true;
      this.#mode = 'place';
      this.#goHome();
    }
    if (this.#held && !own) {
      this.#draft = [];
      this.#try();
      // After joining again, the view moves to the new base.
      this.#centred = false;
      this.#be('look');
    }
    const fallen = this.#look.fallen;
    if (fallen && fallen.generation !== this.#mourned) {
      this.#mourned = fallen.generation;
      this.#say(this.#fallWords(fallen), 'fallen');
    }
    this.#held = own !== null;
    if (this.#ghosts && Math.abs(this.#feed.generation - this.#ghosts.at) >= TRIED_EVERY) this.#try();
    this.#write();
    this.#teach();
  }

  /** What became of the account's kingdom, and when. @param {Fall} fall */
  #fallWords({ generation, cause, by }) {
    // Only holders of slots have names here.
    const name = by === null ? undefined : this.#names.get(by);
    const when = this.#held
      ? say('Your kingdom has fallen.')
      : say('Your kingdom fell in generation {0}, {1} ago.', generation, durationOf(this.#feed.generation - generation));
    const siege = name === undefined ? say('Its base lost its last coin in a siege.') : say('{0} took the last coin of its base.', name);
    const operator = say('The operator of this site freed its slot.');
    const why = cause === 'siege' ? siege : cause === 'operator' ? operator : say('It had no living cell for ten minutes.');
    return `${when} ${why} ${say('What is in your wallet is yours; you can join again.')}`;
  }

  /** Shows a message beside the board; it replaces the previous one. @param {string} [text] @param {'fallen' | null} [kind] */
  #say(text = '', kind = null) {
    const said = byId('said');
    if (kind) said.dataset.kind = kind;
    else delete said.dataset.kind;
    write('said', text);
  }

  /** The kingdom of the account. */
  #own() {
    return this.#look?.slots.find(({ slot }) => slot === this.#look?.slot) ?? null;
  }

  #goHome() {
    const own = this.#own();
    if (!own) return;
    const [x, y] = own.base;
    this.#cursor = [wrapped(x + 3, this.#look?.side ?? 512), wrapped(y + 3, this.#look?.side ?? 512)];
    this.#camera = fitted({ x: x + BASE_SIDE / 2, y: y + BASE_SIDE / 2, scale: SCALE_NEAR }, this.#painter.size, this.#look?.side ?? 512);
    this.#dirty = true;
  }

  /** Writes the texts beside the board. */
  #write() {
    const look = this.#look;
    if (!look) return;
    const own = this.#own();
    page.dataset.generation = String(look.generation);
    page.dataset.slot = String(look.slot ?? '');
    page.dataset.mode = this.#mode;
    page.dataset.kind = this.#feed.kind;
    write('generation', String(look.generation));
    write('wipe', say('quadrant {0} in {1}', look.wipe.quadrant + 1, durationOf(look.wipe.generations)));
    const grace = own?.grace ?? null;
    write('grace', grace === null ? '' : say('in {0}, if no cell lives', durationOf(grace)));
    byId('grace').hidden = byId('grace-word').hidden = grace === null;
    write('coins', look.balance === null ? '–' : String(look.balance));
    write('base-coins', own ? String(own.coins) : '–');
    const [faucet, join] = ['faucet', 'join'].map((id) => /** @type {HTMLButtonElement} */ (byId(id)));
    // A call before the greeting would be lost. Who only looks on has neither button.
    faucet.disabled = join.disabled = this.#account === null;
    // A hidden button would lose the focus.
    const lost = own !== null && document.activeElement === join;
    join.hidden = faucet.hidden || own !== null;
    if (lost) canvas.focus({ preventScroll: true });
    byId('home').hidden = own === null;
    byId('placing').hidden = own === null;
    join.setAttribute('aria-pressed', String(this.#mode === 'join'));
    const place = /** @type {HTMLButtonElement} */ (byId('place'));
    place.disabled = this.#draft.length === 0;
    place.textContent = this.#draft.length === 1 ? say('Place 1 cell') : say('Place {0} cells', this.#draft.length);
    /** @type {HTMLButtonElement} */ (byId('clear')).disabled = this.#draft.length === 0;
    writeKingdoms(look, this.#names);
  }

  /** @param {number} now */
  #paint(now) {
    const look = this.#look;
    if (!look) return;
    this.#dirty = false;
    this.#camera = fitted(this.#camera, this.#painter.size, look.side);
    const pointed = this.#hover ?? (this.#cursorUsed && document.activeElement === canvas ? this.#cursor : null);
    const stamp = pointed && this.#mode === 'place' ? stamped(this.#pattern, pointed, look.side) : [];
    const cells = this.#engine.cells();
    const allowed = stamp.every(([x, y]) => (cells[y * look.side + x] & 63) === look.slot);
    const frames = this.#ghosts?.frames ?? [];
    const ghosts = frames.length > 0 ? frames[Math.floor(now / GHOST_MS) % frames.length] : [];
    const base = this.#mode === 'join' ? pointed : null;
    const cursor = this.#cursorUsed && document.activeElement === canvas ? this.#cursor : null;
    this.#painter.paint({
      cells,
      changed: this.#changed,
      look,
      camera: this.#camera,
      draft: this.#draft,
      stamp,
      allowed,
      ghosts,
      base,
      cursor,
    });
    this.#changed = false;
    canvas.dataset.scale = this.#camera.scale.toFixed(2);
    canvas.dataset.middle = `${Math.floor(this.#camera.x)} ${Math.floor(this.#camera.y)}`;
  }

  #listen() {
    const side = () => this.#look?.side ?? 512;
    const spot = (/** @type {import('./worlds/camera.js').Point} */ at) => spotAt(this.#camera, at, this.#painter.size, side());
    listenToWorld(canvas, {
      push: (dx, dy) => this.#see(pushed(this.#camera, dx, dy)),
      zoom: (factor, at) => {
        const { width, height } = this.#painter.size;
        this.#see(zoomed(this.#camera, factor, at ?? { x: width / 2, y: height / 2 }, { width, height }, side()));
      },
      tap: (at) => this.#act(spot(at)),
      hover: (at) => {
        this.#hover = at && spot(at);
        this.#dirty = true;
      },
      step: (dx, dy) => {
        this.#cursorUsed = true;
        this.#hover = null;
        this.#cursor = [wrapped(this.#cursor[0] + dx, side()), wrapped(this.#cursor[1] + dy, side())];
        // The cursor stays in view.
        this.#see({ ...this.#camera, x: this.#cursor[0] + 0.5, y: this.#cursor[1] + 0.5 });
        write('cell', this.#cellWords());
      },
      key: (key) => this.#key(key.length === 1 ? key.toLowerCase() : key),
    });
    small.addEventListener('click', (event) => {
      const { left, top, width, height } = small.getBoundingClientRect();
      this.#see({ ...this.#camera, x: ((event.clientX - left) / width) * side(), y: ((event.clientY - top) / height) * side() });
    });
    const press = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id).addEventListener('click', act);
    press('nearer', () => this.#key('+'));
    press('farther', () => this.#key('-'));
    press('home', () => this.#goHome());
    press('faucet', () => this.#feed.call({ type: 'faucet' }));
    press('join', () => {
      const byKeyboard = byId('join').matches(':focus-visible');
      this.#be(this.#mode === 'join' ? 'look' : 'join');
      // Where the base stands is chosen on the board.
      if (byKeyboard && this.#mode === 'join') canvas.focus({ preventScroll: true });
    });
    press('place', () => this.#send());
    press('clear', () => this.#key('Escape'));
    press('turn', () => this.#key('r'));
    press('mirror', () => this.#key('m'));
    document.getElementById('seat')?.addEventListener('click', () => {
      const { value } = /** @type {HTMLSelectElement} */ (byId('who'));
      this.#feed.call({ type: 'seat_bot', bot: value || null });
    });
    press('use-rle', () => this.#use(rle.value));
    chosen.addEventListener('change', () => {
      byId('own').hidden = chosen.value !== 'own';
      const known = PATTERNS.find(({ id }) => id === chosen.value);
      if (known) this.#use(known.rle);
    });
    chosen.replaceChildren(...[...PATTERNS.map(({ id, name }) => new Option(name, id)), new Option(say('your own, as text'), 'own')]);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      forgetKingdoms();
      this.#write();
      this.#dirty = true;
    });
    for (const [id, key] of [
      ['turn', 'R'],
      ['mirror', 'M'],
    ])
      byId(id).append(keyHint(key));
  }

  /** @param {Camera} camera */
  #see(camera) {
    this.#camera = fitted(camera, this.#painter.size, this.#look?.side ?? 512);
    this.#dirty = true;
    this.#moves += 1;
    this.#teach();
  }

  /** Reports to the tutorial what was done. */
  #teach() {
    const look = this.#look;
    if (!look) return;
    const {
      side,
      generation,
      slot,
      balance: coins,
      wipe: { quadrant },
    } = look;
    const wide = side / QUADRANTS;
    /** @type {Spot} */
    const middle = [((quadrant % QUADRANTS) + 0.5) * wide, (Math.floor(quadrant / QUADRANTS) + 0.5) * wide];
    const wipeInView = isInView(this.#camera, middle, this.#painter.size, side);
    this.#tutorial.see({ coins, slot, placed: this.#placed, ground: this.#own()?.ground ?? 0, generation, moves: this.#moves, wipeInView });
  }

  /** @param {Mode} mode */
  #be(mode) {
    this.#mode = mode;
    this.#dirty = true;
    if (mode === 'join') {
      // On a phone the board may be out of view when the button is tapped.
      canvas.scrollIntoView({ block: 'nearest' });
      this.#say(say('Choose where the top left of your base stands: one base in each quadrant.'));
    }
    this.#write();
  }

  /** @param {string} key */
  #key(key) {
    const { width, height } = this.#painter.size;
    const middle = { x: width / 2, y: height / 2 };
    switch (key) {
      case '+':
      case '-':
        return this.#see(zoomed(this.#camera, key === '+' ? 1.5 : 1 / 1.5, middle, { width, height }, this.#look?.side ?? 512));
      case 'Enter':
        this.#cursorUsed = true;
        return this.#act(this.#cursor);
      case 'r':
        this.#pattern = turned(this.#pattern);
        break;
      case 'm':
        this.#pattern = mirrored(this.#pattern);
        break;
      case 'p':
        return this.#send();
      case 'Home':
        return this.#goHome();
      case 'Backspace':
        this.#draft = this.#draft.slice(0, -1);
        this.#try();
        break;
      default:
        this.#draft = [];
        this.#try();
        if (this.#mode === 'join') this.#be('look');
    }
    this.#dirty = true;
    this.#write();
  }

  /** Selects a pattern to stamp. @param {string} text */
  #use(text) {
    try {
      this.#pattern = patternOf(text);
      this.#say();
      if (this.#own()) this.#be('place');
    } catch (error) {
      if (!(error instanceof NotAPattern)) throw error;
      this.#say(error.message);
    }
  }

  /** Handles a tap on a cell. @param {Spot} spot */
  #act(spot) {
    const look = this.#look;
    if (!look) return;
    this.#cursor = spot;
    write('cell', this.#cellWords());
    this.#dirty = true;
    if (this.#mode === 'join' && this.#account !== null) {
      const { why } = this.#engine.try(this.#account, { join: spot }, 0);
      if (why === null) this.#feed.call({ type: 'join_game', base_x: spot[0], base_y: spot[1] });
      else this.#say(sentence(why));
      return;
    }
    if (!this.#own()) return;
    const added = stamped(this.#pattern, spot, look.side);
    const there = (/** @type {Spot} */ [x, y]) => this.#draft.some(([col, row]) => col === x && row === y);
    // Tapping a cell of the draft removes it.
    const draft =
      added.length === 1 && there(added[0])
        ? this.#draft.filter(([x, y]) => x !== spot[0] || y !== spot[1])
        : [...this.#draft, ...added.filter((cell) => !there(cell))];
    if (draft.length > CELLS_MAX) return this.#say(say('Max {0} cells per call', CELLS_MAX));
    const why =
      draft.length > this.#draft.length && this.#account !== null ? this.#engine.try(this.#account, { place: draft }, 0).why : null;
    this.#say(why === null ? '' : sentence(why));
    // A draft that only lacks coins is still shown: the faucet is near.
    if (why !== null && why !== 'Insufficient coins') return;
    this.#draft = draft;
    this.#try();
    this.#write();
  }

  /** Computes what the draft leads to. */
  #try() {
    if (this.#draft.length === 0 || this.#account === null) {
      this.#ghosts = null;
      return;
    }
    const { frames } = this.#engine.try(this.#account, { place: this.#draft }, AHEAD);
    this.#ghosts = { frames, at: this.#feed.generation };
  }

  #send() {
    if (this.#draft.length > 0) this.#feed.call({ type: 'place_cells', cells: this.#draft });
  }

  /** @param {import('./worlds/feed.js').Reply} reply */
  #reply(reply) {
    if (reply.type === 'rejected') return this.#say(sentence(reply.message ?? ''));
    if (reply.type !== 'answer') return;
    switch (reply.what) {
      case 'get_slots_info':
        return this.#name(/** @type {import('./worlds/feed.js').Holders} */ (reply.answer));
      case 'join_game':
        this.#be('place');
        return this.#say(say('You hold slot {0}. Place cells inside your walls: what is born outside takes ground.', reply.answer));
      case 'place_cells':
        this.#draft = [];
        this.#placed += Number(reply.answer);
        this.#try();
        this.#teach();
        this.#write();
        return this.#say(reply.answer === 1 ? say('1 cell placed.') : say('{0} cells placed.', reply.answer));
      case 'seat_bot':
        return this.#say(
          reply.answer === null
            ? say('Nobody plays for you: the kingdom is yours alone.')
            : say('{0} plays for you, in a few seconds.', reply.answer),
        );
      case 'faucet':
        return this.#say(say('Your wallet holds {0} coins.', reply.answer));
    }
  }

  /** Describes the cell under the cursor. */
  #cellWords() {
    const look = this.#look;
    if (!look) return '';
    const [x, y] = this.#cursor;
    const byte = this.#engine.cells()[y * look.side + x];
    const kingdom = look.slots.find(({ slot }) => slot === (byte & 15));
    const owner = kingdom ? (this.#names.get(kingdom.account) ?? say('account {0}', kingdom.account)) : say('nobody');
    return say('column {0}, row {1}: {2}, {3}', x, y, byte & 16 ? say('a living cell') : say('empty'), say('ground of {0}', owner));
  }
}

/** A sentence of the rules in the page's language. @param {string} text */
const sentence = (text) => {
  const told = retold(text);
  return /[.!?]$/.test(told) ? told : `${told}.`;
};

try {
  await new WorldPage(await loadWorldEngine(fileUrl('arena_world.wasm'))).open();
} catch (error) {
  writeOrHide('trouble', say('The rules could not be loaded: {0}.', error instanceof Error ? error.message : String(error)));
}
