package explain

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/internal/check/long"
)

func mustMMA(t testing.TB, name string) atom.MMA {
	t.Helper()
	m, err := atom.FindMMA(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mustTiled(t testing.TB, name, atoms, perm string) atom.TiledMMA {
	t.Helper()
	var tiler cute.Tiler
	if perm != "" {
		tiler = cute.MustParseTiler(perm)
	}
	r, err := atom.MakeTiledMMA(mustMMA(t, name), cute.MustParse(atoms), tiler)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// someTiled returns tiled MMAs of all kinds.
func someTiled(t testing.TB) []atom.TiledMMA {
	t.Helper()
	out := []atom.TiledMMA{
		mustTiled(t, "SM70_8x8x4_F32F16F16F32_NT", "(1,1,1):(1,1,1)", ""),
		mustTiled(t, "SM70_8x8x4_F32F16F16F32_NT", "(2,2):(2,1)", ""),
		mustTiled(t, "SM70_8x8x4_F32F16F16F32_NT", "(2,2):(2,1)", "<32,32,4>"),
		mustTiled(t, "SM70_8x8x4_F32F16F16F32_NT", "(2,2):(2,1)", "<(4,4,2):(1,8,4),32,4>"),
		mustTiled(t, "SM70_8x8x4_F32F16F16F32_TN", "(1,4):(1,1)", "<16,(8,2,4):(1,32,8),8>"),
		mustTiled(t, "SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "<32,32,16>"),
		mustTiled(t, "SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "<_,(8,2,2):(1,16,8),32>"),
		mustTiled(t, "SM80_16x8x8_F32TF32TF32F32_TN", "(1,2,2):(1,1,2)", ""),
		mustTiled(t, "UniversalFMA<float,float,float>", "(16,16,1):(1,16,0)", "<64,(16,4):(4,1),1>"),
		mustTiled(t, "SM90_64x128x16_F32F16F16_SS", "(2,1,1):(1,0,0)", ""),
	}
	return out
}

// TestStagesOfThrfrg checks that the stages of a partition contain the elements of the tensor, for tensors of both
// orders.
func TestStagesOfThrfrg(t *testing.T) {
	t.Parallel()
	n := 0
	check := func(m atom.TiledMMA) {
		tile := m.TileShape()
		for _, o := range abc {
			i, j := o.Axes()
			rows, columns := 2*tile[i], 3*tile[j]
			left, err := cute.LayoutLeft(cute.Ints(rows, columns))
			if err != nil {
				t.Fatal(err)
			}
			right, err := cute.LayoutRight(cute.Ints(rows, columns))
			if err != nil {
				t.Fatal(err)
			}
			for _, tensor := range []cute.Layout{left, right} {
				s, err := m.ThrfrgStages(o, tensor)
				if err != nil {
					t.Fatalf("%v %v of %v: %v", m.Atom().Name, o, tensor, err)
				}
				for _, l := range []cute.Layout{s.Permuted, s.Atoms} {
					if !sameOffsetsOf(t, l, tensor) {
						t.Errorf("%v %v of %v: the stage %v has other elements", m.Atom().Name, o, tensor, l)
					}
				}
				n++
			}
		}
	}
	for _, m := range someTiled(t) {
		check(m)
	}
	i := 0
	for m := range atom.MMAs() {
		if i++; i%59 != 0 || long.Skips(i/59, 3) || m.Blocks != 1 {
			continue
		}
		if tiled, err := atom.MakeTiledMMA(m, cute.Layout{}, nil); err == nil {
			check(tiled)
		}
	}
	if n < 100 {
		t.Errorf("%d partitions compared", n)
	}
}

// sameOffsetsOf reports whether two layouts have the same offsets with the same multiplicities.
func sameOffsetsOf(t *testing.T, a, b cute.Layout) bool {
	t.Helper()
	x, errX := a.AppendOffsets(nil)
	y, errY := b.AppendOffsets(nil)
	if errX != nil || errY != nil {
		t.Fatal(errX, errY)
	}
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// TestDigitsNumberTheTile checks that the digits of an axis number all elements of the axis, and that the digits
// counted by values number the elements that thread 0 holds.
func TestDigitsNumberTheTile(t *testing.T) {
	t.Parallel()
	irregular := 0
	for _, m := range someTiled(t) {
		for axis := range 3 {
			o := operandOf(axis)
			digits, ok := digitsAlong(m, o, axis)
			if !ok {
				t.Fatalf("%v has no digits along %c", m, axisLetters[axis])
			}
			all, held, regular := []int64{0}, []int64{0}, true
			for _, d := range digits {
				regular = regular && d.regular
				all = sums(all, d)
				if d.value {
					held = sums(held, d)
				}
			}
			if !regular {
				irregular++
				continue
			}
			slices.Sort(all)
			if n := m.TileShape()[axis]; !slices.Equal(all, sequence(n)) {
				t.Errorf("%v: the digits along %c give %v", m, axisLetters[axis], all)
			}
			p, err := tilePanel(m, o)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, v := range p.tableV {
				if first, _ := o.Axes(); first == axis {
					got = append(got, v%p.rows)
				} else {
					got = append(got, v/p.rows)
				}
			}
			slices.Sort(got)
			slices.Sort(held)
			if !slices.Equal(slices.Compact(got), held) {
				t.Errorf("%v: thread 0 holds %v along %c, its digits give %v", m, got, axisLetters[axis], held)
			}
		}
	}
	if irregular > 1 {
		t.Errorf("%d axes have digits whose steps change", irregular)
	}
}

func sums(xs []int64, d tileDigit) []int64 {
	var out []int64
	for k := range d.extent {
		for _, x := range xs {
			out = append(out, x+k*d.step)
		}
	}
	return out
}

// TestSeedPermutation checks a known example: 32 by 32 splits the values of thread 0, and the permutation of M joins
// them.
func TestSeedPermutation(t *testing.T) {
	t.Parallel()
	m := mustTiled(t, "SM70_8x8x4_F32F16F16F32_NT", "(2,2):(2,1)", "<(4,4,2):(1,8,4),32,4>")
	var x Explanation
	sayPermutation(&x, m, 0)
	if len(x.Steps) != 2 {
		t.Fatalf("%d steps", len(x.Steps))
	}
	want := []string{
		"      with 32  with (4,4,2):(1,8,4)",
		"T0V0  (0,0)    (0,0)", "T0V1  (1,0)    (1,0)", "T0V2  (2,0)    (2,0)", "T0V3  (3,0)    (3,0)",
		"T0V4  (16,0)   (4,0)", "T0V5  (17,0)   (5,0)", "T0V6  (18,0)   (6,0)", "T0V7  (19,0)   (7,0)",
	}
	if !slices.Equal(x.Steps[1].Lines, want) {
		t.Errorf("got\n%s", strings.Join(x.Steps[1].Lines, "\n"))
	}
	if say := x.Steps[1].Say; !strings.Contains(say, "runs of 4") ||
		!strings.Contains(say, "one run of 8") || !strings.Contains(say, "8 consecutive elements") {
		t.Errorf("says %q", say)
	}
	plain := mustTiled(t, "SM70_8x8x4_F32F16F16F32_NT", "(2,2):(2,1)", "<32,32,4>")
	wider(&x, plain)
	if len(x.Instead) != 2 || x.Instead[0].Expr != `tiled_mma("SM70_8x8x4_F32F16F16F32_NT", (2,2,1):(2,1,0), <(4,4,2):(1,8,4),32,4>)` {
		t.Errorf("instead: %+v", x.Instead)
	}
}

// TestNearPermutations checks that the explanation of a tile that the atoms do not fill offers sizes nearby.
func TestNearPermutations(t *testing.T) {
	t.Parallel()
	var x Explanation
	nearPermutations(&x, mustMMA(t, "SM80_16x8x16_F32F16F16F32_TN"), cute.MustParse("(2,2,1)"), cute.MustParseTiler("<32,24,16>"))
	if len(x.Instead) != 2 || !strings.Contains(x.Instead[0].Expr, "<32,16,16>") || !strings.Contains(x.Instead[1].Expr, "<32,32,16>") {
		t.Errorf("instead: %+v", x.Instead)
	}
}

// TestRun checks the runs of values in a matrix of 32 by 8.
func TestRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values string
		mode   int
		want   int64
	}{
		{"(4,2):(1,16)", 0, 4},
		{"4:1", 0, 4},
		{"(2,2):(1,33)", 0, 2},
		{"2:8", 0, 1},
		{"64:1", 0, 32},
		{"(4,2):(32,1)", 1, 4},
		{"(4,2):(1,32)", 1, 1},
		{"(4,2):(31,1)", 1, 0},
	} {
		tv, err := cute.MakeLayout(cute.MustParse("1:0"), cute.MustParse(c.values))
		if err != nil {
			t.Fatal(err)
		}
		p, err := newPanel("A", [2]string{"M", "K"}, [3]int64{32, 8, 1}, tv)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.run(c.mode); got != c.want {
			t.Errorf("runs of %d in %v along mode %d, want %d", got, c.values, c.mode, c.want)
		}
	}
}

// TestTiledCopyFailure checks that the explanation of a tiled copy with too few values offers alternatives.
func TestTiledCopyFailure(t *testing.T) {
	t.Parallel()
	a, err := atom.FindCopyAtom("UniversalCopy<uint128_t>", "half_t")
	if err != nil {
		t.Fatal(err)
	}
	thr, val := cute.MustParse("(32,8):(8,1)"), cute.MustParse("(1,4):(4,1)")
	_, err = atom.MakeTiledCopy(a, thr, val)
	x := Explain(Operation{Name: "tiled_copy", Args: []Operand{
		{Kind: "copy_atom", Text: `copy_atom("UniversalCopy<uint128_t>","f16")`, Value: a},
		{Kind: "layout", Text: thr.String(), Value: thr},
		{Kind: "layout", Text: val.String(), Value: val},
	}, Err: err.(*cute.Error)})
	if x.Failure == nil || len(x.Instead) != 3 {
		t.Fatalf("%+v", x)
	}
	if got := x.Instead[2].Expr; got != `tiled_copy(copy_atom("UniversalCopy<uint64_t>", "f16"), (32,8):(8,1), (1,4):(4,1))` {
		t.Errorf("instead %s", got)
	}
}

func BenchmarkExplainTiledMMA(b *testing.B) {
	m := mustTiled(b, "SM70_8x8x4_F32F16F16F32_NT", "(2,2):(2,1)", "<(4,4,2):(1,8,4),32,4>")
	name := []Operand{{Text: `"SM70_8x8x4_F32F16F16F32_NT"`}}
	benchmark(b, Operation{Name: "tiled_mma", Args: name, Result: Operand{Value: m}})
}

func BenchmarkExplainHopperC(b *testing.B) {
	benchmark(b, Operation{Name: "tv", Args: []Operand{{Text: `"SM90_64x128x16_F16F16F16_SS"`}, {Text: "C"}}})
}

func BenchmarkExplainMMA(b *testing.B) {
	m := mustMMA(b, "SM80_16x8x16_F32F16F16F32_TN")
	benchmark(b, Operation{Name: "mma", Args: []Operand{{Text: strconv.Quote(m.Name)}}, Result: Operand{Value: m}})
}

func benchmark(b *testing.B, op Operation) {
	b.Helper()
	steps := 0
	for b.Loop() {
		steps = len(Explain(op).Steps)
	}
	if steps < 3 {
		b.Fatalf("%d steps", steps)
	}
}

// TestOwnersAreTheResult checks that the explained holders are the holders in the result. That includes C with atoms
// along K, for which CuTe's thread-value layout leads outside the tile.
func TestOwnersAreTheResult(t *testing.T) {
	t.Parallel()
	k := 0
	for _, m := range someTiled(t) {
		for _, o := range abc {
			p, err := tilePanel(m, o)
			if err != nil {
				t.Fatal(err)
			}
			at := cute.Ints(p.rows-1, p.columns/2)
			holders, err := m.Owners(o, cute.Tuple{}, p.rows-1, p.columns/2)
			if err != nil {
				t.Fatal(err)
			}
			x := Explain(Operation{Name: "owners", Args: []Operand{
				{Kind: "tiled_mma", Text: m.String(), Value: m}, {Kind: "text", Text: o.String()}, operandFor(at),
			}})
			last := x.Steps[len(x.Steps)-1]
			if !strings.Contains(last.Say, ": "+Count(len(holders), "holder")+".") {
				t.Errorf("%v of %v at %v: %s, want %d", o, m, at, last.Say, len(holders))
			}
			for _, h := range holders[:min(len(holders), 8)] {
				name := "T" + strconv.FormatInt(h.Thread, 10) + " V" + strconv.FormatInt(h.Value, 10) + ": "
				if !slices.ContainsFunc(last.Lines, func(s string) bool { return strings.HasPrefix(s, name) }) {
					t.Errorf("%v of %v at %v: %s is not in %v", o, m, at, name, last.Lines)
				}
			}
			if strings.Contains(strings.Join(last.Lines, "\n"), "further along K") {
				k++
			}
		}
	}
	if k != 1 {
		t.Errorf("%d tiled MMAs have C in atoms along K, want 1", k)
	}
}
