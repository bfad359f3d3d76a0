// Converts bytes to hexadecimal text and back, two digits a byte.

/** @param {string} hex @returns {Uint8Array<ArrayBuffer>} */
export function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}

/** @param {Uint8Array} bytes @returns {string} */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
