// The page of a world of Life2: turns inputs and messages into events, asks the rules what a draft leads to, and draws
// the state.

/** @import { Point } from './worlds/camera.js' */
/** @import { WorldCommand } from '../types/wire.d.ts' */
/** @import { Asked, Ghost, Spot } from './worlds/engine.js' */
/** @import { Reply } from './worlds/feed.js' */
/** @import { Event, Mode } from './worlds/state.js' */

import { fileUrl } from './files.js';
import { byId, keyHint, write, writeOrHide } from './page/page.js';
import { notify, titled } from './rooms/bar.js';
import { offerSound } from './rooms/sound.js';
import { LoneWorld } from './worlds/alone.js';
import { fitted, isInView, pushed, spotAt, zoomed } from './worlds/camera.js';
import { loadWorldEngine } from './worlds/engine.js';
import { Feed } from './worlds/feed.js';
import { listenToWorld } from './worlds/input.js';
import { QUADRANTS, WorldPainter } from './worlds/paint.js';
import { CELLS_MAX, PATTERNS, NotAPattern, mirrored, patternOf, stamped, turned } from './worlds/patterns.js';
import { INITIAL, ownOf, reason, reduce, sideOf } from './worlds/state.js';
import { forgetKingdoms } from './worlds/table.js';
import { WorldTutorial } from './worlds/tutorial.js';
import { writeWorld } from './worlds/view.js';
import { scriptBoardEmpty } from './text/en/script-board.js';
import { scriptPageRulesNotLoaded } from './text/en/script-page.js';
import { scriptRoomsReconnecting } from './text/en/script-rooms.js';
import * as worlds from './text/en/script-worlds.js';

/** The number of generations that ghosts look ahead, and how long each is shown, in milliseconds. */
const AHEAD = 12;
const GHOST_MS = 250;
/** The interval between recomputations of the ghosts, in generations. */
const TRIED_EVERY = 10;
/** How much a key or button zooms. */
const ZOOM = 1.5;

const page = byId('world');
const canvas = /** @type {HTMLCanvasElement} */ (byId('board'));
const small = /** @type {HTMLCanvasElement} */ (byId('minimap'));
const chosen = /** @type {HTMLSelectElement} */ (byId('pattern'));
const rle = /** @type {HTMLTextAreaElement} */ (byId('rle'));

class WorldPage {
  state = INITIAL;
  /** @type {{frames: Ghost[][], at: number} | null} what the draft leads to, as computed in one generation */
  #ghosts = null;
  /** The latest calls, by their types. @type {Map<string, Asked>} */
  #asked = new Map();
  #dirty = true;
  /** Whether the cells may differ from those painted last. */
  #changed = true;
  #painter = new WorldPainter(canvas, small);
  #tutorial = new WorldTutorial();
  #engine;
  #feed;

  /** @param {import('./worlds/engine.js').WorldEngine} engine */
  constructor(engine) {
    this.#engine = engine;
    /** @type {import('./worlds/feed.js').Ears} */
    const ears = {
      reply: (reply) => this.dispatch({ type: 'reply', reply, why: this.#whyRefused(reply) }),
      hello: (account) => (this.dispatch({ type: 'hello', account }), this.#refresh()),
      connected: (open) => notify('offline', open ? null : { words: scriptRoomsReconnecting() }),
      slots: (slots) => this.dispatch({ type: 'slots', slots }),
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

  /** @param {Event} event */
  dispatch(event) {
    const { draft, sayings } = this.state;
    this.state = reduce(this.state, event, this.#painter.size);
    if (this.state.draft !== draft) this.#try();
    const { kind, said } = this.state;
    if (this.state.sayings !== sayings) {
      notify('said', null);
      const joins = { text: byId('join').textContent ?? '', act: () => this.#be('join') };
      if (said !== '') notify('said', { words: said, choices: kind === 'fallen' ? [joins] : [] });
    }
    this.#dirty = true;
    this.#show();
  }

  /** Updates the page after a change of the world. */
  #refresh() {
    this.#changed = true;
    this.dispatch({ type: 'looked', look: this.#engine.look(this.state.account) });
    if (this.#ghosts && Math.abs(this.#feed.generation - this.#ghosts.at) >= TRIED_EVERY) this.#try();
  }

  #show() {
    page.dataset.kind = this.#feed.kind;
    writeWorld(this.state);
    const { look, moves, placed } = this.state;
    if (!look) return;
    const { side, generation, slot, balance: coins, wipe } = look;
    const wide = side / QUADRANTS;
    /** @type {Spot} */
    const middle = [((wipe.quadrant % QUADRANTS) + 0.5) * wide, (Math.floor(wipe.quadrant / QUADRANTS) + 0.5) * wide];
    const wipeInView = isInView(this.#camera, middle, this.#painter.size, side);
    this.#tutorial.see({ coins, slot, placed, ground: ownOf(this.state)?.ground ?? 0, generation, moves, wipeInView });
  }

  /** The camera for the board's present size. */
  get #camera() {
    return fitted(this.state.camera, this.#painter.size, sideOf(this.state));
  }

  /** @param {number} now */
  #paint(now) {
    const { look, draft, mode, pattern } = this.state;
    if (!look) return;
    this.#dirty = false;
    const cursor = this.state.cursorUsed && document.activeElement === canvas ? this.state.cursor : null;
    const pointed = this.state.hover ?? cursor;
    const stamp = pointed && mode === 'place' ? stamped(pattern, pointed, look.side) : [];
    const cells = this.#engine.cells();
    const allowed = stamp.every(([x, y]) => (cells[y * look.side + x] & 63) === look.slot);
    const frames = this.#ghosts?.frames ?? [];
    const ghosts = frames.length > 0 ? frames[Math.floor(now / GHOST_MS) % frames.length] : [];
    const base = mode === 'join' ? pointed : null;
    const camera = this.#camera;
    this.#painter.paint({ cells, changed: this.#changed, look, camera, draft, stamp, allowed, ghosts, base, cursor });
    this.#changed = false;
    canvas.dataset.scale = camera.scale.toFixed(2);
    canvas.dataset.middle = `${Math.floor(camera.x)} ${Math.floor(camera.y)}`;
  }

  #listen() {
    titled(document.title);
    offerSound();
    const side = () => sideOf(this.state);
    const spot = (/** @type {Point} */ at) => spotAt(this.#camera, at, this.#painter.size, side());
    listenToWorld(canvas, {
      push: (dx, dy) => this.dispatch({ type: 'see', camera: pushed(this.#camera, dx, dy) }),
      zoom: (factor, at) => this.#zoom(factor, at),
      tap: (at) => this.#act(spot(at)),
      hover: (at) => this.dispatch({ type: 'hover', spot: at && spot(at) }),
      step: (dx, dy) => {
        this.dispatch({ type: 'step', dx, dy });
        write('cell', this.#cellWords());
      },
      key: (key) => this.#key(key.length === 1 ? key.toLowerCase() : key),
    });
    small.addEventListener('click', (event) => {
      const { left, top, width, height } = small.getBoundingClientRect();
      const [x, y] = [((event.clientX - left) / width) * side(), ((event.clientY - top) / height) * side()];
      this.dispatch({ type: 'see', camera: { ...this.#camera, x, y } });
    });
    const press = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id).addEventListener('click', act);
    press('nearer', () => this.#zoom(ZOOM));
    press('farther', () => this.#zoom(1 / ZOOM));
    press('home', () => this.dispatch({ type: 'home' }));
    press('faucet', () => this.#ask({ type: 'faucet' }, 'faucet'));
    press('join', () => {
      const byKeyboard = byId('join').matches(':focus-visible');
      this.#be(this.state.mode === 'join' ? 'look' : 'join');
      // Where the base stands is chosen on the board.
      if (byKeyboard && this.state.mode === 'join') canvas.focus({ preventScroll: true });
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
    chosen.replaceChildren(
      ...[...PATTERNS.map(({ id, name }) => new Option(name, id)), new Option(worlds.scriptWorldsPatternOwn(), 'own')],
    );
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      forgetKingdoms();
      this.#show();
      this.#dirty = true;
    });
    byId('turn').append(keyHint('R'));
    byId('mirror').append(keyHint('M'));
  }

  /** @param {number} factor @param {Point | null} [at] what stays where it is; by default the middle */
  #zoom(factor, at) {
    const { size } = this.#painter;
    const middle = { x: size.width / 2, y: size.height / 2 };
    this.dispatch({ type: 'see', camera: zoomed(this.#camera, factor, at ?? middle, size, sideOf(this.state)) });
  }

  /** @param {Mode} mode */
  #be(mode) {
    this.dispatch({ type: 'mode', mode });
    // On a phone the board may be out of view when the button is tapped.
    if (mode === 'join') canvas.scrollIntoView({ block: 'nearest' });
  }

  /** @param {string} key */
  #key(key) {
    const { pattern, draft, mode } = this.state;
    switch (key) {
      case '+':
        return this.#zoom(ZOOM);
      case '-':
        return this.#zoom(1 / ZOOM);
      case 'Enter':
        return this.#act(this.state.cursor, true);
      case 'r':
        return this.dispatch({ type: 'pattern', pattern: turned(pattern) });
      case 'm':
        return this.dispatch({ type: 'pattern', pattern: mirrored(pattern) });
      case 'p':
        return this.#send();
      case 'Home':
        return this.dispatch({ type: 'home' });
      case 'Backspace':
        return this.dispatch({ type: 'draft', draft: draft.slice(0, -1) });
      default:
        this.dispatch({ type: 'draft', draft: [] });
        if (mode === 'join') this.#be('look');
    }
  }

  /** Selects a pattern to stamp. @param {string} text */
  #use(text) {
    try {
      this.dispatch({ type: 'pattern', pattern: patternOf(text) });
      this.dispatch({ type: 'say', text: '' });
      if (ownOf(this.state)) this.#be('place');
    } catch (error) {
      if (!(error instanceof NotAPattern)) throw error;
      this.dispatch({ type: 'say', text: error.message });
    }
  }

  /** Acts on a cell. @param {Spot} spot @param {boolean} [byKey] whether it was chosen by the cursor */
  #act(spot, byKey = false) {
    const { account, draft, look, mode, pattern } = this.state;
    if (!look) return;
    this.dispatch({ type: 'point', spot, byKey });
    write('cell', this.#cellWords());
    if (mode === 'join' && account !== null) {
      const { why } = this.#engine.try(account, { join: spot }, 0);
      if (why.length === 0) this.#ask({ type: 'join_game', base_x: spot[0], base_y: spot[1] }, { join: spot });
      else this.dispatch({ type: 'say', text: reason(why) });
      return;
    }
    if (!ownOf(this.state)) return;
    const added = stamped(pattern, spot, look.side);
    const there = (/** @type {Spot} */ [x, y]) => draft.some(([col, row]) => col === x && row === y);
    // Tapping a cell of the draft removes it.
    const next =
      added.length === 1 && there(added[0])
        ? draft.filter(([x, y]) => x !== spot[0] || y !== spot[1])
        : [...draft, ...added.filter((cell) => !there(cell))];
    if (next.length > CELLS_MAX) return this.dispatch({ type: 'say', text: worlds.scriptWorldsTooManyCells({ most: CELLS_MAX }) });
    const why = next.length > draft.length && account !== null ? this.#engine.try(account, { place: next }, 0).why : [];
    this.dispatch({ type: 'say', text: reason(why) });
    // A draft that only lacks coins is still shown: the faucet is near.
    if (why.every(([code]) => code === 'insufficient-coins')) this.dispatch({ type: 'draft', draft: next });
  }

  /** Computes what the draft leads to. */
  #try() {
    const { account, draft } = this.state;
    const frames = draft.length === 0 || account === null ? null : this.#engine.try(account, { place: [...draft] }, AHEAD).frames;
    this.#ghosts = frames && { frames, at: this.#feed.generation };
  }

  /** Sends a call. @param {WorldCommand} command @param {Asked} call the same for the rules */
  #ask(command, call) {
    this.#asked.set(command.type, call);
    this.#feed.call(command);
  }

  /**
   * Why the rules refused a call: as a world alone says, or as far as this page's world shows it.
   * @param {Reply} reply
   */
  #whyRefused(reply) {
    if (reply.type !== 'rejected') return [];
    if (reply.why) return reply.why;
    const call = reply.code === 'refused' ? this.#asked.get(reply.what) : undefined;
    const { account } = this.state;
    return call === undefined || account === null ? [] : this.#engine.try(account, call, 0).why;
  }

  #send() {
    const { draft } = this.state;
    if (draft.length > 0) this.#ask({ type: 'place_cells', cells: [...draft] }, { place: [...draft] });
  }

  /** Describes the cell under the cursor. */
  #cellWords() {
    const { cursor, look, names } = this.state;
    if (!look) return '';
    const [x, y] = cursor;
    const byte = this.#engine.cells()[y * look.side + x];
    const kingdom = look.slots.find(({ slot }) => slot === (byte & 15));
    const owner = kingdom
      ? (names.get(kingdom.account) ?? worlds.scriptWorldsAccount({ account: kingdom.account }))
      : worlds.scriptWorldsNobody();
    return worlds.scriptWorldsCell({
      col: x,
      row: y,
      cell: byte & 16 ? worlds.scriptWorldsLivingCell() : scriptBoardEmpty(),
      ground: worlds.scriptWorldsGroundOf({ owner }),
    });
  }
}

try {
  await new WorldPage(await loadWorldEngine(fileUrl('arena_world.wasm'))).open();
} catch (error) {
  writeOrHide('trouble', scriptPageRulesNotLoaded({ why: error instanceof Error ? error.message : String(error) }));
}
