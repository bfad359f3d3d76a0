// What a script's module weighs: a limit on what everyone who verifies has to fetch.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { brotliCompressSync } from "node:zlib";

const BYTES_MAX = 850_000;
const BYTES_BY_BROTLI_MAX = 300_000;

for (const language of ["javascript", "python"]) {
  test(`a module in ${language} is no larger than a page may fetch`, () => {
    const interpreter = readFileSync(new URL(`../../arena/scripts/interpreters/${language}.wasm`, import.meta.url));
    assert.ok(interpreter.length <= BYTES_MAX, `${interpreter.length} bytes`);
    const compressed = brotliCompressSync(interpreter).length;
    assert.ok(compressed <= BYTES_BY_BROTLI_MAX, `${compressed} bytes by brotli`);
  });
}
