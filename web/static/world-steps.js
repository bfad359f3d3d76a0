// The tutorial of a world: which step somebody is at, by what they have done. Pure.

/** The steps, in order: what is asked for, each once the one before was done. */
export const STEPS = /** @type {const} */ (['coins', 'join', 'place', 'watch', 'earn', 'wipe']);

/** @typedef {typeof STEPS[number] | 'over'} Step */

/**
 * What is seen of somebody and of the world.
 * @typedef {object} Seen
 * @property {number | null} coins in their wallet; null for who is not signed in
 * @property {number | null} slot that they hold
 * @property {number} placed cells, since the page was opened
 * @property {number} ground of their kingdom
 * @property {number} generation
 * @property {number} moves how often they have moved the view, since the page was opened
 * @property {boolean} wipeInView whether they look at the quadrant that is wiped next
 */

/**
 * Where somebody is.
 * @typedef {object} Tutorial
 * @property {Step} step
 * @property {Seen | null} since what was seen first in this step; null while nothing was
 * @property {boolean} read whether they turned to it without a kingdom, to read on: then nothing sends them back
 */

/** @typedef {{type: 'saw', seen: Seen} | {type: 'next'} | {type: 'skip'} | {type: 'again'}} Happened */

/** What a base costs, in coins. */
const BASE_COST = 100;
/** How long somebody watches, in generations. */
const WATCHED = 50;

/** Steps of who has a kingdom. @type {ReadonlySet<Step>} */
const WITH_KINGDOM = new Set(['place', 'watch', 'earn']);

/** Whether a step was done, by what was seen first in it and what is seen now. @type {Readonly<Record<typeof STEPS[number], (first: Seen, now: Seen) => boolean>>} */
const IS_DONE = {
  coins: (_, { coins, slot }) => slot !== null || (coins ?? 0) >= BASE_COST,
  join: (_, { slot }) => slot !== null,
  place: (first, { placed }) => placed > first.placed,
  watch: (first, { generation }) => generation >= first.generation + WATCHED,
  earn: (first, { ground }) => ground > first.ground,
  wipe: (first, { moves, wipeInView }) => wipeInView && moves > first.moves,
};

/** @param {Step} step @returns {Step} the one that follows; the end follows itself */
const following = (step) => (step === 'over' ? 'over' : (STEPS[STEPS.indexOf(step) + 1] ?? 'over'));

/** A tutorial at a step. @param {Step} step @returns {Tutorial} */
const at = (step) => ({ step, since: null, read: false });

/** A tutorial where somebody left it. @param {string | null} step as it was remembered @returns {Tutorial} */
export const begun = (step) => at(step === 'over' ? 'over' : (STEPS.find((known) => known === step) ?? STEPS[0]));

/**
 * What comes of a tutorial when something happens.
 * @param {Tutorial} tutorial
 * @param {Happened} happened
 * @returns {Tutorial}
 */
export function after({ step, since, read }, happened) {
  switch (happened.type) {
    case 'saw':
      return seeing({ step, since, read }, happened.seen);
    case 'next':
      return { ...at(following(step)), read: true };
    case 'skip':
      return at('over');
    case 'again':
      return at(STEPS[0]);
  }
}

/** @param {Tutorial} tutorial @param {Seen} seen @returns {Tutorial} */
function seeing({ step, since, read }, seen) {
  if (step === 'over') return { step, since, read };
  const reads = read && seen.slot === null;
  // Whose kingdom has fallen joins again.
  if (WITH_KINGDOM.has(step) && seen.slot === null && !reads) return seeing(at(STEPS[0]), seen);
  const first = since ?? seen;
  // What was done before is not asked for.
  return IS_DONE[step](first, seen) ? seeing({ step: following(step), since: seen, read: reads }, seen) : { step, since: first, read: reads };
}
