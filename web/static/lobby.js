// Keeps the lobby up to date: a request waits for news, then the list is loaded again. The form for a new room shows
// only the fields of the chosen game.

import { byId, write } from './page/page.js';
import { scriptListsNobodyWaits } from './text/en/script-lists.js';

/** The wait after a failed request, in milliseconds. */
const AGAIN_MS = 4_000;

const list = byId('lobby');

/** @param {number} ms */
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits for news, and returns the lobby's version. @param {string} known @returns {Promise<string>} */
async function news(known) {
  const answer = await fetch(`/api/v1/lobby?after=${known}`);
  if (!answer.ok) throw new Error(String(answer.status));
  return String((await answer.json()).version);
}

/** The rooms that wait for somebody, in words, by id. @param {HTMLElement} list @returns {Map<string, string>} */
function waiting(list) {
  /** @type {NodeListOf<HTMLElement>} */
  const rooms = list.querySelectorAll('li[data-room]');
  const plain = (/** @type {Element | null | undefined} */ element) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
  return new Map(
    [...rooms].map((room) => [
      room.dataset.room ?? '',
      `${plain(room.closest('ul')?.previousElementSibling)}: ${plain(room.lastElementChild)}.`,
    ]),
  );
}

/**
 * Says which rooms are new, or that none is left. The list is not announced: mostly it is turns of games in play that
 * change.
 * @param {ReadonlyMap<string, string>} before
 * @param {ReadonlyMap<string, string>} now
 */
function tell(before, now) {
  const fresh = [...now].filter(([room]) => !before.has(room)).map(([, words]) => words);
  if (fresh.length > 0) write('lobby-news', fresh.join(' '));
  else if (before.size > 0 && now.size === 0) write('lobby-news', scriptListsNobodyWaits());
}

/** Replaces the list by the server's current one. */
async function renew() {
  const answer = await fetch('/lobby');
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById('lobby');
  if (!fresh) return;
  // If the focused button or link is replaced, its successor takes the focus; its form has another key.
  const leadsTo = (/** @type {Element | null} */ element) =>
    element?.closest('form')?.getAttribute('action')?.split('?')[0] ?? element?.getAttribute('href');
  const held = list.contains(document.activeElement) ? leadsTo(document.activeElement) : undefined;
  const before = waiting(list);
  list.replaceChildren(...fresh.childNodes);
  tell(before, waiting(list));
  if (held)
    [...list.querySelectorAll('button, a')]
      .filter((one) => leadsTo(one) === held)
      .forEach((one) => /** @type {HTMLElement} */ (one).focus());
}

/** A select of a form by name; null if the page has none. @param {HTMLFormElement} form @param {string} name */
function choices(form, name) {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLSelectElement ? field : null;
}

/**
 * Hides and disables the fields of all games except the chosen one; without script all are shown.
 * @param {HTMLFormElement} form
 */
function ofOneGame(form) {
  const [game, seats, seat, kind] = ['game', 'seats', 'seat', 'kind'].map((name) => choices(form, name));
  if (!game) return;
  const [places, kinds] = [seat, kind].map((field) => [...(field?.children ?? [])]);
  const first = /** @type {HTMLOptionElement | undefined} */ (
    places.find((place) => /** @type {HTMLOptionElement} */ (place).value === '0')
  );
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
      const group = /** @type {HTMLElement | undefined} */ (
        kinds.find((one) => /** @type {HTMLElement} */ (one).dataset.game === game.value)
      );
      // After a reload or on going back, the form keeps the kind that was chosen before.
      const { value } = kind;
      kinds[0].textContent = group?.dataset.usual ?? usual;
      kind.replaceChildren(kinds[0], ...(group ? [...group.children].map((one) => one.cloneNode(true)) : []));
      kind.value = value;
      if (kind.selectedIndex < 0) kind.selectedIndex = 0;
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
