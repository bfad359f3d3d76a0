# Types are for editors and readers; here they are nothing.
class _Type:
    def __init__(self, name="a type"):
        self.name = name

    def __getitem__(self, _):
        return self

    def __call__(self, *arguments, **_):
        return arguments[-1] if arguments else self

    def __or__(self, _):
        return self

    __ror__ = __or__

    def __repr__(self):
        return "typing." + self.name


Any = AnyStr = Callable = ClassVar = Collection = Deque = DefaultDict = Dict = Final = FrozenSet = Generator = Generic = Hashable = _Type()
Iterable = Iterator = List = Literal = Mapping = MutableMapping = MutableSequence = Never = NoReturn = Optional = Protocol = Self = _Type()
Sequence = Set = SupportsFloat = SupportsInt = Tuple = Type = TypeAlias = Union = Annotated = _Type()
TYPE_CHECKING = False


class _Base:
    pass


Generic = Protocol = TypedDict = _Base


def TypeVar(name, *_, **__):
    return _Type(name)


def NewType(name, of):
    return of


def cast(of, value):
    return value


def _same(of):
    return of


overload = final = override = runtime_checkable = no_type_check = _same


class NamedTuple:
    def __init_subclass__(cls):
        raise TypeError("NamedTuple is no base class here")
