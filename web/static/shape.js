// Before the first paint: gives a page the shape of its board, so that nothing moves later, and decides about the
// typeface. A browser that lacks it loads it after the rules (`page/font.js`), which it would delay on a slow line;
// until the next page, texts then have the system's. A plain script in the head, before the style: no part of the page
// is painted without it.

{
  const { rows, cols, font = '' } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  const page = document.documentElement;
  page.style.setProperty('--board-shape', String(Number(cols) / Number(rows)));
  /** @type {string | null} */
  let kept = null;
  try {
    // `page/settings.js` writes it.
    kept = localStorage.getItem('arena.font');
  } catch {
    // Storage may be disabled.
  }
  if (kept === font)
    document.head.append(
      Object.assign(document.createElement('link'), {
        rel: 'preload',
        as: 'font',
        type: 'font/woff2',
        crossOrigin: 'anonymous',
        href: font,
      }),
    );
  else page.classList.add('late-font');
}
