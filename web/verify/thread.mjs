// A thread of Node in which the page's worker runs: the same script, with the web's names for messages.

import { parentPort, workerData } from 'node:worker_threads';

Object.assign(globalThis, {
  postMessage: (/** @type {unknown} */ data) => parentPort?.postMessage(data),
  addEventListener: (/** @type {string} */ kind, /** @type {(event: {data: unknown}) => void} */ take) => parentPort?.on(kind, (data) => take({ data })),
});
await import(workerData);
