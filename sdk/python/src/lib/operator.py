add = lambda a, b: a + b
sub = lambda a, b: a - b
mul = lambda a, b: a * b
truediv = lambda a, b: a / b
floordiv = lambda a, b: a // b
mod = lambda a, b: a % b
pow = lambda a, b: a**b
and_ = lambda a, b: a & b
or_ = lambda a, b: a | b
xor = lambda a, b: a ^ b
lshift = lambda a, b: a << b
rshift = lambda a, b: a >> b
neg = lambda a: -a
not_ = lambda a: not a
eq = lambda a, b: a == b
ne = lambda a, b: a != b
lt = lambda a, b: a < b
le = lambda a, b: a <= b
gt = lambda a, b: a > b
ge = lambda a, b: a >= b
contains = lambda a, b: b in a
getitem = lambda a, b: a[b]


def itemgetter(*names):
    if len(names) == 1:
        return lambda value: value[names[0]]
    return lambda value: tuple([value[name] for name in names])


def attrgetter(*names):
    if len(names) == 1:
        return lambda value: getattr(value, names[0])
    return lambda value: tuple([getattr(value, name) for name in names])


def methodcaller(name, *arguments):
    return lambda value: getattr(value, name)(*arguments)
