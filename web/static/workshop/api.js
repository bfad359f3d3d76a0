// What a bot may call, with its words, read from what its language declares: `bot.d.ts`, which `arena new` gives to
// editors, and the layer `arena.wat`.

/**
 * What a text may call.
 * @typedef {object} Api
 * @property {(before: Before, word: string, text: string) => Known[]} at what a word of the text may be
 * @property {(before: Before, isAsked: boolean, text: string) => Known[]} options what may be written in a place of the
 *   text; guesses, if asked
 */

/**
 * Something that is declared.
 * @typedef {object} Known
 * @property {string} name
 * @property {string} of the type that it is a part of; empty for what stands by itself
 * @property {string} type what it is, or what it returns
 * @property {string} signature
 * @property {string} words what it does; may be empty
 * @property {boolean} [isFree] whether a module knows it without a layer
 */

/** @typedef {string} Before the text of a line before a word, which may be empty */

/**
 * A declaration. That of a type has a parent: the type that it extends, or an empty string.
 * @typedef {Known & {parent?: string}} Declaration
 */

/** Types of TypeScript: what each extends, or an empty string. */
const TYPE = /^(?:interface|declare class) (\w+)(?: extends (\w+))?/;
const FUNCTION = /^declare function ((\w+)(?:<\w+>)?\(.*\): (.+));$/;
const PART = /^ +(?:readonly )?((\w+)(?:<\w+>)?\??(?:\(.*\))?: (.+?)(?: \{)?);?$/;
const MAKER = /^ +constructor(\(.*\));$/;
const COMMENT = /^ *\/\*\* (.*) \*\/$/;

/** What TypeScript declares, as in `bot.d.ts`: a line for each, after its words. @param {string} text */
export function ofTypeScript(text) {
  /** @type {Declaration[]} */
  const found = [];
  let [of, words] = ['', ''];
  for (const line of text.split('\n')) {
    const said = COMMENT.exec(line);
    const type = TYPE.exec(line);
    const maker = MAKER.exec(line);
    const part = FUNCTION.exec(line) ?? PART.exec(line);
    if (said) words = said[1];
    else if (line === '}') of = '';
    else if (type) {
      of = type[1];
      found.push({ name: of, of: '', type: of, signature: line, words, parent: type[2] ?? '' });
    } else if (maker) found.push({ name: of, of: '', type: of, signature: `new ${of}${maker[1]}`, words });
    else if (part) found.push({ name: part[2], of, type: part[3], signature: part[1], words });
    if (!said) words = '';
  }
  return found;
}

/** Classes of Python, what each extends; functions and methods; and parts of a class. */
const CLASS = /^class (\w+)(?:\((\w+)\))?:/;
const DEF = /^( *)def (\w+)\((?:self(?:, )?)?(.*)\) -> ([^:]+):/;
const FIELD_OF_CLASS = /^ {4}(\w+): (.+)$/;
const DOCSTRING = /^ +"""(.*)"""$/;

/** What Python declares, as in `arena.pyi`: a line for each, before its words. @param {string} text */
export function ofPython(text) {
  /** @type {Declaration[]} */
  const found = [];
  let of = '';
  for (const line of text.split('\n')) {
    const said = DOCSTRING.exec(line);
    const type = CLASS.exec(line);
    const [, indent, name, parameters, returned] = DEF.exec(line) ?? [];
    const field = FIELD_OF_CLASS.exec(line);
    if (said && found.length > 0) found[found.length - 1].words = said[1];
    else if (type) {
      of = type[1];
      found.push({ name: of, of: '', type: of, signature: line, words: '', parent: type[2] ?? '' });
    } else if (name === '__init__') found.push({ name: of, of: '', type: of, signature: `${of}(${parameters})`, words: '' });
    else if (name !== undefined) {
      const within = indent === '' ? '' : of;
      found.push({ name, of: within, type: returned, signature: `${name}(${parameters}) -> ${returned}`, words: '' });
    } else if (field) found.push({ name: field[1], of, type: field[2], signature: line.trim(), words: '' });
  }
  return found;
}

/** The type whose parts stand in an object that is written, not behind a point. */
const OPTIONS = 'Search';

/** Names of JavaScript's own have a capital. */
const OWN_TYPE = /^[A-Z]/;

/** What a script's language declares, for a game: what `o` is depends on it. */
export class Script {
  /** @type {Known[]} */
  #known = [];
  /** Types: what each extends. @type {Map<string, string>} */
  #types = new Map();

  /** @param {Declaration[]} declared @param {string} game */
  constructor(declared, game) {
    for (const one of declared) {
      if (one.parent !== undefined) this.#types.set(one.name, one.parent);
      else this.#known.push(one);
      if (one.name !== 'game' || !one.type.includes(`"${game}"`)) continue;
      const words = declared.find(({ name, parent }) => name === one.of && parent !== undefined)?.words ?? '';
      this.#known.push({ name: 'o', of: '', type: one.of, signature: `o: ${one.of}`, words });
    }
  }

  /** @type {Api['at']} */
  at(before, word) {
    const found = this.#known.filter(({ name }) => name === word);
    const type = this.#type(before);
    if (type !== null) return found.filter(({ of }) => this.#extends(type, of));
    const free = found.filter(({ of }) => of === '');
    return free.length > 0 && !before.endsWith('.') ? free : found;
  }

  /** @type {Api['options']} */
  options(before, isAsked) {
    const type = this.#type(before);
    if (type !== null) return this.#known.filter(({ of }) => this.#extends(type, of));
    if (before.endsWith('.')) return isAsked ? this.#known.filter(({ of }) => of !== '' && of !== OPTIONS) : [];
    return this.#known.filter(({ of }) => of === '' || of === OPTIONS);
  }

  /** The type of what stands before a point; null if there is none, or nobody knows. @param {Before} before */
  #type(before) {
    let text = before;
    for (let shorter = ''; shorter !== text;) {
      shorter = text;
      text = text.replaceAll(/\([^()]*\)/g, '').replaceAll(/\[[^[\]]+\]/g, '[]');
    }
    const [, chain] = /([\w$.[\]]+)\.$/.exec(text) ?? [];
    if (chain === undefined) return null;
    const [first, ...rest] = chain.split('.');
    const root = this.#known.find(({ name, of }) => of === '' && name === first)?.type;
    // Of what JavaScript has itself, nothing is declared here.
    if (root === undefined) return OWN_TYPE.test(first) ? '' : null;
    return rest.reduce((type, part) => this.#known.find(({ name, of }) => name === part && this.#extends(type, of))?.type ?? '', root);
  }

  /** Whether a type is another one, or extends it. @param {string} type @param {string} other @returns {boolean} */
  #extends(type, other) {
    return type !== '' && (type === other || this.#extends(this.#types.get(type) ?? '', other));
  }
}

/** A function or a global of WebAssembly text; its module and name, if imported; its parameters; and a comment. */
const FIELD =
  /^\((?:import "\w+" "\w+" \()?(func|global|memory)(?: (\$\w+))?((?: \((?:export|param|result|mut) [^()]*\)| i32)*).*?(?:;; (.*))?$/;

/** How a text begins that is a whole module, which has no layer in front of it. */
const WHOLE = /^(?:\s|;;.*)*\(\s*module\b/;

/** What WebAssembly text has in front of it. */
export class Layer {
  /** @type {Known[]} */
  #known = [];

  /** @param {string} text of `arena.wat` */
  constructor(text) {
    /** @type {string[]} */
    let words = [];
    for (const line of text.split('\n')) {
      const field = FIELD.exec(line);
      if (/^;; (?!-)/.test(line)) words.push(line.slice(3));
      else if (field) {
        const [, kind, named, rest, beside] = field;
        const [, exported] = /\(export "(\w+)"\)/.exec(rest) ?? [];
        const isImported = line.startsWith('(import');
        this.#known.push({
          name: named ?? exported,
          of: '',
          type: kind,
          signature: isImported ? line : `(${kind}${named === undefined ? '' : ` ${named}`}${rest})`,
          words: [...words, ...(beside === undefined ? [] : [beside])].join(' '),
          isFree: isImported || exported !== undefined,
        });
        words = [];
      } else words = [];
    }
  }

  /** @type {Api['at']} */
  at(_, word, text) {
    return this.#known.filter(({ name, isFree }) => name.replace('$', '') === word && (isFree || !WHOLE.test(text)));
  }

  /** Names; in quotes those of the contract. @type {Api['options']} */
  options(before, _, text) {
    if (!before.endsWith('"')) return WHOLE.test(text) ? [] : this.#known.filter(({ name }) => name.startsWith('$'));
    return this.#known.filter(({ isFree }) => isFree).map((known) => ({ ...known, name: known.name.replace('$', '') }));
  }
}
