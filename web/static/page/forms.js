// Forms keep what was typed: if the site refuses a form, its page has the same content again, even if it is loaded
// anew. The content is kept in this tab alone, and neither secrets nor files are.

/** The key in the tab's storage. */
const KEY = 'arena.form';

/** @typedef {{action: string, id: string, fields: [string, string][], refused: boolean}} Kept */

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

/** @param {HTMLFormElement} form @returns {Kept} */
function contentOf(form) {
  /** @type {[string, string][]} */
  const fields = fieldsOf(form)
    .filter((field) => !isTicked(field) || field.checked)
    .map(({ name, value }) => [name, value]);
  return { action: new URL(form.action).pathname, id: form.id, fields, refused: false };
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

/** Keeps the content of forms that are sent, and fills the form of a refused one. */
export function keepForms() {
  /** @type {Storage} */
  let tab;
  try {
    tab = sessionStorage;
  } catch {
    // The browser denies it. Its Back button still leads to the form as it was.
    return;
  }
  document.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement) || target.method !== 'post') return;
    try {
      tab.setItem(KEY, JSON.stringify(contentOf(target)));
    } catch {
      // It is larger than what the browser keeps.
      tab.removeItem(KEY);
    }
  });
  const text = tab.getItem(KEY);
  if (text === null) return;
  /** @type {Kept} */
  const kept = JSON.parse(text);
  kept.refused ||= document.querySelector('[data-refused]') !== null;
  if (!kept.refused) return tab.removeItem(KEY);
  tab.setItem(KEY, JSON.stringify(kept));
  const form = [...document.forms].find((form) => form.id === kept.id && new URL(form.action).pathname === kept.action);
  if (form) fill(form, kept);
}
