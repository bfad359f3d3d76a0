// The stacks on which bots run. A bot's calls may be nested as deep as its units allow, which takes up to 720 KiB, and
// a worker of Chromium has a stack of some 500 kB. With JavaScript Promise Integration (JSPI) a call has a stack of its
// own, of some 1,000 kB, and its result is a promise; without that it runs on the worker's.

/** @typedef {(...given: any[]) => any} Call */

/** @type {{promising(call: Call): Call, Suspending: new (call: Call) => Call} | null} */
const jspi = 'promising' in WebAssembly && 'Suspending' in WebAssembly ? /** @type {any} */ (WebAssembly) : null;

/** An exported function on a stack of its own, if there are such: it returns a promise then. @param {Call} call */
export const promising = (call) => jspi?.promising(call) ?? call;

/**
 * A function to import. The module that calls it waits for its promise, and must have been called by a `promising` one.
 * @param {Call} call
 */
export const suspending = (call) => (jspi === null ? call : new jspi.Suspending(call));
