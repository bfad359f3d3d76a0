// A tournament's report: replays its games by the rules in this page. The page contains everything, so it works offline.

import { Engine } from './engine.js';
import { watch } from './game-player.js';

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

/** @type {Promise<{engine: Engine, records: string[]}> | null} */
let loading = null;

/** The rules and the records; unpacked for the first game. */
async function load() {
  const [module, records] = await Promise.all([carried('engine'), carried('records')]);
  const { instance } = await WebAssembly.instantiate(await module.arrayBuffer(), {});
  return { engine: new Engine(instance), records: (await records.text()).split('\n') };
}

/** @param {HTMLButtonElement} button */
async function open(button) {
  const { engine, records } = await (loading ??= load());
  watch(engine, `${records[Number(button.dataset.record)]}\n`, button.dataset.title ?? '');
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('button[data-record]'))) {
  button.addEventListener('click', () => void open(button));
}
