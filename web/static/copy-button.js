// Buttons that copy the text of an element: `<button data-copies="ID" hidden>`; with `data-part="SELECTOR"`, only the
// parts that match, one per line. Without script the buttons stay hidden and readers select the text.

import { scriptPageCopied } from './text/en/script-page.js';

/** How long a button shows that it has copied, in milliseconds. */
const SAID_MS = 1_500;

for (const button of document.querySelectorAll('button[data-copies]')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  const source = document.getElementById(button.dataset.copies ?? '');
  if (source === null) continue;
  const text = () => {
    const parts = button.dataset.part ? [...source.querySelectorAll(button.dataset.part)] : [source];
    return parts
      .map((part) => part.textContent ?? '')
      .join('\n')
      .trim();
  };
  button.hidden = false;
  button.addEventListener('click', async () => {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = scriptPageCopied();
      setTimeout(() => (button.textContent = label), SAID_MS);
    } catch {
      // If copying is not allowed, the text is selected instead.
      getSelection()?.selectAllChildren(source);
    }
  });
}
