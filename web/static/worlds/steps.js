// The tutorial of a world: the visitor's step, by what they have done. Pure.

/** The steps, in order: each is shown once the previous one is done. */
export const STEPS = /** @type {const} */ (['coins', 'join', 'place', 'watch', 'earn', 'wipe']);

/** @typedef {typeof STEPS[number] | 'over'} Step */

/**
 * What is known of the visitor and of the world.
 * @typedef {object} Seen
 * @property {number | null} coins in the visitor's wallet; null if they are not signed in
 * @property {number | null} slot of the visitor's kingdom
 * @property {number} placed the number of cells placed since the page was opened
 * @property {number} ground the number of ground cells of their kingdom
 * @property {number} generation
 * @property {number} moves how often the view was moved since the page was opened
 * @property {boolean} wipeInView whether the next quadrant to be wiped is in view
 */

/**
 * The state of the tutorial.
 * @typedef {object} Tutorial
 * @property {Step} step
 * @property {Seen | null} since the first observation in this step; null before it
 * @property {boolean} read whether the visitor opened the step without a kingdom, to read on: then nothing sends them
 *   back
 */

/** @typedef {{type: 'saw', seen: Seen} | {type: 'next'} | {type: 'skip'} | {type: 'again'}} Happened */

/** The price of a base, in coins. */
const BASE_COST = 100;
/** How long the visitor watches, in generations. */
const WATCHED = 50;

/** Steps that need a kingdom. @type {ReadonlySet<Step>} */
const WITH_KINGDOM = new Set(['place', 'watch', 'earn']);

/**
 * Whether a step is done, by its first and its latest observation.
 * @type {Readonly<Record<typeof STEPS[number], (first: Seen, now: Seen) => boolean>>}
 */
const IS_DONE = {
  coins: (_, { coins, slot }) => slot !== null || (coins ?? 0) >= BASE_COST,
  join: (_, { slot }) => slot !== null,
  place: (first, { placed }) => placed > first.placed,
  watch: (first, { generation }) => generation >= first.generation + WATCHED,
  earn: (first, { ground }) => ground > first.ground,
  wipe: (first, { moves, wipeInView }) => wipeInView && moves > first.moves,
};

/** @param {Step} step @returns {Step} the next step; the end is followed by itself */
const following = (step) => (step === 'over' ? 'over' : (STEPS[STEPS.indexOf(step) + 1] ?? 'over'));

/** A tutorial at a step. @param {Step} step @returns {Tutorial} */
const at = (step) => ({ step, since: null, read: false });

/**
 * A tutorial at the step where the visitor stopped.
 * @param {string | null} step as it was remembered
 * @returns {Tutorial}
 */
export const begun = (step) => at(step === 'over' ? 'over' : (STEPS.find((known) => known === step) ?? STEPS[0]));

/**
 * The tutorial after an event.
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
  // A visitor whose kingdom has fallen joins again.
  if (WITH_KINGDOM.has(step) && seen.slot === null && !reads) return seeing(at(STEPS[0]), seen);
  const first = since ?? seen;
  // Steps that were already done are skipped.
  return IS_DONE[step](first, seen)
    ? seeing({ step: following(step), since: seen, read: reads }, seen)
    : { step, since: first, read: reads };
}
