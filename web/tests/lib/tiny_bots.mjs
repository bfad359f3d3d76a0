// Bots of a few bytes, assembled here.

/**
 * A section of a module: its id, its length, its bytes; all lengths here are below 128.
 * @param {number} id
 * @param {number[]} bytes
 */
const section = (id, bytes) => [id, bytes.length, ...bytes];
/** @param {string} text */
const name = (text) => [text.length, ...Buffer.from(text)];
/** A function's body without locals. @param {number[]} code */
const body = (code) => [code.length + 2, 0, ...code, 0x0b];

export const ONE_BYTE_AT_0 = [0x42, 0x80, 0x80, 0x80, 0x80, 0x10]; // i64.const 1 << 32
export const TRAP = [0x00];
export const NO_INTEGER = [0x43, 0, 0, 0xc0, 0x7f, 0xa8, 0x1a, 0x42, 0x00]; // the integer of a NaN
export const LOOP = [0x03, 0x40, 0x0c, 0x00, 0x0b, 0x42, 0x00]; // a loop without an end
export const DEEPER = [0x20, 0x00, 0x10, 0x01]; // arena_turn calls itself
export const GROW_THEN = [0x41, 0x3f, 0x40, 0x00, 0x1a]; // memory.grow by 63 pages

export const TO_1024 = [0x41, 0x80, 0x08]; // i32.const 1024

/**
 * A module whose turn runs `turn`, with `answer` at address 0; observations go where `observation` says.
 * @param {number[]} turn
 * @param {number[]} answer
 * @param {number[]} observation
 */
export function bot(turn, answer, observation = TO_1024) {
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [2, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7e]),
    ...section(3, [2, 0, 1]),
    ...section(5, [1, 0, 1]),
    ...section(7, [3, ...name('memory'), 2, 0, ...name('arena_observation'), 0, 0, ...name('arena_turn'), 0, 1]),
    ...section(10, [2, ...body(observation), ...body(turn)]),
    ...section(11, [1, 0, 0x41, 0, 0x0b, answer.length, ...answer]),
  ]);
}
