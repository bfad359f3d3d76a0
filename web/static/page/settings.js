// What this browser remembers. Every function has a default, for browsers that remember nothing.

const GUIDED = 'arena.guided';

/**
 * Whether turns are previewed: as the address says, else as chosen last, else not.
 * @param {string} query of the page's address, such as `?guided=on`
 * @returns {boolean}
 */
export function guidedAtFirst(query) {
  const asked = new URLSearchParams(query).get('guided');
  if (asked !== null) return asked === 'on';
  try {
    return localStorage.getItem(GUIDED) === 'on';
  } catch {
    return false;
  }
}

/** @param {boolean} guided */
export function rememberGuided(guided) {
  try {
    localStorage.setItem(GUIDED, guided ? 'on' : 'off');
  } catch {
    // Storage may be disabled; the choice then lasts as long as the page.
  }
}

const QUIET = 'arena.quiet';

/**
 * Whether others are muted in a room, as chosen in this tab.
 * @param {string} room
 */
export function isQuiet(room) {
  try {
    return sessionStorage.getItem(QUIET) === room;
  } catch {
    return false;
  }
}

/**
 * Remembers the choice for one room: the last in which others were muted.
 * @param {string} room
 * @param {boolean} quiet
 */
export function rememberQuiet(room, quiet) {
  try {
    if (quiet) sessionStorage.setItem(QUIET, room);
    else if (isQuiet(room)) sessionStorage.removeItem(QUIET);
  } catch {
    // As above.
  }
}

const DRAFT = 'arena.draft';

/**
 * Remembers, in this tab, what was typed for the chat of a room and not sent yet.
 * @param {string} room
 * @param {string} text
 */
export function rememberDraft(room, text) {
  try {
    sessionStorage.setItem(DRAFT, JSON.stringify([room, text]));
  } catch {
    // As above.
  }
}

/** What was typed for the chat of a room. @param {string} room @returns {string} */
export function draftFor(room) {
  try {
    const [of, text] = JSON.parse(sessionStorage.getItem(DRAFT) ?? '[]');
    return of === room ? text : '';
  } catch {
    return '';
  }
}

const MUTED = 'arena.muted';

/** Whether sounds were switched off. */
export function isMuted() {
  try {
    return localStorage.getItem(MUTED) === 'on';
  } catch {
    return false;
  }
}

/** @param {boolean} muted */
export function rememberMuted(muted) {
  try {
    localStorage.setItem(MUTED, muted ? 'on' : 'off');
  } catch {
    // As above.
  }
}

const STEP = 'arena.world-step';

/** The tutorial step of a world at which the visitor stopped; null if there is none. */
export function rememberedStep() {
  try {
    return localStorage.getItem(STEP);
  } catch {
    return null;
  }
}

/** @param {string} step */
export function rememberStep(step) {
  try {
    localStorage.setItem(STEP, step);
  } catch {
    // As above.
  }
}

const FONT = 'arena.font';

/** Notes that the browser has loaded the typeface from this address; `shape.js` reads it. @param {string} address */
export function rememberFont(address) {
  try {
    localStorage.setItem(FONT, address);
  } catch {
    // As above.
  }
}
