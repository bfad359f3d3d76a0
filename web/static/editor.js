// The workshop's editor: CodeMirror, which a bundle has from npm. A build without bundles has no such packages; then
// this module is not loaded, and the page keeps its text area.
//
// It stands in a shadow tree. There a style may be adopted by script, so the page's policy stays as strict as on every
// other page.

import { autocompletion, closeBrackets, closeBracketsKeymap, ifNotIn } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { javascript } from '@codemirror/legacy-modes/mode/javascript';
import { python } from '@codemirror/legacy-modes/mode/python';
import { wast } from '@codemirror/legacy-modes/mode/wast';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, activateHover, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { element } from './page/page.js';

/** @type {Record<string, import('@codemirror/language').StreamParser<any>>} */
const LANGUAGES = { wat: wast, python, javascript: { ...javascript, tokenTable: { property: tags.propertyName } } };

/** The page's colours: custom properties reach into a shadow tree. */
const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.typeName, tags.standard(tags.variableName)], color: 'var(--link)' },
  { tag: [tags.string, tags.regexp], color: 'var(--good)' },
  { tag: [tags.number, tags.atom, tags.bool], color: 'var(--bad)' },
]);

const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--panel)' },
  '&.cm-focused': { outline: '3px solid var(--focus)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: 'var(--text-xs)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--soft)', backgroundColor: 'var(--panel)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--chosen)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { outline: '1px solid var(--soft)', background: 'none' },
  '.cm-diagnostic': { color: 'var(--ink)', backgroundColor: 'var(--bad-paper)' },
  '.cm-tooltip': { color: 'var(--ink)', backgroundColor: 'var(--panel)', border: '1px solid var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: 'var(--text-xs)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { color: 'var(--ink)', backgroundColor: 'var(--chosen)' },
  '.declared': { maxWidth: '28rem', padding: '0.2rem 0.4rem', fontSize: 'var(--text-xs)' },
  '.declared code': { display: 'block', fontFamily: 'var(--mono)' },
  '.declared p': { margin: '0' },
});

/**
 * Types over a selection. Otherwise the browser does, and keeps the look of what was there by a style in its own
 * markup, which the page's policy forbids.
 */
const TYPED_OVER = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data } = event;
    const { from, to, empty } = view.state.selection.main;
    if (event.inputType !== 'insertText' || data === null || empty || view.composing) return false;
    event.preventDefault();
    const typed = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, typed))) view.dispatch(typed());
    return true;
  },
});

/** @import { Api, Known } from './workshop/api.js' */
/** @import { Editor } from './workshop/writing.js' */

/** What is known of something. @param {readonly Known[]} known */
function declared(known) {
  const lines = known.flatMap(({ signature, words }) => [
    element('code', { textContent: signature }),
    element('p', { textContent: words }),
  ]);
  return element('div', { className: 'declared', lang: 'en' }, ...lines);
}

/**
 * Completes what the game and its language declare, and says what is under the pointer; on a key, under the cursor.
 * @param {string} language
 * @param {() => Promise<Api>} api
 * @returns {import('@codemirror/state').Extension}
 */
function declaring(language, api) {
  const known = async (/** @type {EditorState} */ state, /** @type {number} */ at) => {
    const word = state.wordAt(at);
    if (word === null) return null;
    const before = state.sliceDoc(state.doc.lineAt(at).from, word.from);
    const found = (await api()).at(before, state.sliceDoc(word.from, word.to), state.sliceDoc());
    return found.length === 0 ? null : { word, found };
  };
  const hover = hoverTooltip(
    async ({ state }, at) => {
      const there = await known(state, at).catch(() => null);
      return there && { pos: there.word.from, end: there.word.to, above: true, create: () => ({ dom: declared(there.found) }) };
    },
    { hideOnChange: true },
  );
  const options = ifNotIn(language === 'wat' ? ['comment'] : ['comment', 'string', 'string-2'], async (context) => {
    const { text = '', from = context.pos } = context.matchBefore(/[$\w]+/) ?? {};
    const before = context.state.sliceDoc(context.state.doc.lineAt(from).from, from);
    if (text === '' && !context.explicit && !/[.$"]$/.test(before)) return null;
    const found = await api().then(
      (api) => api.options(before, context.explicit, context.state.sliceDoc()),
      () => [],
    );
    const option = (/** @type {Known} */ one) => ({ label: one.name, type: one.type, info: () => declared([one]) });
    return found.length === 0 ? null : { from, options: found.map(option), validFor: /^[$\w]*$/ };
  });
  const tell = async (/** @type {EditorView} */ view) => {
    const at = view.state.selection.main.head;
    const there = await known(view.state, at).catch(() => null);
    const words = there?.found.map(({ signature, words }) => `${signature}. ${words}`).join(' ');
    if (words) view.dispatch({ effects: EditorView.announce.of(words) });
    activateHover(view, at, 1, { tooltip: hover });
  };
  return [
    autocompletion({ override: [options], icons: false }),
    hover,
    keymap.of([{ key: 'Mod-i', run: (view) => (void tell(view), true) }]),
  ];
}

/**
 * Puts an editor in the place of a text area, with its text.
 * @param {HTMLTextAreaElement} field
 * @param {object} wanted
 * @param {string} wanted.language
 * @param {string} wanted.label for screen readers
 * @param {() => void} wanted.run
 * @param {() => void} wanted.changed
 * @param {() => Promise<Api>} wanted.api
 * @returns {Editor}
 */
export function editor(field, { language, label, run, changed, api }) {
  const host = element('div', { className: 'editor' });
  const root = host.attachShadow({ mode: 'open' });
  const start = (/** @type {string} */ text) =>
    EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of(language === 'python' ? '    ' : '  '),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        lintGutter(),
        StreamLanguage.define(LANGUAGES[language]),
        syntaxHighlighting(COLOURS),
        LOOK,
        TYPED_OVER,
        declaring(language, api),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', autocapitalize: 'off', spellcheck: 'false' }),
        EditorView.updateListener.of(({ docChanged }) => docChanged && changed()),
        // Escape, then Tab, leaves the editor: that is CodeMirror's own.
        keymap.of([
          { key: 'Mod-Enter', run: () => (run(), true) },
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          indentWithTab,
        ]),
      ],
    });
  // A browser may give the focus to a field that asks for it later than this is loaded.
  const had = document.activeElement === field || (field.autofocus && document.activeElement === document.body);
  field.before(host);
  const view = new EditorView({ state: start(field.value), parent: root, root });
  field.hidden = true;
  if (had) view.focus();
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    focus: () => view.focus(),
    mark(flaw) {
      if (flaw === null) return view.dispatch(setDiagnostics(view.state, []));
      const { from, to } = view.state.doc.line(Math.min(flaw.line, view.state.doc.lines));
      // Columns are bytes; lines of programs rarely have others than one a letter.
      const at = Math.min(from + flaw.column - 1, to);
      const rest = /^[^\s()]+/.exec(view.state.sliceDoc(at, to))?.[0].length ?? 0;
      const place = rest > 0 ? { from: at, to: at + rest } : { from, to };
      view.dispatch(setDiagnostics(view.state, [{ ...place, severity: 'error', message: flaw.message }]));
      view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    },
  };
}
