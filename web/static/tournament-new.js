// The form that starts a tournament: fields that nobody has edited follow the chosen game and format.

import { byId } from './page/page.js';

/** Fields whose defaults depend on the game and the format. */
const FIELDS = ['options', 'pairs', 'rounds', 'places', 'reserved'];

/**
 * Takes the new defaults for fields that nobody has edited.
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
    // Moving an option can lose its selection.
    formats.value = value;
  }
}

/** @param {HTMLFormElement} form */
function follow(form) {
  /** The last address requested. */
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
    // Another game or format may have been chosen meanwhile.
    if (answer === null || !answer.ok || asked !== address) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.getElementById('new-tournament');
    if (fresh instanceof HTMLFormElement && asked === address) take(form, fresh);
  });
}

const form = byId('new-tournament');
if (form instanceof HTMLFormElement) follow(form);
