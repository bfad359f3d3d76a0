# A script of what the module `arena` answers, which runs in the arena and, with plain/arena.py, in plain Python.
from arena import best, bomb, candidates, move, pass_, place, skip, worths, Board, cell, look


def said(value):
    """A value, or of a long one its length and a checksum."""
    text, mark = repr(value), 0
    if len(text) < 90:
        return text
    for letter in text:
        mark = (mark * 31 + ord(letter)) % 1_000_003
    return (len(text), mark)


def about(board):
    return [
        board.rows,
        board.cols,
        [board.count(), board.count(0), board.count(1), board.score(0), board.score(1)],
        [board.cells(), board.cells(0), board.cells(1)],
        [board.get(row, col) for row in range(26) for col in range(-1, 29)],
        [board.neighbours(row, col) + 10 * board.neighbours(row, col, 1) for row in range(26) for col in range(28)],
        str(board),
    ]


def tried(o):
    """Actions of every kind, most of them illegal."""
    legal = o.legal()
    places = [legal[:count] for count in range(6)] + [o.board.cells()[:4], [(12, 12)] * 4, [(26, 0)], [(12, 20), (0, 0)]]
    return [place(cells) for cells in places] + [bomb(3, 4), bomb(25, 27), bomb(26, 1), skip(), pass_()]


def turn(o):
    print(o.game, o.seat, o.seats, o.ply, o.colour, o.round, o.cooldown, o.skip_used, o.bomb_ready)
    print(o.chain_needs_home, o.weighted_majority, [o.rng.word() for _ in range(20)], o.rng.below(7))
    shuffled = o.rng.shuffle(o.legal())
    print(said(shuffled), said(o.legal(shuffled[:1])), said(o.legal(shuffled[:4])))
    print(said(about(o.board)), said(about(o.board.generation())), said(about(o.board.generation(5))))
    changed = o.board.copy().set(3, 4, 2).set(5, 6, 1)
    print(changed == o.board, changed.equals(changed.copy()), said(about(changed.set(3, 4, 0))))
    print(Board(str(changed)) == changed, Board() == Board())
    print([o.check(action) for action in tried(o)][-5:], said([o.check(action) for action in tried(o)]))
    block = place([(row, col) for row in (20, 21) for col in (3, 4)])
    all = candidates(o)
    near = candidates(o, near=block)
    print(len(all), said(all), len(near), said(near))
    print(said(worths(o, all)), said(worths(o, near[:60] + tried(o), generations=2)))
    print(said(worths(o, all, weights={"own": 3, "enemy_abroad": -5, "foothold": 9})))
    legal = [action for action in all[::40] if o.check(action) is None]
    print(len(legal), said([about(o.apply(action)) for action in legal]), legal[0].kind, legal[0].cells)
    print([move((1, 2), (1, 3)), cell(4, 5), skip(), pass_(), bomb(1, 2), block], look(1, 2, 3, 4, [(5, 6)]).cells)
    return legal[0]
