// On every page: forms keep what was typed; practice works without a network from the moment the site is installed, wherever that is; the
// typeface is noted, and what the address says about sockets.

import { noteFont } from './font.js';
import { keepForms } from './forms.js';
import { pollsOnly } from './net.js';
import { keepOffline } from './offline.js';

addEventListener('appinstalled', keepOffline);
noteFont();
keepForms();
pollsOnly(location);
