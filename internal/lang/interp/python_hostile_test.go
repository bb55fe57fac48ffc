package interp_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/internal/check/long"
)

// TestPythonHostile checks that programs which request too much memory or time are refused before they use it.
func TestPythonHostile(t *testing.T) {
	t.Parallel()
	programs := map[string]string{
		"text":        "print(len('x' * 10**9))",
		"texts":       "s = 'x'\nfor i in range(100):\n    s = s + s",
		"join":        "s = 'x' * 10**6\nprint(len(s.join(s)))",
		"replace":     "s = 'x' * 10**6\nprint(len(s.replace('x', s)))",
		"format":      "print(f'{1:>999999999}')",
		"precision":   "print(f'{1.5:.999999999f}')",
		"percent":     "print('%999999999d' % 1)",
		"star":        "print('%*d' % (10**12, 1))",
		"list":        "x = list(range(10**9))",
		"sum":         "print(sum(range(10**12)))",
		"in":          "print(10**12 in (x for x in range(10**13)))",
		"any":         "print(any(x < 0 for x in range(10**12)))",
		"product":     "import itertools\nfor x in itertools.product(range(10**3), repeat=4): pass",
		"count":       "import itertools\nprint(max(itertools.count()))",
		"repeat":      "import itertools\nprint(list(itertools.repeat(1)))",
		"recursion":   "def f(n): return f(n + 1)\nf(0)",
		"mutual":      "f = lambda n: sorted([1], key=f)\nf(0)",
		"lists":       "x = []\nfor i in range(10**6):\n    x = [x]\nprint(x)",
		"tuples":      "x = ()\nfor i in range(10**6):\n    x = (x,)\nprint({x: 1})",
		"equal":       "x = []\nx.append(x)\ny = []\ny.append(y)\nprint(x == y)",
		"power":       "print(pow(7, 10**18))",
		"grow":        "x = [1]\nfor y in x:\n    x.append(y)",
		"extend":      "x = [1]\nfor i in range(100):\n    x.extend(x)",
		"slice":       "x = [1]\nfor i in range(100):\n    x[0:0] = x",
		"keys":        "d = {}\nfor i in range(10**9):\n    d[i] = i",
		"center":      "print('a'.center(10**12))",
		"zfill":       "print('a'.zfill(10**12))",
		"tabs":        "print('\\t'.expandtabs(10**12))",
		"comb":        "import math\nprint(math.comb(10**18, 10**17), math.perm(10**18), math.factorial(10**18))",
		"while":       "while True: pass",
		"repr":        "x = [1] * 10**6\nfor i in range(6):\n    x = [x] * 100\nprint(x)",
		"round":       "print(round(1.5, 10**18), round(5, -10**18))",
		"zip":         "print(zip(*[range(3)] * 10**6))",
		"braces":      "print('{' * 10**5 + '}' * 10**5)",
		"format open": "print(('{:' * 10**5).format(1))",
		"nested map":  "x = range(3)\nfor i in range(10**5):\n    x = map(abs, x)\nprint(list(x))",
		"sort":        "x = list(range(10**6))\nx.sort(key=lambda y: -y)\nprint(len(x))",
		"printed":     "while True: print('x' * 1000)",
	}
	for i, name := range slices.Sorted(maps.Keys(programs)) {
		if long.Skips(i, 4) {
			continue
		}
		_, _ = runGirih(programs[name]) // a program that does not end would fail the test by its time limit
	}
}

// FuzzPythonRun checks that programs whose pieces are exchanged do not cause a panic.
func FuzzPythonRun(f *testing.F) {
	f.Add(uint64(1), "x")
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		src := newCoder(seed).program()
		r := rand.New(rand.NewPCG(seed, 1))
		lines := strings.Split(src, "\n")
		for range 3 {
			lines[r.IntN(len(lines))] = lines[r.IntN(len(lines))]
		}
		src = strings.Join(lines, "\n")
		i := r.IntN(len(src))
		runGirih(src[:i] + text + src[i:])
	})
}
