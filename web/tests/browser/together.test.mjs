// One room, several pages: a spectator, a second tab, and connections that break.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RoomSocket } from '../lib/room_socket.mjs';
import { scene } from '../lib/scene.mjs';
import { Table } from '../lib/table.mjs';

const here = scene({ restarts: true });

/** The console's messages while there is no server. */
const NO_SERVER = /WebSocket connection|Failed to load resource/;

test('a spectator sees every ply and cannot play', async () => {
  const [ann, eve] = [await here.arrive(), await here.arrive()];
  const table = await Table.open(await ann.open(), here.random);
  const watched = new Table(await eve.open(await table.path()), here.random);
  await watched.reach('watching');
  for (const ply of [2, 4]) {
    await table.turnByMouse();
    await watched.when(`ply ${ply}`, (shown) => shown.ply === ply);
  }
  assert.equal(await watched.board.getAttribute('data-next') || '', '', 'nothing to place for a spectator');
  for (const button of ['#send', '#resign', '[data-tool=skip]', '[data-tool=bomb]']) {
    assert.ok(await unusable(watched.page, button), `${button} is not for a spectator`);
  }

  const { room, ply } = await table.state();
  const socket = await RoomSocket.open(here.server.url, room);
  assert.deepEqual(socket.hello.you, []);
  const answer = await socket.turn(ply, 1, '010300');
  assert.deepEqual([answer.type, answer.code], ['rejected', 'not_your_seat']);
  socket.close();
  assert.equal((await table.state()).ply, ply, 'nothing changed');
  await ann.leave();
  await eve.leave();
});

test('two tabs of one player show the same game, and either may play', async () => {
  const ann = await here.arrive();
  const first = await Table.open(await ann.open(), here.random);
  const second = new Table(await ann.open(await first.path()), here.random);
  await second.reach('yours');
  await first.turnByMouse();
  await second.when('ply 2', ({ ply, phase }) => ply === 2 && phase === 'yours');
  await second.page.bringToFront();
  await second.turnByMouse();
  await first.page.bringToFront();
  await first.when('ply 4', ({ ply, phase }) => ply === 4 && phase === 'yours');
  await ann.leave();
});

test('a killed server comes back to the same ply, and a turn sent meanwhile counts once', async () => {
  const ann = await here.arrive();
  const table = await Table.open(await ann.open(), here.random);
  await table.turnByMouse();
  const before = await table.state();
  const position = await table.position();
  await table.place(position, table.choose(position), table.click);
  await ann.forgiving(NO_SERVER, async () => {
    await here.server.kill();
    await table.when('the page notices', ({ connection }) => connection === 'closed');
    assert.equal((await table.shown()).ply, before.ply, 'the same ply without a server');
    await table.page.locator('#send').click();
    assert.equal((await table.shown()).phase, 'sending');
    await here.server.start();
    await table.when('the page is connected again', ({ connection }) => connection === 'open');
  });
  await table.when('the turn after', ({ ply, phase }) => ply === before.ply + 2 && phase === 'yours');
  const after = await table.state();
  assert.deepEqual(after.turns.slice(0, before.ply), before.turns, 'the plies before are as they were');
  assert.equal(after.turns.length, before.ply + 2, 'one of each more');
  await ann.leave();
});

/** @param {import('playwright-core').Page} page @param {string} button */
async function unusable(page, button) {
  const found = page.locator(button);
  return (await found.count()) === 0 || !(await found.isVisible()) || (await found.isDisabled());
}
