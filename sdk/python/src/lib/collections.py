from _collections import OrderedDict, deque as _deque, namedtuple as _namedtuple


def namedtuple(name, fields, *, defaults=None):
    if isinstance(fields, str):
        fields = fields.replace(",", " ").split()
    kind = _namedtuple(name, fields)
    if not defaults:
        return kind
    first = len(fields) - len(defaults)

    def make(*values, **named):
        for at in range(len(values), len(fields)):
            if fields[at] not in named and at >= first:
                named[fields[at]] = defaults[at - first]
        return kind(*values, **named)

    return make


class defaultdict(dict):
    def __init__(self, default_factory=None, *items):
        super().__init__(*items)
        self.default_factory = default_factory

    def __getitem__(self, name):
        try:
            return super().__getitem__(name)
        except KeyError:
            if self.default_factory is None:
                raise
            value = self.default_factory()
            super().__setitem__(name, value)
            return value

    def __repr__(self):
        return "defaultdict({!r}, {!r})".format(self.default_factory, dict(self.items()))


class Counter(dict):
    def __init__(self, items=(), **named):
        super().__init__()
        self.update(items, **named)

    def __getitem__(self, name):
        return self.get(name, 0)

    def update(self, items=(), **named):
        self._add(items, 1)
        self._add(named, 1)

    def subtract(self, items=(), **named):
        self._add(items, -1)
        self._add(named, -1)

    def _add(self, items, sign):
        if isinstance(items, dict):
            for name, count in items.items():
                self[name] = self.get(name, 0) + sign * count
        else:
            for name in items:
                self[name] = self.get(name, 0) + sign

    def most_common(self, n=None):
        ordered = sorted(self.items(), key=lambda item: item[1], reverse=True)
        return ordered if n is None else ordered[:n]

    def elements(self):
        for name, count in self.items():
            for _ in range(count):
                yield name

    def total(self):
        return sum(self.values())

    def copy(self):
        return Counter(dict(self.items()))

    def _merged(self, other, function):
        merged = Counter()
        for name in list(self) + [name for name in other if name not in self]:
            count = function(self[name], other[name])
            if count > 0:
                merged[name] = count
        return merged

    def __add__(self, other):
        return self._merged(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._merged(other, lambda a, b: a - b)

    def __and__(self, other):
        return self._merged(other, min)

    def __or__(self, other):
        return self._merged(other, max)

    def __repr__(self):
        ordered = ", ".join(["{!r}: {!r}".format(*item) for item in self.most_common()])
        return "Counter({" + ordered + "})" if self else "Counter()"


class deque:
    def __init__(self, items=(), maxlen=None):
        self.maxlen = maxlen
        self._from, self._items = 0, []
        self.extend(items)

    def _trim(self):
        if self._from > 32 and self._from * 2 > len(self._items):
            del self._items[: self._from]
            self._from = 0

    def append(self, item):
        self._items.append(item)
        if self.maxlen is not None and len(self) > self.maxlen:
            self.popleft()

    def appendleft(self, item):
        if self._from == 0:
            space = len(self._items) + 8
            self._items = [None] * space + self._items
            self._from = space
        self._from -= 1
        self._items[self._from] = item
        if self.maxlen is not None and len(self) > self.maxlen:
            self.pop()

    def extend(self, items):
        for item in items:
            self.append(item)

    def extendleft(self, items):
        for item in items:
            self.appendleft(item)

    def pop(self):
        if len(self._items) == self._from:
            raise IndexError("pop from an empty deque")
        return self._items.pop()

    def popleft(self):
        if len(self._items) == self._from:
            raise IndexError("pop from an empty deque")
        item = self._items[self._from]
        self._items[self._from] = None
        self._from += 1
        self._trim()
        return item

    def clear(self):
        self._from, self._items = 0, []

    def copy(self):
        return deque(self, self.maxlen)

    def rotate(self, n=1):
        items = list(self)
        if items:
            n %= len(items)
            self._from, self._items = 0, items[-n:] + items[:-n] if n else items

    def reverse(self):
        self._from, self._items = 0, self._items[self._from :][::-1]

    def remove(self, item):
        items = list(self)
        items.remove(item)
        self._from, self._items = 0, items

    def index(self, item):
        return list(self).index(item)

    def count(self, item):
        return list(self).count(item)

    def __len__(self):
        return len(self._items) - self._from

    def __bool__(self):
        return len(self._items) > self._from

    def _at(self, at):
        if not -len(self) <= at < len(self):
            raise IndexError("deque index out of range")
        return at + self._from if at >= 0 else at

    def __getitem__(self, at):
        return self._items[self._at(at)]

    def __setitem__(self, at, item):
        self._items[self._at(at)] = item

    def __iter__(self):
        return iter(self._items[self._from :])

    def __reversed__(self):
        return iter(self._items[self._from :][::-1])

    def __contains__(self, item):
        return item in self._items[self._from :]

    def __eq__(self, other):
        return isinstance(other, deque) and list(self) == list(other)

    def __repr__(self):
        end = "" if self.maxlen is None else ", maxlen={}".format(self.maxlen)
        return "deque({!r}{})".format(list(self), end)


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, name):
        for part in self.maps:
            if name in part:
                return part[name]
        raise KeyError(name)

    def __setitem__(self, name, value):
        self.maps[0][name] = value

    def __contains__(self, name):
        return any([name in part for part in self.maps])

    def get(self, name, default=None):
        return self[name] if name in self else default
