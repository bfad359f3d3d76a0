// A page without a browser: the elements of a template, and as much of the DOM as the pages' modules use. Canvases
// record what is drawn on them.

import * as setting from './setting.mjs';

/** @typedef {Record<string, string>} Attributes */

/** Elements without an end tag. */
const VOID = ['input', 'br', 'link', 'meta', 'img', 'hr'];

/**
 * A recorded drawing call, with its colours.
 * @typedef {{name: string, args: any[], fillStyle: string, strokeStyle: string, globalAlpha: number, lineWidth: number, dashes: number[]}} Note
 */

/** A canvas context that records calls. @param {Note[]} notes */
function ink(notes) {
  const style = { fillStyle: '', strokeStyle: '', globalAlpha: 1, lineWidth: 1, dashes: /** @type {number[]} */ ([]) };
  return new Proxy(/** @type {any} */ (style), {
    get: (_, name) => (name in style ? Reflect.get(style, name) : (/** @type {any[]} */ ...args) => {
      if (name === 'setLineDash') style.dashes = args[0];
      else notes.push({ name: String(name), args, ...style });
    }),
    set: (_, name, value) => Reflect.set(style, name, value),
  });
}

export class Element extends EventTarget {
  /** @type {Element | null} */
  parentElement = null;
  /** @type {Record<string, string>} */
  dataset = {};
  /** @type {Record<string, string>} */
  style = {};
  /** Its place in the window, in CSS pixels. */
  box = { left: 0, top: 0, width: 0, height: 0 };
  hidden = false;
  disabled = false;
  open = false;
  value = '';
  className = '';
  id = '';
  width = 300;
  height = 150;
  /** @type {Note[]} the latest drawing calls */
  notes = [];
  /** @type {(Element | string)[]} */
  #nodes = [];
  /** @type {Map<string, string>} */
  #attributes = new Map();
  #ink = ink(this.notes);

  /** @param {string} tag @param {Attributes} [attributes] */
  constructor(tag, attributes = {}) {
    super();
    this.tag = tag;
    for (const [name, value] of Object.entries(attributes)) {
      this.#attributes.set(name, value);
      if (name.startsWith('data-')) this.dataset[name.slice('data-'.length)] = value;
      else if (name === 'hidden' || name === 'disabled') this[name] = true;
      else if (name === 'width' || name === 'height') this[name] = Number(value);
      else if (name === 'class') this.className = value;
      else if (name === 'id' || name === 'value') this[name] = value;
    }
  }

  get children() {
    return this.#nodes.filter((node) => node instanceof Element);
  }

  get textContent() {
    return this.#nodes.map((/** @type {any} */ node) => node.textContent ?? node).join('');
  }

  set textContent(text) {
    this.#nodes = text === '' ? [] : [text];
  }

  get clientWidth() {
    return this.box.width;
  }

  get clientHeight() {
    return this.box.height;
  }

  /** Whether neither the element nor any ancestor is hidden or closed. @returns {boolean} */
  get isShown() {
    const around = this.parentElement;
    const isClosed = around?.tag === 'details' && !around.open && this.tag !== 'summary';
    return !this.hidden && !isClosed && (around?.isShown ?? true);
  }

  /** @param {(Element | string)[]} nodes */
  append(...nodes) {
    for (const node of nodes) if (node instanceof Element) node.parentElement = this;
    this.#nodes.push(...nodes);
  }

  /** @param {(Element | string)[]} nodes */
  replaceChildren(...nodes) {
    this.#nodes = [];
    this.append(...nodes);
  }

  /** All descendants. @returns {Element[]} */
  within() {
    return this.children.flatMap((child) => [child, ...child.within()]);
  }

  get firstElementChild() {
    return this.children[0] ?? null;
  }

  /** @param {unknown} element */
  contains(element) {
    return this.within().includes(/** @type {any} */ (element));
  }

  /** @param {string} selector a tag, or an attribute with its value */
  querySelector(selector) {
    const [, name, value] = /^\[data-([a-z]+)="([^"]*)"\]$/.exec(selector) ?? [];
    return this.within().find((element) => (name ? element.dataset[name] === value : element.tag === selector)) ?? null;
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }

  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.#attributes.set(name, value);
  }

  /** @param {string} name */
  removeAttribute(name) {
    this.#attributes.delete(name);
  }

  /** @param {string} name @param {boolean} force */
  toggleAttribute(name, force) {
    if (force) this.setAttribute(name, '');
    else this.removeAttribute(name);
  }

  getBoundingClientRect() {
    return this.box;
  }

  getContext() {
    return this.#ink;
  }

  setPointerCapture() {}

  scrollIntoView() {}

  /** Whether it has the focus by the keyboard: nothing has here. */
  matches() {
    return false;
  }

  focus() {
    /** @type {any} */ (globalThis).document.activeElement = this;
  }

  /** Dispatches an event to it. @param {string} type @param {object} [what] of the event */
  does(type, what = {}) {
    this.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), what));
  }
}

/**
 * The server's output for a template: in English, with empty lists.
 * @param {string} template of a page
 * @param {{signedIn: boolean, values: Record<string, string>}} visitor
 */
function rendered(template, { signedIn, values }) {
  const conditions = new Map([['!self.plays()', !signedIn], ['self.plays()', signedIn], ['!bots.is_empty()', signedIn], ['lesson', false]]);
  return setting.source(`web/templates/${template}.html`)
    .replace(/\{% for [\s\S]*?\{% endfor %\}/g, '')
    .replace(/\{% if (.*?) %\}([\s\S]*?)\{% endif %\}/g, (_, condition, text) => (conditions.get(condition) ? text : ''))
    .replace(/\{%.*?%\}/g, '')
    .replace(/\{\{ crate::say\("(.*?)"\).*?\}\}/g, '$1')
    .replace(/\{\{ (.*?) \}\}/g, (_, value) => values[value] ?? '');
}

/** The elements of a page, by their ids. @param {string} text @returns {Map<string, Element>} */
function elements(text) {
  /** @type {Map<string, Element>} */
  const ids = new Map();
  let within = new Element('body');
  for (const [, said, end, tag, rest] of text.matchAll(/([^<]+)|<(\/?)([a-z][a-z0-9]*)([^>]*)>/g)) {
    if (said) within.append(said.trim());
    else if (end) within = within.tag === tag ? (within.parentElement ?? within) : within;
    else {
      const attributes = Object.fromEntries([...rest.matchAll(/([a-z][a-z0-9-]*)(?:="([^"]*)")?/g)].map(([, name, value = '']) => [name, value]));
      const element = new Element(tag, attributes);
      within.append(element);
      if (element.id) ids.set(element.id, element);
      if (!VOID.includes(tag)) within = element;
    }
  }
  return ids;
}

/**
 * The custom properties of the style sheet for a colour scheme.
 * @param {'light' | 'dark'} scheme
 * @returns {Map<string, string>}
 */
export function properties(scheme) {
  const [light, dark] = setting.source('web/static/style.css').split('@media (prefers-color-scheme: dark)', 2);
  const found = (/** @type {string} */ text) => [...text.matchAll(/--([a-z0-9-]+): ([^;]+);/g)].map(([, name, value]) => /** @type {const} */ ([name, value]));
  // From the second part, only the contents of its braces.
  return new Map([...found(light), ...(scheme === 'dark' ? found(dark.slice(0, dark.indexOf('\n}\n'))) : [])]);
}

/** An option of a select. */
class Choice extends Element {
  /** @param {string} text @param {string} value */
  constructor(text, value) {
    super('option', { value });
    this.textContent = text;
  }
}

/** The pixels of an image for a canvas. */
class Pixels {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    [this.width, this.height, this.data] = [width, height, new Uint8ClampedArray(4 * width * height)];
  }
}

/**
 * Makes a page the document that modules see.
 * @param {string} template of the page
 * @param {{scheme?: 'light' | 'dark', signedIn: boolean, values: Record<string, string>, stored?: Map<string, string>}}
 *   visitor
 * @returns {{byId(id: string): Element, frame(now: number): void}} an element by id, and the next animation frame
 */
export function openDocument(template, { scheme = 'light', signedIn, values, stored = new Map() }) {
  const ids = elements(rendered(template, { signedIn, values }));
  const root = new Element('html', { lang: 'en' });
  const style = properties(scheme);
  /** @type {((now: number) => void)[]} */
  let frames = [];
  const page = Object.assign(new EventTarget(), {
    documentElement: Object.assign(root, { lang: 'en' }),
    hidden: false,
    activeElement: null,
    getElementById: (/** @type {string} */ id) => ids.get(id) ?? null,
    createElement: (/** @type {string} */ tag) => new Element(tag),
  });
  const globals = {
    document: page,
    location: { protocol: 'http:', host: 'here', search: '' },
    localStorage: { getItem: (/** @type {string} */ key) => stored.get(key) ?? null, setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value) },
    Option: Choice,
    ImageData: Pixels,
    ResizeObserver: class { observe() {} },
    addEventListener() {},
    matchMedia: () => new EventTarget(),
    getComputedStyle: () => ({ getPropertyValue: (/** @type {string} */ name) => style.get(name.slice('--'.length)) ?? '' }),
    requestAnimationFrame: (/** @type {(now: number) => void} */ frame) => frames.push(frame),
  };
  Object.assign(globalThis, globals);
  const byId = (/** @type {string} */ id) => {
    const element = ids.get(id);
    if (!element) throw new Error(`the page has no #${id}`);
    return element;
  };
  const frame = (/** @type {number} */ now) => {
    const before = [...ids.values()].map(({ notes }) => ({ notes, count: notes.length }));
    for (const act of frames.splice(0)) act(now);
    // A canvas that is not drawn on keeps its picture.
    for (const { notes, count } of before) if (notes.length > count) notes.splice(0, count);
  };
  return { byId, frame };
}
