// The modules of pages, for a test that imports one in a page: a release has them only inside the scripts that import
// them.

import { fileURLToPath } from 'node:url';

/**
 * Serves them beside the page's other files; returns the address of one.
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
export async function moduleIn(page, name) {
  const style = String(await page.locator('link[rel="stylesheet"]').getAttribute('href'));
  await page.route(/\/static\/[^/]+\/([a-z]+\/)+[a-z0-9-]+\.js$/, (route) => {
    const module = new URL(`../../static/${route.request().url().split(/\/static\/[^/]+\//)[1]}`, import.meta.url);
    return route.fulfill({ path: fileURLToPath(module), contentType: 'text/javascript' });
  });
  return style.replace('style.css', name);
}
