from _math import *
from _math import sqrt as _sqrt

inf = float("inf")
nan = float("nan")
tau = 2 * pi


def gcd(*numbers):
    a = 0
    for b in numbers:
        while b:
            a, b = b, a % b
    return abs(a)


def lcm(*numbers):
    a = 1
    for b in numbers:
        if b == 0:
            return 0
        a = abs(a * b) // gcd(a, b)
    return a


def isqrt(n):
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    if n == 0:
        return 0
    root = 1 << (len(bin(n)) - 1) // 2
    while True:
        better = (root + n // root) // 2
        if better >= root:
            return root
        root = better


def prod(numbers, *, start=1):
    for number in numbers:
        start *= number
    return start


def comb(n, k):
    if k > n:
        return 0
    value = 1
    for i in range(min(k, n - k)):
        value = value * (n - i) // (i + 1)
    return value


def perm(n, k=None):
    value = 1
    for i in range(n if k is None else k):
        value *= n - i
    return value


def hypot(*numbers):
    return _sqrt(sum(number * number for number in numbers))


def dist(p, q):
    return _sqrt(sum((a - b) * (a - b) for a, b in zip(p, q)))


def fsum(numbers):
    parts = []
    for x in numbers:
        i = 0
        for y in parts:
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low:
                parts[i] = low
                i += 1
            x = high
        parts[i:] = [x]
    return sum(parts, 0.0)
