# Ponderer, a bot for Conway's Conquerors: leaves the search to the kit.

from arena import best, fuel


def turn(o):
    return best(o, generations=4, fuel=fuel() * 7 // 10)
