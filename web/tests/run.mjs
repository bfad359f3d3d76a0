// Runs test files, so many at once, in the order in which they are named: `node --test` sorts them.
// `node run.mjs COUNT FILE...`.

import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const [count, ...files] = process.argv.slice(2);
run({ files, concurrency: Number(count) })
  .on('test:fail', () => { process.exitCode = 1; })
  .compose(new spec())
  .pipe(process.stdout);
