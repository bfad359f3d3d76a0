// What a tournament's folder says, checked by the arena's own code, in a module of its own.

/** @import { Claims, Contradiction } from '../replays/verification.js' */

/** Something in a folder, by its path. @typedef {[path: string, kind: 'file' | 'folder' | 'other']} Entry */

const NEWLINE = 10;

/**
 * @param {WebAssembly.Module} module
 * @param {'arena_own' | 'arena_ledger'} name
 * @param {readonly Uint8Array[]} parts
 */
function told(module, name, parts) {
  const { memory, arena_alloc, ...exports } = /** @type {any} */ (new WebAssembly.Instance(module).exports);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const address = arena_alloc(length) >>> 0;
  if (address === 0) throw new Error(`the folder has ${length} bytes, which is too large to be read here: use arena verify`);
  let at = address;
  for (const part of parts) {
    new Uint8Array(memory.buffer, at, part.length).set(part);
    at += part.length;
  }
  const packed = BigInt.asUintN(64, exports[name](address, length));
  // The module is dropped with its memory, so nothing needs to be freed.
  return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, Number(packed >> 32n), Number(packed & 0xffffffffn))));
}

/** @param {unknown} list */
const bytesOf = (list) => new TextEncoder().encode(JSON.stringify(list));

/**
 * What is to be looked at of a folder: files to read, and folders whose entries are to be added.
 * @param {WebAssembly.Module} module `arena_ledger.wasm`
 * @param {readonly Entry[]} entries
 * @returns {{read: string[], enter: string[], wrong?: undefined} | {wrong: Contradiction}}
 */
export function ownOf(module, entries) {
  return told(module, 'arena_own', [bytesOf(entries)]);
}

/**
 * The claims of a folder, or where it contradicts itself.
 * @param {WebAssembly.Module} module `arena_ledger.wasm`
 * @param {Map<string, Uint8Array>} files by path
 * @param {readonly Entry[]} [others] what else is in the folder, and was not read
 * @returns {{claims: Claims} | {wrong: Contradiction}}
 * @throws {Error} if it is too large
 */
export function claimsOf(module, files, others = []) {
  const read = [...files].map(([path, bytes]) => [path, 'file', bytes.length]);
  const names = [...read, ...others.map((entry) => [...entry, null])];
  return told(module, 'arena_ledger', [bytesOf(names), new Uint8Array([NEWLINE]), ...files.values()]);
}
