// Bundles the scripts of pages, each with all modules that it imports, into `web/bundled`: `npm run bundle`. The
// server's build embeds these; without them, it embeds the modules, and a browser loads each.

import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SCRIPTS = fileURLToPath(new URL('../static/', import.meta.url));
const BUNDLED = fileURLToPath(new URL('../bundled/', import.meta.url));

/** What the bundles were made of: the server's build (`arena/server/build.rs`) compares it. */
const SOURCES = 'sources.txt';

const names = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
// In the order of the server's build: folder by folder.
const modules = names.map((name) => name.split('/')).sort((a, b) => (a.join('\0') < b.join('\0') ? -1 : 1));
const sources = modules.map((path) => `${path.join('/')}\n${readFileSync(SCRIPTS + path.join('/'), 'utf8')}`).join('');
// What pages load stands beside the folders of modules.
const entryPoints = modules.filter((path) => path.length === 1).map(([name]) => SCRIPTS + name);
const { outputFiles } = await build({
  bundle: true,
  charset: 'utf8',
  entryPoints,
  format: 'esm',
  minify: true,
  outdir: BUNDLED,
  target: 'es2024',
  write: false,
});

/** @param {string} name @param {string} text */
function writeIfChanged(name, text) {
  // What is the same is not written again: cargo would compile the server for it.
  const file = BUNDLED + name;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

const bundles = new Map(outputFiles.map(({ path, text }) => [path.slice(BUNDLED.length), text]));
for (const old of readdirSync(BUNDLED)) if (old.endsWith('.js') && !bundles.has(old)) rmSync(BUNDLED + old);
// Until all are written, they are of no sources.
const before = existsSync(BUNDLED + SOURCES) ? readFileSync(BUNDLED + SOURCES, 'utf8') : sources;
if (before !== sources) rmSync(BUNDLED + SOURCES);
bundles.forEach((text, name) => writeIfChanged(name, text));
writeIfChanged(SOURCES, sources);
