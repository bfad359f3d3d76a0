// The worker that plays games again, and the modules that it needs, from this site.

import { fileUrl } from '../files.js';
import { fetched } from '../net/fetched.js';

/** A worker that plays games again. */
export const startWorker = () => new Worker(fileUrl('recompute-worker.js'), { type: 'module' });

/** A module of this site, compiled. @param {string | URL} url */
export const compiled = (url) => WebAssembly.compileStreaming(fetched(url));
