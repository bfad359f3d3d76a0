// Fetches what a page cannot do without: rules, records, bots. Workers run this, too; there sentences are English, and
// the page translates them.

import { say } from '../page/say.js';

/**
 * @param {string | URL} url
 * @returns {Promise<Response>} an answer of the site
 * @throws {Error} with a sentence for the visitor, if there is no connection, or the site refuses
 */
export async function fetched(url) {
  // What browsers say then is English, and each says something else.
  const answer = await fetch(url).catch(() => null);
  if (answer === null) throw new Error(say('there is no connection; load the page again when it is back'));
  if (!answer.ok) throw new Error(say('{0} answers {1}', `\`${url}\``, answer.status));
  return answer;
}
