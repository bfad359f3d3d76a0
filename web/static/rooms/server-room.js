// A room on the server: the connection to it, and its parts besides the game.

/** @import { Message, State } from './state.js' */
/** @import { Wire } from './live-room.js' */

import { notify } from './bar.js';
import { byId } from '../page/page.js';
import { People } from './people.js';
import { sentence } from '../board/words.js';
import { refusalOf } from './refusals.js';
import { Transport, pathsOf } from '../net/transport.js';
import { scriptRoomsNotSent } from '../text/en/script-rooms.js';

/** The words that are sent once, to which the answers are about people rather than turns. @type {readonly string[]} */
const WORDS = ['draw', 'decline', 'rematch', 'close', 'chat', 'report'];

/** @typedef {Extract<Message, {type: 'state'}>} RoomState */

/** The wait before missing turns are requested again after a failure, in milliseconds. */
const AGAIN_MS = 2_000;

/**
 * Completes states that omit known turns; if turns are missing, it requests all.
 * @param {() => Promise<RoomState>} all requests a state with all turns
 * @param {(state: RoomState) => void} take receives states with all turns
 * @returns {{hear: (state: RoomState) => void, known: () => number}}
 */
export function complete(all, take) {
  let known = 0;
  /** @type {RoomState | null} the latest state with missing turns */
  let missing = null;
  let asks = false;
  const hear = (/** @type {RoomState} */ state) => {
    if ((state.first ?? 0) > known) {
      missing = state;
      if (!asks) fill();
      return;
    }
    known = Math.max(known, (state.first ?? 0) + state.turns.length);
    take(state);
  };
  const fill = async () => {
    asks = true;
    while (missing !== null) {
      try {
        hear(await all());
        const told = missing;
        missing = null;
        hear(told);
      } catch {
        await new Promise((done) => setTimeout(done, AGAIN_MS));
      }
    }
    asks = false;
  };
  return { hear, known: () => known };
}

/** The connection to the room of this page. @type {Wire} */
export const onTheServer = ({ hear, connected }) => {
  const room = byId('room').dataset.room ?? '';
  const all = async () => {
    const answer = await fetch(`/api/v1/rooms/${room}`);
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };
  const states = complete(all, hear);
  /** @type {Transport<import('../../types/wire.d.ts').RoomMessage>} */
  const transport = new Transport({
    ...pathsOf(`/api/v1/rooms/${room}`, location),
    known: () => ({ turns: states.known(), said: people.heard }),
    hear: (message) => {
      if (message.type === 'beat') return people.count(message.watching, message.here);
      if (message.type === 'chat') return people.chat(message.lines);
      if (message.type === 'state') return states.hear(message);
      // What became of a word is said at the board; turns and resignations are commands.
      if ('what' in message && WORDS.includes(message.what))
        return notify('refused', message.type === 'rejected' ? { words: sentence(refusalOf(message)) } : null);
      hear(message);
    },
    connected,
  });
  const people = new People(async (word) => {
    const came = await transport.tell(word);
    if (came === 'lost') notify('refused', { words: scriptRoomsNotSent() });
    return came;
  });
  return Object.assign(transport, { show: (/** @type {State} */ state) => people.show(state) });
};
