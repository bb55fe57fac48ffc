package explain

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"girih/cute"
	"girih/swizzle"
)

func someSwizzle(r *rand.Rand) cute.Swizzle {
	for {
		s := r.IntN(13) - 6
		if w, err := cute.NewSwizzle(r.IntN(5), r.IntN(6), s); err == nil {
			return w
		}
	}
}

func swizzleOperand(w cute.Swizzle) Operand {
	return Operand{Kind: "swizzle", Text: w.String(), Value: w}
}

func intOperand(n int64) Operand {
	return Operand{Kind: "int", Text: itoa(n), Value: cute.Int(n)}
}

// TestSwizzleAtBits checks that the bits added in an explanation are the bits that the swizzle adds.
func TestSwizzleAtBits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		w, at := someSwizzle(r), r.Int64N(1<<14)
		y, z := swizzleMasks(w)
		mask := int64(1)<<w.B() - 1
		want := must(w.At(at))
		if got := at ^ (at >> y & mask << z); got != want {
			t.Fatalf("%v(%d) = %d, the bits give %d", w, at, want, got)
		}
		x := Explain(Operation{Name: "eval", Args: []Operand{swizzleOperand(w), intOperand(at)}, Result: intOperand(want)})
		if len(x.Steps) != 1 || !strings.HasSuffix(x.Steps[0].Lines[4], fmt.Sprint("   ", want)) ||
			!strings.HasSuffix(x.Steps[0].Say, fmt.Sprintf(" = %d.", want-at)) {
			t.Fatalf("%v(%d): %+v", w, at, x.Steps)
		}
	}
}

// TestSwizzleChunks checks that the table of chunks agrees with the swizzle.
func TestSwizzleChunks(t *testing.T) {
	t.Parallel()
	w, err := cute.NewSwizzle(3, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	var x Explanation
	sayChunks(&x, w)
	if len(x.Steps) != 1 || len(x.Steps[0].Lines) != 9 {
		t.Fatalf("%+v", x.Steps)
	}
	for y, line := range x.Steps[0].Lines[1:] {
		cells := strings.Fields(line)
		for z, c := range cells[2:] {
			got, err := strconv.ParseInt(c, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if want := must(w.At(int64(y)<<7|int64(z)<<4)) >> 4 & 7; got != want {
				t.Errorf("Y = %d: piece %d goes to %d, want %d", y, z, got, want)
			}
		}
	}
}

// TestSwizzleComposition checks that the explanation verifies the composition of two swizzles, and that the explanation
// offers an alternative exactly if the composition is not a swizzle.
func TestSwizzleComposition(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	single := 0
	for range 300 {
		v, w := someSwizzle(r), someSwizzle(r)
		op := Operation{Name: "composition", Args: []Operand{operandFor(v), operandFor(w)}}
		u, err := swizzle.Compose(v, w)
		if err == nil {
			op.Result = operandFor(u)
		}
		x := Explain(op)
		if !strings.HasPrefix(x.Check, "The map and the two swizzles agree") {
			t.Fatalf("%v o %v: %s", v, w, x.Check)
		}
		if (err == nil) != (len(x.Instead) == 0) {
			t.Fatalf("%v o %v: %v, %v, %+v", v, w, u, err, x.Instead)
		}
		if err == nil {
			single++
		}
	}
	if single == 0 || single == 300 {
		t.Errorf("%d of 300 compositions are single swizzles", single)
	}
}

// TestSwizzleRecastSteps checks the steps of a recast by 2^k, which moves the bits of a swizzle by k.
func TestSwizzleRecastSteps(t *testing.T) {
	t.Parallel()
	for b := range 4 {
		for m := range 4 {
			for k := 1; k < 4; k++ {
				w, err := cute.NewSwizzle(b, m, 4)
				if err != nil {
					t.Fatal(err)
				}
				n := int64(1) << k
				up, err := w.Upcast(n)
				if err != nil {
					t.Fatal(err)
				}
				one := []Operand{swizzleOperand(w)}
				x := Explain(Operation{Name: "upcast", Template: []int64{n}, Args: one, Result: swizzleOperand(up)})
				if b > 0 && (len(x.Steps) != 2 ||
					!strings.Contains(x.Steps[0].Say, fmt.Sprintf("2^%d = %d old ones", k, n)) ||
					!strings.Contains(x.Steps[1].Say, fmt.Sprintf("%d - %d = %d", m, k, m-k))) {
					t.Fatalf("upcast<%d>(%v) = %v: %+v", n, w, up, x.Steps)
				}
				down, err := w.Downcast(n)
				if err != nil {
					t.Fatal(err)
				}
				two := []Operand{swizzleOperand(w), intOperand(n)}
				x = Explain(Operation{Name: "downcast", Args: two, Result: swizzleOperand(down)})
				if b > 0 && (len(x.Steps) != 2 || !strings.Contains(x.Steps[1].Say, fmt.Sprintf("= %d: %v becomes %v", m+k, w, down))) {
					t.Fatalf("downcast(%v, %d) = %v: %+v", w, n, down, x.Steps)
				}
			}
		}
	}
}

// TestSwizzledLayout checks how many elements move, how many different offsets exist, and the number of notes.
func TestSwizzledLayout(t *testing.T) {
	t.Parallel()
	w, err := cute.NewSwizzle(3, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		layout, check string
		notes         int
	}{
		{"(8,64):(64,1)", "448 of 512 elements move; 512 different offsets before and after.", 0},
		{"(8,32):(32,1)", "192 of 256 elements move; 256 different offsets before and after.", 1},
		{"(8,8):(8,1)", "0 of 64 elements move; 64 different offsets before and after.", 1},
		{"(7,64):(64,1)", "384 of 448 elements move; 448 different offsets before and after.", 0},
	} {
		l := cute.MustParse(c.layout)
		f, err := cute.NewComposed(w, cute.Int(0), l)
		if err != nil {
			t.Fatal(err)
		}
		x := Explain(Operation{
			Name:   "composition",
			Args:   []Operand{swizzleOperand(w), {Kind: "layout", Text: c.layout, Value: l}},
			Result: Operand{Kind: "composed_layout", Text: f.String(), Value: f},
		})
		if x.Check != c.check || len(x.Notes) != c.notes {
			t.Errorf("%s: %s, notes %q", c.layout, x.Check, x.Notes)
		}
	}
}

func BenchmarkExplainSwizzled(b *testing.B) {
	w, err := cute.NewSwizzle(3, 3, 3)
	if err != nil {
		b.Fatal(err)
	}
	l := cute.MustParse("(128,64):(64,1)")
	f, err := cute.NewComposed(w, cute.Int(0), l)
	if err != nil {
		b.Fatal(err)
	}
	steps := 0
	for b.Loop() {
		operands := []Operand{swizzleOperand(w), {Value: l}}
		steps = len(Explain(Operation{Name: "composition", Args: operands, Result: Operand{Value: f}}).Steps)
	}
	if steps == 0 {
		b.Fatal("no steps")
	}
}
