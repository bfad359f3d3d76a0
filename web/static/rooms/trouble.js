// Why a room's game, or a seat in it, does not continue.

/** @import { RoomState } from './state.js' */

import { inEnglish } from '../page/messages.js';
import { scriptRoomsClosed, scriptRoomsClosedEarly } from '../text/en/script-rooms.js';

/** The reason, if there is one, in words. @param {RoomState} room */
export function troubleOf({ trouble, people, outcome }) {
  if (people?.finished && outcome === null) return people.started ? scriptRoomsClosed() : scriptRoomsClosedEarly();
  return trouble ?? '';
}

/**
 * The forfeits, with details in the page's language: a room on the server has them in English alone.
 * @param {Pick<RoomState, 'room' | 'forfeits'>} room
 */
export const forfeitsOf = ({ room, forfeits }) =>
  room === undefined ? forfeits : forfeits.map((forfeit) => ({ ...forfeit, detail: inEnglish(forfeit.detail) }));
