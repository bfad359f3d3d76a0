// A room on the server: the wire to it, and what it has besides its game.

/** @import { State } from './room-state.js' */
/** @import { Wire } from './live-room.js' */

import { byId } from './page.js';
import { People } from './people.js';
import { Transport, roomPaths } from './transport.js';

/** A wire to the room that the page is of. @type {Wire} */
export const onTheServer = ({ hear, connected }) => {
  const transport = new Transport({
    ...roomPaths(byId('room').dataset.room ?? '', location),
    hear: (message) => {
      if (message.type === 'beat') return people.count(message.watching);
      if (message.type === 'chat') return people.chat(message.lines);
      hear(message);
    },
    connected,
  });
  const people = new People((word) => transport.tell(word));
  return Object.assign(transport, { show: (/** @type {State} */ state) => people.show(state) });
};
