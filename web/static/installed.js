// On every page: makes practice work without a network from the moment the site is installed, wherever that is; and loads the typeface.

import { loadFont } from './font.js';
import { keepOffline } from './offline.js';

addEventListener('appinstalled', keepOffline);
// If it is late, the page loads it after the rules.
if (!document.documentElement.classList.contains('late-font')) loadFont();
