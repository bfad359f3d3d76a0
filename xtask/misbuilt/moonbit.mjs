// MoonBit's compiler is published as a worker of pages. This asks it as a page does:
// `node moonbit.mjs TARGET < bot.mbt > bot.wasm`.

import { readFileSync } from 'node:fs';

const listeners = [];
const answers = new Map();
globalThis.addEventListener = (_, listener) => listeners.push(listener);
globalThis.postMessage = answer => answers.get(answer.id)(answer.value);
await import('./moonc.cjs');

function ask(name, value) {
    const data = { id: name, type: 'APPLY', path: [name], argumentList: [{ type: 'RAW', value }] };
    return new Promise(resolve => {
        answers.set(name, resolve);
        listeners.forEach(listener => listener({ data, origin: '' }));
    });
}

const both = { target: process.argv[2], pkgSources: ['bot:/'], noOpt: false };
const { core, diagnostics } = await ask('buildPackage', {
    ...both,
    mbtFiles: [['bot.mbt', readFileSync(0, 'utf8')]],
    miFiles: [],
    indirectImportMiFiles: [],
    stdMiFiles: [],
    pkg: 'bot',
    isMain: true,
    errorFormat: 'human',
    enableValueTracing: false,
});
if (!core) throw new Error(diagnostics.join('\n'));
const { result } = await ask('linkCore', {
    ...both,
    coreFiles: [core],
    main: 'bot',
    exportedFunctions: ['arena_observation', 'arena_turn'],
    outputFormat: 'wasm',
    testMode: false,
    debug: false,
    sourceMap: false,
    sources: {},
    stopOnMain: false,
});
process.stdout.write(result);
