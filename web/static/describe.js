// Words for everything the board shows: pure functions from what the engine says to text. Rows and columns are counted from 0,
// as in the engine's own sentences.

/** @import { Colour, ColouredCell, Described, Outcome, Pair, Position, Preview, Rules, Zone } from './engine.js' */

/** @import { Scene } from './paint.js' */

/** @typedef {readonly string[]} Names of the players by seat: blue, red */

/** @type {readonly Colour[]} */
export const COLOURS = ['blue', 'red'];

const FORFEITS = new Map([
  ['fuel_exhausted', 'ran out of fuel'],
  ['stack_overflow', 'overflowed its stack'],
  ['trap', 'crashed'],
  ['bad_pointer', 'pointed outside its memory'],
  ['bad_output', 'gave bytes that are no action'],
  ['illegal_move', 'played what is not legal'],
  ['resigned', 'gave up'],
]);

/** @param {number} count @param {string} one @returns {string} */
const counted = (count, one) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The engine's words as a sentence. @param {string | null} words */
export const sentence = (words) => (words === null ? '' : `${capital(words)}.`);

/** @param {readonly string[]} parts @returns {string} `a`, `a and b`, `a, b and c` */
export const listed = (parts) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;

/** @param {Pair} cell */
export const cellName = ([row, col]) => `${row},${col}`;

/**
 * What is to be seen at a cell.
 * @param {Pair} cell
 * @param {Pick<Scene, 'board' | 'placeable' | 'placed'>} scene
 */
export function describeCell([row, col], { board, placeable, placed = [] }) {
  const at = (/** @type {string} */ text) => text.split('/')[row][col];
  const order = placed.findIndex((cell) => cell[0] === row && cell[1] === col) + 1;
  const what = { b: 'blue', r: 'red' }[at(board)] ?? 'empty';
  const more = order > 0 ? `, placed as number ${order}` : placeable && at(placeable) === 'x' ? ', open' : '';
  return `${cellName([row, col])}: ${what}${more}`;
}

/** @param {Position} position @param {Rules} rules */
export const describeRound = ({ round }, rules) => `Round ${Math.min(round, rules.rounds)} of ${rules.rounds}`;

/**
 * Where cells may be placed.
 * @param {readonly Zone[]} zones open now
 * @param {string} [whom] when it is not the reader
 * @returns {string}
 */
export function describeReach(zones, whom) {
  const names = { home: 'home', neutral: 'neutral', enemy: 'enemy home (×2)' };
  return zones.length === 0 ? '' : `Open${whom ? ` to ${whom}` : ''}: ${listed(zones.map((zone) => names[zone]))}.`;
}

/**
 * The state of a player's bomb.
 * @param {Position} position
 * @param {Colour} colour
 * @param {Rules} rules
 */
export function describeBomb(position, colour, rules) {
  if (position.round < rules.bomb_from_round) return `from round ${rules.bomb_from_round}`;
  const turnEnds = position.cooldown[colour];
  return turnEnds > 0 ? `ready in ${turnEnds}` : 'ready';
}

/**
 * A turn in words.
 * @param {Pick<Described, 'words'>} turn
 * @param {string} seat what the game calls the seat
 */
export const describeTurn = ({ words }, seat) => `${capital(seat)} ${words}.`;

/**
 * Where a game begins.
 * @param {Pick<Position, 'board' | 'to_move'>} position the first one
 */
export function describeStart({ board, to_move: mover }) {
  const what = /[br]/.test(board) ? 'The opening' : 'The empty board';
  return mover === null ? `${what}.` : `${what}; ${mover} begins.`;
}

/** @param {string} board @param {'b' | 'r'} mark @returns {string} such as `row 3: 4-6, 9` for every row with such cells */
function rowsOf(board, mark) {
  const rows = board.split('/').flatMap((row, at) => {
    const runs = [...row.matchAll(new RegExp(`${mark}+`, 'g'))].map(({ 0: run, index }) =>
      run.length === 1 ? `${index}` : `${index}-${index + run.length - 1}`,
    );
    return runs.length === 0 ? [] : [`row ${at}: ${runs.join(', ')}`];
  });
  return rows.join('; ');
}

/**
 * A position in words: whose turn, the counts, and where the cells are.
 * @param {Position} position
 * @param {Rules} rules
 * @returns {string[]} paragraphs
 */
export function describePosition(position, rules) {
  const { board, counts, scores, to_move: mover, reach } = position;
  const turn = mover === null ? 'The game is over.' : `${capital(mover)} moves. ${describeReach(reach)}`;
  const sides = COLOURS.map((colour) => {
    const where = rowsOf(board, colour === 'blue' ? 'b' : 'r');
    const cells = `${capital(colour)}: ${counted(counts[colour], 'cell')}, score ${scores[colour]}`;
    return where === '' ? `${cells}.` : `${cells}. In ${where}.`;
  });
  return [`${describeRound(position, rules)}. ${turn}`, ...sides];
}

/** @param {readonly ColouredCell[]} cells @param {Colour} colour */
const ofColour = (cells, colour) => cells.filter((cell) => cell.colour === colour).length;

/** @param {readonly ColouredCell[]} cells @returns {string} such as `2 blue and 1 red` */
const byColour = (cells) =>
  listed(COLOURS.filter((colour) => ofColour(cells, colour) > 0).map((colour) => `${ofColour(cells, colour)} ${colour}`));

/**
 * What a turn would lead to.
 * @param {Preview} preview
 * @returns {string}
 */
export function describePreview({ cleared, births, deaths, scores }) {
  const parts = [
    cleared.length > 0 ? `the bomb clears ${byColour(cleared)}` : '',
    births.length > 0 ? `born: ${byColour(births)}` : 'no births',
    deaths.length > 0 ? `dying: ${byColour(deaths)}` : 'no deaths',
    `score ${scores.blue} to ${scores.red}`,
  ];
  return `${capital(parts.filter((part) => part !== '').join('; '))}.`;
}

/** @param {number} seat @param {Names} names */
const player = (seat, names) => `${names[seat]} (${COLOURS[seat]})`;

/**
 * Why someone could not go on.
 * @param {{seat: number, turn: number | null, code: string, detail: string}} forfeit
 * @param {Names} names
 * @param {(seat: number) => string} [who] what a player is called
 */
export function describeForfeit({ seat, turn, code, detail }, names, who = (seat) => player(seat, names)) {
  const when = turn === null ? 'before the first turn' : `in turn ${turn + 1}`;
  const more = detail === '' || code === 'resigned' ? '' : `: ${detail}`;
  return `${who(seat)} ${FORFEITS.get(code) ?? code.replaceAll('_', ' ')} ${when}${more}`.replace(/\.?$/, '.');
}

/**
 * How a game ended.
 * @param {Outcome} outcome
 * @param {Names} names
 */
export function describeOutcome({ winner, reason, tally }, names) {
  const [high, low] = [Math.max(...tally), Math.min(...tally)];
  if (winner === null) {
    return reason === 'mutual_extinction' ? 'A draw: no cell of either colour is left.' : `A draw: ${high} to ${low}.`;
  }
  const wins = `${player(winner, names)} wins`;
  const loser = player(1 - winner, names);
  switch (reason) {
    case 'extinction':
      return `${wins}: ${loser} has no living cell left.`;
    case 'forfeit':
      return `${wins} by forfeit.`;
    default:
      return `${wins}, ${tally[winner]} to ${tally[1 - winner]}.`;
  }
}
