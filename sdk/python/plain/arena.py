"""What bot.py imports in plain Python, so that its functions can be tested there: Conway's Conquerors alone.

In the arena `arena` is another module of the same names, the rules' own code. Here is what can be the same without it: actions, boards, what is legal, random numbers, candidates and their worths.
`best` is the best of these, where the arena's has fuel to search for better ones. Of the other games there are actions.
"""

ROWS, COLS, HOME_COLS, PLACEMENTS, ROUNDS, BOMB_FROM_ROUND, BOMB_HITS_MIN = 26, 28, 8, 4, 12, 7, 3
CONQUERORS = 1  # the game's number in what a bot is shown
GAME = 1_000_000  # what winning is worth
KINDS = ["pass", "place", "bomb", "skip"]
LEAD = {"own": 1, "enemy": -1, "own_abroad": 1, "enemy_abroad": -1, "foothold": 2}

# Sets of cells are whole numbers with a bit for each cell, row by row.
ALL = (1 << ROWS * COLS) - 1


def _columns(start, end):
    row = (1 << end) - (1 << start)
    return sum(row << COLS * at for at in range(ROWS))


HOMES = [_columns(0, HOME_COLS), _columns(COLS - HOME_COLS, COLS)]
MIDDLE = _columns(HOME_COLS, COLS - HOME_COLS)
NOT_LEFT, NOT_RIGHT = _columns(1, COLS), _columns(0, COLS - 1)


def _bit(row, col):
    return 1 << COLS * row + col if 0 <= row < ROWS and 0 <= col < COLS else 0


def _cells(bits):
    found = []
    while bits:
        low = bits & -bits
        found.append(divmod(low.bit_length() - 1, COLS))
        bits ^= low
    return found


def _count(bits):
    return bin(bits).count("1")


def _beside(bits):
    """The cells moved to each of their eight neighbours."""
    left, right = bits >> 1 & NOT_RIGHT, bits << 1 & NOT_LEFT
    lines = [bits, left, right]
    return [left, right] + [moved for line in lines for moved in (line >> COLS, line << COLS & ALL)]


def _sums(sets):
    """Where a cell is in an odd number of the sets, in two or three, counted up to seven; and in four or more."""
    ones = twos = fours = 0
    for one in sets:
        carry = ones & one
        ones ^= one
        fours |= twos & carry
        twos ^= carry
    return ones, twos, fours


def _square(row, col):
    return sum(_bit(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1))


class Action:
    """What a turn does."""

    def __init__(self, kind, cells=()):
        self.kind, self.cells = kind, [tuple(cell) for cell in cells]

    def __repr__(self):
        cells = ", ".join(str(cell) for cell in self.cells)
        if self.kind in ("bomb", "cell"):
            cells = cells.strip("()")
        return f"place([{cells}])" if self.kind == "place" else f"{self.kind.replace('pass', 'pass_')}({cells})"

    def bytes(self):
        """The same as the contract's bytes."""
        return bytes([1, KINDS.index(self.kind), len(self.cells)] + [part for cell in self.cells for part in cell])


def place(cells, /):
    return Action("place", cells)


def bomb(row, col, /):
    return Action("bomb", [(row, col)])


def skip():
    return Action("skip")


def pass_():
    return Action("pass")


def move(start, end, /):
    return Action("move", [start, end])


def cell(row, col, /):
    return Action("cell", [(row, col)])


def look(row, col, rows, cols, cells=(), /):
    return Action("look", [(row, col), (rows, cols), *cells])


class Board:
    """A board of Conway's Conquerors."""

    rows, cols = ROWS, COLS

    def __init__(self, text="", /):
        self._of = [0, 0]
        lines = text.split("\n") if text else []
        if lines and [len(line) for line in lines] != [COLS] * ROWS:
            raise ValueError(f"a board has {ROWS} rows of {COLS} cells")
        for row, line in enumerate(lines):
            for col, letter in enumerate(line):
                self.set(row, col, ".br".index(letter))

    @staticmethod
    def _made(blue, red):
        board = Board()
        board._of = [blue, red]
        return board

    def _living(self, seat=None):
        return self._of[0] | self._of[1] if seat is None else self._of[seat]

    def get(self, row, col, /):
        bit = _bit(row, col)
        return 1 if self._of[0] & bit else 2 if self._of[1] & bit else 0

    def set(self, row, col, value, /):
        bit = _bit(row, col)
        self._of = [living | bit if value == 1 + seat else living & ~bit for seat, living in enumerate(self._of)]
        return self

    def count(self, seat=None, /):
        return _count(self._living(seat))

    def score(self, seat, /):
        return _count(self._of[seat]) + _count(self._of[seat] & HOMES[1 - seat])

    def cells(self, seat=None, /):
        return _cells(self._living(seat))

    def neighbours(self, row, col, seat=None, /):
        return _count(self._living(seat) & _square(row, col) & ~_bit(row, col))

    def generation(self, n=1, /):
        board = self
        for _ in range(n):
            living = board._living()
            odd, pairs, many = _sums(_beside(living))
            kept = pairs & ~many
            born = kept & odd & ~living
            # Of three parents at least two are blue if two or three are.
            _, blue, _ = _sums(_beside(board._of[0]))
            board = Board._made(board._of[0] & kept | born & blue, board._of[1] & kept | born & ~blue)
        return board.copy()

    def copy(self):
        return Board._made(*self._of)

    def equals(self, other, /):
        return self._of == other._of

    def __eq__(self, other):
        return isinstance(other, Board) and self.equals(other)

    __hash__ = None

    def __str__(self):
        return "\n".join("".join(".br"[self.get(row, col)] for col in range(COLS)) for row in range(ROWS))


class Rng:
    """The contract's generator: ChaCha with eight rounds, by the seat's seed and the turn."""

    def __init__(self, seed, stream):
        key = [int.from_bytes(seed[at : at + 4], "little") for at in range(0, 32, 4)]
        self._start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key]
        self._stream = [stream & 0xFFFFFFFF, stream >> 32]
        self._block, self._words = 0, []

    def word(self):
        if not self._words:
            state = self._start + [self._block & 0xFFFFFFFF, self._block >> 32] + self._stream
            mixed = list(state)
            for _ in range(4):
                for at in range(4):
                    _quarter(mixed, at, 4 + at, 8 + at, 12 + at)
                for at in range(4):
                    _quarter(mixed, at, 4 + (at + 1) % 4, 8 + (at + 2) % 4, 12 + (at + 3) % 4)
            self._words = [one + other & 0xFFFFFFFF for one, other in zip(mixed, state)]
            self._block += 1
        return self._words.pop(0)

    def below(self, n, /):
        return self.word() * n >> 32

    def shuffle(self, items, /):
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items


def _quarter(words, a, b, c, d):
    for one, other, into, turns in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        words[one] = words[one] + words[other] & 0xFFFFFFFF
        turned = words[into] ^ words[one]
        words[into] = turned << turns & 0xFFFFFFFF | turned >> 32 - turns


class Conquerors:
    """What turn(o) gets, of the bytes that a bot is shown: see `arena debug --save`."""

    game, seats = "conquerors", 2

    def __init__(self, seen):
        self.seat, options, self.ply = seen[2], seen[3], seen[4] | seen[5] << 8
        self.chain_needs_home, self.weighted_majority = options & 1 > 0, options & 2 > 0
        self.round, self.cooldown, self.skip_used = seen[6], list(seen[8:10]), [used > 0 for used in seen[10:12]]
        self.colour = ["blue", "red"][self.seat]
        self.bomb_ready = self.round >= BOMB_FROM_ROUND and self.cooldown[self.seat] == 0
        self.rng = Rng(seen[16:48], self.ply)
        self.board = Board()
        for at, value in enumerate(seen[48:]):
            if value:
                self.board.set(*divmod(at, COLS), value)

    def _open(self, board):
        """The cells of the zones that the seat reaches, living ones too."""
        own, home, enemy = board._of[self.seat], HOMES[self.seat], HOMES[1 - self.seat]
        is_chained = own & MIDDLE and own & enemy and (own & home or not self.chain_needs_home)
        return home | (MIDDLE if own & home else 0) | (enemy if is_chained else 0)

    def _drafted(self, placed):
        """The board with these cells, and why the rules refuse one of them."""
        board = self.board.copy()
        for number, (row, col) in enumerate(placed):
            bit = _bit(row, col)
            if not bit:
                return board, f"row {row}, column {col} is not on the board (rows 0-25, columns 0-27)"
            if number == PLACEMENTS:
                return board, f"a turn places at most {PLACEMENTS} cells"
            if board._living() & bit:
                return board, f"the cell at row {row}, column {col} is alive already"
            if not self._open(board) & bit:
                needs = "neutral ground needs a living cell in your own home"
                if not MIDDLE & bit:
                    needs = "the enemy's home needs living cells in your home, in neutral and there"
                return board, f"row {row}, column {col} is out of reach: {needs}"
            board.set(row, col, 1 + self.seat)
        return board, None

    def _placeable(self, board, placed):
        return self._open(board) & ~board._living() if len(placed) < PLACEMENTS else 0

    def legal(self, placed=(), /):
        board, _ = self._drafted(placed)
        return _cells(self._placeable(board, placed))

    def check(self, action, /):
        kind, cells = action.kind, action.cells
        if kind == "place":
            board, why = self._drafted(cells)
            if not cells:
                return "a placement names at least one cell; a turn without one is a skip or a pass"
            if why is None and self._placeable(board, cells):
                why = f"{len(cells)} of {PLACEMENTS} cells were placed while another legal cell was left"
            return why
        if kind == "bomb":
            if self.round < BOMB_FROM_ROUND:
                return f"the bomb unlocks in round {BOMB_FROM_ROUND}"
            if not self.bomb_ready:
                return f"the bomb cools for {self.cooldown[self.seat]} more turn end(s)"
            row, col = cells[0]
            return None if _bit(row, col) else f"row {row}, column {col} is not on the board (rows 0-25, columns 0-27)"
        if kind == "skip":
            return "the only skip is used" if self.skip_used[self.seat] else None
        is_stuck = not self.legal() and not self.bomb_ready and self.skip_used[self.seat]
        return None if is_stuck else "a pass is legal only when nothing else is"

    def _after(self, action):
        """The board after a legal action, before its generation."""
        if action.kind == "bomb":
            blast = _square(*action.cells[0])
            return Board._made(*(living & ~blast for living in self.board._of))
        return self._drafted(action.cells)[0]

    def apply(self, action, /):
        why = self.check(action)
        if why is not None:
            raise ValueError(why)
        return self._after(action).generation()


def candidates(o, /, *, near=None):
    """Actions worth a try."""
    free = o._placeable(o.board, ())
    if near is not None:
        taken = sum(_bit(*cell) for cell in near.cells)
        beside = o.board._living() | taken
        for _ in range(2):
            for moved in _beside(beside):
                beside |= moved
        others = _cells(beside & free & ~taken)
        return [place([*near.cells[:at], cell, *near.cells[at + 1 :]]) for at in range(len(near.cells)) for cell in others]
    found = []
    for row, col in _cells(free):
        block = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)]
        if all(_bit(*cell) & free for cell in block):
            found.append(place(block))
    if o.bomb_ready:
        centres = [(row, col) for row in range(ROWS) for col in range(COLS)]
        enemy = o.board._of[1 - o.seat]
        found += [bomb(*centre) for centre in centres if _count(_square(*centre) & enemy) >= BOMB_HITS_MIN]
    if not o.skip_used[o.seat]:
        found.append(skip())
    return found


def worths(o, actions, /, *, generations=4, weights={}):
    """What the future of each action is worth."""
    left = max(1, 2 * ROUNDS - o.ply)
    weights = {**LEAD, **weights}

    def worth(action):
        if o.check(action) is not None:
            return float("-inf")
        futures, board = [], o._after(action)
        for _ in range(min(generations, left)):
            board = board.generation()
            futures.append(board)
        if futures[0].count(o.seat) == 0:
            return -GAME
        if futures[0].count(1 - o.seat) == 0 and o.ply > 0:
            return GAME
        if left <= generations:
            tally = board.score if o.weighted_majority else board.count
            return tally(o.seat) - tally(1 - o.seat)
        return sum(_worth(future, o.seat, weights) for future in futures)

    return [worth(action) for action in actions]


def _worth(board, seat, weights):
    own, enemy = board._of[seat], board._of[1 - seat]
    home, abroad = HOMES[seat], HOMES[1 - seat]
    counted = {
        "own": _count(own),
        "enemy": _count(enemy),
        "own_abroad": _count(own & abroad),
        "enemy_abroad": _count(enemy & home),
        "foothold": int(own & home > 0),
    }
    return sum(weights[name] * number for name, number in counted.items())


def best(o, /, *, generations=4, fuel=None, weights={}):
    """The best of the candidates, or some legal action."""
    placed = []
    while legal := o.legal(placed):
        placed.append(legal[0])
    tried = candidates(o) + ([place(placed)] if placed else [pass_()])
    values = worths(o, tried, generations=generations, weights=weights)
    return tried[values.index(max(values))]


def fuel():
    """As at the start of a turn: nothing counts it here."""
    return 50_000_000
