// What workers say on a Spanish page. The addresses of its files are in that language: the Spanish messages are in
// place of the English ones.

import assert from 'node:assert/strict';
import { register } from 'node:module';
import { test } from 'node:test';

const resolve = (/** @type {string} */ name, /** @type {any} */ context, /** @type {any} */ next) => next(name.replace('/text/en/', '/text/es/'), context);
register(`data:text/javascript,${encodeURIComponent(`export const resolve = ${resolve}`)}`);
Object.assign(globalThis, { document: { getElementById: () => null }, fetch: async () => new Response('', { status: 404 }) });
const { said } = await import('../../static/recompute-edition.js');
const { divergence, findingWords } = await import('../../static/replays/divergence.js');
const { begun } = await import('../../static/replays/verification.js');
const { moduleOf } = await import('../../static/rules/bot-bytes.js');
const { loadEngine } = await import('../../static/rules/engine.js');
const { fetched } = await import('../../static/net/fetched.js');
const { refusalOf } = await import('../../static/rooms/refusals.js');
const rooms = await import('../../static/rooms/state.js');
const worlds = await import('../../static/worlds/state.js');
const { describeForfeit } = await import('../../static/board/words.js');

test('every finding is Spanish', () => {
  const differs = { kind: 'differs', turn: 12, seat: 0, what: 'fuel_of_the_start', expected: '1', found: '2' };
  for (const [finding, words] of [
    [{ kind: 'identical', turns: 3, untold: false, left: [] }, /^Se ha vuelto a jugar.* cada derrota por falta/],
    [{ kind: 'identical', turns: 3, untold: true, left: [] }, /no se ha comparado el detalle/],
    [differs, /^Turno 12, bando 1: el combustible del arranque es `2`/],
    [{ ...differs, turn: null }, /^Bando 1/],
    [{ ...differs, seat: null }, /^Turno 12: /],
    [{ ...differs, turn: null, seat: null }, /es `2` en el registro/],
    [{ kind: 'differs', refused: 'why' }, /^La comprobación estática rechaza/],
    ...['engine', 'missing', 'deadline', 'worker', 'release', 'record'].map((why) => [{ kind: 'not_checked', why, detail: 'x' }, /`x`/]),
  ]) {
    assert.match(findingWords(finding), words);
  }
  assert.equal(divergence([['digest-differs', { turn: 12 }]]), 'turno 12: el resumen es distinto');
  assert.match(divergence([['length-differs', { rules: 3, record: 12 }]]), /^la partida acaba tras el turno 3 según las reglas/);
  assert.equal(divergence([['outcome-differs', {}]]), 'el resultado o el resumen final es distinto');
  assert.match(findingWords({ kind: 'differs', phrases: [['outcome-differs', {}]] }), /^Las reglas no coinciden: el resultado/);
  const claims = { games: [[5, 0, 0]], void: 2, void_played: [], wide: false, incomplete: null };
  assert.match(said({ ...begun(claims), differs: { game: 5, finding: differs } }, claims, false), /^✗ La partida 5 es distinta\. Turno 12.* 2 partidas son nulas/);
  assert.match(said({ ...begun(claims, 0), byRules: [5] }, claims, false), / 1\/1 = 100,0 %\./);
});

test('so is why bytes are not here', async () => {
  await assert.rejects(fetched('/api/v1/games/standing-2.5/record'), { message: '`/api/v1/games/standing-2.5/record` responde 404' });
  Object.assign(globalThis, { fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
  for (const load of [() => fetched('/a'), () => moduleOf('ab'), () => loadEngine('/a.wasm')]) {
    await assert.rejects(load, /no hay conexión/);
  }
  Object.assign(globalThis, { fetch: async () => new Response('other bytes') });
  await assert.rejects(moduleOf('ab'), /los bytes/);
});

test('a room says why it did nothing in the words of the site, or by the code', () => {
  const says = (/** @type {string} */ code) => refusalOf({ code, message: 'The English sentence.' });
  assert.match(says('unavailable'), /^el sitio no pudo/);
  assert.equal(says('a_new_one'), 'esto se ha rechazado (a_new_one)');
  /** @type {any} */
  const waiting = { ...rooms.INITIAL, sent: { client_seq: 7 } };
  const rejected = /** @type {const} */ ({ type: 'rejected', what: 'turn', ply: 2, client_seq: 7, code: 'stale_ply', message: 'English' });
  const translated = 'se está jugando el turno 3; esto era para otro';
  assert.equal(rooms.reduce(waiting, { ...rejected, translated }).why, translated);
});

test('a world says what its rules tell, as far as the page knows it', () => {
  const says = (/** @type {string} */ code, /** @type {any[]} */ ...why) => {
    const reply = /** @type {const} */ ({ type: 'rejected', what: 'place_cells', code, message: 'The English sentence' });
    return worlds.reduce(worlds.INITIAL, { type: 'reply', reply, why }, { width: 800, height: 600 }).said;
  };
  assert.equal(says('refused', ['insufficient-coins', {}]), 'No tienes monedas suficientes.');
  assert.equal(says('refused'), 'las reglas del mundo lo rechazan.');
  assert.equal(says('a_new_one'), 'esto se ha rechazado (a_new_one).');
});

test('the detail of a forfeit is quoted, what the page itself says is not', () => {
  const forfeit = { seat: 0, turn: 4, code: 'trap', detail: 'an integer was divided by zero' };
  assert.equal(describeForfeit(forfeit, { players: ['Ann'], seats: [] }), `Ann (A) falló en el turno 5: «${forfeit.detail}».`);
  const own = { ...forfeit, code: 'illegal_move', detail: '' };
  assert.match(describeForfeit(own, { players: ['Ann'], seats: [] }, 'no quedan jugadas'), / en el turno 5: no quedan jugadas\.$/);
});
