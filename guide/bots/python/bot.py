# Looks at what becomes of blocks of four cells and of bombs, and plays what leads to the best boards.

from arena import best, candidates, worths

TRIED = 200


def turn(o):
    tried = o.rng.shuffle(candidates(o))[:TRIED]
    values = worths(o, tried)
    most = max(values)
    print("round", o.round, "tried", len(tried), "worth", most)
    return tried[values.index(most)] if most > float("-inf") else best(o)
