package interp_test

import (
	"testing"
)

// This file contains Python programs that are written by hand.

// TestPythonByHand compares features that the random programs lack with CPython: imports, parameters before /, views.
func TestPythonByHand(t *testing.T) {
	t.Parallel()
	programs := []string{
		"import math as m\nfrom math import gcd as g, pi\nprint(m.floor(2.5), g(12, 18), pi)",
		"from functools import reduce\nfrom operator import mul\nprint(reduce(mul, (2, 3, 4)))",
		"import itertools\nprint(list(itertools.product([0, 1], repeat=2)), list(itertools.chain([1], (2,))))",
		"if __name__ == '__main__':\n    print('main')",
		"def f(a, /, b=2, *args, k=3, **kw): return (a, b, args, k, kw)\nprint(f(1), f(1, 2, 3, k=4, z=5))\nf(a=1)",
		"def f(a, /, **kw): return (a, kw)\nprint(f(1, a=2))",
		"print({'a': 1}.items(), {3, 1, 2}, set(), range(3), None, [1.0, 'x'], (1,), type(3), str, len)",
		"x = [1, 2]\nx.append(x)\nprint(x)",
		"print(0 / -10**16, -7 // 2, -7 % 3, 7 % -3, -7.5 // 2, 2 ** -1, 1e16, 1e-5, round(2.5), round(-0.5))",
		"d = {1: 'a', True: 'b', 1.0: 'c'}\nprint(d)",
		"for i in range(3):\n    if i == 5: break\nelse:\n    print('else', i)",
		"print(*[1, 2], *(3,), sep='-', end='!\\n')",
		// Exceptions: the choice of the handler, else, finally, re-raising, and where an exception ends.
		"try:\n    print(1 // 0)\nexcept ZeroDivisionError as e:\n    print('caught', e)\nelse:\n    print('no')\nfinally:\n    print('end')",
		"def f(n):\n    try:\n        if n > 2:\n            raise ValueError(f'too large: {n}')\n        return n\n    finally:\n" +
			"        print('finally', n)\nfor n in (1, 3):\n    try:\n        print(f(n))\n    except (TypeError, ValueError) as e:\n        print(e)",
		"try:\n    try:\n        [][1]\n    except KeyError:\n        print('no')\nexcept LookupError:\n    print('lookup')",
		"try:\n    raise RuntimeError('a')\nexcept Exception:\n    raise",
		"for i in range(3):\n    try:\n        if i == 1: continue\n        print(i)\n    finally:\n        print('f', i)\nraise KeyError",
		"try:\n    assert 1 == 2, 'unequal'\nexcept AssertionError as e:\n    print(e)",
		"try:\n    raise 3\nexcept TypeError:\n    print('type')\ntry:\n    import no_such_module\nexcept ImportError:\n    print('none')",
		// Classes: methods, fields, a base class, operators, decorators, dataclasses and named tuples.
		"class P:\n    k = 3\n    def __init__(self, a, b=2):\n        self.a, self.b = a, b\n    def total(self): return self.a + self.b + self.k\n" +
			"    @property\n    def twice(self): return 2 * self.a\n    @staticmethod\n    def up(x): return x + 1\n    @classmethod\n" +
			"    def of(cls, x): return cls(x)\n    def __repr__(self): return f'P({self.a}, {self.b})'\n" +
			"    def __add__(self, o): return P(self.a + o.a)\n    def __eq__(self, o): return self.a == o.a\n    def __len__(self): return 0\n" +
			"    def __getitem__(self, i): return i * self.a\n    def __call__(self, x): return x - self.a\n" +
			"class Q(P):\n    def __init__(self, a): super().__init__(a, 5)\n    def total(self): return super().total() * 10\n" +
			"p, q = P(1), Q(2)\np.a += 4\nprint(p, q, q.total(), p.twice, P.up(4), P.of(7), p + q, [p, q], isinstance(q, P), p == P(5), p != q)\n" +
			"print(bool(p), p[3], p(9), type(q).__name__, hasattr(p, 'a'), getattr(p, 'z', 8), P.k, q.k)\np.missing",
		"from dataclasses import dataclass\n@dataclass\nclass D:\n    x: int\n    y: int = 5\n    def sum(self): return self.x + self.y\n" +
			"d = D(1)\nd.x = 4\nprint(d, d.sum(), d == D(4, 5), D(y=2, x=1))\nD()",
		"from typing import NamedTuple\nclass V(NamedTuple):\n    x: int\n    y: int = 2\nv = V(1)\na, b = v\nprint(v, a, b, v[1], v._replace(x=9))\nv.x = 3",
		"class A:\n    n = 0\n    def inc(self):\n        self.n += 1\n        return self\na = A()\na.inc().inc()\nprint(a.n, A.n)\nA.n = 7\nprint(A().n)",
		"class B:\n    def __init__(self, n): self.n = n\n    def __str__(self): return 's%d' % self.n\n    def __repr__(self): return 'r'\n" +
			"    def __len__(self): return self.n\n    def __contains__(self, x): return x < self.n\na, b = B(3), B(3)\n" +
			"d = {a: 1, b: 2}\nprint(len(d), d[a], d[b], len(a), str(a), a, [a], f'{a}', f'{a!r}', 2 in a, 5 not in a, a == b, a is a)",
		"class C:\n    def f(self): return g(self)\ndef g(c): return type(c).__name__\nprint(C().f(), isinstance(3, C), isinstance(C(), (int, C)))\nC(1)",
		"def twice(f):\n    def w(*a):\n        return 2 * f(*a)\n    return w\n@twice\ndef h(x): return x + 1\nprint(h(4))",
		"from functools import partial\ndef f(a, b, c=0): return (a, b, c)\nprint(partial(f, 1, c=3)(2), partial(f, b=5)(4))",
		"import argparse\np = argparse.ArgumentParser(description='d')\np.add_argument('--tile-m', type=int, default='64')\n" +
			"p.add_argument('-v', '--verbose', action='store_true')\na = p.parse_args([])\nprint(a.tile_m, a.verbose)",
	}
	for i, want := range runCPython(t, programs) {
		if out, fault := runGirih(programs[i]); out != want[0] || (fault == "") != (want[1] == "") {
			t.Errorf("%s\nprints %q and ends with %q, CPython %q and %q", programs[i], out, fault, want[0], want[1])
		}
	}
}
