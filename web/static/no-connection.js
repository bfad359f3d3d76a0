// The page that the service worker shows in place of one that is not stored: it keeps the address, and loads it once
// the site answers.

import { byId } from './page/page.js';

/** The pause between two attempts, in milliseconds. */
const EVERY_MS = 5_000;
/** Answers from this status on are faults of the site, or of a proxy in front of one that is starting. */
const FAULTS = 500;

/**
 * Loads the page at this address if the site answers. Requests for a head alone are not answered by the service worker.
 */
async function again() {
  try {
    const { status } = await fetch(location.href, { method: 'HEAD', cache: 'no-store', redirect: 'manual' });
    if (status < FAULTS) location.reload();
  } catch {
    // Still no connection.
  }
}

// Opened by its own address, it stands for no other page.
if (byId('no-connection').dataset.address !== location.pathname) {
  setInterval(again, EVERY_MS);
  addEventListener('online', again);
}
byId('try').addEventListener('click', again);
