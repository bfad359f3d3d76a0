# Deeds of hostile scripts: each with its name and how the turn ends that does it. On its board, blue has as many cells as deeds come
# before the one that is wanted.
import json
import re


def deep(n):
    nested = []
    for _ in range(n):
        nested = [nested]
    return nested


def hoard(make):
    kept = []
    while True:
        kept.append(make())


class Through:
    def __getattr__(self, name):
        return getattr(self, name)


class Made:
    def __init__(self):
        Made()


class Sum:
    def __add__(self, other):
        return self + other


class Stubborn:
    def __del__(self):
        while True:
            pass

    def __repr__(self):
        while True:
            pass

    __str__ = __repr__


def loop(_):
    while True:
        try:
            while True:
                pass
        except:
            continue
        finally:
            continue


def square(_):
    n = 3
    while True:
        n = n * n % (1 << 9000) | 1 << 8999


def grow(_):
    numbers = [1]
    for n in numbers:
        numbers.append(n)


def endless():
    while True:
        yield 1


def steps(n):
    yield from steps(n + 1)


def order(n):
    return sorted([n, n + 1], key=order)


def down(n):
    return down(n + 1)


def caught(deed):
    def run(_):
        try:
            deed()
        except Exception as error:
            print(type(error).__name__)

    return run


def tampered(o):
    import arena
    import builtins

    arena.place = len = None
    builtins.len = lambda _: 7
    builtins.isinstance = None
    o.board = 3
    return skip()


def raised(_):
    raise Stubborn


DEEDS = [
    ("an honest turn", "done", lambda o: place(o.legal()[:4])),
    # Without end.
    ("a loop that catches all errors", "OutOfFuel", loop),
    ("a list that is read while it grows", "OutOfFuel", grow),
    ("a generator without end", "OutOfFuel", lambda _: [1 for _ in endless() if False]),
    ("a sum without end", "OutOfFuel", lambda _: sum(endless())),
    ("a number that squares itself", "OutOfFuel", square),
    ("a power", "OutOfFuel", lambda o: 7 ** 7 ** (7 + o.seat)),
    ("a regular expression that tries all ways", "OutOfFuel", lambda _: re.match("^(a+)+$", "a" * 60 + "b")),
    ("a text that does not end", "OutOfFuel", lambda _: str(Stubborn())),
    ("an error that is none", "TypeError", raised),
    ("a key that does not end", "OutOfFuel", lambda _: max([1, 2], key=lambda n: loop(n))),
    ("code that is evaluated", "OutOfFuel", lambda _: exec("while True: pass")),
    # Too deep.
    ("functions", "maximum recursion depth", lambda _: down(0)),
    ("constructors", "maximum recursion depth", lambda _: Made()),
    ("operators", "maximum recursion depth", lambda _: Sum() + 1),
    ("attributes", "maximum recursion depth", lambda _: Through().x),
    ("generators", "maximum recursion depth", lambda _: list(steps(0))),
    ("sorting by sorting", "maximum recursion depth", lambda _: order(0)),
    ("a deep list as a text", "maximum recursion depth", lambda _: repr(deep(3000))),
    ("deep lists compared", "maximum recursion depth", lambda _: deep(3000) == deep(3000)),
    ("a deep list as JSON", "maximum recursion depth", lambda _: json.dumps(deep(3000))),
    ("deep JSON", "OutOfFuel", lambda _: json.loads("[" * 20000 + "]" * 20000) and None),
    ("brackets", "OutOfFuel", lambda _: eval("(" * 20000 + "1" + ")" * 20000)),
    ("brackets that do not close", "OutOfFuel", lambda _: eval("[" * 30000)),
    ("calls that are caught again and again", "OutOfFuel", lambda _: [caught(lambda: down(0))(0) for _ in endless()]),
    # To the brim.
    ("bytes", "MemoryError", lambda _: hoard(lambda: bytearray(9000))),
    ("small texts", "OutOfFuel", lambda _: hoard(lambda: str(fuel()))),
    ("boards", "OutOfFuel", lambda _: hoard(Board)),
    ("a giant text", "MemoryError", lambda _: "x" * 2_000_000),
    ("a giant list", "MemoryError", lambda _: [0] * 500_000),
    ("a giant range", "OutOfFuel", lambda _: list(range(10**9))),
    ("a giant number", "MemoryError", lambda o: 1 << (100_000_000 + o.seat)),
    ("memory that is caught", "done", caught(lambda: hoard(lambda: bytearray(9000)))),
    # Answers.
    ("no answer", "done", lambda _: None),
    ("an answer that is a loop", "TypeError", lambda _: endless()),
    ("an answer that hides", "OutOfFuel", lambda _: Stubborn()),
    ("cells without end", "a list of cells", lambda _: {"kind": "place", "cells": endless()}),
    ("cells far out", "a cell is written as", lambda _: {"kind": "place", "cells": [(10**30, 1)]}),
    ("another's kind", "has no", lambda _: {"kind": "x" * 50_000, "cells": []}),
    ("everything tampered with", "no attribute", tampered),
    ("objects that do not want to go", "done", lambda _: [Stubborn() for _ in range(10)] and None),
    # Text.
    ("every character", "done", lambda _: [print(chr(n).upper()) for n in range(0, 0x110000, 1997) if not 0xD800 <= n < 0xE000] and None),
    ("half characters", "done", lambda _: print(chr(0xD800), "\udc00".encode())),
]

# How the tests learn what there is.
for name, ending, _ in DEEDS:
    print(name + ": " + ending)


def turn(o):
    done = skip()
    _, _, deed = DEEDS[o.board.count(0)]
    answer = deed(o)
    return done if answer is None else answer
