// A tournament's report: replays its games by the rules in this page. The page contains everything, so it works
// offline.

import { Engine } from './rules/engine.js';
import { watch } from './replays/game-player.js';

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * The data in an element of the page, which is base64 of gzip.
 * @param {string} id
 * @returns {Promise<Response>}
 */
async function carried(id) {
  const packed = await (await fetch(`data:application/gzip;base64,${byId(id).textContent}`)).blob();
  return new Response(packed.stream().pipeThrough(new DecompressionStream('gzip')));
}

/** @type {Promise<Engine> | null} */
let loading = null;

/** The rules, unpacked for the first game. */
async function load() {
  const { instance } = await WebAssembly.instantiate(await (await carried('engine')).arrayBuffer(), {});
  return new Engine(instance);
}

/** @param {HTMLButtonElement} button */
async function open(button) {
  const { part, record, title } = button.dataset;
  const [engine, records] = await Promise.all([(loading ??= load()), carried(`records-${part}`)]);
  watch(engine, `${(await records.text()).split('\n')[Number(record)]}\n`, title ?? '');
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('button[data-record]'))) {
  button.addEventListener('click', () => void open(button));
}
