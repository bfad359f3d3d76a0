// Forms keep what was typed until the site has done what they ask for: on pages in another language, after a refusal,
// after a sign-in and after a break of the line. The content is in this tab alone, and neither secrets nor files are.

import { element } from './page.js';
import { granted, ofTab } from './storage.js';
import { scriptPageNotSent } from '../text/en/script-page.js';

/** Before the keys in the tab's storage. */
const PREFIX = 'arena.form ';

/**
 * The content of a form; and, if it was sent and nothing is known of it yet, from which page.
 * @typedef {{fields: [string, string][], from?: string}} Kept
 */

/** Fields of these types are not kept: they are no input, or secrets, or files, or cannot be filled by a script. */
const NOT_KEPT = ['hidden', 'password', 'file', 'submit', 'button'];

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** The fields of a form that people fill. @param {HTMLFormElement} form @returns {Field[]} */
const fieldsOf = (form) =>
  [...form.elements].flatMap((element) =>
    'name' in element && 'value' in element && element.name && !NOT_KEPT.includes(String(/** @type {Field} */ (element).type))
      ? [/** @type {Field} */ (element)]
      : [],
  );

/** @param {Field} field @returns {field is HTMLInputElement} whether it is a box to tick or one of several choices */
const isTicked = (field) => field.type === 'checkbox' || field.type === 'radio';

/**
 * The name of a form's entry: without the key in its address, which is another on each page.
 * @param {HTMLFormElement} form
 */
const entryOf = (form) => `${PREFIX}${new URL(form.action).pathname} ${form.id}`;

/**
 * What is kept in an entry; null if nothing is, or another release wrote it in another way.
 * @param {Storage} tab
 * @param {string} entry
 * @returns {Kept | null}
 */
function keptOf(tab, entry) {
  try {
    const { fields, from } = JSON.parse(tab.getItem(entry) ?? '');
    return { fields: fields.map((/** @type {unknown[]} */ [name, value]) => [String(name), String(value)]), from };
  } catch {
    return null;
  }
}

/**
 * Fills a form; other fields may depend on a choice, which comes before them.
 * @param {HTMLFormElement} form
 * @param {Kept} kept
 */
function fill(form, { fields }) {
  for (const field of fieldsOf(form)) {
    if (isTicked(field)) field.checked = fields.some(([name, value]) => name === field.name && value === field.value);
    else {
      const found = fields.find(([name]) => name === field.name);
      if (found) field.value = found[1];
    }
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

/**
 * Drops what the site has done. It answers a form by leading to another page unless it refuses it, and this page says
 * so if a bot was refused; a form that came from another page is of no such answer.
 * @param {Storage} tab
 * @param {boolean} isLed whether the site led to this page
 */
function settle(tab, isLed) {
  for (const entry of Object.keys(tab).filter((key) => key.startsWith(PREFIX))) {
    const kept = keptOf(tab, entry);
    if (kept === null || (isLed && kept.from === document.referrer)) tab.removeItem(entry);
    else if (kept.from) tab.setItem(entry, JSON.stringify({ fields: kept.fields }));
  }
}

/**
 * Of a form that is sent again from the answer that refused it: its content is in the tab as it was typed.
 * @param {Storage} tab
 * @param {HTMLFormElement} form
 * @param {string} from
 */
function sendAgain(tab, form, from) {
  for (const entry of Object.keys(tab).filter((key) => key.startsWith(entryOf(form)))) {
    tab.setItem(entry, JSON.stringify({ ...keptOf(tab, entry), from }));
  }
}

/**
 * Says beside the button of a form that there is no connection, in place of a page of the browser's own.
 * @param {SubmitEvent} event
 */
function stay(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const said = form.querySelector('.not-sent') ?? element('p', { className: 'problem not-sent', role: 'alert' });
  said.textContent = scriptPageNotSent();
  // Put in again, it is announced again.
  (event.submitter ?? form.lastElementChild)?.after(said);
}

/** Keeps the content of forms, and fills those of this page. */
export function keepForms() {
  // The answer to a refused form is the form's page: loading it again sends nothing.
  const back = document.querySelector('form [data-refused]') && document.querySelector('form.language [name=back]');
  if (back instanceof HTMLInputElement) history.replaceState(null, '', back.value);
  const tab = granted(ofTab);
  // Without it forms are as the browser shows them itself.
  if (tab === null) return;
  /** The forms in which something was typed since they were kept. @type {Set<HTMLFormElement>} */
  const typed = new Set();
  const keep = (/** @type {HTMLFormElement} */ form, /** @type {string | undefined} */ from) => {
    typed.delete(form);
    const filled = fieldsOf(form).filter((field) => !isTicked(field) || field.checked);
    try {
      if (filled.length > 0) tab.setItem(entryOf(form), JSON.stringify({ fields: filled.map(({ name, value }) => [name, value]), from }));
      // Otherwise a site that cannot answer with the form has the browser stay.
      const action = new URL(form.action);
      action.searchParams.set('kept', '');
      if (from) form.action = action.href;
    } catch {
      // It is larger than what the browser keeps.
      tab.removeItem(entryOf(form));
    }
  };
  const posted = (/** @type {unknown} */ form) => (form instanceof HTMLFormElement && form.method === 'post' ? form : null);
  addEventListener('input', ({ target }) => {
    const form = posted(/** @type {Partial<Field>} */ (target).form);
    if (form) typed.add(form);
  });
  addEventListener('submit', (event) => {
    const form = posted(event.target);
    if (form && !event.defaultPrevented && !navigator.onLine) return stay(event);
    const from = location.href.replace(location.hash, '');
    if (form?.matches('.send-again')) sendAgain(tab, form, from);
    else if (form) keep(form, from);
  });
  addEventListener('pagehide', () => typed.forEach((form) => keep(form, undefined)));
  addEventListener('pageshow', ({ persisted }) => persisted && settle(tab, false));
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  settle(tab, navigation?.redirectCount > 0 && document.querySelector('[data-refused]') === null);
  for (const form of document.forms) {
    const kept = posted(form) && keptOf(tab, entryOf(form));
    if (kept) fill(form, kept);
  }
}
