package address

import (
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/internal/ints"
)

// FuzzSpace reads operations on a stack of expressions from bytes, and compares the results with the definitions.
func FuzzSpace(f *testing.F) {
	f.Add([]byte{0x00, 0x13, 0x01, 0x22, 0x07, 0x31})
	f.Add([]byte{0x01, 0x82, 0x00, 0x43, 0x05, 0x71, 0x66})
	f.Add([]byte{0x00, 0x01, 0x0a, 0x02, 0x59, 0x38, 0x47})
	f.Fuzz(func(t *testing.T, data []byte) {
		d := newDrawer(uint64(len(data)), manyRanges[len(data)%len(manyRanges)]...)
		var stack []drawn
		pop := func() drawn {
			if len(stack) == 0 {
				return drawn{d.syms[0].Expr(), func(v []int64) int64 { return v[0] }, "a"}
			}
			x := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			return x
		}
		for _, b := range data[:min(len(data), 40)] {
			n := int64(b>>4) + 1
			switch a := pop(); b % 8 {
			case 0, 1:
				i := int(b>>4) % len(d.syms)
				stack = append(stack, a, drawn{d.syms[i].Expr(), func(v []int64) int64 { return v[i] }, ""})
			case 2:
				c := pop()
				stack = append(stack, drawn{d.s.Add(a.x, c.x), func(v []int64) int64 { return a.at(v) + c.at(v) }, ""})
			case 3:
				stack = append(stack, drawn{d.s.Scale(a.x, n-4), func(v []int64) int64 { return (n - 4) * a.at(v) }, ""})
			case 4:
				stack = append(stack, drawn{d.s.Div(a.x, n), func(v []int64) int64 { return ints.FloorDiv(a.at(v), n) }, ""})
			case 5:
				stack = append(stack, drawn{d.s.Mod(a.x, n), func(v []int64) int64 { return ints.FloorMod(a.at(v), n) }, ""})
			case 6:
				c := pop()
				stack = append(stack, drawn{d.s.Xor(a.x, c.x), func(v []int64) int64 { return a.at(v) ^ c.at(v) }, ""})
			default:
				w, err := cute.NewSwizzle(int(n)%3, int(n)/3, 3)
				if err != nil {
					t.Fatal(err)
				}
				stack = append(stack, drawn{d.s.Swizzle(a.x, w), func(v []int64) int64 {
					y, err := w.At(a.at(v))
					if err != nil {
						t.Fatal(err)
					}
					return y
				}, ""})
			}
			if d.s.Err() != nil {
				return // a value that may be negative or too large has no bits
			}
		}
		m := &machine{s: d.s, trips: 1, syms: d.syms}
		for _, e := range stack {
			d.every(40, func(v []int64, at Values) {
				got, err := e.x.At(at)
				if want := e.at(v); err != nil || got != want {
					t.Fatalf("%v is %d at %v, want %d (%v)", e.x, got, v, want, err)
				}
			})
			m.asks = append(m.asks, ask{e.x, 64})
		}
		if len(m.asks) > 0 && len(m.asks) < 20 {
			m.run(t, rand.New(rand.NewPCG(1, 1)))
		}
	})
}
