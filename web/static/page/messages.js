// Messages for codes that come from elsewhere: from the rules, the site or a table. A message's name ends with its
// code.

import { scriptPageLanguage } from '../text/en/script-page.js';

/**
 * The intersection of a union's types.
 * @template One
 * @typedef {(One extends unknown ? (one: One) => void : never) extends (all: infer All) => void ? All : never} AllOf
 */

/**
 * The parts of all messages whose names begin so, because which of them is shown is known only when the code comes.
 * @template {string} Start
 * @template Messages
 * @typedef {AllOf<{
 *   [Name in keyof Messages]: Name extends `${Start}${string}`
 *     ? Messages[Name] extends () => string
 *       ? never
 *       : Messages[Name] extends (parts: infer Parts) => string ? Parts : never
 *     : never
 * }[keyof Messages]>} PartsOf
 */

/**
 * The argument with these parts, or none where no message has any.
 * @template {string} Start
 * @template Messages
 * @typedef {unknown extends PartsOf<Start, Messages> ? [] : [PartsOf<Start, Messages>]} PartsAfter
 */

/** A code in words. @param {{code: string}} parts */
const inWords = ({ code }) => code.split(/[-_]/).join(' ');

/**
 * @template {string} Start
 * @template Messages
 * @param {Start} start of the messages' names
 * @param {Messages} messages a module of messages
 * @param {(parts: {code: string}) => string} [other] the message of a code of a later release: by default, it in words
 * @returns {(code: string, ...parts: PartsAfter<Start, Messages>) => string} the message of a code
 */
export function messagesBy(start, messages, other = inWords) {
  const known = /** @type {Record<string, ((...parts: unknown[]) => string) | undefined>} */ (messages);
  return (code, ...parts) => {
    const words = code.split(/[-_]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    return known[`${start}${words.join('')}`]?.(...parts) ?? other({ code });
  };
}

/**
 * What the rules tell: its code, and the numbers in it.
 * @typedef {[code: string, numbers: Record<string, number>]} Phrase
 */

/**
 * @param {object} messages those of phrases
 * @returns {(phrases: readonly Phrase[]) => string} phrases in words; each is explained by the next
 */
export function phrasesBy(messages) {
  // The numbers come with the code.
  const words = /** @type {(...phrase: Phrase) => string} */ (messagesBy('scriptPhrase', messages));
  return (phrases) => phrases.map((phrase) => words(...phrase)).join(': ');
}

/** What the site says in English alone; empty on pages in other languages. @param {string} english */
export const inEnglish = (english) => (scriptPageLanguage() === 'en' ? english : '');
