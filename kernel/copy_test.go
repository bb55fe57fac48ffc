package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestRandomCopies moves tiles through shared memory and registers under many kinds of layouts, in the widths that the
// layouts allow, and checks every element.
func TestRandomCopies(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	pick := func(texts ...string) cute.Layout { return cute.MustParse(texts[r.IntN(len(texts))]) }
	widths := map[string]bool{}
	for range 60 {
		layoutA := pick("(32,32):(32,1)", "(32,32):(1,32)", "(32,(4,8)):(4,(1,128))", "((2,16),32):((1,64),2)")
		layoutB := pick("(32,32):(32,1)", "(32,32):(1,32)", "((8,4),32):((1,256),8)")
		inner := pick("(32,32):(32,1)", "(32,32):(1,32)", "(32,32):(33,1)", "(32,32):(40,1)", "(32,(8,4)):(8,(1,256))")
		b, m := r.IntN(4), r.IntN(4)
		w, err := cute.NewSwizzle(b, m, b+r.IntN(3))
		if err != nil {
			t.Fatal(err)
		}
		shared, err := cute.NewComposed(w, cute.Int(0), inner)
		if err != nil {
			t.Fatal(err)
		}
		threads := []string{"(8,16):(16,1)", "(16,8):(1,16)", "(4,32):(32,1)", "(32,4):(1,32)", "(32,2):(2,1)"}
		first, second := cute.MustParse(threads[r.IntN(len(threads))]), cute.MustParse(threads[r.IntN(len(threads))])
		elem := []dtype.Type{dtype.F32, dtype.F16}[r.IntN(2)]
		through, rows := r.IntN(2) == 0, [2]int{r.IntN(3), r.IntN(3)}
		k, err := kernel.Trace("move", 128, func(k *kernel.K) {
			a, b := k.GlobalLayout("a", elem, layoutA), k.GlobalLayout("b", elem, layoutB)
			s := k.Shared("s", elem, shared)
			own := func(x kernel.Tensor, l cute.Layout, how int) kernel.Tensor {
				i := k.ThreadIdx()
				switch how {
				case 0: // neighbours along a row, or along a column
					return k.LocalTile(x, kernel.Shape(1, 8), i.Div(4), i.Mod(4))
				case 1:
					return k.LocalTile(x, kernel.Shape(8, 1), i.Mod(4), i.Div(4))
				}
				return k.LocalPartition(x, l, i.Mod(l.Size()))
			}
			x := own(a, first, rows[0])
			if through {
				f := k.MakeFragmentLike(x, elem)
				k.Copy(x, f)
				x = f
			}
			k.Copy(x, own(s, first, rows[0]))
			k.Sync()
			k.Copy(own(s, second, rows[1]), own(b, second, rows[1]))
		})
		if err != nil {
			t.Fatal(err)
		}
		where := fmt.Sprintf("%v, %v, %v by %v and %v of %v", layoutA, shared, layoutB, first, second, elem)
		from, to := layoutA, layoutB
		if elem == dtype.F16 {
			in, out := make([]uint16, 1024), make([]uint16, 1024)
			for i := range in {
				in[i] = uint16(i)
			}
			runOne(t, k, []any{in, out})
			for i := range int64(1024) {
				if x, y := at(t, from, i), at(t, to, i); in[x] != out[y] {
					t.Fatalf("%s: element %d is %d, want %d", where, i, out[y], in[x])
				}
			}
		} else {
			in, out := random(1024), make([]float32, 1024)
			runOne(t, k, []any{in, out})
			for i := range int64(1024) {
				if x, y := at(t, from, i), at(t, to, i); in[x] != out[y] {
					t.Fatalf("%s: element %d is %v, want %v", where, i, out[y], in[x])
				}
			}
		}
		for s := range k.Module.Func("move").Stmts() {
			if in, ok := s.(interface{ String() string }); ok {
				for _, op := range []string{"ld.global.b16", "ld.global.b32", "ld.global.v2.b32", "ld.global.v4.b32"} {
					if len(in.String()) > len(op) && in.String()[:len(op)] == op {
						widths[op] = true
					}
				}
			}
		}
	}
	if len(widths) < 3 {
		t.Errorf("only the accesses %v were made: widths were not tried", widths)
	}
}

func at(t *testing.T, l cute.Layout, i int64) int64 {
	t.Helper()
	x, err := l.At(i)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func random(n int) []float32 {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.IntN(200)-100) / 8
	}
	return x
}
