// Buttons and keys for the tools of a game, except the usual one, which is used on the board.

/** @import { Tool } from '../rules/engine.js' */

import { byId, element } from '../page/page.js';
import { capital, toolName, toolPurpose } from '../board/words.js';
import { scriptRoomsEscPutsAway } from '../text/en/script-rooms.js';

/** Letters with a meaning in every game: end the turn, undo. */
const TAKEN = ['e', 'u'];

/**
 * The key of each tool except the usual: its first letter, unless that is taken.
 * @param {readonly Tool[]} tools
 * @returns {Map<string, string>} names by letter
 */
export function toolKeys([, ...others]) {
  /** @type {Map<string, string>} */
  const keys = new Map();
  for (const { name } of others) {
    const letter = name.charAt(0).toLowerCase();
    if (!TAKEN.includes(letter) && !keys.has(letter)) keys.set(letter, name);
  }
  return keys;
}

/**
 * Adds the buttons of tools to the others, and their keys to the table of keys.
 * @param {readonly Tool[]} tools
 * @returns {HTMLButtonElement[]} each has `data-tool`
 */
export function layTools(tools) {
  const letters = new Map([...toolKeys(tools)].map(([letter, name]) => [name, letter.toUpperCase()]));
  return tools.slice(1).map((tool) => {
    const { name, input } = tool;
    const button = element('button', { type: 'button', textContent: `${capital(toolName(tool))} ` });
    button.dataset.tool = name;
    button.setAttribute('aria-pressed', 'false');
    const letter = letters.get(name);
    if (letter) {
      button.append(element('kbd', { textContent: letter }), ' ');
      const row = element('tr', {});
      const head = element('th', { scope: 'row' }, element('kbd', { textContent: letter }));
      row.append(
        head,
        element('td', { textContent: `${toolName(tool)}: ${toolPurpose(tool)}${input === 'nothing' ? '' : scriptRoomsEscPutsAway()}` }),
      );
      byId('keys').append(row);
    }
    button.append(element('small', {}));
    byId('buttons').append(button);
    return button;
  });
}
