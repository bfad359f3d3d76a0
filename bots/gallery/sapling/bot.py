# Sapling, a bot for Conway's Conquerors: tries blocks and bombs, and looks a few generations ahead by boards alone.

from arena import bomb, fuel, pass_, place, skip

AHEAD = 4  # generations; further is worse, because the opponent moves, too
FUEL_LEFT = 5_000_000  # what is left for the answer


def worth(board, seat):
    """What a board is worth to a seat: the lead over the next generations."""
    own = board.score(seat)
    if own == 0:
        return -1_000_000
    lead = own - board.score(1 - seat)
    for _ in range(1, AHEAD):
        board = board.generation()
        lead += board.score(seat) - board.score(1 - seat)
    return lead


def turn(o):
    cells = o.legal()
    if len(cells) < 4:
        return pass_() if o.skip_used[o.seat] else skip()
    action = place(cells[:4])
    most = worth(o.apply(action), o.seat)

    def consider(tried):
        nonlocal action, most
        if o.check(tried) is None:
            value = worth(o.apply(tried), o.seat)
            if value > most:
                action, most = tried, value

    enemies = o.board.cells(1 - o.seat)
    if o.bomb_ready and enemies:
        for _ in range(30):
            consider(bomb(*enemies[o.rng.below(len(enemies))]))
    # Some blocks of two by two at random, then changes of one cell of the best.
    while fuel() > 30_000_000:
        row, col = cells[o.rng.below(len(cells))]
        consider(place([(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)]))
    while fuel() > FUEL_LEFT and action.kind == "place":
        changed = action.cells
        row, col = changed[o.rng.below(4)]
        row, col = row + o.rng.below(5) - 2, col + o.rng.below(5) - 2
        if row >= 0 and col >= 0:
            changed[o.rng.below(4)] = row, col
            consider(place(changed))
    return action
