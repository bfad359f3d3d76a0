"""What a bot in Python sees, for editors: put this file beside bot.py. The reference with examples is API.md."""

from collections.abc import Sequence
from typing import Literal, TypedDict, TypeVar

T = TypeVar("T")
Cell = tuple[int, int]
Cells = Sequence[tuple[int, int]]

class Action:
    """What a turn does. Made by place, bomb, skip, pass_, move, cell and look."""
    kind: Literal["place", "bomb", "skip", "pass", "move", "cell", "look"]
    """What it does."""
    cells: list[Cell]
    """Where, each as row from the top and column from the left, both from 0."""

def place(cells: Cells, /) -> Action:
    """Places cells, in this order: four in Conway's Conquerors, up to sixty in Life2."""
def bomb(row: int, col: int, /) -> Action:
    """Conway's Conquerors: clears the three by three cells around this one."""
def skip() -> Action:
    """Conway's Conquerors: places nothing; once a game."""
def pass_() -> Action:
    """Does nothing, where the rules allow that."""
def move(start: Cell, end: Cell, /) -> Action:
    """War of Life: moves a piece to an empty neighbour."""
def cell(row: int, col: int, /) -> Action:
    """Game of Game of Life: kills an own cell, or brings a dead one nearby to life."""
def look(row: int, col: int, rows: int, cols: int, cells: Cells = ..., /) -> Action:
    """Life2 in a world: chooses the view from the next turn on, and may place cells."""

class Board:
    """A board of any game. A cell is 0 where it is dead, 1 + seat where it lives, 255 where it lives and is nobody's."""
    def __init__(self, text: str = ..., /) -> None:
        """A board from rows of ".", "b" and "r", one a line; without a text, an empty one of Conway's Conquerors."""
    rows: int
    """The number of its rows."""
    cols: int
    """The number of its columns."""
    def get(self, row: int, col: int, /) -> int:
        """A cell; 0 beyond the edges, or across them where the board has none."""
    def set(self, row: int, col: int, value: int, /) -> Board:
        """Sets a cell of this board, which it returns. Not in Life2."""
    def count(self, seat: int = ..., /) -> int:
        """Living cells of a seat, or of all."""
    def score(self, seat: int, /) -> int:
        """What counts at the end: in Conway's Conquerors cells in the enemy's home twice."""
    def cells(self, seat: int = ..., /) -> list[Cell]:
        """The living cells of a seat, or of all, row by row."""
    def neighbours(self, row: int, col: int, seat: int = ..., /) -> int:
        """Living neighbours of a cell, of a seat or of all."""
    def generation(self, n: int = 1, /) -> Board:
        """A new board, n generations later."""
    def copy(self) -> Board:
        """A board with the same cells."""
    def equals(self, other: Board, /) -> bool:
        """Whether another board has the same cells; == asks the same."""

class Rng:
    """Random numbers of the seat's seed; the same game always gives the same. The module random draws from them, too."""
    def word(self) -> int:
        """A number from 0 to 2 ** 32 - 1."""
    def below(self, n: int, /) -> int:
        """A number from 0 to n - 1."""
    def shuffle(self, items: list[T], /) -> list[T]:
        """Shuffles a list in place, and returns it."""

class Seen:
    """What turn(o) gets, in all games."""
    game: str
    """The game's name."""
    seat: int
    """This bot's seat, from 0. In Conway's Conquerors and War of Life seat 0 is blue."""
    seats: int
    """How many seats there are."""
    ply: int
    """Turns since the start of the game."""
    board: Board
    """The board as it is."""
    rng: Rng
    """Random numbers of the seat's seed."""
    def check(self, action: Action, /) -> str | None:
        """Why the rules refuse an action; None if it is legal."""
    def apply(self, action: Action, /) -> Board:
        """The board after a legal action and the generation that follows it."""

class Conquerors(Seen):
    """Conway's Conquerors."""
    game: Literal["conquerors"]
    """The game's name."""
    colour: Literal["blue", "red"]
    """This seat's colour."""
    round: int
    """From 1 to 12."""
    cooldown: list[int]
    """Turn ends until each seat's bomb is ready."""
    skip_used: list[bool]
    """Whether each seat has used its skip."""
    bomb_ready: bool
    """Whether this seat may bomb now."""
    chain_needs_home: bool
    """Whether the enemy's home opens only with an own cell at home (V2 rules)."""
    weighted_majority: bool
    """Whether cells in the enemy's home count twice at the end (V2 rules)."""
    def legal(self, placed: Cells = ..., /) -> list[Cell]:
        """The cells that may be placed next, after those of this turn."""

class WarOfLife(Seen):
    """War of Life."""
    game: Literal["war-of-life"]
    """The game's name."""
    colour: Literal["blue", "red"]
    """This seat's colour."""
    def legal(self) -> list[Action]:
        """All legal moves."""

class GameOfGameOfLife(Seen):
    """Game of Game of Life."""
    game: Literal["game-of-game-of-life"]
    """The game's name."""
    generation: int
    """From 0 to 1,000."""
    last: list[Cell | None]
    """Where each seat last acted with effect."""
    def legal(self) -> list[Cell]:
        """The cells on which this seat can act."""

class View:
    """The part of a world that is seen."""
    row: int
    """Its first row."""
    col: int
    """Its first column."""
    rows: int
    """The number of its rows."""
    cols: int
    """The number of its columns."""

class Life2(Seen):
    """Life2. Rows and columns are those of the world; only what is in view is known."""
    game: Literal["life2"]
    """The game's name."""
    coins: list[int]
    """Coins in the wallets."""
    base_coins: list[int]
    """Coins in the bases."""
    bases: list[Cell | None]
    """The upper left cell of each base; None where a kingdom has fallen."""
    living: list[int]
    """Living cells of each kingdom."""
    ground: list[int]
    """Cells of ground of each kingdom."""
    view: View
    """What is seen of the world."""
    def clear(self, cells: Cells, /) -> bool:
        """Whether these cells may be placed, and nothing lives beside any of them: far cheaper than o.check."""
    def legal(self, placed: Cells = ..., /) -> list[Cell]:
        """The cells that may be placed next, after those of this turn."""

class Weights(TypedDict, total=False):
    """What cells are worth after each generation, in whole numbers."""
    own: int
    """An own cell (1)."""
    enemy: int
    """An enemy cell (-1)."""
    own_abroad: int
    """An own cell in the enemy's home, besides (1)."""
    enemy_abroad: int
    """An enemy cell in the own home, besides (-1)."""
    foothold: int
    """Having a cell at home (2)."""

def best(o: Conquerors | WarOfLife | GameOfGameOfLife, *, generations: int = ..., fuel: int = ..., weights: Weights = ...) -> Action:
    """The best action that a search finds. Generations to look ahead: 4, at most 8; in War of Life 3, at most 4."""
def candidates(o: Conquerors, *, near: Action = ...) -> list[Action]:
    """Conway's Conquerors: actions worth a try: all blocks, bombs that hit, and the skip; or what differs in a cell from `near`."""
def worths(o: Conquerors | WarOfLife | GameOfGameOfLife, actions: list[Action], *, generations: int = ..., weights: Weights = ...) -> list[float]:
    """What the future of each action is worth, -inf where it is illegal. Far cheaper than o.apply of each."""

def fuel() -> int:
    """The fuel that this call may still spend."""
