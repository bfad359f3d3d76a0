// Finds layout faults of a page in its current state: overlapping texts, controls that are cut off, covered or crooked,
// and elements that moved after the page had loaded.

import { NIGHT } from './setting.mjs';

/** All widths at which pages are checked, in CSS pixels: from the smallest phone to a large screen. */
export const WIDTHS = [320, 390, 768, 1024, 1920, 2560];

/** A phone, a laptop and a large screen: the classes that style sheets tell apart. */
export const CLASSES = [320, 1024, 1920];

/** The widths of this run. */
export const widths = NIGHT ? WIDTHS : CLASSES;

/** Narrower screens are phones with touch, in CSS pixels. */
export const PHONE_BELOW = 700;

/** A phone in landscape. */
export const LYING = { width: 640, height: 400 };

/** The maximum layout shift after a page has loaded, by Chromium's measure. */
export const SHIFT_MAX = 0.02;

/** @param {number} width @returns {{width: number, height: number}} a screen of that width */
export const screen = (width) => ({ width, height: width < PHONE_BELOW ? Math.round(width * 1.8) : Math.round(width * 0.58) });

/** Sums up layout shifts from the start of every page. @param {import('playwright-core').BrowserContext} context */
export async function watchShifts(context) {
  await context.addInitScript(() => {
    const page = /** @type {any} */ (window);
    page.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of /** @type {any[]} */ (list.getEntries())) {
        if (entry.hadRecentInput) continue;
        page.shifts.push({ value: entry.value, what: entry.sources.map((/** @type {any} */ { node }) => node?.id || node?.className || node?.nodeName).join(' ') });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/**
 * Delays the rules until a page's first paint, as a slow line or a slow machine would: then missing reserved space is
 * noticed on a fast machine, too.
 * @param {import('playwright-core').Page} page
 */
export async function delayRules(page) {
  await page.addInitScript(() => {
    const late = /** @type {any} */ (window);
    late.painted = new Promise((resolve) => {
      const paints = new PerformanceObserver((list) => list.getEntriesByName('first-contentful-paint').forEach(resolve));
      paints.observe({ type: 'paint', buffered: true });
    });
    const atOnce = late.fetch;
    late.fetch = async (/** @type {string | Request} */ asked, /** @type {RequestInit[]} */ ...how) => {
      if (String(asked instanceof Request ? asked.url : asked).endsWith('.wasm')) await late.painted;
      return atOnce(asked, ...how);
    };
  });
}

/**
 * Resizes a page's screen, and waits until that has taken effect.
 * @param {import('playwright-core').Page} page
 * @param {{width: number, height: number}} screen
 */
export async function resize(page, screen) {
  await page.setViewportSize(screen);
  await page.waitForFunction((width) => document.documentElement.clientWidth === width, screen.width);
}

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>} the elements that moved, if they moved too much
 */
export async function moved(page) {
  const shifts = await page.evaluate(() => /** @type {any} */ (window).shifts ?? []);
  const sum = shifts.reduce((/** @type {number} */ sum, /** @type {any} */ { value }) => sum + value, 0);
  return sum <= SHIFT_MAX ? [] : [`moved by ${sum.toFixed(3)}: ${shifts.map((/** @type {any} */ { what }) => what).join(', ')}`];
}

/**
 * The parts of a turn that do not fit on the screen together: the board, and the control that ends the turn.
 * @param {import('playwright-core').Page} page
 */
export async function apart(page) {
  const inView = await page.evaluate(() => {
    scrollTo({ top: 0, behavior: 'instant' });
    const send = document.querySelector('#turn-controls:not([hidden]) #send');
    if (!send) return true;
    document.getElementById('board')?.scrollIntoView({ block: 'start', behavior: 'instant' });
    const whole = (/** @type {Element | null} */ element) => {
      const box = element?.getBoundingClientRect();
      return box !== undefined && box.top >= -1 && box.bottom <= innerHeight + 1;
    };
    const together = whole(document.getElementById('board')) && whole(send);
    scrollTo({ top: 0, behavior: 'instant' });
    return together;
  });
  return inView ? [] : ['the board and the button that ends the turn are never on the screen together'];
}

/** Names as long as they may be, of both directions, for people and bots. */
const LONGEST = ['strategist-with-a-very-long-name', 'مريم-بنت-عبد-الرحمن-الأندلسي-رضي'];

/**
 * Puts the longest names and numbers of three digits where the page has names and scores, and finds what they break: a
 * number that goes over two lines, or a score or rating that is pushed out of a phone's window.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export async function strained(page) {
  await page.evaluate((names) => {
    scrollTo({ top: 0, behavior: 'instant' });
    const texts = '[data-part="player"] bdi, #standings tbody th > a, #ahead tbody th > a, .legend tbody th bdi';
    document.querySelectorAll(texts).forEach((name, at) => (name.textContent = names[at % names.length]));
    document.querySelectorAll('[data-part="score"]').forEach((score, at) => (score.textContent = String(188 + at)));
  }, LONGEST);
  return page.evaluate(() => {
    /** @type {string[]} */
    const found = [];
    const scores = [...document.querySelectorAll('[data-part="score"]')].filter((score) => score.checkVisibility());
    for (const score of scores) {
      const range = document.createRange();
      range.selectNodeContents(score);
      const boxes = [...range.getClientRects()];
      if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) found.push(`in two lines: ${score.textContent}`);
      if (boxes.some(({ left, right }) => left < 0 || right > innerWidth)) found.push(`out of the window: ${score.textContent}`);
    }
    for (const row of document.querySelectorAll('#standings tbody tr')) {
      const by = row.querySelector('b')?.getBoundingClientRect();
      const around = row.closest('.scroll')?.getBoundingClientRect();
      if (by && around && by.right > around.right + 1) found.push(`what ranks is out of the window: ${row.textContent?.trim().slice(0, 40)}`);
    }
    return found;
  });
}

/**
 * What of a page is not in its window as it is scrolled now.
 * @param {import('playwright-core').Page} page
 * @param {string} what a selector
 */
export function outOfView(page, what) {
  return page.evaluate((what) => {
    const inView = (/** @type {Element} */ element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      return top >= -1 && bottom <= innerHeight + 1 && left >= -1 && right <= innerWidth + 1;
    };
    const all = [...document.querySelectorAll(what)];
    return all.length === 0 ? [`there is no ${what}`] : all.filter((one) => !inView(one)).map((one) => `not in the window: ${one.id} ${one.textContent?.trim()}`);
  }, what);
}

/** @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
export function faults(page) {
  return page.evaluate(() => {
    /** The fraction of a line's height by which texts may overlap: boxes of glyphs are higher than glyphs. */
    const SLACK = 0.25;
    /** The minimum distance between tabs and the following element, in CSS pixels. */
    const TABS_APART_MIN = 8;
    /** @type {string[]} */
    const found = [];
    const name = (/** @type {Element} */ element) => {
      const text = (element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 30);
      return `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ''}${text ? ` "${text}"` : ''}`;
    };
    const shown = (/** @type {Element} */ element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) && element.closest('.visually-hidden, .skip-link, noscript') === null;

    /** The part of a box that its ancestors do not clip. @param {DOMRect} box @param {Element} of */
    const clipped = (box, of) => {
      let { left, top, right, bottom } = box;
      for (let around = /** @type {Element | null} */ (of); around && around !== document.body; around = around.parentElement) {
        if (getComputedStyle(around).overflow === 'visible') continue;
        const edge = around.getBoundingClientRect();
        [left, top, right, bottom] = [Math.max(left, edge.left), Math.max(top, edge.top), Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
      }
      return { left, top, right, bottom };
    };

    const floats = (/** @type {Element} */ element) => {
      for (let around = /** @type {Element | null} */ (element); around; around = around.parentElement) {
        if (getComputedStyle(around).position === 'fixed') return true;
      }
      return false;
    };

    // Texts.
    /** @type {{node: Node, of: Element, left: number, top: number, right: number, bottom: number}[]} */
    const boxes = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const of = node.parentElement;
      if (!of || !(node.textContent ?? '').trim() || !shown(of)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        const slack = SLACK * box.height;
        const part = clipped(new DOMRect(box.left, box.top + slack, box.width, box.height - 2 * slack), of);
        if (part.right - part.left > 1 && part.bottom - part.top > 1) boxes.push({ node, of, ...part });
      }
    }
    boxes.sort((one, other) => one.top - other.top);
    boxes.forEach((one, at) => {
      for (let next = at + 1; next < boxes.length && boxes[next].top < one.bottom; next++) {
        const other = boxes[next];
        // Elements fixed to the window lie over what scrolls below them.
        if (other.node === one.node || floats(one.of) !== floats(other.of)) continue;
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        if (wide > 1 && Math.min(one.bottom, other.bottom) - other.top > 1) found.push(`texts over each other: ${name(one.of)} and ${name(other.of)}`);
      }
    });

    // Names that are written from right to left do not turn around what is beside them.
    const leftward = /[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{fefc}]/u;
    const names = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = names.nextNode(); node; node = names.nextNode()) {
      const [of, text] = [node.parentElement, (node.textContent ?? '').replace(/\u2068[^\u2069]*\u2069/g, '')];
      if (!of || !leftward.test(text) || !shown(of)) continue;
      const isAlone = of.matches('bdi, option, textarea, pre') || (getComputedStyle(of).display !== 'inline' && of.textContent?.trim() === text.trim() && !/[a-z0-9]/i.test(text));
      if (!isAlone) found.push(`turns around what is beside it: ${name(of)}`);
    }

    // The header and footer start and end where the page does.
    const page = document.querySelector('main')?.getBoundingClientRect();
    for (const edge of document.querySelectorAll('body > header, body > footer')) {
      const { left, right } = edge.getBoundingClientRect();
      if (page && (Math.abs(left - page.left) > 1 || Math.abs(right - page.right) > 1)) found.push(`not as wide as the page: ${edge.tagName.toLowerCase()}`);
    }

    // Tabs keep their distance from the following element.
    for (const tabs of document.querySelectorAll('main nav')) {
      const gap = (tabs.nextElementSibling?.getBoundingClientRect().top ?? Infinity) - tabs.getBoundingClientRect().bottom;
      if (gap < TABS_APART_MIN) found.push(`${gap} px from what follows: ${name(tabs)}`);
    }

    /** What lies over a control, anywhere but at its edges. @param {Element} control */
    const covered = (control) => {
      const { left, top, width, height } = control.getBoundingClientRect();
      const labels = [.../** @type {HTMLInputElement} */ (control).labels ?? []];
      const over = [1, 2, 3, 4, 5].flatMap((at) => [0.25, 0.5, 0.75].map((down) => document.elementFromPoint(left + (width * at) / 6, top + height * down)));
      const strangers = over.filter((one) => one && !control.contains(one) && !one.contains(control) && !labels.some((label) => label.contains(one)));
      return strangers.map((one) => `covered: ${name(control)} by ${name(/** @type {Element} */ (one))}`);
    };

    // Controls.
    const room = document.documentElement.clientWidth;
    const scrollers = (/** @type {Element} */ element) => {
      for (let around = element.parentElement; around; around = around.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(around).overflowX) && around.scrollWidth > around.clientWidth) return true;
      }
      return false;
    };
    const controls = [...document.querySelectorAll('button, .button, input:not([type="hidden"]), select, textarea, summary, nav a')].filter(shown);
    for (const control of controls) {
      if (!floats(control)) control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const box = control.getBoundingClientRect();
      if (box.width < 1 || box.height < 1) continue;
      if (box.left < -0.5 || box.right > room + 0.5) {
        if (!scrollers(control)) found.push(`cut by the window: ${name(control)}`);
        continue;
      }
      const texts = control.matches('button, .button');
      if (texts && (control.scrollWidth > control.clientWidth + 1 || control.scrollHeight > control.clientHeight + 1)) found.push(`its text is cut: ${name(control)}`);
      found.push(...covered(control));
    }
    // What is fixed to the window lies over other parts of the page at each scroll.
    const fixed = controls.filter(floats);
    for (let top = 0; fixed.length > 0 && top < document.documentElement.scrollHeight; top += innerHeight / 4) {
      scrollTo({ top, behavior: 'instant' });
      found.push(...fixed.flatMap(covered));
    }
    scrollTo({ top: 0, behavior: 'instant' });
    // Neighbouring controls are aligned.
    for (const control of controls) {
      const next = control.nextElementSibling;
      if (!next || !controls.includes(next) || getComputedStyle(next).position === 'absolute') continue;
      const [one, other] = [control.getBoundingClientRect(), next.getBoundingClientRect()];
      // A control that does not start to the right of the other is on another line.
      if (other.left < one.right - 1) continue;
      const middles = Math.abs((one.top + one.bottom - other.top - other.bottom) / 2);
      if (middles > 1.5) found.push(`crooked: ${name(control)} and ${name(next)}`);
    }
    return [...new Set(found)];
  });
}
