// Stores what practice, lessons and the workshop need without a network: the files of this release and the pages.
// All other requests go to the server as before. The server puts the lists of this release in front:
// `arena/server/src/offline.rs`.

/** @type {{version: string, language: string, files: string[], pages: string[], missing: string}} */
const { version, language, files, pages, missing } = /** @type {any} */ (self).KEPT;
const worker = /** @type {any} */ (self);
const NAME = `arena-${version}`;

/**
 * A request without cookies, because a stored page outlives a visit; in the language of the files.
 * @param {string} path
 */
const fresh = (path) =>
  new Request(path, {
    credentials: 'omit',
    cache: path.startsWith('/static/') ? 'default' : 'reload',
    headers: { 'Accept-Language': language },
  });

/** Stored answers are the same for everybody, whatever the request's headers. */
const ANYHOW = { ignoreVary: true };

async function keep() {
  const cache = await caches.open(NAME);
  await cache.addAll([...files, ...pages, missing].map(fresh));
  await worker.skipWaiting();
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('arena-') && name !== NAME).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * An address without some of its parameters; never with the number of seats, because a stored page serves all numbers
 * (`rooms/practice.js`).
 * @param {string} address
 * @param {...string} without
 */
function bare(address, ...without) {
  const { pathname, searchParams } = new URL(address, worker.location.href);
  for (const name of ['seats', ...without]) searchParams.delete(name);
  return `${pathname}?${searchParams}`;
}

/** The stored page for an address, if there is one. @param {string} url */
function storedFor(url) {
  // The field for the name of another bot is mostly left empty.
  const wanted = bare(url, ...(new URL(url).searchParams.get('named') ? [] : ['named']));
  return pages.find((page) => bare(page) === wanted);
}

/**
 * A page: from the server, or else the stored copy. In place of a page that is not stored, one says so at the same
 * address.
 * @param {Request} request
 */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(NAME);
    const stored = storedFor(request.url);
    const kept = await cache.match(stored ?? missing, ANYHOW);
    if (kept === undefined) throw error;
    return stored === undefined ? new Response(kept.body, { status: 503, headers: kept.headers }) : kept;
  }
}

/**
 * The answer to a form; without one, the page that says so, where the browser would show one of its own.
 * @param {Request} request
 */
const sent = (request) => fetch(request).catch(() => Response.redirect(`${missing}#not-sent`, 303));

/** A file of this release: the stored copy, or else from the server. @param {Request} request */
const file = async (request) => (await caches.match(request, ANYHOW)) ?? fetch(request);

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(forgetOthers()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === 'POST' && request.mode === 'navigate' && pages.length > 0) event.respondWith(sent(request));
  if (request.method !== 'GET') return;
  if (files.includes(new URL(request.url).pathname)) event.respondWith(file(request));
  else if (request.mode === 'navigate' && pages.length > 0) event.respondWith(page(request));
});
