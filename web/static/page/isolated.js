// Text that does not turn around what is beside it.

/** Letters that are written from right to left. */
const LEFTWARD = /[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{fefc}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A text, most often a name, with the characters that isolate it if it has letters written from right to left.
 * @param {string} text
 */
export const isolated = (text) => (LEFTWARD.test(text) && !text.includes('\u2068') ? `\u2068${text}\u2069` : text);
