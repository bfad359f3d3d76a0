// Settings from `cargo xtask`: paths in environment variables. Without one a test fails; nothing is skipped silently.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} name of an environment variable
 * @returns {string}
 */
function said(name) {
  const value = process.env[name];
  assert.ok(value, `${name} is not set: run this by \`cargo xtask\``);
  return value;
}

/**
 * Whether all pages are checked, at all widths, light and dark, and what needs the machine for itself: the night's
 * tests, not the gate's.
 */
export const NIGHT = process.env.ARENA_NIGHT === '1';

/** The arena's binary. */
export const arena = () => said('ARENA_BINARY');

/** The module with the rules for pages. */
export const engineModule = new URL('../../engine/built/arena_engine.wasm', import.meta.url);

/** The module that steps a world of Life2 in a page. */
export const worldModule = new URL('../../engine/built/arena_world.wasm', import.meta.url);

/** Serves pages' files from a folder instead of the embedded ones, for people who work on them. */
export const assets = () => (process.env.ARENA_ASSETS ? ['--assets', process.env.ARENA_ASSETS] : []);

/** The browser. */
export const chromium = () => said('ARENA_CHROMIUM');

/** A folder for a command's output. */
export const out = () => said('ARENA_OUT');

/** @param {string} name of a guest such as `gardener` */
export const botPath = (name) => join(said('ARENA_BOTS_DIR'), `${name}.wasm`);

/** @param {string} name of a guest such as `gardener` */
export const botBytes = (name) => readFileSync(botPath(name));

/** @param {string} path from the root of the repository */
export const source = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
