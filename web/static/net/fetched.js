// Fetches what a page cannot do without: rules, records, bots.

import { scriptPageAnswers, scriptPageNoConnection } from '../text/en/script-page.js';

/**
 * @param {string | URL} url
 * @returns {Promise<Response>} an answer of the site
 * @throws {Error} with a sentence for the visitor, if there is no connection, or the site refuses
 */
export async function fetched(url) {
  // Each browser says something else then.
  const answer = await fetch(url).catch(() => null);
  if (answer === null) throw new Error(scriptPageNoConnection());
  if (!answer.ok) throw new Error(scriptPageAnswers({ address: `\`${url}\``, status: answer.status }));
  return answer;
}
