// On every page: forms keep what was typed; practice works without a network from the moment the site is installed,
// wherever that is; the typeface is noted, and what the address says about sockets.

import { noteFont } from './page/font.js';
import { keepForms } from './page/forms.js';
import { pollsOnly } from './net/polls-only.js';
import { keepOffline } from './page/offline.js';

addEventListener('appinstalled', keepOffline);
noteFont();
keepForms();
pollsOnly(location);
