class _Missing:
    pass


MISSING = _Missing()


class Field:
    def __init__(self, default, default_factory, init, repr, compare):
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.compare = init, repr, compare
        self.name = None


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, compare=True, hash=None, kw_only=False):
    return Field(default, default_factory, init, repr, compare)


class FrozenInstanceError(AttributeError):
    pass


def dataclass(cls=None, *, init=True, repr=True, eq=True, order=False, frozen=False, unsafe_hash=False, slots=False, kw_only=False):
    if cls is None:
        return lambda cls: _made(cls, init, repr, eq, order, frozen, unsafe_hash)
    return _made(cls, init, repr, eq, order, frozen, unsafe_hash)


def _made(cls, init, repr, eq, order, frozen, unsafe_hash):
    own = cls.__dict__
    parts = {}
    for base in reversed(cls.__bases__):
        parts.update(getattr(base, "__dataclass_fields__", {}))
    for name in own.get("__annotations__", ()):
        default = own.get(name, MISSING)
        part = default if isinstance(default, Field) else Field(default, MISSING, True, True, True)
        part.name = name
        if isinstance(default, Field):
            if part.default is not MISSING:
                setattr(cls, name, part.default)
        elif isinstance(default, (list, dict, set)):
            raise ValueError("mutable default for field {} is not allowed: use default_factory".format(name))
        parts[name] = part
    cls.__dataclass_fields__ = parts
    fields = list(parts.values())
    taken = [part for part in fields if part.init]

    def __init__(self, *values, **named):
        if len(values) > len(taken):
            raise TypeError("{} takes {} values, not {}".format(cls.__name__, len(taken), len(values)))
        for part, value in zip(taken, values):
            object.__setattr__(self, part.name, value)
        for part in taken[len(values) :]:
            name = part.name
            if name in named:
                value = named.pop(name)
            elif part.default is not MISSING:
                value = part.default
            elif part.default_factory is not MISSING:
                value = part.default_factory()
            else:
                raise TypeError("{}() needs {}".format(cls.__name__, name))
            object.__setattr__(self, name, value)
        for name in named:
            raise TypeError("{}() has no field {}, or has it twice".format(cls.__name__, name))
        for part in fields:
            if not part.init:
                if part.default is not MISSING:
                    object.__setattr__(self, part.name, part.default)
                elif part.default_factory is not MISSING:
                    object.__setattr__(self, part.name, part.default_factory())
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    compared = [part.name for part in fields if part.compare]

    def key(self):
        return tuple([getattr(self, name) for name in compared])

    if init and "__init__" not in own:
        cls.__init__ = __init__
    if repr and "__repr__" not in own:
        shown = [part.name for part in fields if part.repr]
        cls.__repr__ = lambda self: "{}({})".format(
            cls.__qualname__, ", ".join(["{}={!r}".format(name, getattr(self, name)) for name in shown])
        )
    if eq and "__eq__" not in own:
        cls.__eq__ = lambda self, other: type(self) is type(other) and key(self) == key(other)
    if (frozen and eq or unsafe_hash) and "__hash__" not in own:
        cls.__hash__ = lambda self: hash(key(self))
    if order:
        cls.__lt__ = lambda self, other: key(self) < key(other)
        cls.__le__ = lambda self, other: key(self) <= key(other)
        cls.__gt__ = lambda self, other: key(self) > key(other)
        cls.__ge__ = lambda self, other: key(self) >= key(other)
    if frozen:

        def __setattr__(self, name, _):
            raise FrozenInstanceError("cannot assign to field '{}'".format(name))

        cls.__setattr__ = __setattr__
    return cls


def fields(cls):
    return tuple(cls.__dataclass_fields__.values())


def is_dataclass(value):
    return hasattr(value, "__dataclass_fields__")


def _plain(value, make):
    if is_dataclass(value) and not isinstance(value, type):
        return make(value)
    if isinstance(value, (list, tuple)):
        return type(value)([_plain(part, make) for part in value])
    if isinstance(value, dict):
        return {name: _plain(part, make) for name, part in value.items()}
    return value


def asdict(value):
    return {part.name: _plain(getattr(value, part.name), asdict) for part in fields(value)}


def astuple(value):
    return tuple([_plain(getattr(value, part.name), astuple) for part in fields(value)])


def replace(value, **changes):
    for part in fields(value):
        if part.init and part.name not in changes:
            changes[part.name] = getattr(value, part.name)
    return type(value)(**changes)
