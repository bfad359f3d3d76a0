// On every page: makes practice work without a network from the moment the site is installed, wherever that is.

import { keepOffline } from './offline.js';

addEventListener('appinstalled', keepOffline);
