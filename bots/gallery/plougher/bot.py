# Plougher, a bot for Game of Game of Life: acts on the cell that brings most within three generations.

from arena import best


def turn(o):
    # A thousand turns share a thousand million of fuel, so a turn has a million, and some of it reads the board.
    return best(o, generations=3, fuel=700_000, weights={"own": 1, "enemy": -1})
