// The lobby follows what happens in it: a request waits for news, then the page's list is taken anew. The form of a room has the fields
// of the game that is chosen in it.

import { byId } from './page.js';
import { pollsOnly } from './transport.js';

/** How long is waited after a request that failed, in milliseconds. */
const AGAIN_MS = 4_000;

const list = byId('lobby');

// What the address says of sockets is for the rooms that follow.
pollsOnly(location);

/** @param {number} ms */
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits for news, and says which version the lobby is in. @param {string} known @returns {Promise<string>} */
async function news(known) {
  const answer = await fetch(`/api/v1/lobby?after=${known}`);
  if (!answer.ok) throw new Error(String(answer.status));
  return String((await answer.json()).version);
}

/** The list as the server words it. */
async function renew() {
  const answer = await fetch('/lobby');
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById('lobby');
  if (fresh) list.replaceChildren(...fresh.childNodes);
}

/** A list of choices in a form, by its name; none where the page has none. @param {HTMLFormElement} form @param {string} name */
function choices(form, name) {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLSelectElement ? field : null;
}

/** Leaves out what belongs to other games than the one that is chosen; without script all stays. @param {HTMLFormElement} form */
function ofOneGame(form) {
  const [game, seats, seat, kind] = ['game', 'seats', 'seat', 'kind'].map((name) => choices(form, name));
  if (!game) return;
  const [places, kinds] = [seat, kind].map((field) => [...(field?.children ?? [])]);
  const first = /** @type {HTMLOptionElement | undefined} */ (places.find((place) => /** @type {HTMLOptionElement} */ (place).value === '0'));
  const [firstInTurns, usual] = [first?.textContent ?? '', kinds[0]?.textContent ?? ''];

  const fit = () => {
    const chosen = game.selectedOptions[0];
    /** @type {NodeListOf<HTMLFieldSetElement>} */
    const parts = form.querySelectorAll('.of-game');
    for (const part of parts) {
      part.disabled = !(part.dataset.games ?? '').split(' ').includes(game.value);
      part.toggleAttribute('data-other', part.disabled);
    }
    if (seat) {
      const { value } = seat;
      const most = Number(seats?.matches(':enabled') ? seats.value : chosen.dataset.seats);
      if (first) first.textContent = chosen.dataset.atOnce === undefined ? firstInTurns : 'A';
      seat.replaceChildren(...places.slice(0, 1 + most));
      seat.value = value;
      if (seat.selectedIndex < 0) seat.selectedIndex = 0;
    }
  };

  const choose = () => {
    if (kind) {
      const group = /** @type {HTMLElement | undefined} */ (kinds.find((one) => /** @type {HTMLElement} */ (one).dataset.game === game.value));
      kinds[0].textContent = group?.dataset.usual ?? usual;
      kind.replaceChildren(kinds[0], ...(group ? [...group.children].map((one) => one.cloneNode(true)) : []));
      kind.selectedIndex = 0;
    }
    fit();
  };

  game.addEventListener('change', choose);
  seats?.addEventListener('change', fit);
  choose();
}

async function follow() {
  let known = list.dataset.version ?? '';
  for (;;) {
    try {
      const version = await news(known);
      if (version !== known) {
        await renew();
        known = version;
        list.dataset.version = known;
      }
    } catch {
      await wait(AGAIN_MS);
    }
  }
}

const form = byId('open-room');
if (form instanceof HTMLFormElement) ofOneGame(form);
follow();
