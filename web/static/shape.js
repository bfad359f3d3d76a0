// Gives a page the shape of its board before anything is painted: a plain script, run where it stands. Later, moving would show.

{
  const { rows, cols } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  const main = /** @type {HTMLElement} */ (document.getElementById('main'));
  main.style.setProperty('--board-shape', String(Number(cols) / Number(rows)));
}
