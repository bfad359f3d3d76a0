// Gives a page the shape of its board before the first paint, so that nothing moves later. A plain script that runs where it stands.

{
  const { rows, cols } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  const main = /** @type {HTMLElement} */ (document.getElementById('main'));
  main.style.setProperty('--board-shape', String(Number(cols) / Number(rows)));
}
