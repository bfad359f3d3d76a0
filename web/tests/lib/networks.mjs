// Networks of visitors: each client of a test is a separate visitor, as behind a proxy.

let given = 0;

/** The header of a visitor from a network of its own. The server trusts it, see `server.mjs`. */
export function fromSomewhere() {
  given += 1;
  return { 'x-forwarded-for': `10.${(given >> 8) & 255}.${given & 255}.1` };
}
