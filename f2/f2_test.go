package f2

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawMatrix draws a matrix small enough that all its vectors can be enumerated.
func drawMatrix(t *rapid.T, label string, rows, cols int) Matrix {
	c := make([]Vector, cols)
	for j := range c {
		c[j] = Vector(rapid.Uint64Range(0, uint64(low(rows))).Draw(t, label))
	}
	m, err := NewMatrix(rows, c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func drawSize(t *rapid.T, label string) int { return rapid.IntRange(0, 7).Draw(t, label) }

// image lists every value of the matrix, x ↦ m·x, by adding entries one at a time.
func image(m Matrix) []Vector {
	out := make([]Vector, 1<<m.Cols())
	for x := range out {
		for i := range m.Rows() {
			sum := 0
			for j := range m.Cols() {
				sum += m.At(i, j) * (x >> j & 1)
			}
			out[x] |= Vector(sum%2) << i
		}
	}
	return out
}

func TestMatrixAgainstItsValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawMatrix(t, "m", drawSize(t, "rows"), drawSize(t, "cols"))
		values := image(m)
		reached := map[Vector]bool{}
		var kernel []Vector
		for x, y := range values {
			if got, err := m.Apply(Vector(x)); err != nil || got != y {
				t.Fatalf("%v applied to %#x = %#x, %v, want %#x", m, x, got, err, y)
			}
			reached[y] = true
			if y == 0 {
				kernel = append(kernel, Vector(x))
			}
		}
		if len(reached) != 1<<m.Rank() {
			t.Fatalf("rank %d, but %d values", m.Rank(), len(reached))
		}
		basis, err := m.Kernel()
		if err != nil || 1<<len(basis) != len(kernel) || !all(Span(basis...), kernel) {
			t.Fatalf("kernel %v, %v, want the span of %v", basis, err, kernel)
		}
		for b := range Vector(1) << m.Rows() {
			if m.Image().Contains(b) != reached[b] {
				t.Fatalf("image contains %#x: %v", b, !reached[b])
			}
			x, err := m.Solve(b)
			want := slices.Index(values, b)
			if (err == nil) != (want >= 0) || err == nil && int(x) != want {
				t.Fatalf("solve %#x = %#x, %v, smallest %#x", b, x, err, want)
			}
		}
		completed := Span(append(m.Columns(), m.Complement()...)...)
		if completed.Dim() != m.Rows() || m.Rank()+len(m.Complement()) != m.Rows() {
			t.Fatalf("complement %v of %v", m.Complement(), m)
		}
	})
}

func all(s Space, vs []Vector) bool {
	return !slices.ContainsFunc(vs, func(v Vector) bool { return !s.Contains(v) })
}

func TestProductsAndTransposes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawSize(t, "inner")
		a, b := drawMatrix(t, "a", drawSize(t, "rows"), n), drawMatrix(t, "b", n, drawSize(t, "cols"))
		p, err := a.Mul(b)
		if err != nil {
			t.Fatal(err)
		}
		for x := range Vector(1) << b.Cols() {
			y, _ := b.Apply(x)
			z, _ := a.Apply(y)
			if got, _ := p.Apply(x); got != z {
				t.Fatalf("product at %#x is %#x, want %#x", x, got, z)
			}
		}
		at, err := a.Transpose()
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Rows() {
			for j := range a.Cols() {
				if at.At(j, i) != a.At(i, j) {
					t.Fatalf("transpose of\n%v is\n%v", a, at)
				}
			}
		}
		r, pivots := a.RREF()
		if len(pivots) != a.Rank() || !slices.IsSorted(pivots) {
			t.Fatalf("pivots %v of\n%v", pivots, a)
		}
		for j := range a.Cols() {
			// The columns before j span the same space as the pivots before j, and column j is the sum that row
			// reduction gives.
			if pivot := !Span(a.Columns()[:j]...).Contains(a.Col(j)); pivot != slices.Contains(pivots, j) {
				t.Fatalf("column %d is a pivot: %v", j, !pivot)
			}
			var sum Vector
			for i, p := range pivots {
				if r.At(i, j) == 1 {
					sum ^= a.Col(p)
				}
			}
			if sum != a.Col(j) {
				t.Fatalf("column %d of the reduced form\n%v of\n%v", j, r, a)
			}
		}
		checkElimination(t, a)
	})
}

// checkElimination applies the steps of the elimination, entry by entry, and compares the result.
func checkElimination(t *rapid.T, a Matrix) {
	r, pivots, steps := a.Eliminate()
	rows := make([][]int, a.Rows())
	for i := range rows {
		for j := range a.Cols() {
			rows[i] = append(rows[i], a.At(i, j))
		}
	}
	var found []int
	for _, s := range steps {
		if s.Pivot < 0 {
			continue
		}
		found = append(found, s.Column)
		rows[s.Pivot], rows[s.From] = rows[s.From], rows[s.Pivot]
		for i := range rows {
			for j := 0; s.Added>>i&1 == 1 && j < a.Cols(); j++ {
				rows[i][j] ^= rows[s.Pivot][j]
			}
		}
	}
	for i := range rows {
		for j := range a.Cols() {
			if rows[i][j] != r.At(i, j) {
				t.Fatalf("the steps of\n%v\nlead to %v, the result is\n%v", a, rows, r)
			}
		}
	}
	if !slices.Equal(found, pivots) {
		t.Fatalf("pivots %v in the steps of\n%v\nand %v in the result", found, a, pivots)
	}
	if fast, at := a.RREF(); !fast.Equal(r) || !slices.Equal(at, pivots) {
		t.Fatalf("Eliminate of\n%v\nis\n%v\nRREF\n%v", a, r, fast)
	}
}

func TestInverse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawSize(t, "n")
		m := drawMatrix(t, "m", n, n)
		inv, err := m.Inverse()
		if (err == nil) != (m.Rank() == n) {
			t.Fatalf("inverse of\n%v: %v", m, err)
		}
		if err != nil {
			return
		}
		id, _ := Identity(n)
		left, _ := inv.Mul(m)
		right, _ := m.Mul(inv)
		if !left.Equal(id) || !right.Equal(id) {
			t.Fatalf("inverse\n%v of\n%v", inv, m)
		}
	})
}

func TestSpaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawSize(t, "n")
		a := drawMatrix(t, "a", n, drawSize(t, "dim a")).Image()
		b := drawMatrix(t, "b", n, drawSize(t, "dim b")).Image()
		sum, common := a.Sum(b), a.Intersection(b)
		same := true
		for v := range Vector(1) << n {
			inA, inB := a.Contains(v), b.Contains(v)
			same = same && inA == inB
			if common.Contains(v) != (inA && inB) {
				t.Fatalf("intersection contains %#x: %v", v, common.Contains(v))
			}
			splits := false
			for w := range Vector(1) << n {
				splits = splits || a.Contains(w) && b.Contains(v^w)
			}
			if sum.Contains(v) != splits {
				t.Fatalf("sum contains %#x: %v", v, sum.Contains(v))
			}
			if r := a.Reduce(v); r > v || !a.Contains(v^r) {
				t.Fatalf("%#x reduces to %#x", v, r)
			}
		}
		if a.Equal(b) != same {
			t.Fatalf("%v equals %v: %v", a, b, a.Equal(b))
		}
		units, err := a.Complement(n)
		if err != nil || a.Dim()+len(units) != n || a.Sum(Span(units...)).Dim() != n {
			t.Fatalf("complement of %v: %v, %v", a, units, err)
		}
	})
}

// TestWide checks what small sizes cannot: 64 rows, more than 64 columns, and the ends of the range.
func TestWide(t *testing.T) {
	t.Parallel()
	id, err := Identity(64)
	if err != nil {
		t.Fatal(err)
	}
	if inv, err := id.Inverse(); err != nil || !inv.Equal(id) {
		t.Fatalf("inverse of the identity: %v", err)
	}
	wide, err := NewMatrix(64, append(id.Columns(), ^Vector(0), 0))
	if err != nil || wide.Rank() != 64 {
		t.Fatalf("rank %d, %v", wide.Rank(), err)
	}
	if x, err := id.SolveAll(wide); err != nil || !x.Equal(wide) {
		t.Fatalf("66 right-hand sides: %v", err)
	}
	if !Span(id.Columns()...).Contains(^Vector(0)) {
		t.Fatal("the whole space lacks a vector")
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	id, _ := Identity(2)
	big, _ := NewMatrix(1, make([]Vector, 65))
	for name, f := range map[string]func() error{
		"rows":       func() error { _, err := NewMatrix(65, nil); return err },
		"negative":   func() error { _, err := Identity(-1); return err },
		"column":     func() error { _, err := NewMatrix(1, []Vector{2}); return err },
		"entry":      func() error { _, err := FromRows([]int{2}); return err },
		"ragged":     func() error { _, err := FromRows([]int{1}, []int{1, 0}); return err },
		"apply":      func() error { _, err := id.Apply(4); return err },
		"mul":        func() error { _, err := id.Mul(big); return err },
		"transpose":  func() error { _, err := big.Transpose(); return err },
		"kernel":     func() error { _, err := big.Kernel(); return err },
		"solve":      func() error { _, err := id.Solve(4); return err },
		"solveAll":   func() error { _, err := id.SolveAll(big); return err },
		"unknowns":   func() error { _, err := big.Solve(0); return err },
		"inverse":    func() error { _, err := big.Inverse(); return err },
		"complement": func() error { _, err := Span(4).Complement(2); return err },
		"dimension":  func() error { _, err := Span(4).Complement(65); return err },
	} {
		if e, ok := errors.AsType[*Error](f()); !ok || e.Op == "" || e.Msg == "" {
			t.Errorf("%s: %v", name, e)
		}
	}
}
