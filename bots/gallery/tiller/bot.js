// Tiller, a bot for Game of Game of Life: acts on the cell that brings most within three generations.

// A thousand turns share a thousand million of fuel, so a turn has a million, and some of it reads the board.
const SEARCH = { generations: 3, fuel: 700_000, weights: { own: 1, enemy: -1 } };

function turn(o) {
  return best(o, SEARCH);
}
