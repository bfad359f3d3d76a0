// Why a room did nothing.

import { inEnglish, messagesBy } from '../page/messages.js';
import { scriptOtherAnswer } from '../text/en/script-answers.js';
import * as answers from '../text/en/script-answers.js';

/** The reason for a code of the API. */
const words = messagesBy('scriptAnswers', answers, scriptOtherAnswer);

/**
 * Why a command did nothing: the site's own sentence in the page's language, else the message of its code.
 * @param {{code: string, message: string, translated?: string | null}} answer
 * @returns {string}
 */
export const refusalOf = ({ code, message, translated }) => translated || inEnglish(message) || words(code);
