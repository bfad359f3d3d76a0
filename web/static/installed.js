// On every page: makes practice work without a network from the moment the site is installed, wherever that is; and notes the typeface and
// what the address says about sockets.

import { noteFont } from './font.js';
import { pollsOnly } from './net.js';
import { keepOffline } from './offline.js';

addEventListener('appinstalled', keepOffline);
noteFont();
pollsOnly(location);
