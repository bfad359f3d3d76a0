// The language, feature by feature: each expression has the same value here and in Node.
import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "./module.mjs";

const FEATURES = {
  "let and const in loops": "(() => { const all = []; for (let i = 0; i < 3; i++) all.push(() => i); return all.map((f) => f()); })()",
  "arrow functions": "[1, 2, 3].map((n) => n * 2)",
  "default and rest parameters": "((a, b = 2, ...rest) => [a, b, rest])(1, undefined, 3, 4)",
  "spread of lists": "[...[1, 2], ...new Set([3, 3])]",
  "spread of objects": "({ a: 1, ...{ b: 2, a: 3 } })",
  "destructuring of lists": "(([a, , b = 5, ...c]) => [a, b, c])([1, 2, undefined, 4, 5])",
  "destructuring of objects": "(({ a: { b: x }, ...rest }) => [x, rest])({ a: { b: 1 }, c: 2, d: 3 })",
  "template literals": "`${1 + 1} and ${[1, 2]}`",
  "tagged templates": "((strings, ...values) => strings.raw.join('|') + values)`a${1}\\n${2}b`",
  "optional chaining": "[null?.a.b, { a: () => 1 }.a?.(), undefined?.[0]]",
  "nullish coalescing": "[null ?? 1, 0 ?? 1, (() => { let a; a ??= 4; return a; })()]",
  "logical assignment": "(() => { let a = 1, b = 0; a &&= 2; b ||= 3; return [a, b]; })()",
  "exponents": "[2 ** 10, (-2) ** 3]",
  "numeric separators and bases": "[1_000_000, 0xff, 0b101, 0o17]",
  "switch": "((n) => { switch (n) { case 1: return 'one'; case 2: case 3: return 'few'; default: return 'many'; } })(3)",
  "labels": "(() => { let n = 0; outer: for (let i = 0; i < 5; i++) for (let j = 0; j < 5; j++) { if (j > i) continue outer; if (i > 3) break outer; n++; } return n; })()",
  "for of and for in": "(() => { const all = []; for (const [k, v] of Object.entries({ a: 1, b: 2 })) all.push(k + v); for (const k in { x: 1, y: 2 }) all.push(k); return all; })()",
  "try, catch and finally": "(() => { const all = []; try { try { null.x; } catch (e) { all.push(e instanceof TypeError); throw new Error('x'); } finally { all.push('finally'); } } catch ({ message }) { all.push(message); } return all; })()",
  "errors with a cause": "(() => { try { throw new Error('a', { cause: 'b' }); } catch (e) { return [e.message, e.cause]; } })()",
  "closures": "(() => { let n = 0; const next = () => ++n; next(); return next(); })()",
  "getters and setters": "(() => { const o = { n: 1, get twice() { return this.n * 2; }, set twice(v) { this.n = v / 2; } }; o.twice = 10; return [o.n, o.twice]; })()",
  "classes": "(() => { class A { constructor(n) { this.n = n; } get double() { return 2 * this.n; } static of(n) { return new A(n); } } class B extends A { get double() { return super.double + 1; } } return [new B(3).double, A.of(2).double]; })()",
  "class fields": "(() => { class A { x = 1; static y = 2; #z = 3; z() { return this.#z; } static #w() { return 4; } static w() { return A.#w(); } } return [new A().x, A.y, new A().z(), A.w()]; })()",
  "private names in": "(() => { class A { #x; static is(o) { return #x in o; } } return [A.is(new A()), A.is({})]; })()",
  "static blocks": "(() => { class A { static n; static { A.n = 5; } } return A.n; })()",
  "new.target and instanceof": "(() => { function F() { return new.target === F; } class A {} class B extends A {} return [new B() instanceof A, Reflect.construct(F, []) instanceof F]; })()",
  "generators": "[...(function* () { const x = yield* [1, 2]; yield 3; return x; })()]",
  "generators that take values": "(() => { const g = (function* () { let n = 0; for (;;) n += yield n; })(); g.next(); g.next(5); return g.next(6).value; })()",
  "iterators": "[...{ *[Symbol.iterator]() { yield 1; yield 2; } }]",
  "iterator helpers": "[1, 2, 3, 4].values().filter((n) => n % 2).map((n) => n * n).toArray()",
  "symbols": "(() => { const s = Symbol('s'); return [{ [s]: 1 }[s], s.description, typeof s]; })()",
  "computed keys": "(() => { const k = 'a'; return { [k + 1]: 1, [`${k}2`]() { return 2; } }.a2(); })()",
  "lists: search": "[[1, 2, 3].includes(2), [1, 2, 3].indexOf(3), [1, 2, 3].find((n) => n > 1), [1, 2, 3].findLast((n) => n < 3), [1, 2].at(-1)]",
  "lists: reduce and flat": "[[1, [2, [3]]].flat(Infinity), [1, 2].flatMap((n) => [n, n]), [1, 2, 3].reduce((a, b) => a + b)]",
  "lists: sort is stable": "[[2, 'a'], [1, 'b'], [2, 'c'], [1, 'd']].sort((a, b) => a[0] - b[0]).map(([, letter]) => letter)",
  "lists: copies": "[[3, 1, 2].toSorted(), [1, 2, 3].toReversed(), [1, 2, 3].with(1, 9), [1, 2, 3].toSpliced(0, 1)]",
  "lists: fill, from, splice": "(() => { const a = Array.from({ length: 4 }, (_, i) => i); a.splice(1, 2, 'x'); return [a, new Array(2).fill(0), [1, 2, 3].copyWithin(0, 1)]; })()",
  "objects": "[Object.keys({ b: 1, a: 2, 1: 3 }), Object.fromEntries([['x', 1]]), Object.assign({}, { a: 1 }), Object.hasOwn({ a: 1 }, 'a')]",
  "grouping": "[Object.groupBy([1, 2, 3], (n) => (n % 2 ? 'odd' : 'even')).odd, Map.groupBy([1, 2, 3], (n) => n % 2).get(0)]",
  "frozen objects": "(() => { 'use strict'; const o = Object.freeze({ a: 1 }); try { o.a = 2; } catch (e) { return [e.name, o.a]; } })()",
  "maps": "[...new Map([['a', 1], ['b', 2]]).set('a', 3)]",
  "sets": "[[...new Set([3, 1, 3])], new Set([1, 2]).has(2), [...new Set([1, 2]).union(new Set([2, 3]))], [...new Set([1, 2]).difference(new Set([2]))]]",
  "weak maps": "(() => { const k = {}, m = new WeakMap([[k, 1]]); return [m.get(k), m.has({})]; })()",
  "typed arrays": "[[...new Uint8Array([1, 256, -1])], [...Float64Array.of(0.5)], new Int32Array(3).fill(7).join(), new DataView(new ArrayBuffer(8)).getInt16(0)]",
  "big integers": "[String(2n ** 100n), String(-7n / 2n), BigInt.asUintN(8, 257n) === 1n]",
  "bits": "[5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 31, -1 >>> 28, Math.clz32(1), Math.imul(0x7fffffff, 3)]",
  "numbers as text": "[(255).toString(16), (0.1 + 0.2).toFixed(2), (1e21).toString(), (5e-324).toString(), (123.456).toPrecision(4), 1 / 3]",
  "numbers from text": "[parseInt('12px'), parseFloat('1.5e3'), Number(''), Number('0x10'), isNaN(Number('a'))]",
  "mathematics": "[Math.max(1, 2), Math.hypot(3, 4), Math.trunc(-1.5), Math.sign(-2), Math.cbrt(27), Math.round(2.5), Math.fround(0.1)]",
  "text: search": "['abc'.includes('b'), 'abc'.startsWith('ab'), 'abcabc'.lastIndexOf('c'), 'abc'.at(-1)]",
  "text: pieces": "['a,b'.split(','), 'abc'.slice(-2), ' a '.trim(), 'ab'.repeat(2), '5'.padStart(3, '0'), 'aXbX'.replaceAll('X', '-')]",
  "text: Unicode": "['ß'.toUpperCase(), [...'a😀'].length, '😀'.codePointAt(0), String.fromCodePoint(128512), 'é'.normalize('NFD').length]",
  "regular expressions": "['2024-05'.match(/(?<year>\\d+)-(\\d+)/).groups.year, 'aBc'.replace(/b/i, (m) => m + m), [...'a1b22'.matchAll(/\\d+/g)].map((m) => m[0]), /(?<=\\$)\\d+/.exec('$42')[0]]",
  "regular expressions: Unicode": "[/\\p{L}+/u.exec('1äö2')[0], /^.$/u.test('😀'), 'aAb'.search(/[A-Z]/)]",
  "JSON": "[JSON.stringify({ a: [1, 'x', null, undefined], b: undefined }), JSON.parse('{\"a\":[1,2]}'), JSON.stringify({ a: 1 }, null, 1)]",
  "sloppy and strict this": "[(function () { return typeof this; })(), (function () { 'use strict'; return typeof this; })()]",
  "arguments, call, apply and bind": "(() => { function f() { return [this.n, ...arguments]; } return [f.call({ n: 1 }, 2), f.apply({ n: 1 }, [3]), f.bind({ n: 1 }, 4)(5)]; })()",
  "eval and Function": "[eval('1 + 1'), new Function('a', 'return a * 2')(4)]",
  "Reflect": "[Reflect.ownKeys({ a: 1 }), Reflect.has({ a: 1 }, 'a'), Reflect.apply(Math.max, null, [1, 2])]",
  "comma, void, delete, in, typeof": "[(1, 2), void 0, (() => { const o = { a: 1 }; delete o.a; return 'a' in o; })(), typeof null]",
  "hoisting": "(() => { return f() + typeof v; var v = 1; function f() { return 'f'; } })()",
  "dead zones": "(() => { try { x; } catch (e) { return e.name; } let x; })()",
  "globalThis": "typeof globalThis.Math",
  "async functions are there": "typeof (async () => {})().then",
};

test("every feature of the language does what it does in Node", () => {
  const list = Object.entries(FEATURES);
  // The log keeps some forty lines for each bot.
  for (let at = 0; at < list.length; at += 30) {
    const part = list.slice(at, at + 30);
    const lines = part.map(([, code]) => `try { log(JSON.stringify(${code})); } catch (e) { log(String(e)); }`);
    const bot = start(`function turn() {\n${lines.join("\n")}\nreturn skip();\n}`);
    bot.begin();
    bot.turn();
    part.forEach(([name, code], index) => {
      assert.equal(bot.log[index], String(JSON.stringify((0, eval)(`(${code})`))), name);
    });
  }
});
