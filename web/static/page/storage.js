// The storage of this browser and of this tab. A browser may deny it: then even asking for it throws.

export const ofBrowser = () => localStorage;
export const ofTab = () => sessionStorage;

/**
 * What a storage gives, or null if the browser denies it.
 * @template Given
 * @param {() => Given} ask
 */
export function granted(ask) {
  try {
    return ask();
  } catch {
    return null;
  }
}

/** @param {() => Storage} storage @param {string} key @returns {string | null} null if nothing is stored */
export const recall = (storage, key) => granted(() => storage().getItem(key));

/** @param {() => Storage} storage @param {string} key @param {string | null} value null to forget it */
export function remember(storage, key, value) {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // It is denied or full; what was to be stored then lasts as long as the page.
  }
}
