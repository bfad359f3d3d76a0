// A practice game: its data in the page, and the buttons that only practice has.

/** @import { Engine } from '../rules/engine.js' */
/** @import { Wire } from './live-room.js' */

import { fetched } from '../net/fetched.js';
import { LocalRoom } from './local-room.js';
import { keepOffline } from '../page/offline.js';
import { byId } from '../page/page.js';

/**
 * Makes a page for as many seats as its address names: offline, one page is stored for all numbers, with the most.
 * @param {HTMLElement} room
 */
function fitSeats(room) {
  const choice = /** @type {HTMLSelectElement | null} */ (document.querySelector('#practice [name=seats]'));
  if (choice === null) return;
  const wanted = new URLSearchParams(location.search).get('seats') ?? choice.options[0].value;
  const option = [...choice.options].find(({ value }) => value === wanted);
  if (option === undefined || option.dataset.options === room.dataset.options) return;
  option.selected = true;
  room.dataset.options = option.dataset.options;
  for (const texts of ['names', 'pages'])
    room.dataset[texts] = JSON.stringify(JSON.parse(room.dataset[texts] ?? '[]').slice(0, Number(wanted)));
  for (const row of document.querySelectorAll('#scoreboard [data-seat]'))
    if (Number(row.getAttribute('data-seat')) >= Number(wanted)) row.remove();
}

/**
 * A connection to a room in this page.
 * @param {Engine} engine
 * @returns {Promise<Wire>}
 */
export async function inThisPage(engine) {
  keepOffline();
  fitSeats(byId('room'));
  const { dataset } = byId('room');
  const { ruleset = '', options = '', seed = '', from = '', you = '', opponent = '', names = '', pages = '' } = dataset;
  const { record = '', turn = '0' } = dataset;
  /**
   * @type {{turns: {plays: import('../rules/engine.js').Answer[]}[], forfeits?: import('../rules/engine.js').Forfeit[]} | null}
   */
  const played = record === '' ? null : await (await fetched(record)).json();
  const game = {
    ruleset,
    options,
    seed,
    from: from === '' ? null : from,
    turns: (played?.turns ?? []).slice(0, Number(turn)).map(({ plays }) => plays),
    forfeits: (played?.forfeits ?? []).filter((forfeit) => forfeit.turn === null || forfeit.turn < Number(turn)),
    you: you === '' ? [0, 1] : [Number(you)],
    names: JSON.parse(names),
    pages: JSON.parse(pages),
    opponent,
  };
  return ({ hear, connected }) => {
    const room = new LocalRoom({
      engine,
      game,
      connected,
      hear: (message) => {
        hear(message);
        if (message.type !== 'state') return;
        for (const id of ['take-back', 'restart']) /** @type {HTMLButtonElement} */ (byId(id)).disabled = !room.canTakeBack;
      },
    });
    byId('take-back').addEventListener('click', () => room.takeBack());
    byId('restart').addEventListener('click', () => room.restart());
    const lay = byId('lay');
    lay.addEventListener('click', () => {
      const laying = lay.getAttribute('aria-pressed') !== 'true';
      lay.setAttribute('aria-pressed', String(laying));
      byId('lay-help').hidden = !laying;
      room.lay(laying);
    });
    return room;
  };
}
