// Whether this tab may use sockets. Every page notes what its address says, so that it holds for the pages after it.

import { granted, ofTab } from '../page/storage.js';

/** The name of the address's parameter, and its key in the tab's storage. */
const NET = 'net';

/**
 * Whether the pages of this tab use no sockets: `?net=poll` decides so for all later pages, and `?net=` with another
 * value ends it.
 * @param {{search: string}} address
 * @param {Pick<Storage, 'getItem' | 'setItem'> | null} tab
 */
export function pollsOnly({ search }, tab = granted(ofTab)) {
  const said = new URLSearchParams(search).get(NET);
  if (said !== null) tab?.setItem(NET, said);
  return (said ?? tab?.getItem(NET)) === 'poll';
}
