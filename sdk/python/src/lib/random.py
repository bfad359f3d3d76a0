# Random numbers of the seat's seed: the sequence of o.rng.
random = _fraction


def seed(*_):
    raise TypeError("the seed is the seat's: the same game always gives the same numbers")


def getrandbits(n):
    value = 0
    for _ in range((n + 31) // 32):
        value = value << 32 | _word()
    return value >> (-n % 32)


def _below(n):
    if n <= 0:
        raise ValueError("nothing to choose from")
    if n <= 0x7FFFFFFF:
        return _word() * n >> 32
    bits = n.bit_length()
    value = getrandbits(bits)
    while value >= n:
        value = getrandbits(bits)
    return value


def randrange(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    return range(start, stop, step)[_below(len(range(start, stop, step)))]


def randint(a, b):
    return a + _below(b - a + 1)


def choice(items):
    return items[_below(len(items))]


def choices(items, weights=None, *, k=1):
    if weights is None:
        return [choice(items) for _ in range(k)]
    chosen = []
    for _ in range(k):
        left = random() * sum(weights)
        for item, weight in zip(items, weights):
            left -= weight
            if left < 0:
                break
        chosen.append(item)
    return chosen


def shuffle(items):
    for last in range(len(items) - 1, 0, -1):
        other = _below(last + 1)
        items[last], items[other] = items[other], items[last]


def sample(items, k):
    items = list(items)
    if k > len(items):
        raise ValueError("sample larger than population")
    for at in range(k):
        other = at + _below(len(items) - at)
        items[at], items[other] = items[other], items[at]
    return items[:k]


def uniform(a, b):
    return a + (b - a) * random()


def gauss(mu=0.0, sigma=1.0):
    from math import cos, log, pi, sqrt

    return mu + sigma * sqrt(-2 * log(1 - random())) * cos(2 * pi * random())
