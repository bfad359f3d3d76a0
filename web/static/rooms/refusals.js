// Why a room did nothing.

/** @import { RoomState } from './state.js' */

import { inEnglish, messagesBy } from '../page/messages.js';
import { scriptOtherAnswer } from '../text/en/script-answers.js';
import * as answers from '../text/en/script-answers.js';
import * as roomAnswers from '../text/en/script-room-answers.js';
import { scriptRoomsNoNextRoom } from '../text/en/script-rooms.js';

/** The reason for a code of the API. */
const words = messagesBy('scriptAnswers', { ...answers, ...roomAnswers }, scriptOtherAnswer);

/**
 * The numbers in reasons. The chat's is read only if it is needed: not every room has a chat.
 * @param {Pick<RoomState, 'ply' | 'events'> | null} latest
 */
const numbersOf = (latest) => ({
  turn: latest?.ply ?? 0,
  events: latest?.events ?? 0,
  get characters() {
    return /** @type {HTMLInputElement} */ (document.getElementById('chat-text')).maxLength;
  },
});

/**
 * Why a command did nothing: the site's own sentence in English, else the message of its code.
 * @param {{code: string, message: string, what?: string}} answer
 * @param {Pick<RoomState, 'ply' | 'events'> | null} latest
 * @returns {string}
 */
export function refusalOf({ code, message, what }, latest) {
  const isNext = what === 'rematch' && code === 'unavailable';
  return inEnglish(message) || (isNext ? scriptRoomsNoNextRoom() : words(code, numbersOf(latest)));
}
