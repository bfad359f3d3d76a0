// Settler, a bot for Life2: sends gliders, each along the diagonal that has had the fewest. They take what they cross.

const GLIDER = [[0, 1], [1, 2], [2, 0], [2, 1], [2, 2]];
const TRIES = 20;
const FUEL_LEFT = 1_200_000; // for the answer
const SIDE = 512; // of the world

// Gliders sent so far, for each diagonal that goes down to the right, and down to the left.
const sentAlong = [new Uint8Array(SIDE), new Uint8Array(SIDE)];

// A glider with its middle in this cell, that goes down or up, and right or left.
const glider = ({ row, col, down, right }) =>
  GLIDER.map((cell) => [(row + down * (cell[0] - 1)) % SIDE, (col + right * (cell[1] - 1)) % SIDE]);

// Some place and direction, at first in the base; and how many gliders took its diagonal or one beside it.
function drawn(base, tries, chance) {
  const [from, span] = tries < 3 ? [2, 3] : [-26, 61];
  const [down, right] = [chance & 1 ? -1 : 1, chance & 2 ? -1 : 1];
  const row = base[0] + from + (((chance >>> 2) & 1023) % span) + SIDE;
  const col = base[1] + from + ((chance >>> 12) % span) + SIDE;
  const kind = down === right ? 0 : 1;
  const along = (kind === 0 ? row - col + SIDE : row + col) % SIDE;
  const had = (beside) => sentAlong[kind][(along + beside + SIDE) % SIDE];
  return { row, col, down, right, kind, along, crowd: 4 * had(0) + 2 * (had(1) + had(-1)) + had(2) + had(-2) };
}

function turn(o) {
  const base = o.bases[o.seat];
  const coins = o.coins[o.seat];
  if (base === null || coins < 5) return pass();
  const places = [];
  for (let tries = 0; tries < TRIES; tries++) places.push(drawn(base, tries, o.rng.word()));
  places.sort((one, other) => one.crowd - other.crowd);
  // Early gliders take most: two a turn at first.
  const cellsMax = Math.min(coins, o.ply < 80 ? 10 : 5);
  const sent = [];
  for (const place of places) {
    if (fuel() < FUEL_LEFT || sent.length + 5 > cellsMax) break;
    const cells = glider(place);
    const isApart = sent.length === 0 || Math.abs(cells[0][0] - sent[0][0]) + Math.abs(cells[0][1] - sent[0][1]) > 8;
    if (!isApart || !o.clear(cells)) continue;
    sent.push(...cells);
    sentAlong[place.kind][place.along]++;
  }
  const action = place(sent);
  return sent.length > 0 && o.check(action) === null ? action : pass();
}
