# What each of these takes of a turn's fuel, besides asking for it: `arena/interpreter/tests/it/slow/scripts.rs` keeps the table of it.


def adding():
    s = 0
    for i in range(1000):
        s += i


def twice(n):
    return 2 * n


def calling():
    for i in range(1000):
        twice(i)


asked = 0


def cost(name, times, deed):
    global asked
    before = fuel()
    deed()
    taken = before - fuel()
    if name:
        print(name + ": " + str(round((taken - asked) / times)))
    else:
        asked = taken


def turn(o):
    tried = candidates(o)[:50]
    shape = [(12, 3), (12, 4), (13, 3), (13, 4)]
    block = place(shape)
    cost("", 1, lambda: None)
    cost("a round of a loop that adds", 1000, adding)
    cost("a round of a loop that calls a function", 1000, calling)
    cost("sorting 100 numbers by a function", 1, lambda: sorted([i * 37 % 101 for i in range(100)], key=lambda a: a))
    cost("`o.board.get(row, col)`", 1, lambda: o.board.get(12, 3))
    cost("`o.board.generation()`", 1, lambda: o.board.generation())
    cost("`o.board.generation(10)`", 1, lambda: o.board.generation(10))
    cost("`o.legal()`", 1, lambda: o.legal())
    cost("`place` of four cells", 1, lambda: place(shape))
    cost("`o.check(action)`", 1, lambda: o.check(block))
    cost("`o.apply(action)`", 1, lambda: o.apply(block))
    cost("`candidates(o)`", 1, lambda: candidates(o))
    cost("the best of 50 candidates, by `worths`", 1, lambda: tried[(lambda all: all.index(max(all)))(worths(o, tried))])
    cost("`best(o)` on 1,000,000", 1, lambda: best(o, fuel=1_000_000))
    return skip()
