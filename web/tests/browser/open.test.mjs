// A tournament folder dropped on a page: it is shown there, and nothing is sent.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { wrongAnywhere } from '../lib/everywhere.mjs';
import { HANDS } from '../lib/hands.mjs';
import { scene } from '../lib/scene.mjs';
import * as setting from '../lib/setting.mjs';

const here = scene();
/** @type {string} */
let place;

const arena = (/** @type {string[]} */ ...args) => {
  const { status, stderr } = spawnSync(setting.arena(), args, { encoding: 'utf8', timeout: 120_000 });
  assert.equal(status, 0, stderr);
};

before(() => {
  place = mkdtempSync(join(tmpdir(), 'arena-open-'));
  const definition = fileURLToPath(new URL('../lib/cup.toml', import.meta.url));
  arena('tournament', 'run', definition, '--out', join(place, 'cup'));
  arena('tournament', 'export', join(place, 'cup'), join(place, 'cup.tar.zst'));
});
after(() => rmSync(place, { recursive: true, force: true }));

for (const [input, file] of [['archive', 'cup.tar.zst'], ['folder', 'cup']]) {
  test(`a tournament is opened as ${input === 'folder' ? 'a folder' : 'an archive'}`, async () => {
    const ann = await here.arrive();
    const page = await ann.open('/open');
    /** @type {string[]} */
    const sent = [];
    page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
    await page.locator(`#${input}`).setInputFiles(join(place, file));
    await page.locator('#tournament').waitFor();
    assert.equal(await page.locator('#name').innerText(), 'A small cup');
    assert.equal(await page.locator('#standings tbody tr').count(), 2);
    assert.match(await page.locator('#standings').innerText(), /easy@1/, 'ids stand beside names');
    assert.equal(await page.locator('#games tbody tr').count(), 2);
    await page.locator('#games button').first().click();
    await page.locator('#verified').filter({ hasText: 'The rules agree' }).waitFor();
    assert.deepEqual(sent, [], 'nothing is uploaded');
    await ann.leave();
  });
}

test('the page of an opened tournament keeps the laws of layout, and axe accepts it', async () => {
  const dan = await here.arrive();
  const page = await dan.open('/open');
  await page.locator('#archive').setInputFiles(join(place, 'cup.tar.zst'));
  await page.locator('#games button').first().click();
  await page.locator('#verified').filter({ hasText: 'The rules agree' }).waitFor();
  assert.deepEqual(await wrongAnywhere(page), []);
  await dan.leave();
});

for (const file of ['cup.tar.zst', 'cup']) {
  test(`${file} is dropped on the page`, async () => {
    const ann = await here.arrive();
    const page = await ann.open('/open');
    const wire = await ann.context.newCDPSession(page);
    // Like a drop from the desktop: the page gets file system entries, including folders.
    const data = { items: [], files: [join(place, file)], dragOperationsMask: 1 };
    for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) {
      await wire.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
    }
    await page.locator('#tournament').waitFor();
    assert.equal(await page.locator('#name').innerText(), 'A small cup');
    assert.equal(await page.locator('#games tbody tr').count(), 2);
    await ann.leave();
  });
}

for (const { name, options, use } of HANDS) {
  test(`a tournament is chosen and a game of it watched, by ${name}`, async () => {
    const cat = await here.arrive(options);
    const page = await cat.open('/open');
    const chooser = page.waitForEvent('filechooser');
    await use(page.locator('#archive'));
    await (await chooser).setFiles(join(place, 'cup.tar.zst'));
    await page.locator('#tournament').waitFor();
    await use(page.locator('#games button').first());
    await page.locator('#verified').filter({ hasText: 'The rules agree' }).waitFor();
    await cat.leave();
  });
}

test('what is no tournament is refused in a sentence', async () => {
  const bob = await here.arrive();
  const page = await bob.open('/open');
  await page.locator('#archive').setInputFiles({ name: 'x.tar.zst', mimeType: 'application/zstd', buffer: Buffer.from('no archive') });
  await page.locator('#trouble').filter({ hasText: 'cannot be unpacked' }).waitFor();
  await bob.leave();
});
