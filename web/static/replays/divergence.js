// What was found when a game was played again, in words.

/** @import { Finding, WhyNot } from '../rules/recompute.js' */

import { messagesBy, phrasesBy } from '../page/messages.js';
import * as divergences from '../text/en/script-divergences.js';
import * as life2 from '../text/en/script-life2.js';
import * as recompute from '../text/en/script-recompute.js';
import * as rules from '../text/en/script-rules.js';

/** A disagreement of the rules in words. */
export const divergence = phrasesBy({ ...rules, ...life2, ...divergences });

const whatWords = messagesBy('scriptWhat', divergences);

/** @type {Record<WhyNot, (parts: {detail: string}) => string>} */
const WHY_NOT = {
  engine: recompute.scriptRecomputeEngineFailed,
  missing: recompute.scriptRecomputeBotMissing,
  deadline: recompute.scriptRecomputeTooLong,
  worker: recompute.scriptRecomputeWorkerFailed,
  record: recompute.scriptRecomputeNoRecord,
  release: recompute.scriptRecomputeOtherRelease,
};

/** @param {Finding} finding @returns {string} sentences */
export function findingWords(finding) {
  if (finding.kind === 'identical')
    return finding.untold ? recompute.scriptRecomputeAllButTraps() : recompute.scriptRecomputeAllIdentical();
  if (finding.kind === 'not_checked') return WHY_NOT[finding.why]({ detail: `\`${finding.detail}\`` });
  if (finding.phrases) return recompute.scriptRecomputeRulesDisagree({ why: divergence(finding.phrases) });
  if (finding.refused !== undefined) return recompute.scriptRecomputeBotRefused({ why: `\`${finding.refused}\`` });
  const { turn, seat, what, expected, found } = finding;
  const parts = { what: whatWords(what), recorded: `\`${found}\``, played: `\`${expected}\`` };
  if (turn !== null && seat !== null) return recompute.scriptRecomputeDiffersForSeat({ turn, seat: seat + 1, ...parts });
  if (turn !== null) return recompute.scriptRecomputeDiffersInTurn({ turn, ...parts });
  if (seat !== null) return recompute.scriptRecomputeDiffersAtStart({ seat: seat + 1, ...parts });
  return recompute.scriptRecomputeDiffers(parts);
}
