# Corporal, a bot for War of Life: thinks of the enemy's best answer to each of its own best moves.

from arena import fuel

TRIED = 12  # own moves that are worth an answer
FUEL_LEFT = 20_000_000  # what the answers to one move may take
STEPS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def worth(board, seat):
    """What a board is worth to a seat; to have lost all pieces is the end."""
    own, enemy = board.count(seat), board.count(1 - seat)
    return 10 * (own - enemy) + (1000 if enemy == 0 else 0) - (2000 if own == 0 else 0)


def answered(board, seat):
    """The board after the best answer of a seat, by what it is worth to the seat."""
    most = float("-inf")
    for row, col in board.cells(seat):
        for down, right in STEPS:
            to, at = row + down, col + right
            if 0 <= to < board.rows and 0 <= at < board.cols and board.get(to, at) == 0:
                following = board.copy().set(row, col, 0).set(to, at, 1 + seat).generation()
                most = max(most, worth(following, seat))
    return most


def turn(o):
    moves = []
    for move in o.rng.shuffle(o.legal()):
        board = o.apply(move)
        moves.append((worth(board, o.seat), move, board))
    moves.sort(key=lambda tried: tried[0], reverse=True)
    chosen, most = moves[0][1], float("-inf")
    for value, move, board in moves[:TRIED]:
        if fuel() < FUEL_LEFT:
            break
        enemy = 1 - o.seat
        after = value if board.count(enemy) == 0 else value / 100 - answered(board, enemy)
        if after > most:
            chosen, most = move, after
    return chosen
