// Pictures of every page, at the six widths of the law of layout, light and dark, and of the README as a code host
// shows it: in ARENA_OUT.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Person, startBrowser } from './lib/browser.mjs';
import { PHONE_BELOW, WIDTHS, screen } from './lib/layout.mjs';
import { REFUSED, furnish, visit } from './lib/pages.mjs';
import { Random } from './lib/random.mjs';
import { pictureReadme } from './lib/readme.mjs';
import { Server } from './lib/server.mjs';
import * as setting from './lib/setting.mjs';
import { lifeLimit } from './lib/until.mjs';

/** @type {('light' | 'dark')[]} */
const SCHEMES = ['light', 'dark'];

lifeLimit(1_800);
const folder = setting.out();
mkdirSync(folder, { recursive: true });
const server = await Server.start();
const browser = await startBrowser();
const phone = await startBrowser('fingers');
try {
  await pictureReadme(browser, folder);
  const ann = await Person.arrive(browser, server.url);
  // The same moves each time; games differ all the same, since rooms draw their own seeds.
  const { pages, owners } = await furnish(server, ann, new Random(1));
  const storageState = await ann.context.storageState();
  for (const width of WIDTHS) {
    const small = width < PHONE_BELOW;
    const options = { viewport: screen(width), storageState, ...(small && { hasTouch: true, isMobile: true }) };
    const person = await Person.arrive(small ? phone : browser, server.url, options);
    const page = await person.open();
    for (const looked of pages) {
      await person.forgiving(looked.refuses ? REFUSED : null, () => visit(page, looked, owners[0]));
      await looked.prepare?.(page);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.screenshot({ path: join(folder, `${looked.name}-${width}${colorScheme === 'dark' ? '-dark' : ''}.png`), fullPage: true });
      }
      console.log(`${looked.name} at ${width} px`);
    }
    await person.leave();
  }
  await ann.leave();
} finally {
  await Promise.all([browser.close(), phone.close()]);
  await server.close();
}
process.exit(0);
