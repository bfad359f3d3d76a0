// Why a room's game, or a seat in it, does not continue.

/** @import { RoomState } from './state.js' */

import { scriptRoomsClosed, scriptRoomsClosedEarly } from '../text/en/script-rooms.js';

/** The reason, if there is one, in words. @param {RoomState} room */
export function troubleOf({ trouble, people, outcome }) {
  if (people?.finished && outcome === null) return people.started ? scriptRoomsClosed() : scriptRoomsClosedEarly();
  return trouble ?? '';
}
