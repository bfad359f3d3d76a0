// Hostile scripts in this engine: each deed ends as it is stated to end in the arena, and changes no game beside it.
// `arena/interpreter/tests/it/slow/scripts.rs` does the same deeds in the other two engines.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Engine } from '../../static/rules/engine.js';
import { Guests } from '../../static/rules/guests.js';
import { Texts } from '../../static/rules/texts.js';

const compiled = (module) => new WebAssembly.Module(readFileSync(new URL(`../built/${module}.wasm`, import.meta.url)));
const OPPONENTS = compiled('arena_opponents');
const BUDGETS = { memory_bytes: 4 << 20, module_bytes: 1 << 20 };
const CONQUERORS = 'conquerors@2';
const OBSERVATION_BYTES = 776;
const BOARD_AT = 48;

/** What the judge says, by its code; anything else is a trap. */
const CODES = {
  'the fuel was used up before the bot answered': 'fuel_exhausted',
  'the calls were nested too deeply for the stack': 'stack_overflow',
};

/** Blue's first observation, on a board with so many blue cells. */
function observation(cells) {
  const bytes = Buffer.alloc(OBSERVATION_BYTES);
  bytes.set([1, 1, 0, 3, 0, 0, 1]);
  bytes.fill(1, BOARD_AT, BOARD_AT + cells);
  return bytes.toString('hex');
}

/** A game of a metered bot. */
class Game {
  #guests = new Guests();

  static async of({ module, startFuel }) {
    const game = new Game();
    const instance = new WebAssembly.Instance(OPPONENTS, game.#guests.imports);
    game.#guests.serve(instance.exports.memory);
    game.engine = new Engine(instance);
    game.#guests.seat(0, module);
    game.at = await game.engine.begin(CONQUERORS, 0, startFuel, OBSERVATION_BYTES);
    game.listed = [...game.lines];
    return game;
  }

  get lines() {
    return this.#guests.left[0].lines;
  }

  /** How a turn ends: its action, or the code and what it logged. */
  async turn(cells) {
    try {
      return `done ${await this.engine.turn(CONQUERORS, 0, this.at, observation(cells))}`;
    } catch (error) {
      assert.equal(error.code, 'bot_failed', error);
      return `${CODES[error.cause] ?? 'trap'}; ${this.lines.slice(this.listed.length).join('\n')}`;
    }
  }
}

for (const [language, file, texts] of [
  ['javascript', 'hostile.js', 'arena_texts'],
  ['python', 'hostile.py', 'arena_python'],
]) {
  test(`hostile scripts in ${language} end as stated and change no game beside them`, async () => {
    const maker = new Texts(new WebAssembly.Instance(compiled(texts)));
    const script = readFileSync(new URL(`../../../sdk/${language}/tests/${file}`, import.meta.url), 'utf8');
    const { module, startFuel } = maker.metered(maker.made(language, script).module, BUDGETS);
    const bot = { module: new WebAssembly.Module(module), startFuel };
    const [alone, beside] = [await Game.of(bot), await Game.of(bot)];
    const expected = [];
    for (const _ of alone.listed) expected.push(await alone.turn(0));
    const wrong = [];
    for (const [deed, line] of alone.listed.entries()) {
      const [, name, stated] = line.match(/^(.*): (.*)$/s);
      const ended = await (await Game.of(bot)).turn(deed);
      if (!ended.includes(stated)) wrong.push(`${name}: ${ended}, and not ${stated}`);
      assert.equal(await beside.turn(0), expected[deed], `beside ${name}`);
    }
    assert.ok(alone.listed.length > 40);
    assert.deepEqual(wrong, []);
  });
}
