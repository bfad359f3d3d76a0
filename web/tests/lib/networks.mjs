// Networks that visitors come from: each client of a test is a visitor of its own, as behind a proxy.

let given = 0;

/** The header of a visitor from a network that nobody else comes from. The server takes our word, see `server.mjs`. */
export function fromSomewhere() {
  given += 1;
  return { 'x-forwarded-for': `10.${(given >> 8) & 255}.${given & 255}.1` };
}
