// The page that the service worker shows in place of one that is not stored: it keeps the address, and loads it once
// the site answers. In place of the answer to a form it has an address of its own, and leads back to the form.

import { byId } from './page/page.js';

/** The pause between two attempts, in milliseconds. */
const EVERY_MS = 5_000;
/** Answers from this status on are faults of the site, or of a proxy in front of one that is starting. */
const FAULTS = 500;

/** Whether a form was sent in vain: `service-worker.js` says so. */
const isOfForm = location.hash === '#not-sent';

/**
 * Loads the page at this address, or that of the form, if the site answers. Requests for a head alone are not answered
 * by the service worker.
 */
async function again() {
  try {
    const { status } = await fetch(location.href, { method: 'HEAD', cache: 'no-store', redirect: 'manual' });
    if (status >= FAULTS) return;
    if (isOfForm) history.back();
    else location.reload();
  } catch {
    // Still no connection.
  }
}

byId('not-sent').hidden = !isOfForm;
byId('not-stored').hidden = isOfForm;
// Opened by its own address, it stands for no other page.
if (isOfForm || byId('no-connection').dataset.address !== location.pathname) {
  setInterval(again, EVERY_MS);
  addEventListener('online', again);
}
byId('try').addEventListener('click', again);
