# Pioneer, a bot for Life2: sends gliders, each along the diagonal that has had the fewest. They take what they cross.

from arena import fuel, pass_, place

GLIDER = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
TRIES = 6
FUEL_LEFT = 1_200_000  # for the answer
SIDE = 512  # of the world

# Gliders sent so far, for each diagonal that goes down to the right, and down to the left.
sent_along = [bytearray(SIDE), bytearray(SIDE)]


class Glider:
    """Some place and direction, at first in the base."""

    def __init__(self, base, tries, chance):
        start, span = (2, 3) if tries < 3 else (-26, 61)
        self.down, self.right = -1 if chance & 1 else 1, -1 if chance & 2 else 1
        self.row = base[0] + start + (chance >> 2 & 1023) % span
        self.col = base[1] + start + (chance >> 12) % span
        self.kind = int(self.down != self.right)
        self.along = (self.row + self.col if self.kind else self.row - self.col) % SIDE
        sent = sent_along[self.kind]
        beside = [sent[(self.along + away) % SIDE] for away in (-2, -1, 0, 1, 2)]
        self.crowd = 4 * beside[2] + 2 * (beside[1] + beside[3]) + beside[0] + beside[4]

    def cells(self):
        """Its cells, with its middle in its place."""
        row, col, down, right = self.row, self.col, self.down, self.right
        return [((row + down * (y - 1)) % SIDE, (col + right * (x - 1)) % SIDE) for y, x in GLIDER]


def turn(o):
    base, coins = o.bases[o.seat], o.coins[o.seat]
    if base is None or coins < 5:
        return pass_()
    gliders = [Glider(base, tries, o.rng.word()) for tries in range(TRIES)]
    gliders.sort(key=lambda glider: glider.crowd)
    # Early gliders take most: two a turn at first.
    cells_max = min(coins, 10 if o.ply < 80 else 5)
    sent = []
    for glider in gliders:
        if fuel() < FUEL_LEFT or len(sent) + 5 > cells_max:
            break
        cells = glider.cells()
        is_apart = not sent or abs(cells[0][0] - sent[0][0]) + abs(cells[0][1] - sent[0][1]) > 8
        if is_apart and o.clear(cells):
            sent += cells
            sent_along[glider.kind][glider.along] += 1
    action = place(sent)
    return action if sent and o.check(action) is None else pass_()
