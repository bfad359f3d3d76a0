// Modules to upload.

/** @param {number} value @returns {number[]} in LEB128, as WebAssembly writes sizes */
function leb128(value) {
  const low = value & 0x7f;
  return value < 0x80 ? [low] : [low | 0x80, ...leb128(value >>> 7)];
}

/**
 * The same bot with other bytes: a custom section at the end, which engines ignore.
 * @param {Uint8Array} module
 * @param {number} number
 * @returns {Buffer}
 */
export function variant(module, number) {
  const name = Buffer.from('variant');
  const text = Buffer.from(String(number));
  const payload = Buffer.concat([Buffer.from(leb128(name.length)), name, text]);
  return Buffer.concat([module, Buffer.from([0, ...leb128(payload.length)]), payload]);
}

/** An invalid module: only the magic number is right. */
export const broken = () => Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff]);
