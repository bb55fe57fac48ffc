package interp_test

import (
	"fmt"
	"strings"
)

// This file generates random pieces of Python with generators, contexts, match, exceptions and classes. A piece depends
// on nothing but the variables that it reads.

// A piece writes some lines, with names that no other piece uses.
type piece func(c *coder)

// pieces are the pieces of programs.
var pieces = []piece{
	(*coder).generator, (*coder).sender, (*coder).context, (*coder).contextFunction, (*coder).match, (*coder).matchObject,
	(*coder).caught, (*coder).ownException, (*coder).dataclass, (*coder).enumeration, (*coder).diamond, (*coder).container,
	(*coder).counted, (*coder).lazy, (*coder).wrongCall, (*coder).selections,
}

// piece writes a random piece.
func (c *coder) piece() { choose(c, pieces...)(c) }

// lines writes lines. Each %x in the text is replaced by the next argument.
func (c *coder) lines(text string, args ...any) {
	c.line("%s", strings.TrimSuffix(fmt.Sprintf(text, args...), "\n"))
}

func (c *coder) generator() {
	g := c.fresh('g')
	c.lines(`def %s(n, x=%s):
    try:
        for i in range(n):
            %s
            yield i * x
            if i == %d:
                return
        else:
            yield from (x, n)
    finally:
        print('end of', n)
print(list(%s(%d)), sum(%s(3)), [*%s(1)])
for v in %s(4):
    print(v, end=' ')
a, *b = %s(%d)
print(a, b)`, g, c.int(1), choose(c, "pass", "if i % 2: continue", "print('at', i)"), c.IntN(6), g,
		c.IntN(5), g, g, g, g,
		1+c.IntN(3))
}

func (c *coder) sender() {
	g := c.fresh('g')
	c.lines(`def %s():
    total = %s
    while True:
        try:
            x = yield total
        except ValueError as e:
            print('thrown', e)
            x = 1
        if x is None:
            return total
        total += x
g = %s()
print(next(g), g.send(%d), g.throw(ValueError('t')))
try:
    g.send(None)
except StopIteration as e:
    print('value', e.value)
g.close()
print(list(g))`, g, c.int(1), g, c.IntN(9))
}

func (c *coder) context() {
	k := c.fresh('k')
	c.lines(`class %s:
    def __init__(self, n): self.n = n
    def __enter__(self):
        print('enter', self.n)
        return self.n
    def __exit__(self, kind, e, trace):
        print('exit', self.n, kind and kind.__name__, e)
        return self.n == %d
try:
    with %s(%d) as a, %s(%d) as b:
        print(a, b)
        %s
    print('after')
except (ValueError, ZeroDivisionError) as e:
    print(type(e).__name__, e)`, k, c.IntN(3), k, c.IntN(3), k, c.IntN(3), choose(c, "pass", "print(1 // 0)",
		"raise ValueError('in with')", "print(a / b)"))
}

func (c *coder) contextFunction() {
	f := c.fresh('f')
	c.lines(`from contextlib import contextmanager
@contextmanager
def %s(x):
    print('<', x)
    try:
        yield x * 2
    %s
    finally:
        print('>')
try:
    with %s(%s) as y:
        print(y)
        %s
    print('went on')
except Exception as e:
    print(repr(e))`, f, choose(c, "except KeyError: print('key')",
		"except ValueError:\n        raise", "except TypeError: pass"), f,
		c.int(1), choose(c, "pass", "{}['k']", "int('z')", "1 + ''"))
}

func (c *coder) match() {
	f := c.fresh('f')
	c.lines(`def %s(x):
    match x:
        case %d | %d: return 'number'
        case int(n) if n > 50: return f'large {n}'
        case str() as s: return 's ' + s
        case [] | (): return 'empty'
        case [a]: return f'one {a}'
        case [a, (b, *c)]: return f'nested {a} {b} {c}'
        case [a, *rest] if a: return f'list {a} {rest}'
        case {'k': v, **rest}: return f'dict {v} {rest}'
        case None | True: return 'constant'
        case _: return 'other'
for v in [%s, %s, %s, %s, {'k': 1, 'z': 2}, [1, (2, 3, 4)], None, True, 99, 2.5, [[0], 1]]:
    print(v, %s(v))`, f, c.IntN(9), c.IntN(9), c.int(1), c.str(1), c.list(1), c.tuple(1), f)
}

func (c *coder) matchObject() {
	k := c.fresh('k')
	c.lines(`from dataclasses import dataclass
@dataclass
class %s:
    x: int
    y: object = %s
def f(p):
    match p:
        case %s(%d, y=q): return f'first {q}'
        case %s(x=a, y=%s(b)): return f'nested {a} {b}'
        case %s(a): return f'rest {a}'
for p in (%s(%d), %s(1, %s(2)), %s(%s, None)):
    print(p, f(p))`, k, c.int(0), k, c.IntN(3), k, k, k, k, c.IntN(3), k, k, k, c.int(1))
}

// caught writes code that prints the messages of exceptions.
func (c *coder) caught() {
	c.lines(`for call in (lambda: %s, lambda: %s, lambda: %s[%d], lambda: %s[%s], lambda: int(%s)):
    try:
        print(call())
    except (IndexError, KeyError, ZeroDivisionError, TypeError, ValueError) as e:
        print(type(e).__name__, e, e.args, isinstance(e, LookupError))
    else:
        print('fine')`, c.any(2)+" + "+c.any(1), c.any(1)+" "+choose(c, "-", "*", "<", "//", "%",
		"@")+" "+c.any(1), c.list(1),
		c.IntN(9)-4, c.name('d', "{'a': 1}"), c.str(0), c.str(1))
}

func (c *coder) ownException() {
	k := c.fresh('k')
	c.lines(`class %s(%s):
    def __init__(self, n, text='t'):
        super().__init__(text, n)
        self.n = n
class %sB(%s):
    def __str__(self): return 'B%%d' %% self.n
for e in (%s(%d), %sB(%d, 'u')):
    try:
        raise e
    except %sB as x:
        print('B', x, repr(x), x.args)
    except %s as x:
        print(x, repr(x), x.n, isinstance(x, Exception))
try:
    try:
        raise %s(1)
    finally:
        print('finally')
except Exception as x:
    print(type(x).__name__, type(x) is %s, %s.__mro__[1].__name__)`, k, choose(c, "Exception",
		"ValueError", "KeyError", "RuntimeError"), k,
		k, k, c.IntN(5), k, c.IntN(5), k, choose(c, k, "Exception"), k, k, k)
}

func (c *coder) dataclass() {
	k := c.fresh('k')
	c.lines(`from dataclasses import dataclass, field, replace, asdict
@dataclass(%s)
class %s:
    a: int
    b: list = field(default_factory=list%s)
    c: str = %s
@dataclass
class %sD(%s):
    d: int = 4
x, y = %s(%d), %s(a=%d, b=[1])
x.b.append(7)
print(x, y, x == y, x == replace(y, b=[7], a=x.a), asdict(y), %sD(1, c='q'))
%s
try:
    %s
except TypeError as e:
    print(e)`, choose(c, "", "order=True", "repr=True"), k, choose(c, "", ", repr=False",
		", compare=False"), c.str(0), k, k, k, c.IntN(3), k,
		c.IntN(3), k, choose(c, "print(x.a)", "print(hasattr(x, 'z'))", "print({1: x})"),
		choose(c, k+"()", k+"(1, 2, 3, 4)", k+"(1, z=2)", k+"D(b=[])", "print("+k+"(1) < "+k+"(2))", "hash(x)"))
}

func (c *coder) enumeration() {
	k := c.fresh('k')
	c.lines(`from enum import Enum, IntEnum, auto
class %s(%s):
    A = %d
    B = auto()
    C = 1
    def low(self): return self.name.lower()
print(%s.A, repr(%s.B), %s.C.value, [m.name for m in %s], len(%s), %s.A is %s.C, %s.B.low(), %s['B'] == %s.B)
print(%s.A == 1, {%s.A: 'x'}[%s.A], isinstance(%s.B, %s), f'{%s.B}', %s.B in (%s.A,))
try:
    print(%s(%d))
except ValueError as e:
    print(e)`, k, choose(c, "Enum", "IntEnum"), 1+c.IntN(3), k, k, k, k, k, k, k, k, k, k, k, k, k,
		k, k, k, k, k, k, c.IntN(5))
}

func (c *coder) diamond() {
	k := c.fresh('k')
	bases := choose(c, "B, C", "C, B", "B", "C, A")
	c.lines(`class %sA:
    n = %d
    def f(self): return 'A'
    def __init__(self): print('A()')
class %sB(%sA):
    def f(self): return 'B' + super().f()
    def __init__(self):
        print('B()')
        super().__init__()
class %sC(%sA):
    n = 7
    def f(self): return 'C' + super().f()
class %sD(%s):
    def f(self): return 'D' + super().f()
    @property
    def p(self): return self.n
    @p.setter
    def p(self, v): self.n = v * 2
d = %sD()
print(d.f(), d.n, [t.__name__ for t in %sD.__mro__], issubclass(%sD, %sA), isinstance(d, %sB))
d.p = 5
d.p += 1
print(d.p, d.n, %sD.n)`, k, c.IntN(9), k, k, k, k, k, k+strings.ReplaceAll(bases, ", ", ", "+k), k,
		k, k, k, k, k)
}

func (c *coder) container() {
	k := c.fresh('k')
	c.lines(`class %s:
    def __init__(self, *x): self.x = list(x)
    def __getitem__(self, i): return self.x[i]
    def __setitem__(self, i, v): self.x[i] = v
    def __len__(self): return len(self.x)
    %s
    def __eq__(self, o): return self.x == o.x
    def __hash__(self): return hash(tuple(self.x))
    def __lt__(self, o): return self.x < o.x
    def __add__(self, o): return %s(*self.x, *o) if isinstance(o, list) else NotImplemented
    def __radd__(self, o): return %s(o, *self.x)
    def __iadd__(self, o):
        self.x.append(o)
        return self
    def __repr__(self): return 'K' + repr(self.x)
    def __call__(self, *a, **k): return len(self) + len(a) + len(k)
a, b = %s(%s, 2), %s(3)
a[0] = 5
a += 9
print(a, len(a), a[-1], a[:2], list(a), 9 in a, sorted([a, b, a]), a == b, {a: 1, b: 2}[%s(3)], [1] + [*b], a(1, z=2), bool(%s()))
print(3 + b, a + [4], max(a, b), sum(b), dict(enumerate(a)), [x for x in a if x], a != b, str(b) + f'{b!s:>5}', '%%s' %% b)
try:
    a + 1.5
except TypeError as e:
    print(e)`, k, choose(c, "def __iter__(self): return iter(self.x)",
		"def __iter__(self):\n        for x in self.x: yield x",
		"def __contains__(self, v): return v in self.x"), k, k, k, c.int(0), k, k, k)
}

func (c *coder) counted() {
	c.lines(`from collections import defaultdict, Counter, deque, namedtuple, OrderedDict
d = defaultdict(list)
for i, x in enumerate(%s):
    d[x %% 3].append(i)
print(d, dict(d), sorted(d.items()), 5 in d, d[5], len(d))
n = Counter(%s)
n.update('ab')
print(n.most_common(2), n['a'], n['zz'], sum(n.values()), n)
q = deque(%s, maxlen=%d)
q.append(1)
q.appendleft(2)
print(q, list(q), len(q), q[0])
P = namedtuple('P', 'x y', defaults=[%d])
p = P(%s)
print(p, p.x, p[1], p._replace(x=3), p._asdict(), p == (p.x, p.y), P._fields, [*p])
o = OrderedDict(a=1, b=2)
o.move_to_end('a')
print(o, list(o))`, c.list(1), c.str(1), c.list(1), 1+c.IntN(4), c.IntN(9), c.int(1))
}

func (c *coder) lazy() {
	f := c.fresh('f')
	c.lines(`def %s(x):
    print('f', x, end=';')
    return x * %d
g = (%s(x) for x in range(4) if %s(x) != 2)
print('made')
print(next(g), any(v > 1 for v in g), list(g))
print([%s(x) for x in (1, 2)], dict((x, %s(x)) for x in range(2)), all(%s(x) for x in (1, 0, 2)))`,
		f, c.IntN(3), f, f, f, f, f)
}

// wrongCall writes a call with wrong arguments and code that prints CPython's message.
func (c *coder) wrongCall() {
	f := c.fresh('f')
	c.lines(`def %s(%s): return 0
for call in (lambda: %s(), lambda: %s(1, 2, 3, 4), lambda: %s(1, z=1), lambda: %s(1, a=2), lambda: %s(1, k=3), lambda: %s.z, lambda: %s(1)(2)):
    try:
        print(call())
    except (TypeError, AttributeError) as e:
        print(e)`, f, choose(c, "a", "a, b", "a, b=1", "a, *, k", "a, /, b=2", "*a",
		"a, b, c, *, k=1", "**a", "a, b=1, *, k, l"), f, f, f, f, f, f, f)
}

func (c *coder) selections() {
	c.lines(`import itertools
from itertools import islice, groupby
x = sorted(%s[:4])
print(list(itertools.combinations(x, 2)), list(itertools.permutations(x[:3], 2)), list(islice(itertools.cycle(x[:2] + [1]), 5)))
print([(k, list(v)) for k, v in groupby(x, lambda v: v %% 2)], list(itertools.zip_longest(x, 'ab', fillvalue=0)))
print(list(itertools.chain.from_iterable([x, (1,)])), list(itertools.takewhile(lambda v: v < 5, x)), list(itertools.starmap(max, [(1, 2)])))`,
		c.list(1))
}
