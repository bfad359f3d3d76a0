// Why a room did nothing, by the code of its answer.

import { messagesBy } from '../page/messages.js';
import * as answers from '../text/en/script-answers.js';
import * as roomAnswers from '../text/en/script-room-answers.js';

/** The reason for a code of the API, in words. */
export const refusalBy = messagesBy('scriptAnswers', { ...answers, ...roomAnswers });
