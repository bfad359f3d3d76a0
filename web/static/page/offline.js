// Makes practice work without a network: registers the service worker, which stores the files it needs.

/** The service worker. Its address is outside the folder of static files because it serves all pages. */
const WORKER = '/service-worker.js';

/**
 * Starts storing the files once the page has loaded its own. If this is not allowed, practice needs the network as
 * before.
 */
export function keepOffline() {
  if (!('serviceWorker' in navigator)) return;
  const register = () => navigator.serviceWorker.register(WORKER).catch(() => {});
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
