# A bot for the arena. It plays every game legally and none well: this file is where your idea goes.
#
# What is outside of functions runs once, at the start. Variables there last from turn to turn, and nothing survives the
# game. arena.pyi says what `o` has, and what there is besides.

from arena import best, cell, fuel, pass_, place

# Look for a place only while more fuel than this is left. A turn has some fifty million, and `best` uses the rest.
FUEL_LEFT = 20_000_000


def conquerors(o):
    """A block at home, the still life of four cells, wherever there is room for it."""
    for row, col in o.rng.shuffle(o.legal()):
        if fuel() < FUEL_LEFT:
            break
        block = place([(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)])
        if o.check(block) is None:
            return block
    return best(o)


def war_of_life(o):
    """Any move of any piece."""
    moves = o.legal()
    return moves[o.rng.below(len(moves))]


def game_of_game_of_life(o):
    """Any of the cells on which this seat can act."""
    cells = o.legal()
    return cell(*cells[o.rng.below(len(cells))]) if cells else pass_()


def life2(o):
    """A glider somewhere inside the base, as far as there is room and a coin."""
    row, col = (edge + 1 + o.rng.below(4) for edge in o.bases[o.seat])
    placed = []
    for down, right in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)]:
        at = (row + down, col + right)
        if o.check(place(placed + [at])) is None:
            placed.append(at)
    return place(placed) if placed else pass_()


GAMES = {
    "conquerors": conquerors,
    "war-of-life": war_of_life,
    "game-of-game-of-life": game_of_game_of_life,
    "life2": life2,
}


def turn(o):
    """Called in each of the bot's turns; what it returns is the bot's answer."""
    return GAMES[o.game](o)
