// Plays vectors of the meter in Node, and compares: `node play.mjs < FILE`. Each line is a vector (golden/README.md)
// with `metered`, its module as a meter wrote it, and `start_fuel`, what that meter takes for data and the start
// function. Prints the first difference.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';

const OUT_OF_FUEL = -(2n ** 63n);
const TOO_DEEP = OUT_OF_FUEL + 1n;

const bytes = (hex) => Buffer.from(hex, 'hex');

/** How a call failed. What is no trap is the engine's failure, and no verdict: its own stack or memory has ended. */
function failure(error, left) {
  if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  if (left === OUT_OF_FUEL) return { ends: 'out_of_fuel' };
  return { ends: left === TOO_DEEP ? 'too_deep' : 'trap' };
}

/** A game of a compiled module: a function from what is asked to what it comes to. */
function open(module, startFuel) {
  const log = [];
  let exports;
  let at = 0;
  const memory = () => new Uint8Array(exports ? exports.memory.buffer : 0);
  const arena = {
    log(address, length) {
      const [from, to] = [address >>> 0, (address >>> 0) + (length >>> 0)];
      if (to > memory().length) throw new WebAssembly.RuntimeError('a line out of bounds');
      log.push(Buffer.from(memory().slice(from, to)).toString('hex'));
    },
    fuel() {
      throw new Error('the meter stands for this function');
    },
  };

  function start(length) {
    at = exports.arena_observation(length) >>> 0;
    return at.toString();
  }

  function turn(observation) {
    return BigInt.asUintN(64, exports.arena_turn(observation.length)).toString();
  }

  function outcome(call, fuel) {
    if (call.start !== undefined && fuel < startFuel) return { ends: 'out_of_fuel' };
    try {
      let value;
      if (call.start !== undefined) {
        exports = new WebAssembly.Instance(module, { arena }).exports;
        exports['~fuel'].value = fuel + 1n - startFuel;
        exports['~start']?.();
        exports._initialize?.();
        value = start(call.start);
      } else {
        const observation = bytes(call.turn);
        if (at + observation.length > memory().length) return { ends: 'trap' };
        memory().set(observation, at);
        exports['~fuel'].value = fuel + 1n;
        value = turn(observation);
      }
      const left = exports['~fuel'].value;
      return left < 1n ? { ends: 'out_of_fuel' } : { ends: 'in_time', used: Number(fuel + 1n - left), value };
    } catch (error) {
      return failure(error, exports?.['~fuel'].value);
    }
  }

  return ({ start, turn, fuel }) => {
    const asked = start === undefined ? { turn } : { start };
    const came = outcome(asked, BigInt(fuel));
    const memory_bytes = memory().length;
    return { ...asked, fuel, ...came, log: [...log], memory_bytes, memory: createHash('sha256').update(memory()).digest('hex') };
  };
}

let held = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { what, games, metered, start_fuel: startFuel } = JSON.parse(line);
  try {
    const module = new WebAssembly.Module(bytes(metered));
    for (const calls of games) {
      const play = open(module, BigInt(startFuel));
      for (const call of calls) assert.deepEqual(play(call), call);
    }
  } catch (error) {
    console.log(`${what}: ${error.message}`);
    process.exit(1);
  }
  held += 1;
}
console.log(`${held} vectors hold`);
