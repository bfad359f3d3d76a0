// Messages for codes that come from elsewhere: from the rules, the site or a table. A message's name ends with its code.

/**
 * @param {string} start of the messages' names
 * @param {object} messages a module of messages
 * @returns {(code: string, parts?: object) => string} the message of a code; of a later release's, the code in words
 */
export function messagesBy(start, messages) {
  const known = /** @type {Record<string, ((parts: object) => string) | undefined>} */ (messages);
  return (code, parts = {}) => {
    const words = code.split(/[-_]/);
    const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    return known[`${start}${name}`]?.(parts) ?? words.join(' ');
  };
}

/** @typedef {[code: string, numbers: Record<string, number>]} Phrase what the rules tell: its code, and the numbers in it */

/**
 * @param {object} messages those of phrases
 * @returns {(phrases: readonly Phrase[]) => string} phrases in words; each is explained by the next
 */
export function phrasesBy(messages) {
  const words = messagesBy('scriptPhrase', messages);
  return (phrases) => phrases.map(([code, numbers]) => words(code, numbers)).join(': ');
}
