// Thinker, a bot for Conway's Conquerors: leaves the search to the kit.

function turn(o) {
  return best(o, { generations: 4, fuel: 0.7 * fuel() });
}
