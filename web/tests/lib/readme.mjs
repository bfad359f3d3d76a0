// The README as displayed by a code host.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { marked } from 'marked';
import * as setting from './setting.mjs';

const STYLE = createRequire(import.meta.url).resolve('github-markdown-css/github-markdown.css');
const ROOT = new URL('../../../', import.meta.url);

/** A phone, and the text column of a desktop page with a sidebar, in CSS pixels. */
const WIDTHS = [390, 1280];

/**
 * Saves a screenshot as `readme-WIDTH.png`.
 * @param {import('playwright-core').Browser} browser
 * @param {string} folder
 */
export async function pictureReadme(browser, folder) {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><base href="${ROOT}"><style>${readFileSync(STYLE, 'utf8')}
    .markdown-body { box-sizing: border-box; max-width: 830px; margin: 0 auto; padding: 32px 16px; }</style>
    <article class="markdown-body">${marked.parse(setting.source('README.md'))}</article></html>`;
  // As a file, because its pictures are files.
  const file = join(folder, 'readme.html');
  writeFileSync(file, html);
  const context = await browser.newContext({ colorScheme: 'light' });
  const page = await context.newPage();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(pathToFileURL(file).href);
    const missing = await page.evaluate(() => [...document.images].filter((image) => image.naturalWidth === 0).map((image) => image.src));
    if (missing.length > 0) throw new Error(`the README has no ${missing.join(', ')}`);
    await page.screenshot({ path: join(folder, `readme-${width}.png`), fullPage: true });
  }
  await context.close();
  rmSync(file);
}
