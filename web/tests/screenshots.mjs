// Pictures of every page, at the width of a desktop and of a phone, some of them in the dark: in ARENA_OUT.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DESKTOP, ON_A_PHONE, Person, startBrowser } from './lib/browser.mjs';
import { furnish, settled } from './lib/pages.mjs';
import { Random } from './lib/random.mjs';
import { Server } from './lib/server.mjs';
import * as setting from './lib/setting.mjs';
import { lifeLimit } from './lib/until.mjs';

const SCREENS = {
  desktop: { viewport: DESKTOP },
  phone: ON_A_PHONE,
};
/** @type {('light' | 'dark')[]} */
const SCHEMES = ['light', 'dark'];
/** Pages that are also taken in the dark. */
const DARK = ['front', 'tournament', 'tournament-new', 'tournaments', 'room', 'standings', 'replay-field', 'guide-wat'];

lifeLimit(300);
const folder = setting.out();
mkdirSync(folder, { recursive: true });
const server = await Server.start();
const browser = await startBrowser();
const phone = await startBrowser('fingers');
try {
  const ann = await Person.arrive(browser, server.url);
  // The same moves each time; games differ all the same, since rooms draw their own seeds.
  const pages = await furnish(server, ann, new Random(1));
  const storageState = await ann.context.storageState();
  for (const [size, screen] of Object.entries(SCREENS)) {
    const person = await Person.arrive(size === 'phone' ? phone : browser, server.url, { ...screen, storageState });
    const page = await person.open();
    for (const { name, path, prepare } of pages) {
      for (const scheme of DARK.includes(name) ? SCHEMES : SCHEMES.slice(0, 1)) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
        await page.goto('about:blank');
        await page.goto(path);
        await settled(page);
        await prepare?.(page);
        const file = `${name}-${size}${scheme === 'dark' ? '-dark' : ''}.png`;
        await page.screenshot({ path: join(folder, file), fullPage: true });
        console.log(file);
      }
    }
    await person.leave();
  }
  await ann.leave();
} finally {
  await Promise.all([browser.close(), phone.close()]);
  await server.close();
}
process.exit(0);
