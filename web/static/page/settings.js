// What this browser remembers. Every function has a default, for browsers that remember nothing.

import { ofBrowser, ofTab, recall, remember } from './storage.js';

const GUIDED = 'arena.guided';
const QUIET = 'arena.quiet';
const DRAFT = 'arena.draft';
const MUTED = 'arena.muted';
const STEP = 'arena.world-step';
const FONT = 'arena.font';

/**
 * Whether turns are previewed: as the address says, else as chosen last, else not.
 * @param {string} query of the page's address, such as `?guided=on`
 * @returns {boolean}
 */
export function guidedAtFirst(query) {
  return (new URLSearchParams(query).get('guided') ?? recall(ofBrowser, GUIDED)) === 'on';
}

/** @param {boolean} guided */
export const rememberGuided = (guided) => remember(ofBrowser, GUIDED, guided ? 'on' : 'off');

/**
 * Whether others are muted in a room, as chosen in this tab.
 * @param {string} room
 */
export const isQuiet = (room) => recall(ofTab, QUIET) === room;

/**
 * Remembers the choice for one room: the last in which others were muted.
 * @param {string} room
 * @param {boolean} quiet
 */
export function rememberQuiet(room, quiet) {
  if (quiet || isQuiet(room)) remember(ofTab, QUIET, quiet ? room : null);
}

/**
 * Remembers, in this tab, what was typed for the chat of a room and not sent yet.
 * @param {string} room
 * @param {string} text
 */
export const rememberDraft = (room, text) => remember(ofTab, DRAFT, JSON.stringify([room, text]));

/** What was typed for the chat of a room. @param {string} room @returns {string} */
export function draftFor(room) {
  try {
    const [of, text] = JSON.parse(recall(ofTab, DRAFT) ?? '[]');
    return of === room ? text : '';
  } catch {
    return '';
  }
}

/** Whether sounds were switched off. */
export const isMuted = () => recall(ofBrowser, MUTED) === 'on';

/** @param {boolean} muted */
export const rememberMuted = (muted) => remember(ofBrowser, MUTED, muted ? 'on' : 'off');

/** The tutorial step of a world at which the visitor stopped; null if there is none. */
export const rememberedStep = () => recall(ofBrowser, STEP);

/** @param {string} step */
export const rememberStep = (step) => remember(ofBrowser, STEP, step);

/** Notes that the browser has loaded the typeface from this address; `shape.js` reads it. @param {string} address */
export const rememberFont = (address) => remember(ofBrowser, FONT, address);
