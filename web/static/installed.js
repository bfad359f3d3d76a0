// On every page: forms keep what was typed; practice works without a network from the moment the site is installed, wherever that is; and
// the typeface is noted.

import { noteFont } from './font.js';
import { keepForms } from './forms.js';
import { keepOffline } from './offline.js';

addEventListener('appinstalled', keepOffline);
noteFont();
keepForms();
