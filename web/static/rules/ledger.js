// What a tournament's folder says, checked by the arena's own code, in a module of its own.

/** @import { Claims, Contradiction } from '../replays/verification.js' */

/**
 * The claims of a folder, or where it contradicts itself.
 * @param {WebAssembly.Module} module `arena_ledger.wasm`
 * @param {Map<string, Uint8Array>} files by path
 * @returns {{claims: Claims} | {wrong: Contradiction}}
 */
export function claimsOf(module, files) {
  const { memory, arena_alloc, arena_ledger } = /** @type {any} */ (new WebAssembly.Instance(module).exports);
  const names = `${JSON.stringify([...files].map(([path, bytes]) => [path, bytes.length]))}\n`;
  const parts = [new TextEncoder().encode(names), ...files.values()];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const address = arena_alloc(length) >>> 0;
  if (address === 0) return { wrong: { file: '.', why: `${length} bytes` } };
  let at = address;
  for (const part of parts) {
    new Uint8Array(memory.buffer, at, part.length).set(part);
    at += part.length;
  }
  const packed = BigInt.asUintN(64, arena_ledger(address, length));
  // The module is dropped with its memory, so nothing needs to be freed.
  return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, Number(packed >> 32n), Number(packed & 0xffffffffn))));
}
