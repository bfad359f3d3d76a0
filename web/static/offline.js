// Makes practice work without a network: asks the browser to keep what it needs.

/** The worker that keeps it. Its address is outside of the folder of files, because it serves all pages. */
const WORKER = '/service-worker.js';

/** Begins to keep it, once the page has what it needs itself. Where that is not allowed, practice needs the network as before. */
export function keepOffline() {
  if (!('serviceWorker' in navigator)) return;
  const register = () => navigator.serviceWorker.register(WORKER).catch(() => {});
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
