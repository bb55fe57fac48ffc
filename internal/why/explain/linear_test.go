package explain

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

func someLinear(t *testing.T, r *rand.Rand, in, out int) linear.Layout {
	t.Helper()
	bases := make([][]int64, in)
	for i := range bases {
		bases[i] = []int64{r.Int64N(1 << out)}
	}
	l, err := linear.New([]linear.In{{Name: "index", Bases: bases}}, []linear.Dim{{Name: "offset", Size: 1 << out}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func linearOperand(l linear.Layout) Operand {
	return Operand{Kind: "linear_layout", Text: textOf(l), Value: l}
}

// asError returns an error of the algebra, or nil.
func asError(t *testing.T, err error) *cute.Error {
	t.Helper()
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*cute.Error](err)
	if !ok {
		t.Fatal(err)
	}
	return e
}

// TestLinearInverses checks that explanations verify inverses bit by bit. If there is no inverse, the explanation has
// to name two inputs with equal values, or count the outputs.
func TestLinearInverses(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	exist := 0
	for range 500 {
		l := someLinear(t, r, 1+r.IntN(5), 1+r.IntN(5))
		inv, err := l.Invert()
		op := Operation{Name: "inverse", Args: []Operand{linearOperand(l)}, Err: asError(t, err)}
		if err == nil {
			op.Result = linearOperand(inv)
		}
		x := Explain(op)
		if err == nil {
			exist++
			if n := l.OutBits(); !strings.HasPrefix(x.Check, fmt.Sprintf("L(R(y)) = y for %d of %s ", n, Count(n, "bit"))) {
				t.Fatalf("%s: %s", textOf(l), x.Check)
			}
			continue
		}
		if len(x.Steps) != 2 {
			t.Fatalf("%s: %+v", textOf(l), x.Steps)
		}
		var other int64
		if _, tail, ok := strings.Cut(x.Steps[1].Say, "inputs 0 and "); ok {
			if _, err := fmt.Sscanf(tail, "%d", &other); err != nil {
				t.Fatal(err)
			}
			at, err := l.At(other)
			if err != nil || other == 0 || at[0] != 0 {
				t.Fatalf("%s: the input %d has the value %v, %v", textOf(l), other, at, err)
			}
		}
	}
	if exist == 0 {
		t.Error("no map was invertible")
	}
}

// TestLinearWitness checks that a layout is explained as a map over bits, or that the explanation names an index at
// which the layout is not linear.
func TestLinearWitness(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	refused, better := 0, 0
	for range 500 {
		shape := cute.Ints(1+r.Int64N(6), 1+r.Int64N(6))
		l, err := cute.New(shape, cute.Ints(r.Int64N(9), r.Int64N(9)))
		if err != nil {
			t.Fatal(err)
		}
		f, err := linear.FromLayout(l)
		op := Operation{Name: "linear", Args: []Operand{{Kind: "layout", Text: l.String(), Value: l}}, Err: asError(t, err)}
		if err == nil {
			op.Result = linearOperand(f)
		}
		x := Explain(op)
		if len(x.Steps) < 2 {
			t.Fatalf("%v: %+v", l, x)
		}
		if err == nil {
			continue
		}
		refused++
		var value, xor int64
		if _, err := fmt.Sscanf(x.Failure.Pair, "%d and %d", &value, &xor); err != nil {
			t.Fatalf("%v: %q: %v", l, x.Failure.Pair, err)
		}
		sum := int64(0)
		for k := int64(1); k <= x.Failure.Index; k *= 2 {
			if x.Failure.Index&k != 0 {
				sum ^= must(l.At(k))
			}
		}
		if got := must(l.At(x.Failure.Index)); got != value || sum != xor || value == xor {
			t.Fatalf("%v at %d: %d and %d, the explanation says %s", l, x.Failure.Index, got, sum, x.Failure.Pair)
		}
		if len(x.Instead) > 0 {
			better++
		}
	}
	if refused == 0 || better == 0 {
		t.Errorf("%d refused, %d with an alternative", refused, better)
	}
}

// TestLinearNamedWitness checks that the bits belong to the coordinates of named modes: at index 12, 16 is bit 4 of
// lane and 2 is a bit of register.
func TestLinearNamedWitness(t *testing.T) {
	t.Parallel()
	l := cute.MustParse("(6,(2,2)):(2,(1,8))")
	_, err := linear.FromLayout(l, "lane", "register")
	x := Explain(Operation{
		Name: "linear", Err: asError(t, err),
		Args: []Operand{{Kind: "layout", Text: l.String(), Value: l}, {Kind: "names", Text: "(lane,register)"}},
	})
	got := strings.Join(append(x.Steps[0].Lines, x.Steps[1].Say), "; ")
	want := "L(4)          =  8; L(12)         =  8; exclusive or  =  0; L(16)         =  16; The value 8 of a bit of the mode 2:8"
	if !strings.HasPrefix(got, want) || x.Failure.Pair != "16 and 0" || !strings.Contains(x.Steps[0].Say, "At 16, which is made of 4 + 12,") {
		t.Errorf("%s, %s: %s", x.Steps[0].Say, x.Failure.Pair, got)
	}
}

// TestLinearCompositionAndRank checks that the matrix of a composition is the product of the matrices, and that the
// rank counts independent columns.
func TestLinearCompositionAndRank(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		in, mid, out := 1+r.IntN(5), 1+r.IntN(5), 1+r.IntN(5)
		a, b := someLinear(t, r, mid, out), someLinear(t, r, in, mid)
		renamed, err := b.RenameOut("offset", "index")
		if err != nil {
			t.Fatal(err)
		}
		c, err := renamed.Compose(a)
		if err != nil {
			t.Fatal(err)
		}
		operands := []Operand{linearOperand(a), linearOperand(b)}
		x := Explain(Operation{Name: "composition", Args: operands, Result: linearOperand(c)})
		if !strings.HasPrefix(x.Check, "The product of the matrices") {
			t.Fatalf("%s o %s: %q", textOf(a), textOf(b), x.Check)
		}
		x = Explain(Operation{Name: "rank", Args: []Operand{linearOperand(a)}, Result: intOperand(int64(a.Rank()))})
		if n := strings.Count(strings.Join(x.Steps[0].Lines, "\n"), "  new"); n != a.Rank() {
			t.Fatalf("%s: %d new columns, rank %d", textOf(a), n, a.Rank())
		}
	}
}

// TestToLayoutSharedBits checks that the explanation names two bases that share a bit, and the swizzle that separates
// them.
func TestToLayoutSharedBits(t *testing.T) {
	t.Parallel()
	l, err := linear.New([]linear.In{{Name: "index", Bases: [][]int64{{1}, {2}, {5}, {10}}}},
		[]linear.Dim{{Name: "offset", Size: 16}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := l.ToComposed()
	if err != nil {
		t.Fatal(err)
	}
	composed := Operand{Kind: "composed_layout", Text: c.String(), Value: c}
	x := Explain(Operation{Name: "to_layout", Args: []Operand{linearOperand(l)}, Result: composed})
	if len(x.Steps) != 3 || !strings.Contains(x.Steps[1].Say, "inputs 1 and 4 share bit 0") ||
		!strings.HasPrefix(x.Steps[2].Say, "Sw<2,0,2> takes") {
		t.Errorf("%+v", x.Steps)
	}
	for i, want := range []string{"1", "2", "4", "8"} {
		if got := strings.Fields(x.Steps[2].Lines[3+i])[2]; got != want {
			t.Errorf("without the swizzle basis %d is %s, want %s", i, got, want)
		}
	}
}

// TestMatrices checks that elimination finds as many pivots as the rank, and that explanations verify solutions and
// kernels.
func TestMatrices(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	solved, refused := 0, 0
	for range 300 {
		m := someLinear(t, r, 1+r.IntN(5), 1+r.IntN(5)).Matrix()
		op := Operand{Kind: "matrix", Text: "m", Value: m}
		_, _, steps := m.Eliminate()
		lines := eliminationLines(m, steps)
		if n := strings.Count(strings.Join(lines, "\n"), "pivot in row"); n != m.Rank() {
			t.Fatalf("%v: %d pivots in %q, rank %d", m, n, lines, m.Rank())
		}
		kernel := Explain(Operation{Name: "kernel", Args: []Operand{op}})
		want := fmt.Sprintf("%d + %d = %d columns.", m.Rank(), m.Cols()-m.Rank(), m.Cols())
		if m.Rank() < m.Cols() && kernel.Check != want {
			t.Fatalf("%v: %q, want %q", m, kernel.Check, want)
		}
		b := r.Int64N(32)
		x := Explain(Operation{Name: "solve", Args: []Operand{op, intOperand(b)}})
		_, err := m.Solve(f2.Vector(b))
		switch {
		case err == nil && x.Check == fmt.Sprintf("m x = %d.", b):
			solved++
		case err != nil && strings.Contains(x.Steps[1].Say, "not in the span"):
			refused++
		default:
			t.Fatalf("%v x = %d: %v, %+v", m, b, err, x)
		}
	}
	if solved == 0 || refused == 0 {
		t.Errorf("%d solved, %d refused", solved, refused)
	}
}

// must returns the value and ignores the error.
func must(x int64, _ error) int64 { return x }
