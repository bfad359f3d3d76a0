// Makes what the package `life-arena-verify` carries, `web/verify/built`: the worker's script with all that it imports,
// and the modules of `web/engine`. `cargo xtask dist` runs it.

import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const BUILT = here('../verify/built/');

rmSync(BUILT, { recursive: true, force: true });
mkdirSync(BUILT);
await build({
  bundle: true,
  entryPoints: ['recompute-worker', 'replays/divergence', 'replays/verification', 'rules/ledger'].map((name) =>
    here(`../static/${name}.js`),
  ),
  entryNames: '[name]',
  format: 'esm',
  outdir: BUILT,
  target: 'es2024',
});
for (const module of ['arena_ledger', 'arena_meter', 'arena_opponents', 'arena_opponents_wide']) {
  copyFileSync(here(`../engine/built/${module}.wasm`), `${BUILT}${module}.wasm`);
}
