package view

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/f2"
	"girih/internal/picture/draw"
	"girih/linear"
)

// keyed returns the shapes with keys, by key.
func keyed(s *draw.Scene) map[string]draw.Shape {
	out := map[string]draw.Shape{}
	for _, sh := range s.Shapes() {
		if sh.Key != "" {
			out[sh.Key] = sh
		}
	}
	return out
}

// wantCode checks the code of an error.
func wantCode(t *testing.T, what string, err error, code cute.Code) {
	t.Helper()
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != code {
		t.Errorf("%s: expected an error of code %s, found %v", what, code, err)
	}
}

// TestMatrixOnes compares each 1 of the matrix with the values of the layout at powers of two.
func TestMatrixOnes(t *testing.T) {
	t.Parallel()
	l, err := fragment(t).WithOrigin(3, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := Matrix(l, Options{})
	ones := keyed(s)
	zero, _ := l.Flat(0)
	n := 0
	for j := range l.InBits() {
		v, err := l.Flat(1 << j)
		if err != nil {
			t.Fatal(err)
		}
		for i := range l.OutBits() {
			_, found := ones[fmt.Sprintf("r%dc%d", i, j)]
			if want := (v^zero)>>i&1 == 1; want != found {
				t.Errorf("row %d, column %d: expected a one: %v, found %v", i, j, want, found)
			} else if want {
				n++
			}
		}
	}
	if got := uint64(bitMapOf(l).origin); got != zero || zero != 3|1<<5 {
		t.Errorf("expected the origin %b, found %b", zero, got)
	}
	if n != len(ones) {
		t.Errorf("expected %d ones, found %d", n, len(ones))
	}
	for _, want := range []string{"Rank 8 of 8 rows and 9 columns: surjective, not injective.", "differ by warp1 have", "block has one coordinate"} {
		if !strings.Contains(s.Desc, want) {
			t.Errorf("expected %q in the captions, found %q", want, s.Desc)
		}
	}
}

// TestMatrixFacts checks the captions of maps of each kind.
func TestMatrixFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows [][]int
		want string
	}{
		{[][]int{{1, 1}, {0, 1}}, "Rank 2 of 2 rows and 2 columns: invertible."},
		{[][]int{{1}, {1}}, "injective, not surjective. Completed to all outputs by y0."},
		{[][]int{{1, 1, 0}, {0, 1, 1}, {1, 0, 1}}, "neither injective nor surjective. Kernel of dimension 1: inputs that differ by x0 ⊕ x1 ⊕ x2 have the same value."},
		{[][]int{{1, 1, 1, 1, 1}}, "x0 ⊕ x1, x0 ⊕ x2, x0 ⊕ x3, x0 ⊕ x4"},
	} {
		m, err := f2.FromRows(c.rows...)
		if err != nil {
			t.Fatal(err)
		}
		s, err := MatrixF2(m, Options{})
		if err != nil || !strings.Contains(s.Desc, c.want) {
			t.Errorf("%v: expected %q, found %q, %v", c.rows, c.want, s.Desc, err)
		}
	}
}

// TestMatrixLarge draws the largest allowed number of columns, and checks that one more is refused.
func TestMatrixLarge(t *testing.T) {
	t.Parallel()
	cols := make([]f2.Vector, MaxMatrixColumns+1)
	for j := range cols {
		cols[j] = f2.Vector(1) << (j % 64)
	}
	m, _ := f2.NewMatrix(64, cols[:MaxMatrixColumns])
	s, err := MatrixF2(m, Options{})
	if err != nil || len(keyed(s)) != MaxMatrixColumns {
		t.Errorf("expected %d ones, found %v, %v", MaxMatrixColumns, len(keyed(s)), err)
	}
	m, _ = f2.NewMatrix(64, cols)
	_, err = MatrixF2(m, Options{})
	wantCode(t, "too many columns", err, cute.CodeLimit)
}

// TestMatrixNamesApart checks that the names of narrow dimensions do not overlap.
func TestMatrixNamesApart(t *testing.T) {
	t.Parallel()
	var ins []linear.In
	for k, name := range []string{"register", "lane", "warpgroup", "block", "cluster"} {
		ins = append(ins, linear.In{Name: name, Bases: [][]int64{{1 << k}}})
	}
	l, err := linear.New(ins, []linear.Dim{{Name: "offset", Size: 32}})
	if err != nil {
		t.Fatal(err)
	}
	s := Matrix(l, Options{})
	names := map[string][4]float64{}
	for _, sh := range s.Shapes() {
		for _, in := range ins {
			if sh.Kind == draw.Text && sh.Text == in.Name {
				names[in.Name] = bounds(s, sh)
			}
		}
	}
	for a, p := range names {
		for b, q := range names {
			if a < b && p[0] < q[2] && q[0] < p[2] && p[1] < q[3] && q[1] < p[3] {
				t.Errorf("expected the names apart, found %s at %v over %s at %v", a, p, b, q)
			}
		}
	}
	if len(names) != len(ins) {
		t.Errorf("expected %d names, found %d", len(ins), len(names))
	}
}
