// A bundle in Node, as the arena runs it, but without a meter: fuel is what a caller says.
import { readFileSync } from "node:fs";

/** A line of the log at which a bot is stopped, as where its fuel ends. */
export const STOP = "stop here";

/** Where the first observation of Conway's Conquerors differs from zeros. */
const SEED = Array.from({ length: 32 }, (_, at) => at);
export const FIRST = [1, 1, 0, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...SEED];
export const LENGTH = 776;

/** How scripts of a language are run, by its released interpreter. */
export async function scriptsOf(language) {
  const released = new URL(`../../arena/scripts/interpreters/${language}.wasm`, import.meta.url);
  const interpreter = await WebAssembly.compile(readFileSync(released));

  /** A bot of this script. What it logs is in `log`; what ends it is thrown. */
  function start(script, fuel = 50_000_000n, length = LENGTH) {
    const log = [];
    let left = fuel;
    const bytes = (address, length) => new Uint8Array(exports.memory.buffer, address >>> 0, length);
    const arena = {
      log(address, length) {
        const line = new TextDecoder().decode(bytes(address, length));
        log.push(line);
        if (line === STOP) throw new WebAssembly.RuntimeError("the arena stopped it here");
      },
      // Each question costs something, so that loops end.
      fuel: () => (left -= 1_000n),
    };
    const { exports } = new WebAssembly.Instance(interpreter, { arena });
    const text = new TextEncoder().encode(script);
    const at = exports.arena_script.value;
    new DataView(exports.memory.buffer).setUint32(at, text.length, true);
    bytes(at + 4, text.length).set(text);
    let buffer;
    return {
      log,
      begin() {
        exports._initialize?.();
        buffer = exports.arena_observation(length);
      },
      /** The lines of the script where it was stopped, the innermost first. */
      lines() {
        const said = BigInt.asUintN(64, exports.arena_lines());
        const [address, count] = [Number(said & 0xffff_ffffn), Number(said >> 32n)];
        return [...new Uint32Array(exports.memory.buffer, address, count)];
      },
      /** The bytes of the action for an observation that begins with these. */
      turn(observation = FIRST) {
        left = fuel;
        bytes(buffer, length).fill(0).set(observation);
        const result = BigInt.asUintN(64, exports.arena_turn(length));
        return [...bytes(Number(result & 0xffff_ffffn), Number(result >> 32n))];
      },
    };
  }

  /** What a script logs until it ends, and whether it ended by a trap. */
  function logged(script, fuel) {
    const bot = start(script, fuel);
    try {
      bot.begin();
      bot.turn();
      return { log: bot.log, trapped: false };
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      return { log: bot.log, trapped: true };
    }
  }

  return { start, logged };
}
