// Fetches the bytes of bots to run in this page.

import { fetched } from '../net/fetched.js';
import { scriptPageBotOtherBytes } from '../text/en/script-page.js';
import { hexOf } from './hex.js';

/**
 * The bytes of a bot, checked against their hash if the browser can hash (it cannot on plain http from another
 * machine).
 * @param {string} hash
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function moduleOf(hash) {
  const bytes = new Uint8Array(await (await fetched(`/api/v1/modules/${hash}`)).arrayBuffer());
  if (crypto.subtle) {
    const found = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
    if (found !== hash) throw new Error(scriptPageBotOtherBytes());
  }
  return bytes;
}
