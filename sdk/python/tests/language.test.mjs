// The language, feature by feature: each expression has the same value in a bot and in CPython. What is missing says what to use instead.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { test } from "node:test";
import { start } from "./module.mjs";

/** Each feature with statements that end in a value, `v`. */
const FEATURES = {
  "numbers": "v = [7 // -2, 7 % -2, divmod(-7, 2), 2 ** 100, 1_000, 0xff, 0b101, 0o17, True + 1]",
  "large integers": "v = [10 ** 30 // 7, -(2 ** 70) >> 3, (1 << 65) ^ 5, pow(3, 1000, 97), (10 ** 30).bit_length(), (255).bit_count()]",
  "floats as texts": "v = [0.1 + 0.2, 1e16, 1e-5, 1 / 3, 5e-324, 1e22, -0.0, 123456.789, float('1e3'), 2.0 ** 0.5, float('inf')]",
  "formats of numbers": "v = ['%.2f %5d %-5d| %05d %x %e %g' % (3.14159, 42, 42, 42, 255, 12345.678, 1e10), '{:>8.3f}|{:<6}|{:^6}|{:,}'.format(1 / 3, 'a', 'b', 1234567)]",
  "rounding": "v = [round(2.5), round(3.5), round(-1.5), round(3.14159, 2), int(-1.7), abs(-3), min(3, 1, 2), max([3, 1])]",
  "comparing in chains": "v = [1 < 2 < 3, 1 < 3 < 2, 1 == 1.0, 'a' < 'b', [1, 2] < [1, 3], (1,) < (1, 0)]",
  "and, or, not, if else": "v = [0 or 'a', 1 and 'b', not [], 'yes' if 1 else 'no']",
  "text": "v = ['abc'[1], 'abc'[::-1], 'abc'[-2:], 'a,b'.split(','), ' a '.strip(), 'abc'.find('c'), 'aXbX'.replace('X', '-'), ','.join(['a', 'b']), 'ab' * 2]",
  "text: methods": "v = ['ab'.ljust(4) + '|', 'ab'.rjust(4, '.'), '7'.zfill(3), '-7'.zfill(3), 'x.py'.removesuffix('.py'), 'hello world'.title(), 'aB'.lower(), 'a b'.partition(' '), 'ab'.center(6), 'abc'.count('b'), 'Ab'.isalpha(), '12'.isdigit(), 'a\\nb'.splitlines(), 'ab'.startswith(('x', 'a'))]",
  "text: Unicode": "v = ['ä😀'[1], len('ä😀'), ord('ä'), chr(128512), 'ä'.encode(), b'\\xc3\\xa4'.decode(), list('aé')]",
  "f-strings": "n, s = 3, 'x'\nv = [f'{n}{s!r}', f'{n:>4}|{n + 1:03}', f'{2.5:.1f}', f'{{}}', f'{[1, 2][0]}', f'{n=}']",
  "lists": "a = [3, 1, 2]\na.append(4)\na.extend([5, 6])\na.insert(0, 0)\na.remove(1)\nb = a.pop()\ndel a[0]\na[1:2] = [7, 8]\na.reverse()\nv = [a, b, a.index(7), a.count(3), 7 in a, a + [1], a * 2, a[::2], a.copy()]",
  "lists: sorting is stable": "v = [sorted([(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')], key=lambda p: p[0]), sorted([(1, 'a'), (2, 'b'), (1, 'c')], key=lambda p: p[0], reverse=True), sorted('bca')]",
  "comprehensions": "v = [[x * y for x in range(3) for y in range(3) if x != y], {x: x * x for x in range(3)}, sorted({x % 2 for x in range(5)}), sum(x for x in range(4))]",
  "unpacking": "a, *b, c = [1, 2, 3, 4]\n(d, e), f = (1, 2), 3\na, d = d, a\ndef g(*args, **named): return [args, sorted(named.items())]\nv = [a, b, c, d, e, f, g(*[1, 2], x=3, **{'y': 4})]",
  "tuples": "v = [(1, 2) + (3,), (1, 2)[0], len(()), (1, 2) * 2, {(1, 2): 'a'}[1, 2], tuple([1])]",
  "dicts keep their order": "d = {'b': 1, 'a': 2, 3: 'c'}\nd['z'] = 0\ndel d['a']\nd['a'] = 9\nd['b'] = 5\nv = [list(d), list(d.values()), d.get('q', 7), d.pop('z'), d.setdefault('n', []), list(d.items()), 3 in d, d | {'b': 6}, dict(x=1), dict([(1, 2)])]",
  "dicts: large ones": "d = {}\nfor i in range(300): d[i * 7 % 300, i % 5] = i\nfor i in range(0, 300, 3): del d[i * 7 % 300, i % 5]\nfor i in range(9): d[i] = i\nv = [list(d.values()), len(d), d.popitem(), list({k: 1 for k in 'hello world'})]",
  "sets": "a, b = {1, 2, 3}, {2, 3, 4}\na.add(5)\na.discard(1)\nv = [sorted(a & b), sorted(a | b), sorted(a - b), sorted(a ^ b), 2 in a, {1} <= {1, 2}, len(frozenset([1, 1])), sorted({(1, 2), (2, 1)})]",
  "slices": "a = list(range(10))\nv = [a[2:5], a[-3:], a[:-3], a[::3], a[::-1], a[8:2:-2], a[100:]]",
  "loops": "v = []\nfor i, x in enumerate('ab', 1): v.append((i, x))\nfor x, y in zip([1, 2], [3, 4]): v.append(x * y)\nfor i in range(5):\n    if i == 3: break\n    if i % 2: continue\n    v.append(i)\nelse: v.append('else')\nwhile len(v) < 9: v.append(0)\nelse: v.append('end')",
  "iterators": "v = [list(map(lambda x: x + 1, [1, 2])), list(filter(None, [0, 1])), list(reversed([1, 2])), next(iter([5])), next(iter([]), 6), any([0, 1]), all([]), list(range(3, 0, -1)), iter is not None]",
  "generators": "def g(n):\n    got = yield n\n    yield got\n    yield from [7, 8]\n    return 9\ni = g(1)\nv = [next(i), i.send(5), list(i)]",
  "functions": "def f(a, b=2, *c, d, e=5, **g): return [a, b, c, d, e, g]\nv = [f(1, d=4), f(1, 2, 3, d=4, z=6), (lambda x, y=1: x + y)(1)]",
  "closures": "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    g()\n    return g\nv = f()()",
  "global": "n = 1\ndef f():\n    global n\n    n += 1\nf()\nv = n",
  "decorators": "def twice(f): return lambda x: f(f(x))\n@twice\ndef g(x): return x + 3\nv = g(1)",
  "annotations": "def f(a: int, b: 'list[int]' = None) -> list[int]: return a\nx: int = 3\ny: dict[str, list[int]]\nv = f(x)",
  "walrus": "v = [(n := 3) + n, [y for x in [1, 2] if (y := x * 2) > 2]]",
  "errors": "v = []\ntry: {}['x']\nexcept (KeyError, ValueError) as e: v.append(type(e).__name__)\nelse: v.append('else')\nfinally: v.append('finally')\ntry:\n    try: 1 / 0\n    except ZeroDivisionError as e: raise ValueError('b') from e\nexcept Exception as e: v.append(str(e))\ntry: [].pop()\nexcept IndexError: v.append('index')\ntry: int('x')\nexcept ValueError: v.append('value')",
  "errors of one's own": "class Wrong(Exception):\n    def __init__(self, n): super().__init__(n); self.n = n\ntry: raise Wrong(3)\nexcept Wrong as e: v = [e.n, e.args, isinstance(e, Exception)]",
  "assert": "try:\n    assert 1 == 2, 'no'\nexcept AssertionError as e: v = str(e)",
  "too deep is caught": "def f(n): return f(n + 1)\ntry: f(0)\nexcept RecursionError: v = 'caught'",
  "with": "class C:\n    def __enter__(self): return 5\n    def __exit__(self, *e): return True\nwith C() as c:\n    v = c\n    1 / 0",
  "classes": "class A:\n    n = 1\n    def __init__(self, x): self.x = x\n    def f(self): return self.x + self.n\n    @property\n    def p(self): return self.x * 2\n    @p.setter\n    def p(self, x): self.x = x\n    @staticmethod\n    def s(): return 's'\n    @classmethod\n    def c(cls): return cls.__name__\nclass B(A):\n    def f(self): return super().f() + 10\nb = B(1)\nb.p = 4\nv = [b.f(), b.p, A.s(), B.c(), isinstance(b, A), issubclass(B, A), hasattr(b, 'q'), getattr(b, 'q', 0), type(b).__name__]",
  "operators of classes": "class V:\n    def __init__(self, x): self.x = x\n    def __add__(self, o): return V(self.x + o.x)\n    def __radd__(self, o): return V(o + self.x)\n    def __mul__(self, n): return V(self.x * n)\n    def __eq__(self, o): return self.x == o.x\n    def __lt__(self, o): return self.x < o.x\n    def __hash__(self): return self.x\n    def __len__(self): return self.x\n    def __getitem__(self, i): return i * self.x\n    def __contains__(self, i): return i == self.x\n    def __call__(self, y): return self.x + y\n    def __iter__(self): return iter([self.x])\n    def __neg__(self): return V(-self.x)\n    def __repr__(self): return 'V%d' % self.x\nv = [V(1) + V(2), 1 + V(2), V(2) * 3, V(1) == V(1), V(1) < V(2), sorted([V(2), V(1)]), len(V(4)), V(2)[3], 5 in V(5), V(1)(2), list(V(7)), -V(1), {V(1): 2}[V(1)], max(V(1), V(3))]",
  "iterators of classes": "class C:\n    def __init__(self): self.n = 0\n    def __iter__(self): return self\n    def __next__(self):\n        self.n += 1\n        if self.n > 3: raise StopIteration\n        return self.n\nv = list(C())",
  "several bases": "class A:\n    def f(self): return 'A'\nclass B:\n    def g(self): return 'B'\nclass C(A, B): pass\nv = [C().f(), C().g()]",
  "bytes": "v = [bytes([1, 2]), bytearray(b'ab')[0], b'ab' + b'c', b'abc'[1:], list(b'ab'), (258).to_bytes(2, 'little'), int.from_bytes(b'\\x02\\x01', 'little')]",
  "builtins": "v = [sum([1, 2], 3), sorted([3, 1], reverse=True), hex(255), bin(5), oct(8), bool([]), str(1), repr('a'), callable(len), min([], default=0), max('a', 'bb', key=len), list(zip()), isinstance(1, (int, str)), divmod(7, 2), eval('1 + 1')]",
  "dataclasses": "from dataclasses import dataclass, field, asdict, replace\n@dataclass(order=True)\nclass P:\n    x: int\n    y: int = 2\n    z: list = field(default_factory=list)\n    def s(self): return self.x + self.y\n@dataclass(frozen=True)\nclass Q:\n    a: int\ntry: Q(1).a = 2\nexcept AttributeError: f = 'frozen'\nv = [P(1), P(1) == P(1), P(1) < P(2), P(3, y=4).s(), asdict(P(1)), replace(P(1), x=5), f, {Q(1): 1}[Q(1)]]",
  "enum": "from enum import Enum, IntEnum, auto\nclass C(Enum):\n    RED = 1\n    BLUE = auto()\nclass N(IntEnum):\n    A = 1\n    B = 2\nv = [C.RED.name, C.BLUE.value, C(1) is C.RED, C['BLUE'] is C.BLUE, [c.name for c in C], str(C.RED), repr(C.RED), C.RED == C.RED, C.RED != C.BLUE, N.A < N.B, N.A + 1, {C.RED: 1}[C.RED]]",
  "collections": "from collections import Counter, defaultdict, deque, namedtuple, OrderedDict\nc = Counter('hello')\nd = defaultdict(list)\nd['a'].append(1)\nq = deque([1, 2, 3], maxlen=3)\nq.append(4)\nq.appendleft(0)\nP = namedtuple('P', 'x y')\nv = [c.most_common(2), c['z'], c['l'], dict(d), list(q), q.pop(), q.popleft(), P(1, 2), P(1, 2).y, list(OrderedDict([('a', 1)])), Counter('ab') + Counter('b'), len(q), 2 in q]",
  "functools": "from functools import reduce, partial, lru_cache, cmp_to_key, wraps, cache\n@lru_cache(maxsize=None)\ndef fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nv = [reduce(lambda a, b: a + b, [1, 2, 3]), partial(pow, 2)(5), fib(60), sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a))]",
  "itertools": "from itertools import product, permutations, combinations, chain, islice, count, accumulate, groupby, zip_longest, takewhile, repeat, cycle, pairwise, starmap\nv = [list(product([1, 2], 'ab')), list(permutations([1, 2, 3], 2)), list(combinations('abcd', 2)), list(chain([1], [2])), list(islice(count(5), 3)), list(accumulate([1, 2, 3])), [(k, list(g)) for k, g in groupby([1, 1, 2])], list(zip_longest([1], [2, 3])), list(takewhile(lambda x: x < 3, count())), list(repeat(1, 2)), list(islice(cycle([1, 2]), 5)), list(pairwise([1, 2, 3])), list(starmap(pow, [(2, 3)]))]",
  "heapq": "import heapq\nh = [5, 1, 4]\nheapq.heapify(h)\nheapq.heappush(h, 2)\nv = [heapq.heappop(h), heapq.heappop(h), heapq.nlargest(2, [1, 3, 2]), heapq.nsmallest(2, [3, 1, 2], key=lambda x: -x)]",
  "json": "import json\nv = [json.dumps({'a': [1, None, True, 'x', 1.5]}), json.loads('{\"a\": [1, 2.5, null, \"b\"]}'), json.dumps([1], indent=2), json.dumps({'b': 1, 'a': 2}, sort_keys=True)]",
  "math": "import math\nv = [math.sqrt(2), math.gcd(12, 18), math.isqrt(10 ** 20), math.hypot(3, 4), math.inf, math.floor(-1.5), math.ceil(1.2), math.comb(5, 2), math.prod([2, 3]), math.pi, math.log2(8), math.dist((0, 0), (3, 4)), math.factorial(20), math.sin(1), math.atan2(1, 2)]",
  "re": "import re\nv = [re.match(r'(\\d+)-(\\d+)', '12-34').groups(), re.sub('b', 'x', 'abc'), re.search('[bc]+', 'abcd').group(0), re.match('x', 'a')]",
  "copy": "import copy\na = [[1], {'b': [2]}]\nb = copy.deepcopy(a)\na[0].append(2)\nclass C: pass\nc = C()\nc.x = [1]\nd = copy.copy(c)\nv = [b, copy.copy(a)[0] is a[0], d.x is c.x]",
  "typing": "from typing import List, Optional, Dict, Tuple, NewType, TypeVar, Callable, Any\nT = TypeVar('T')\ndef f(a: List[int], b: Optional[Dict[str, Tuple[int, int]]] = None) -> Callable[[int], Any]: return a\nv = f([1])",
  "operator, bisect, string, struct, array, contextlib": "import operator, bisect, string, struct, array, contextlib\nwith contextlib.suppress(KeyError): {}[1]\nv = [sorted([(1, 'b'), (0, 'c')], key=operator.itemgetter(1)), bisect.bisect([1, 3], 2), string.digits, struct.pack('<H', 258), list(array.array('i', [1, 2]))]",
};

/** What there is not, with what to use instead: both as in the table of sdk/python/README.md. */
const GAPS = {
  "match": ["match 1:\n    case 1: v = 2", "v = {1: 2}[1]"],
  "parameters that are positional only": ["def f(a, /): return a\nv = f(2)", "def f(a): return a\nv = f(2)"],
  "* and ** in displays": ["v = [*[1], 2]", "v = list([1]) + [2]"],
  "slices with a step on the left": ["v = [1, 2, 3]\nv[::2] = [0, 0]", "v = [1, 2, 3]\nfor i in range(0, 3, 2): v[i] = 0"],
  "typing.NamedTuple as a base class": ["from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\nv = P(1).x", "from collections import namedtuple\nP = namedtuple('P', 'x')\nv = P(1).x"],
  "metaclasses": ["class M(type): pass\nclass A(metaclass=M): pass\nv = 1", "v = 1"],
  "complex numbers": ["v = abs(3 + 4j)", "import math\nv = math.hypot(3, 4)"],
  "_replace of named tuples": ["from collections import namedtuple\nP = namedtuple('P', 'x y')\nv = P(1, 2)._replace(x=3)", "from collections import namedtuple\nP = namedtuple('P', 'x y')\nv = P(3, 2)"],
};

/** What each piece of code gives in a bot, as `repr`; in a scope of its own, with global variables where it asks for them. */
function here(codes) {
  const parts = codes.map((code, at) => `def part${at}():\n    exec(${JSON.stringify(code)}, names)\n    return names["v"]\n`);
  const names = "names = {}\n";
  const shown = codes.map((_, at) => `    names.clear()\n    try: print(repr(part${at}()))\n    except Exception as e: print(type(e).__name__, e)\n`);
  const bot = start(`${names}${parts.join("")}def turn(o):\n${shown.join("")}    return skip()\n`);
  bot.begin();
  bot.turn();
  return bot.log;
}

/** The same in CPython. */
function there(codes) {
  const script = `import sys, json\nfor code in json.load(sys.stdin):\n    names = {}\n    exec(code, names)\n    print(repr(names["v"]))`;
  return execFileSync("python3", ["-c", script], { input: JSON.stringify(codes), encoding: "utf8" }).trimEnd().split("\n");
}

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).status === 0;

test("every feature of the language does what it does in CPython", { skip: !hasPython }, () => {
  const list = Object.entries(FEATURES);
  const expected = there(list.map(([, code]) => code));
  const wrong = [];
  // The log keeps some forty lines for each bot, and 6,000 bytes.
  for (let at = 0; at < list.length; at += 8) {
    const part = list.slice(at, at + 8);
    const found = here(part.map(([, code]) => code));
    part.forEach(([name], index) => {
      if (found[index] !== expected[at + index]) wrong.push([name, found[index], expected[at + index]]);
    });
  }
  assert.deepEqual(wrong, []);
});

for (const [name, [missing, instead]] of Object.entries(GAPS)) {
  test(`there is not: ${name}`, { skip: !hasPython }, () => {
    assert.match(here([missing])[0] ?? "", /^(SyntaxError|NotImplementedError|TypeError|ValueError|AttributeError)/, "it is there now: take it off the list");
    const [value] = here([instead]);
    assert.equal(value, there([instead])[0]);
  });
}
