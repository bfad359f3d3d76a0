// What is read of a record's header here; the engine reads all of it.

/** @typedef {{entrants: string[], budgets: {memory_bytes: number, module_bytes: number}}} Header */

/** @param {string} id @returns {string | null} the hash of a bot's bytes */
export function hashOf(id) {
  return id.startsWith('sha256:') ? id.slice('sha256:'.length) : null;
}

/** Whether a record has more than its header, which is all that there is of a void game. @param {string} record */
export const hasTurns = (record) => !record.startsWith('{"header":');

/** The header of a record; null if the text is none. @param {string} record @returns {Header | null} */
export function headerOf(record) {
  try {
    const { header } = JSON.parse(record);
    return Array.isArray(header.entrants) && header.budgets ? header : null;
  } catch {
    return null;
  }
}
