// Buttons that copy the text of an element: `<button data-copies="ID" hidden>`. Without script they stay hidden, and the text can be
// selected.

import { say } from './say.js';

/** How long a button says that it has copied, in milliseconds. */
const SAID_MS = 1_500;

for (const button of document.querySelectorAll('button[data-copies]')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  const source = document.getElementById(button.dataset.copies ?? '');
  if (source === null) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(source.textContent?.trim() ?? '');
      button.textContent = say('Copied');
      setTimeout(() => (button.textContent = label), SAID_MS);
    } catch {
      // It may not be allowed: the text is selected instead.
      getSelection()?.selectAllChildren(source);
    }
  });
}
