// The form to start a tournament: when another game or format is chosen, what nobody has changed follows it.

import { byId } from './page.js';

/** Fields with defaults of their own for each game and format. */
const FIELDS = ['options', 'pairs', 'rounds', 'places', 'reserved'];

/**
 * Takes defaults over where nobody has written anything else.
 * @param {HTMLFormElement} form
 * @param {HTMLFormElement} fresh
 */
function take(form, fresh) {
  for (const name of FIELDS) {
    const [field, other] = [form, fresh].map((of) => of.elements.namedItem(name));
    if (!(field instanceof HTMLInputElement && other instanceof HTMLInputElement)) continue;
    if (field.value === field.defaultValue) field.value = other.defaultValue;
    field.defaultValue = other.defaultValue;
  }
  const [formats, others] = [form, fresh].map((of) => of.elements.namedItem('format'));
  if (formats instanceof HTMLSelectElement && others instanceof HTMLSelectElement) {
    const { value } = others;
    formats.replaceChildren(...others.childNodes);
    // Moving an option loses whether it is the one that is chosen.
    formats.value = value;
  }
}

/** @param {HTMLFormElement} form */
function follow(form) {
  /** The last address that was asked for. */
  let asked = '';
  /** Whether the visitor chose the format. */
  let chosen = false;
  form.addEventListener('change', async ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    chosen ||= target.name === 'format';
    const sent = new FormData(form);
    const query = new URLSearchParams();
    for (const name of chosen ? ['game', 'format'] : ['game']) query.set(name, String(sent.get(name)));
    const address = `/tournaments/new?${query}`;
    asked = address;
    const answer = await fetch(address, { headers: { accept: 'text/html' } }).catch(() => null);
    // Something else may have been chosen meanwhile.
    if (answer === null || !answer.ok || asked !== address) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.getElementById('new-tournament');
    if (fresh instanceof HTMLFormElement && asked === address) take(form, fresh);
  });
}

const form = byId('new-tournament');
if (form instanceof HTMLFormElement) follow(form);
