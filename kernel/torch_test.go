package kernel_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/ptx"
	"girih/symbolic"
)

func ExampleArgument() {
	k, err := kernel.Trace("store_rows", 32, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 64, Max: 1 << 20, Div: 8})
		a := k.TmaTensor("a", dtype.F16, kernel.Modes(kernel.Int(64), n), n, kernel.Int(1))
		b := k.Global("b", dtype.F16, kernel.Modes(kernel.Int(64), n), n, kernel.Int(1))
		k.Grid(n.CeilDiv(64))
		s := k.Shared("s", dtype.F16, cute.MustParse("(64,64):(64,1)"))
		tile := func(t kernel.Tensor) kernel.Tensor {
			return k.LocalTile(t, kernel.Shape(64, 64), kernel.Int(0), k.BlockIdx(0))
		}
		rows := cute.MustParse("(32,1):(1,0)")
		k.CopyZfill(k.LocalPartition(tile(b), rows, k.ThreadIdx()), k.LocalPartition(s, rows, k.ThreadIdx()))
		k.TmaStoreFence()
		k.Sync()
		tma := k.MakeTmaAtom(a, s, kernel.Shape(64, 64), 1)
		to, from := k.TmaPartition(tma, kernel.Int(0), s, tile(a))
		k.If(k.ElectOne(), func() { // one warp: one thread
			k.CopyTma(tma, from, to)
			k.TmaStoreArrive()
			k.TmaStoreWait(0)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k.Params[0].Name, k.Params[1].Name, k.Params[2].Name) // in the order of the launch
	for _, a := range k.Signature() {
		fmt.Println(a.Name, a.Extents, a.Strides, a.Reads, a.Writes)
		if a.Tiles != nil {
			fmt.Println(a.Dims, a.Pitches, a.Tiles.Box, a.Tiles.Swizzle)
		}
	}
	// Output:
	// n b a
	// n [] [] false false
	// a [64 n] [n 1] false true
	// [n 64] [2·n] [64 64] CU_TENSOR_MAP_SWIZZLE_NONE
	// b [64 n] [n 1] true false
}

func ExampleKernel_Torch() {
	k, err := kernel.Trace("twice", 128, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: 1})
		x := k.Global("x", dtype.F32, kernel.Modes(n))
		y := k.Global("y", dtype.F32, kernel.Modes(n))
		k.Grid(n.CeilDiv(128))
		own := func(t kernel.Tensor) kernel.Tensor {
			return k.LocalTile(k.LocalTile(t, kernel.Shape(128), k.BlockIdx(0)), kernel.Shape(1), k.ThreadIdx())
		}
		r, zero := k.MakeFragmentLike(own(x), dtype.F32), kernel.Int(0)
		k.CopyZfill(own(x), r)
		k.Store(k.Load(r, zero).Add(k.Load(r, zero)), r, zero)
		k.CopyIf(r, own(y))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := k.Torch("y[i] = 2 x[i]")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, function, _ := strings.Cut(text, "import torch\n\n\n")
	function, _, _ = strings.Cut(function, "\n\n\n")
	fmt.Println(function)
	// Output:
	// def twice(x):
	//     """Returns y.
	//
	//     x: (n):(1) of f32, read
	//     y: (n):(1) of f32, allocated and written
	//     """
	//     _typed("x", x, 1)
	//     n = x.shape[0]
	//     y = torch.empty_strided((n,), (1,), dtype=torch.float32, device=x.device)
	//     _op(x, y)
	//     return y
}

// python evaluates lines of Python, one value each.
func python(t *testing.T, script string) []string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	cmd := exec.CommandContext(t.Context(), "python3", "-c", script)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// TestTorchFormulas compares the values of random formulas in Python with the grids of kernels.
func TestTorchFormulas(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	var script strings.Builder
	var want []string
	for range 150 {
		var k *kernel.Kernel
		for k == nil { // some formulas may be below 1, or have more than 31 bits
			k, _ = kernel.Trace("grid", 32, func(k *kernel.K) {
				m := k.Int("m", symbolic.Facts{Min: 0, Max: 1000, Div: 1})
				n := k.Int("n", symbolic.Facts{Min: 0, Max: 1000, Div: 4})
				k.Global("a", dtype.F32, kernel.Modes(m))
				k.Grid(randomFormula(r, 4, m, n), randomFormula(r, 3, m, n).Sub(randomFormula(r, 3, m, n)))
			})
		}
		text, err := k.Torch()
		if err != nil {
			continue // too long
		}
		_, lambda, _ := strings.Cut(text, "_grid = ")
		lambda, _, _ = strings.Cut(lambda, "\n")
		for range 5 {
			m, n := r.Int64N(1001), 4*r.Int64N(251)
			grid, err := k.Grid(map[string]int64{"m": m, "n": n})
			if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeLimit {
				continue // more blocks along y than a launch takes
			}
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&script, "print(*(%s)(%d, %d))\n", lambda, m, n)
			want = append(want, fmt.Sprintf("%d %d", grid[0], grid[1]))
		}
	}
	got := python(t, script.String())
	lines := strings.Split(strings.TrimSpace(script.String()), "\n")
	if len(got) != len(want) || len(want) < 500 {
		t.Fatalf("%d of %d results", len(got), len(want))
	}
	for i, w := range want {
		if got[i] != w {
			t.Errorf("%s: found %s, expected %s", lines[i], got[i], w)
		}
	}
}

// randomFormula returns a random formula.
func randomFormula(r *rand.Rand, depth int, leaves ...kernel.Index) kernel.Index {
	if depth == 0 {
		return leaves[r.IntN(len(leaves))]
	}
	x, c := randomFormula(r, depth-1, leaves...), 1+r.Int64N(9)
	switch r.IntN(6) {
	case 0:
		return x.Add(randomFormula(r, depth-1, leaves...))
	case 1:
		return x.Sub(kernel.Int(c))
	case 2:
		return x.Mul(kernel.Int(c - 5))
	case 3:
		return x.Div(c)
	case 4:
		return x.Mod(c)
	}
	return x.Mul(leaves[r.IntN(len(leaves))])
}

// TestTorchTables checks what a file has of tensors and numbers that are not the usual ones.
func TestTorchTables(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("odd", 32, func(k *kernel.K) {
		facts := symbolic.Facts{Min: 1, Max: 64, Div: 1}
		rows, pitch, times := k.Int("rows", facts), k.Int64("pitch", facts), k.Int("times", facts)
		half := k.Scalar("half", dtype.F64)
		count := k.Scalar("count", dtype.U32)
		a := k.Global("a", dtype.F32, kernel.Modes(rows, kernel.Int(8)), pitch, kernel.Int(1))
		b := k.GlobalLayout("b", dtype.B16, cute.MustParse("(8,4):(1,8)"))
		c := k.GlobalLayout("c", dtype.U32, cute.MustParseComposed("Sw<1,0,2> o 0 o (8,4):(1,8)"))
		d := k.Global("d", dtype.E2M1, kernel.Modes(rows, kernel.Int(8)))
		k.Grid(times)
		zero := kernel.Int(0)
		k.Store(k.Load(a, zero, zero), a, zero, zero)
		k.Store(k.Load(b, zero, zero), b, zero, zero)
		k.Store(count, c, zero, zero)
		_, _, _ = d, half, pitch
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := k.Torch()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`SCHEMA = "(int times, float half, int count, Tensor(a3!) a, Tensor(a4!) b, Tensor(a5!) c, Tensor d) -> ()"`,
		`("a", 3, "float32", 16, True, 2)`, `("b", 4, 2, 16, True, 2)`, `("c", 5, "uint32", 16, True, None)`,
		`("d", 6, 1, 16, False, None)`,
		`("pitch", 1, 64, 1, "stride 0 of a")`, `("times", 1, 64, 1, "argument")`, `("count", 0, 4294967295, 1, "argument")`,
		"_ints = lambda times, half, count, a, b, c, d: (a.shape[0], a.stride(0), times, count)\n",
		"_extents = lambda rows, pitch, times, count: ((rows, 8), (8, 4), 128, " +
			"((1 + (rows - 1) * (1) + (8 - 1) * (rows)) * 4 + 7) // 8)",
		"_strides = lambda rows, pitch, times, count: ((pitch, 1), (1, 8), None, None)",
		"def odd(times, half, count, a, b, d):", "c = torch.empty((128) // 4, dtype=torch.uint32, device=a.device)",
		"(\"int\", 1, ctypes.c_int64),  # pitch", "(\"float\", 1, ctypes.c_double),  # half", "_key = lambda times, half, count, a, b, c, d: (times, count, a.shape, a.stride(), a.dtype, a.get_device(), ",
		"_addresses = lambda times, half, count, a, b, c, d: (float.hex(half), a.data_ptr(), b.data_ptr(), c.data_ptr(), d.data_ptr())",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("expected %s in\n%.4000s", want, text)
		}
	}
}

// sharing holds the refusal of tensors that share memory to the bytes of random tensors: whatever is refused has a
// common byte, and what has one is refused if neither tensor has gaps, or if both start there.
const sharing = `
import itertools, random

class Tensor:
    def __init__(self, start, shape, strides, size):
        self.start, self.shape, self.strides, self.size = start, shape, strides, size
    def data_ptr(self): return self.start
    def element_size(self): return self.size
    def stride(self): return self.strides
    def numel(self): return len(list(itertools.product(*map(range, self.shape))))
    def bytes(self):
        return {self.start + self.size * sum(i * d for i, d in zip(c, self.strides)) + b
                for c in itertools.product(*map(range, self.shape)) for b in range(self.size)}

class Refused(Exception): pass
def _refuse(text): raise Refused(text)

r, seen = random.Random(1), {}
for _ in range(3000):
    written, tensors = [r.random() < 0.6 for _ in range(2)], []
    for i in range(2):
        shape, strides, n = [r.randint(r.random() > 0.1, 3) for _ in range(r.randint(0, 3))], [], 1
        dense = r.random() < 0.7
        for e in shape:
            strides.append(n if dense else r.randint(0, 6))
            n *= e
        tensors.append(Tensor(100 + r.randint(0, 30), tuple(shape), tuple(strides), r.choice((1, 2, 4))))
    TENSORS = tuple((name, i, None, None, written[i], None) for i, name in enumerate("ab"))
    a, b = (t.bytes() for t in tensors)
    gaps = any(s and len(s) < max(s) + 1 - min(s) for s in (a, b))
    try:
        _apart(tensors)
        refused = False
    except Refused:
        refused = True
    common = bool(a & b) and any(written)
    case = (refused, common, gaps and tensors[0].start != tensors[1].start)
    seen[case] = seen.get(case, 0) + 1
wrong = {c: n for c, n in seen.items() if c[0] and not c[1] or c[1] and not c[0] and not c[2]}
print(wrong or "ok" if len(seen) == 4 else seen)
`

func TestTorchSharing(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("one", 32, func(k *kernel.K) {
		k.Grid(kernel.Int(1))
		a := k.Global("a", dtype.F32, kernel.Modes(kernel.Int(8)))
		k.Store(k.Number(dtype.F32, 0), a, kernel.Int(0))
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := k.Torch()
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = strings.Cut(text, "def _span(")
	text, _, _ = strings.Cut(text, "def _params(")
	if got := python(t, "def _span("+text+sharing); !slices.Equal(got, []string{"ok"}) {
		t.Error(got)
	}
}

// TestTorchBroadcast checks that a tensor may come without its modes of stride 0: only one that is read, and only modes
// with a known extent.
func TestTorchBroadcast(t *testing.T) {
	t.Parallel()
	zero, one, nine := kernel.Int(0), kernel.Int(1), kernel.Int(9)
	k, err := kernel.Trace("wide", 32, func(k *kernel.K) {
		k.Grid(one)
		n := k.Int("n", extentTo(99))
		a := k.Global("a", dtype.F32, kernel.Modes(nine, n, nine), zero, one, zero)
		b := k.Global("b", dtype.F32, kernel.Modes(n, n), zero, one)
		k.Store(k.Load(a, zero, zero, zero).Add(k.Load(b, zero, zero)), k.Global("c", dtype.F32, kernel.Modes(n)), zero)
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := k.Torch()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "    a = _widened(a, 3, ((0, 9), (2, 9)))\n") || strings.Contains(text, "b = _widened") {
		t.Errorf("the function does not take a of (n):\n%s", text[:2000])
	}
	_, text, _ = strings.Cut(text, "def _widened(")
	text, _, _ = strings.Cut(text, "\n\n\n")
	got := python(t, `
class torch:
    class Tensor:
        def __init__(self, *shape): self.shape = shape
        def dim(self): return len(self.shape)
        def unsqueeze(self, at): return torch.Tensor(*self.shape[:at], 1, *self.shape[at:])
        def expand(self, *shape): return torch.Tensor(*shape)
def _widened(`+text+`
for t in torch.Tensor(5), torch.Tensor(9, 5, 9), torch.Tensor(5, 5):
    print(_widened(t, 3, ((0, 9), (2, 9))).shape)
print(_widened(7, 3, ((0, 9),)))
`)
	if want := []string{"(9, 5, 9)", "(9, 5, 9)", "(5, 5)", "7"}; !slices.Equal(got, want) {
		t.Errorf("found %v", got)
	}
}

// TestTorchRefuses asks for files that cannot be.
func TestTorchRefuses(t *testing.T) {
	t.Parallel()
	one := kernel.Int(1)
	for name, c := range map[string]struct {
		f    func(k *kernel.K)
		code cute.Code
	}{
		"grid":   {func(k *kernel.K) {}, cute.CodeType},
		"tensor": {func(k *kernel.K) { k.Grid(one) }, cute.CodeType},
		"lambda": {func(k *kernel.K) {
			k.Global("a", dtype.F32, kernel.Modes(one))
			k.Grid(one)
		}, cute.CodeName},
		"tuple": {func(k *kernel.K) {
			k.Global("a", dtype.F32, kernel.Modes(one))
			k.Grid(one)
		}, cute.CodeName},
		"word": {func(k *kernel.K) {
			k.Grid(one)
			k.Global("a", dtype.F32, kernel.Modes(one))
			k.Scalar("yield", dtype.F32)
		}, cute.CodeName},
		"module": {func(k *kernel.K) {
			k.Grid(one)
			k.Global("a", dtype.F32, kernel.Modes(one))
			k.Scalar("torch", dtype.F32)
		}, cute.CodeName},
		"view": {func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, cute.MustParse("8:1"))
			k.Grid(one)
			k.Store(k.Number(dtype.F32, 0), k.View(a, kernel.Int(100), cute.MustParse("8:1")), kernel.Int(0))
		}, cute.CodeUnknown},
		"quotient": {func(k *kernel.K) {
			facts := symbolic.Facts{Min: 1, Max: 64, Div: 1}
			q, _ := k.Int("m", facts).DivMod(k.Int("n", facts))
			k.Global("a", dtype.F32, kernel.Modes(q))
			k.Grid(one)
		}, cute.CodeUnknown},
	} {
		k, err := kernel.Trace(name, 32, c.f)
		if err != nil {
			t.Fatal(name, err)
		}
		_, err = k.Torch()
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != c.code || e.Hint == "" {
			t.Errorf("%s: found %v, expected %s", name, err, c.code)
		}
	}
}

// TestSignatureEffects checks that an instruction that is not known to leave tensors alone touches all of them.
func TestSignatureEffects(t *testing.T) {
	t.Parallel()
	for op, want := range map[ptx.Op]string{
		"ld.global.f32": "true false", "ld.f32": "true false", "ld.shared.f32": "false false", "st.global.f32": "false true",
		"st.shared::cluster.f32": "false false", "red.global.add.f32": "true true", "atom.shared.add.u32": "false false",
		"atom.add.u32": "true true", "cp.async.cg.shared.global": "true false", "cp.async.commit_group": "false false",
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes":      "true false",
		"cp.async.bulk.global.shared::cta.bulk_group":                            "false true",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32":             "true true",
		"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx": "false false",
		"cp.async.bulk.prefetch.L2.global":                                       "false false",
		"cvta.to.global.u64":                                                     "false false", "discard.global.L2": "true true",
		"call.uni": "true true", "fma.rn.f32": "false false", "fence.proxy.async.global": "false false",
	} {
		if reads, writes := kernel.Effect(op); fmt.Sprint(reads, " ", writes) != want {
			t.Errorf("%s: found %v %v, expected %s", op, reads, writes, want)
		}
	}
}
