package address

import (
	"testing"

	"girih/cute"
	"girih/ptx"
)

// gemm builds and emits the addresses of a product on tensor cores: 128x128x64 tiles of f16 in four stages, 128
// threads, cp.async of 16 bytes, ldmatrix of swizzled rows, results to global memory. It returns the number of
// instructions in the loop and before it.
func gemm(s *Space) (loop, before int64, err error) {
	symbol := func(name string, f Facts, level int) *Symbol {
		sym, e := s.Symbol(name, f, level)
		if e != nil {
			err = e
		}
		return sym
	}
	pointers := Facts{Max: 1<<56 - 16, Div: 16}
	a, b, d := symbol("a", pointers, 0), symbol("b", pointers, 0), symbol("d", pointers, 0)
	lda, ldd := symbol("lda", Facts{Max: 1 << 20, Div: 8}, 0), symbol("ldd", Facts{Max: 1 << 20, Div: 8}, 0)
	bm, bn := symbol("bm", Facts{Max: 65535}, 1), symbol("bn", Facts{Max: 65535}, 1)
	t := symbol("t", Facts{Max: 127}, 2)
	i := symbol("i", Facts{Max: 1 << 16}, 3)
	if err != nil {
		return 0, 0, err
	}
	code := ptx.NewKernel("k")
	c := NewCode(s, code, 2)
	for _, sym := range []*Symbol{a, b, d} {
		c.Define(sym, code.Reg(ptx.B64), 64)
	}
	for _, sym := range []*Symbol{lda, ldd, bm, bn, t} {
		c.Define(sym, code.Reg(ptx.B32), 32)
	}
	c.Loop(Counter{i, s.Const(0), 1}, code.Reg(ptx.B32))
	w, err := cute.NewSwizzle(3, 3, 3)
	if err != nil {
		return 0, 0, err
	}
	tile := func(row, col Expr) Expr { // the offset in bytes
		return s.Scale(s.Swizzle(s.Add(s.Scale(row, 64), col), w), 2)
	}
	stage := s.Scale(s.Mod(i.Expr(), 4), 32768)
	addresses := 0
	ask := func(x Expr, bits int) {
		if _, e := c.Address(x, bits); e != nil && err == nil {
			err = e
		}
		addresses++
	}
	for op, from := range []*Symbol{a, b} {
		corner := []*Symbol{bm, bn}[op].Expr()
		base := s.Add(stage, s.Const(int64(16384*op)))
		for r := range int64(8) {
			row, col := s.Add(s.Div(t.Expr(), 8), s.Const(16*r)), s.Scale(s.Mod(t.Expr(), 8), 8)
			ask(s.Add(base, tile(row, col)), 32)
			global := s.Add(s.Mul(s.Add(s.Scale(corner, 128), row), lda.Expr()), s.Add(col, s.Scale(i.Expr(), 64)))
			ask(s.Add(from.Expr(), s.Scale(global, 2)), 64)
		}
		lane, warp := s.Mod(t.Expr(), 32), s.Div(t.Expr(), 32)
		side := s.Mod(warp, 2)
		if op == 1 {
			side = s.Div(warp, 2)
		}
		for m := range int64(4) {
			for k := range int64(4) {
				row := s.Add(s.Add(s.Mod(lane, 16), s.Scale(side, 16)), s.Const(32*m))
				ask(s.Add(base, tile(row, s.Add(s.Scale(s.Div(lane, 16), 8), s.Const(16*k)))), 32)
			}
		}
	}
	part := c.End()
	for m := range int64(4) {
		for n := range int64(8) {
			lane, warp := s.Mod(t.Expr(), 32), s.Div(t.Expr(), 32)
			row := s.Add(s.Add(s.Div(lane, 4), s.Scale(s.Mod(warp, 2), 16)), s.Add(s.Const(32*m), s.Scale(bm.Expr(), 128)))
			col := s.Add(s.Scale(s.Mod(lane, 4), 2), s.Scale(s.Div(warp, 2), 8), s.Const(16*n), s.Scale(bn.Expr(), 128))
			ask(s.Add(d.Expr(), s.Scale(s.Add(s.Mul(row, ldd.Expr()), col), 4)), 64)
		}
	}
	return part.Weight, c.End().Weight, err
}

// TestGemm counts the instructions of a kernel's addresses.
func TestGemm(t *testing.T) {
	t.Parallel()
	loop, before, err := gemm(New())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d instructions in the loop, %d before and behind it", loop, before)
}

func BenchmarkGemm(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := gemm(New()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSwizzle(b *testing.B) {
	w, _ := cute.NewSwizzle(3, 4, 3)
	b.ReportAllocs()
	for b.Loop() {
		s := New()
		t, _ := s.Symbol("t", Facts{Max: 127}, 0)
		s.Swizzle(s.Add(s.Scale(s.Div(t.Expr(), 8), 128), s.Scale(s.Mod(t.Expr(), 8), 16)), w)
	}
}
