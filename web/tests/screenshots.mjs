// Pictures of every page, at the width of a desktop and of a phone, some of them in the dark: in ARENA_OUT.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DESKTOP, PHONE, Person, startBrowser } from './lib/browser.mjs';
import { furnish, settled } from './lib/pages.mjs';
import { Random } from './lib/random.mjs';
import { Server } from './lib/server.mjs';
import * as setting from './lib/setting.mjs';
import { lifeLimit } from './lib/until.mjs';

const DARK = ['front', 'room', 'standings'];

lifeLimit(300);
const folder = setting.out();
mkdirSync(folder, { recursive: true });
const server = await Server.start();
const browser = await startBrowser();
try {
  const ann = await Person.arrive(browser, server.url);
  // The same pictures each time, as far as the bots' names for rooms allow.
  const pages = await furnish(server, ann, new Random(1));
  const page = await ann.open();
  for (const { name, path } of pages) {
    for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
      for (const scheme of DARK.includes(name) ? ['light', 'dark'] : ['light']) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme: /** @type {any} */ (scheme), reducedMotion: 'reduce' });
        await page.goto(path);
        await page.reload();
        await settled(page);
        const file = `${name}-${size}${scheme === 'dark' ? '-dark' : ''}.png`;
        await page.screenshot({ path: join(folder, file), fullPage: true });
        console.log(file);
      }
    }
  }
  await ann.leave();
} finally {
  await browser.close();
  await server.close();
}
process.exit(0);
