// Where a record and the rules do not agree.

/** @import { Finding } from '../rules/recompute.js' */

import { phrasesBy } from '../page/messages.js';
import * as divergences from '../text/en/script-divergences.js';
import * as life2 from '../text/en/script-life2.js';
import { scriptReplaysRulesDisagree } from '../text/en/script-replays.js';
import * as rules from '../text/en/script-rules.js';

/** A disagreement in words. */
export const divergence = phrasesBy({ ...rules, ...life2, ...divergences });

/** What recomputing has found. @param {Pick<Finding, 'message' | 'phrases'>} finding @returns {string} */
export const findingWords = ({ message, phrases }) => (phrases ? scriptReplaysRulesDisagree({ why: divergence(phrases) }) : message);
