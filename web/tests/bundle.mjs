// Bundles the scripts of pages, each with all modules that it imports, into `web/bundled`, and their style, without
// comments and spaces: `npm run bundle`. In `es` are scripts that have messages, in Spanish. The server's build embeds
// these; without them, it embeds the sources, and a browser loads each module.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SCRIPTS = fileURLToPath(new URL('../static/', import.meta.url));
const BUNDLED = fileURLToPath(new URL('../bundled/', import.meta.url));

/** What the bundles were made of: the server's build (`arena/server/build.rs`) compares it. */
const SOURCES = 'sources.txt';

const names = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(css|js)$/.test(name));
// In the order of the server's build: folder by folder.
const modules = names.map((name) => name.split('/')).sort((a, b) => (a.join('\0') < b.join('\0') ? -1 : 1));
const sources = modules.map((path) => `${path.join('/')}\n${readFileSync(SCRIPTS + path.join('/'), 'utf8')}`).join('');
// What pages load stands beside the folders of modules.
const entryPoints = modules.filter((path) => path.length === 1).map(([name]) => SCRIPTS + name);
/** Takes the Spanish messages, where modules import the English ones. @type {import('esbuild').Plugin} */
const SPANISH = {
  name: 'spanish',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/text\/en\// }, ({ path, resolveDir }) => ({ path: join(resolveDir, path).replace('/text/en/', '/text/es/') })),
};

/**
 * @param {import('esbuild').Plugin[]} plugins
 * @returns {Promise<Map<string, string>>} bundles by the names of scripts
 */
async function bundled(plugins) {
  const { outputFiles } = await build({
    bundle: true,
    charset: 'utf8',
    entryPoints,
    // The style names it where both are served.
    external: ['*.woff2'],
    format: 'esm',
    minify: true,
    // What a page has from npm stands beside this script.
    nodePaths: [fileURLToPath(new URL('node_modules', import.meta.url))],
    outdir: BUNDLED,
    plugins,
    target: 'es2024',
    write: false,
  });
  return new Map(outputFiles.map(({ path, text }) => [path.slice(BUNDLED.length), text]));
}

/** @param {string} name @param {string} text */
function writeIfChanged(name, text) {
  // What is the same is not written again: cargo would compile the server for it.
  const file = BUNDLED + name;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

const bundles = await bundled([]);
for (const [name, text] of await bundled([SPANISH])) if (bundles.get(name) !== text) bundles.set(`es/${name}`, text);
mkdirSync(`${BUNDLED}es`, { recursive: true });
for (const old of readdirSync(BUNDLED, { recursive: true, encoding: 'utf8' })) if (/\.(css|js)$/.test(old) && !bundles.has(old)) rmSync(BUNDLED + old);
// Until all are written, they are of no sources.
const before = existsSync(BUNDLED + SOURCES) ? readFileSync(BUNDLED + SOURCES, 'utf8') : sources;
if (before !== sources) rmSync(BUNDLED + SOURCES);
bundles.forEach((text, name) => writeIfChanged(name, text));
writeIfChanged(SOURCES, sources);
