// Where the bot is written: the page's text area, and an editor in its place as soon as that is loaded.

/** @import { Api } from './api.js' */
/** @import { Flaw } from '../rules/texts.js' */

import { fileUrl } from '../files.js';

/**
 * What the text is written in.
 * @typedef {object} Editor
 * @property {string} text
 * @property {() => void} focus
 * @property {(flaw: Flaw | null) => void} mark underlines the place of an error, or none
 */

/** A text area as an editor. @param {HTMLTextAreaElement} field @returns {Editor} */
const plain = (field) => ({
  get text() {
    return field.value;
  },
  set text(text) {
    field.value = text;
  },
  focus: () => field.focus(),
  mark(flaw) {
    field.setAttribute('aria-invalid', String(flaw !== null));
    if (flaw === null) return;
    const before = field.value.split('\n').slice(0, flaw.line - 1);
    const at = before.reduce((length, line) => length + line.length + 1, 0);
    field.setSelectionRange(at + flaw.column - 1, at + flaw.column - 1);
  },
});

export class Writing {
  #editor;

  /**
   * @param {HTMLTextAreaElement} field
   * @param {{language: string, label: string, run: () => void, changed: () => void, api: () => Promise<Api>}} wanted
   */
  constructor(field, wanted) {
    this.#editor = plain(field);
    // An editor checks nothing before the form is sent.
    field.required = false;
    field.addEventListener('input', wanted.changed);
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      wanted.run();
    });
    // The text is sent in its field's name, from the field or from the editor.
    const { name } = field;
    field.removeAttribute('name');
    field.form?.addEventListener('formdata', ({ formData }) => formData.set(name, this.text));
    for (const label of field.labels) label.addEventListener('click', (event) => (event.preventDefault(), this.#editor.focus()));
    const load = async () => {
      /** @type {typeof import('../editor.js')} */
      const { editor } = await import(fileUrl('editor.js').href);
      const changed = () => {
        // So that the field has the text, too, whatever becomes of the page.
        field.value = this.text;
        wanted.changed();
      };
      this.#editor = editor(field, { ...wanted, changed });
    };
    // A build without bundles lacks it: the text area does all the rest.
    load().catch(() => {});
  }

  get text() {
    return this.#editor.text;
  }

  set text(text) {
    this.#editor.text = text;
  }

  focus() {
    this.#editor.focus();
  }

  /** @param {Flaw | null} flaw */
  mark(flaw) {
    this.#editor.mark(flaw);
  }
}
