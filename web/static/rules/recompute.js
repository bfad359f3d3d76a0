// Recomputes a recorded game: every player gets the same observations again, and must answer with the same bytes.
//
// Bots run in this page's own WebAssembly, without fuel: a bot's running out of fuel, stack or memory cannot be checked
// here. This code runs in a worker (recompute-worker.js), because it cannot stop a bot that never answers.

/** @import { Phrase } from '../page/messages.js' */
/** @import { Engine, Questions } from './engine.js' */

import { bytesOf, hexOf } from './hex.js';
import {
  scriptPageBotEnded,
  scriptPageBotNoAction,
  scriptPageBotNoStart,
  scriptPageBotNotHere,
  scriptPageBotOutsideMemory,
  scriptPageBotTooMuchMemory,
} from '../text/en/script-page.js';
import {
  scriptReplaysAllIdentical,
  scriptReplaysAnswerDiffers,
  scriptReplaysAnswerNotCheckable,
  scriptReplaysEndNotCheckable,
} from '../text/en/script-replays.js';

/**
 * The result. `turns` counts one for each answer of a seat; in `checked` of them the answers were the same. It has
 * phrases in place of a message where the rules alone do not agree with the record.
 * @typedef {{kind: 'identical' | 'differs' | 'not_checkable', checked: number, turns: number, message: string, phrases?: Phrase[]}} Finding
 */

/** The maximum size of an action, in bytes: `sdk/ABI.md`. */
const ACTION_BYTES_MAX = 4096;

/** A bot's behaviour that only the arena can judge, or the lack of an answer. */
class CannotJudge extends Error {}

/** A bot in this page, from the start of a game to its end. */
class Bot {
  #exports;
  #at;
  #memoryBytesMax;

  /** @param {WebAssembly.Instance} instance @param {Pick<Questions, 'memory_bytes' | 'observation_len'>} questions */
  constructor(instance, questions) {
    this.#exports = /** @type {any} */ (instance.exports);
    this.#memoryBytesMax = questions.memory_bytes;
    this.#at = this.#guarded(() => this.#exports.arena_observation(questions.observation_len)) >>> 0;
  }

  /** @param {Uint8Array} observation @returns {Uint8Array} */
  turn(observation) {
    const { memory, arena_turn } = this.#exports;
    if (this.#at + observation.length > memory.buffer.byteLength) throw new CannotJudge(scriptPageBotOutsideMemory());
    new Uint8Array(memory.buffer).set(observation, this.#at);
    const packed = BigInt.asUintN(
      64,
      this.#guarded(() => arena_turn(observation.length)),
    );
    const [length, at] = [Number(packed >> 32n), Number(packed & 0xffffffffn)];
    if (memory.buffer.byteLength > this.#memoryBytesMax) throw new CannotJudge(scriptPageBotTooMuchMemory());
    if (length > ACTION_BYTES_MAX || at + length > memory.buffer.byteLength) throw new CannotJudge(scriptPageBotNoAction());
    return new Uint8Array(memory.buffer, at, length).slice();
  }

  /** @template T @param {() => T} call @returns {T} */
  #guarded(call) {
    try {
      return call();
    } catch (error) {
      throw new CannotJudge(scriptPageBotEnded({ error: `\`${error instanceof Error ? error.message : error}\`` }));
    }
  }
}

/** @param {string} id @returns {string | null} the hash of a bot's bytes */
export function hashOf(id) {
  return id.startsWith('sha256:') ? id.slice('sha256:'.length) : null;
}

/**
 * @param {Questions} questions
 * @param {Map<string, BufferSource>} modules the bots' bytes by id
 * @param {(entrant: string, observation: string) => string | null} builtIn the answer of a built-in opponent; null for
 *   other players
 * @param {(checked: number, turns: number) => void} tell called after every answer
 * @returns {Promise<Finding>}
 */
export async function recompute(questions, modules, builtIn, tell) {
  const turns = questions.questions.length;
  /** @type {Map<number, Bot>} */
  const bots = new Map();
  let checked = 0;
  /** @param {Finding['kind']} kind @param {string} message @returns {Finding} */
  const finding = (kind, message) => ({ kind, checked, turns, message });
  for (const { seat, observation, answer, broke } of questions.questions) {
    const id = questions.entrants[seat];
    // A seat with an empty bank was not asked, and a person's actions are taken from the record.
    let found = broke || id.startsWith('person:') ? answer : builtIn(id, observation);
    if (found === null) {
      try {
        const bot = bots.get(seat) ?? (await started(questions, modules.get(id)));
        bots.set(seat, bot);
        found = hexOf(bot.turn(bytesOf(observation)));
      } catch (error) {
        if (!(error instanceof CannotJudge)) throw error;
        return finding('not_checkable', scriptReplaysAnswerNotCheckable({ answer: checked + 1, why: error.message }));
      }
    }
    if (found !== answer) {
      const parts = { answer: checked + 1, recorded: `\`${answer}\``, found: `\`${found}\`` };
      return finding('differs', scriptReplaysAnswerDiffers(parts));
    }
    checked += 1;
    tell(checked, turns);
  }
  const [forfeit] = questions.forfeits;
  if (forfeit && forfeit.code !== 'resigned' && forfeit.code !== 'out_of_time') {
    return finding('not_checkable', scriptReplaysEndNotCheckable({ answers: turns, code: `\`${forfeit.code}\`` }));
  }
  return finding('identical', scriptReplaysAllIdentical({ answers: turns }));
}

/**
 * A started bot, ready to be asked.
 * @param {Pick<Questions, 'memory_bytes' | 'observation_len'>} questions
 * @param {BufferSource | undefined} module
 */
export async function started(questions, module) {
  if (!module) throw new CannotJudge(scriptPageBotNotHere());
  /** @type {WebAssembly.WebAssemblyInstantiatedSource} */
  let source;
  try {
    source = await WebAssembly.instantiate(module, { arena: { log() {} } });
  } catch (error) {
    throw new CannotJudge(scriptPageBotNoStart({ error: `\`${error instanceof Error ? error.message : error}\`` }));
  }
  return new Bot(source.instance, questions);
}
