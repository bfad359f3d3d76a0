def reduce(function, items, *start):
    items = iter(items)
    value = start[0] if start else next(items)
    for item in items:
        value = function(value, item)
    return value


class partial:
    def __init__(self, func, *args, **keywords):
        self.func, self.args, self.keywords = func, args, keywords

    def __call__(self, *args, **keywords):
        return self.func(*self.args, *args, **(self.keywords | keywords))


def wraps(_):
    return lambda function: function


def cmp_to_key(compare):
    class Key:
        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            return compare(self.value, other.value) < 0

        def __gt__(self, other):
            return compare(self.value, other.value) > 0

        def __eq__(self, other):
            return compare(self.value, other.value) == 0

    return Key


def lru_cache(maxsize=128, typed=False):
    def decorate(function):
        known = {}

        def cached(*args, **keywords):
            key = (args, tuple(keywords.items())) if keywords else args
            if key in known:
                value = known.pop(key) if maxsize is not None else known[key]
                if maxsize is None:
                    return value
            else:
                value = function(*args, **keywords)
                if maxsize is not None and len(known) >= maxsize:
                    del known[next(iter(known))]
            if maxsize != 0:
                known[key] = value
            return value

        cached.cache_clear = known.clear
        return cached

    if callable(maxsize):
        function, maxsize = maxsize, 128
        return decorate(function)
    return decorate


def cache(function):
    return lru_cache(None)(function)


class cached_property:
    def __init__(self, function):
        self.function = function
        self.name = "_cached_" + function.__name__

    def __get__(self, owner, kind=None):
        if owner is None:
            return self
        if not hasattr(owner, self.name):
            setattr(owner, self.name, self.function(owner))
        return getattr(owner, self.name)


def total_ordering(kind):
    names = [name for name in ("__lt__", "__le__", "__gt__", "__ge__") if hasattr(kind, name)]
    if "__lt__" in names:
        less = kind.__lt__
        kind.__gt__ = lambda a, b: less(b, a)
        kind.__le__ = lambda a, b: not less(b, a)
        kind.__ge__ = lambda a, b: not less(a, b)
    elif "__gt__" in names:
        more = kind.__gt__
        kind.__lt__ = lambda a, b: more(b, a)
        kind.__ge__ = lambda a, b: not more(b, a)
        kind.__le__ = lambda a, b: not more(a, b)
    else:
        raise ValueError("total_ordering needs __lt__ or __gt__ here")
    return kind
