def count(start=0, step=1):
    while True:
        yield start
        start += step


def cycle(items):
    items = list(items)
    while items:
        yield from items


def repeat(item, times=None):
    if times is None:
        while True:
            yield item
    for _ in range(times):
        yield item


def accumulate(items, func=None, *, initial=None):
    items = iter(items)
    if initial is None:
        try:
            initial = next(items)
        except StopIteration:
            return
    yield initial
    for item in items:
        initial = initial + item if func is None else func(initial, item)
        yield initial


class chain:
    def __init__(self, *lists):
        self._items = chain.from_iterable(lists)

    def __iter__(self):
        return self._items

    def __next__(self):
        return next(self._items)

    @staticmethod
    def from_iterable(lists):
        for items in lists:
            yield from items


def compress(items, chosen):
    for item, is_chosen in zip(items, chosen):
        if is_chosen:
            yield item


def dropwhile(is_first, items):
    items = iter(items)
    for item in items:
        if not is_first(item):
            yield item
            break
    yield from items


def takewhile(is_first, items):
    for item in items:
        if not is_first(item):
            break
        yield item


def filterfalse(is_out, items):
    for item in items:
        if not (item if is_out is None else is_out(item)):
            yield item


def starmap(function, items):
    for item in items:
        yield function(*item)


def islice(items, *bounds):
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (bounds + (None,))[:3]
    start, step = start or 0, step or 1
    if stop is not None and stop <= start:
        return
    for at, item in enumerate(items):
        if at >= start and (at - start) % step == 0:
            yield item
        if stop is not None and at + 1 >= stop:
            return


def pairwise(items):
    items = iter(items)
    try:
        one = next(items)
    except StopIteration:
        return
    for two in items:
        yield one, two
        one = two


def zip_longest(*lists, fillvalue=None):
    lists = [iter(items) for items in lists]
    end = object()
    while True:
        row = [next(items, end) for items in lists]
        if all(item is end for item in row):
            return
        yield tuple(fillvalue if item is end else item for item in row)


def groupby(items, key=None):
    group, last = [], None
    for item in items:
        this = item if key is None else key(item)
        if group and this != last:
            yield last, iter(group)
            group = []
        group.append(item)
        last = this
    if group:
        yield last, iter(group)


def tee(items, n=2):
    items = list(items)
    return tuple(iter(items) for _ in range(n))


def product(*lists, repeat=1):
    lists = [tuple(items) for items in lists] * repeat
    if not all(lists):
        return
    at = [0] * len(lists)
    while True:
        yield tuple(items[i] for items, i in zip(lists, at))
        for place in range(len(lists) - 1, -1, -1):
            at[place] += 1
            if at[place] < len(lists[place]):
                break
            at[place] = 0
        else:
            return


def permutations(items, r=None):
    items = tuple(items)
    n = len(items)
    r = n if r is None else r
    if r > n:
        return
    order, cycles = list(range(n)), list(range(n, n - r, -1))
    yield tuple(items[i] for i in order[:r])
    while n:
        for i in range(r - 1, -1, -1):
            cycles[i] -= 1
            if cycles[i] == 0:
                order[i:] = order[i + 1 :] + order[i : i + 1]
                cycles[i] = n - i
            else:
                j = cycles[i]
                order[i], order[n - j] = order[n - j], order[i]
                yield tuple(items[i] for i in order[:r])
                break
        else:
            return


def combinations(items, r):
    items = tuple(items)
    n = len(items)
    if r > n:
        return
    at = list(range(r))
    while True:
        yield tuple(items[i] for i in at)
        for place in range(r - 1, -1, -1):
            if at[place] != place + n - r:
                break
        else:
            return
        at[place] += 1
        for after in range(place + 1, r):
            at[after] = at[after - 1] + 1


def combinations_with_replacement(items, r):
    items = tuple(items)
    n = len(items)
    if n == 0 and r:
        return
    at = [0] * r
    while True:
        yield tuple(items[i] for i in at)
        for place in range(r - 1, -1, -1):
            if at[place] != n - 1:
                break
        else:
            return
        at[place:] = [at[place] + 1] * (r - place)


def batched(items, n):
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == n:
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)
