# A class is told when one inherits from it: then its constants become members.
class Enum:
    def __init_subclass__(cls):
        cls._members = {}
        last = 0
        for name, value in list(cls.__dict__.items()):
            if name[0] == "_" or callable(value) or isinstance(value, (property, classmethod, staticmethod)):
                continue
            if isinstance(value, auto):
                value = cls._next(last)
            last = value
            member = None
            for other in cls._members.values():
                if other.value == value:
                    member = other
            if member is None:
                member = object.__new__(cls)
                member.name, member.value = name, value
            cls._members[name] = member
            setattr(cls, name, member)
        cls.__members__ = cls._members

    def _next(last):
        return last + 1

    def __new__(cls, value):
        for member in cls._members.values():
            if member.value == value:
                return member
        raise ValueError("{!r} is not a valid {}".format(value, cls.__name__))

    def __class_getitem__(cls, name):
        return cls._members[name]

    def __class_iter__(cls):
        return [member for name, member in cls._members.items() if member.name == name]

    def __repr__(self):
        return "<{}: {!r}>".format(self, self.value)

    def __str__(self):
        return "{}.{}".format(type(self).__name__, self.name)

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return self is other


class auto:
    pass


class _Number(Enum):
    def __init_subclass__(cls):
        Enum.__init_subclass__(cls)

    def _other(self, other):
        return other.value if isinstance(other, Enum) else other

    def __repr__(self):
        return "<{}.{}: {!r}>".format(type(self).__name__, self.name, self.value)

    def __str__(self):
        return str(self.value)

    def __int__(self):
        return self.value

    def __hash__(self):
        return hash(self.value)

    def __eq__(self, other):
        return self.value == self._other(other)

    def __lt__(self, other):
        return self.value < self._other(other)

    def __le__(self, other):
        return self.value <= self._other(other)

    def __gt__(self, other):
        return self.value > self._other(other)

    def __ge__(self, other):
        return self.value >= self._other(other)

    def __add__(self, other):
        return self.value + self._other(other)

    __radd__ = __add__

    def __sub__(self, other):
        return self.value - self._other(other)

    def __rsub__(self, other):
        return other - self.value

    def __mul__(self, other):
        return self.value * self._other(other)

    __rmul__ = __mul__


class IntEnum(_Number):
    def __init_subclass__(cls):
        Enum.__init_subclass__(cls)


class StrEnum(Enum):
    def __init_subclass__(cls):
        Enum.__init_subclass__(cls)

    def __str__(self):
        return self.value

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, Enum) else other)

    def __hash__(self):
        return hash(self.value)


class Flag(Enum):
    def __init_subclass__(cls):
        Enum.__init_subclass__(cls)

    def _next(last):
        return last * 2 if last else 1

    def _of(cls, value):
        for member in cls._members.values():
            if member.value == value:
                return member
        member = object.__new__(cls)
        member.name, member.value = None, value
        return member

    def __eq__(self, other):
        return isinstance(other, Flag) and self.value == other.value

    def __hash__(self):
        return hash(self.value)

    def __bool__(self):
        return self.value != 0

    def __or__(self, other):
        return Flag._of(type(self), self.value | other.value)

    def __and__(self, other):
        return Flag._of(type(self), self.value & other.value)

    def __xor__(self, other):
        return Flag._of(type(self), self.value ^ other.value)

    def __contains__(self, other):
        return self.value & other.value == other.value


IntFlag = Flag


def unique(cls):
    return cls
