package address

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/check/long"
	"girih/ptx"
	"girih/ptx/sim"
)

// A machine is a kernel whose threads have different values of symbols, and store the values of expressions.
type machine struct {
	s     *Space
	c     *Code
	b     *ptx.Builder
	syms  []*Symbol // the symbols of the whole kernel
	count *Counter  // the counter of a loop around the expressions, or nil
	trips int64
	asks  []ask
}

type ask struct {
	x    Expr
	bits int
}

const threads = 64

// module writes the kernel, or returns nil if a part of a sum may exceed 64 bits though the sum does not.
func (m *machine) module(t *testing.T) *ptx.Module {
	t.Helper()
	m.b = ptx.NewKernel("k")
	m.b.Param(ptx.U64, "in")
	m.b.Param(ptx.U64, "out")
	b := m.b
	in, out := b.Reg(ptx.B64), b.Reg(ptx.B64)
	b.Emit("ld.param.u64", in, ptx.Addr{Base: ptx.Name("in")})
	b.Emit("ld.param.u64", out, ptx.Addr{Base: ptx.Name("out")})
	tid := b.Let(ptx.B32, "mov.u32", ptx.Name("%tid.x"))
	b.Emit("mad.wide.u32", in, tid, ptx.Int(8*len(m.syms)), in)
	b.Emit("mad.wide.u32", out, tid, ptx.Int(8*int64(len(m.asks))*m.trips), out)
	m.c = NewCode(m.s, b, 1)
	for i, sym := range m.syms {
		at := ptx.Addr{Base: in, Offset: int64(8 * i)}
		if sym.expr.s.fits32() {
			m.c.Define(sym, b.Let(ptx.B32, "ld.global.b32", at), 32)
		} else {
			m.c.Define(sym, b.Let(ptx.B64, "ld.global.b64", at), 64)
		}
	}
	overflow := false
	store := func() {
		for i, a := range m.asks {
			r, err := m.c.Value(a.x, a.bits)
			if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeOverflow {
				overflow = true
				return
			}
			if err != nil {
				t.Fatalf("%v: %v", a.x, err)
			}
			at := ptx.Addr{Base: out, Offset: int64(8 * i)}
			if a.bits == 32 {
				m.c.Emit("st.global.b32", at, r)
			} else {
				m.c.Emit("st.global.b64", at, r)
			}
		}
	}
	if m.count != nil {
		i := b.Reg(ptx.B32)
		first, _ := m.count.From.Int64()
		m.c.Emit("mov.b32", i, ptx.Int(first))
		m.c.Loop(*m.count, i)
		store()
		part := m.c.End()
		top, p := b.Label(), b.Reg(ptx.Pred)
		m.c.Add(&ptx.Label{Name: top})
		for _, st := range append(part.Stmts, part.Latch...) {
			m.c.Add(st)
		}
		m.c.Emit("add.s64", out, out, ptx.Int(8*len(m.asks)))
		m.c.Emit("add.s32", i, i, ptx.Int(m.count.Step))
		m.c.Emit("setp.lt.s32", p, i, ptx.Int(first+m.trips*m.count.Step))
		m.c.Add(&ptx.Instr{Pred: p, Op: "bra", Operands: []ptx.Operand{top}})
	} else {
		store()
	}
	if overflow {
		return nil
	}
	for _, st := range m.c.End().Stmts {
		b.Add(st)
	}
	b.Emit("ret")
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return &ptx.Module{Version: ptx.Version{Major: 8}, Target: []string{"sm_80"}, AddressSize: 64, Decls: []ptx.Decl{f}}
}

// run runs the kernel with random values of the symbols and compares what it stores with the expressions.
func (m *machine) run(t *testing.T, r *rand.Rand) {
	t.Helper()
	module := m.module(t)
	if module == nil {
		return
	}
	p, err := sim.Load(module)
	if err != nil {
		t.Fatal(err)
	}
	mem, err := p.NewMemory()
	if err != nil {
		t.Fatal(err)
	}
	values := make([]Values, threads)
	var data []byte
	for i := range values {
		values[i] = Values{}
		for _, sym := range m.syms {
			f := sym.facts
			y := (r.Int64N(f.Max-f.Min+1) + f.Min) / f.Div * f.Div
			if y < f.Min {
				y += f.Div
			}
			values[i][sym] = y
			data = binary.LittleEndian.AppendUint64(data, uint64(y))
		}
	}
	in, err := mem.Put("in", data)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 8*threads*len(m.asks)*int(m.trips))
	out, err := mem.Put("out", zeros)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	module.WriteTo(&text)
	if _, err := p.Run(context.Background(), mem, sim.Launch{
		Block: sim.Dim{X: threads}, Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0)},
	}); err != nil {
		t.Fatalf("%v\n%s", err, &text)
	}
	for i, v := range values {
		for trip := range m.trips {
			if m.count != nil {
				first, _ := m.count.From.Int64()
				v[m.count.Symbol] = first + trip*m.count.Step
			}
			for j, a := range m.asks {
				want, err := a.x.At(v)
				if err != nil {
					t.Fatal(err)
				}
				got := binary.LittleEndian.Uint64(out.Bytes()[8*(i*len(m.asks)*int(m.trips)+int(trip)*len(m.asks)+j):])
				if a.bits == 32 && uint32(got) != uint32(want) || a.bits == 64 && got != uint64(want) {
					t.Fatalf("%v at %v is %#x, want %#x, in %d bits\n%s", a.x, v, got, want, a.bits, &text)
				}
			}
		}
	}
}

// TestCode emits random expressions as instructions, runs them, and compares the results with the expressions.
func TestCode(t *testing.T) {
	t.Parallel()
	rounds := 500
	if testing.Short() {
		rounds = 300
	} else if long.Tests() {
		rounds = 1500
	}
	for n := range rounds {
		ranges := manyRanges[n%len(manyRanges)]
		var d *drawer
		m := &machine{trips: 1}
		if n%2 == 0 {
			d = newDrawer(uint64(n), ranges...)
			m.syms = d.syms
		} else {
			step := int64(1 + n/2%3)
			first := step * int64(n/6%2)
			d = newDrawer(uint64(n), [3]int64{0, 31, 1}, [3]int64{0, 15, 1}, [3]int64{first, first + 40*step, step})
			m.syms, m.trips = d.syms[:2], 9
			m.count = &Counter{Symbol: d.syms[2], From: d.s.Const(first), Step: step}
		}
		m.s = d.s
		for range 1 + d.IntN(4) {
			var x Expr
			if n%2 == 0 {
				x = d.draw(2 + d.IntN(3)).x
			} else {
				x = d.loop()
			}
			if d.s.Recover() != nil {
				continue
			}
			m.asks = append(m.asks, ask{x, 32 + 32*d.IntN(2)})
			if d.IntN(2) == 0 {
				if y := d.s.Add(x, d.s.Const(d.Int64N(64))); d.s.Recover() == nil {
					m.asks = append(m.asks, ask{y, 32})
				}
			}
		}
		if len(m.asks) > 0 {
			m.run(t, d.Rand)
		}
	}
}

// TestSwizzledSteps counts the instructions for the addresses of a swizzled tile in a loop over the stages of a
// pipeline: one for each place along K, because the rest are constants of the loads.
func TestSwizzledSteps(t *testing.T) {
	t.Parallel()
	s := New()
	tid, _ := s.Symbol("t", Facts{Max: 127}, 2)
	i, _ := s.Symbol("i", Facts{Max: 1 << 20}, 3)
	lane, warp := s.Mod(tid.Expr(), 32), s.Div(tid.Expr(), 32)
	row := s.Add(s.Mod(lane, 16), s.Scale(s.Mod(warp, 2), 16))
	w, _ := cute.NewSwizzle(3, 3, 3)
	var asks []ask
	for m := range int64(4) {
		for k := range int64(4) {
			col := s.Add(s.Scale(s.Div(lane, 16), 8), s.Const(16*k))
			x := s.Add(s.Scale(s.Add(row, s.Const(32*m)), 64), col)
			x = s.Scale(s.Swizzle(x, w), 2)
			asks = append(asks, ask{s.Add(x, s.Scale(s.Mod(i.Expr(), 4), 16384)), 32})
		}
	}
	b := ptx.NewKernel("k")
	c := NewCode(s, b, 2)
	c.Define(tid, ptx.Name("%tid"), 32)
	c.Loop(Counter{i, s.Const(0), 1}, ptx.Name("%i"))
	for _, a := range asks {
		if _, err := c.Address(a.x, 32); err != nil {
			t.Fatal(err)
		}
	}
	body := c.End()
	if body.Weight != 5 {
		t.Errorf("the loop has %d instructions, want 5", body.Weight)
	}
	before := c.End()
	for _, st := range before.Stmts {
		t.Log(st)
	}
	t.Log("loop")
	for _, st := range append(body.Stmts, body.Latch...) {
		t.Log(st)
	}
}

// TestPipeline counts the instructions of a loop that fills one of four stages of a swizzled tile, 128 rows of 64
// halves, by 8 copies of 16 bytes a thread, and reads another one by 16 ldmatrix.
func TestPipeline(t *testing.T) {
	t.Parallel()
	s := New()
	symbol := func(name string, f Facts, level int) *Symbol {
		sym, err := s.Symbol(name, f, level)
		if err != nil {
			t.Fatal(err)
		}
		return sym
	}
	from, rows := symbol("A", Facts{Max: 1<<56 - 16, Div: 16}, 0), symbol("ld", Facts{Max: 1 << 24, Div: 8}, 0)
	tile := symbol("tile", Facts{Max: 200 << 10, Div: 1024}, 0)
	tid, i := symbol("t", Facts{Max: 127}, 2), symbol("i", Facts{Max: 1 << 20}, 3)
	b := ptx.NewKernel("k")
	c := NewCode(s, b, 2)
	c.Define(from, b.Reg(ptx.B64), 64)
	for _, sym := range []*Symbol{rows, tile, tid} {
		c.Define(sym, b.Reg(ptx.B32), 32)
	}
	c.Loop(Counter{i, s.Const(0), 1}, b.Reg(ptx.B32))
	w, err := cute.NewSwizzle(3, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	thread, lane, warp := tid.Expr(), s.Mod(tid.Expr(), 32), s.Div(tid.Expr(), 32)
	shared := func(stage, row, col Expr) {
		at := s.Scale(s.Swizzle(s.Add(s.Scale(row, 64), col), w), 2)
		if _, err := c.Address(s.Add(tile.Expr(), s.Scale(s.Mod(stage, 4), 16384), at), 32); err != nil {
			t.Fatal(err)
		}
	}
	for r := range int64(8) {
		row, col := s.Add(s.Div(thread, 8), s.Const(16*r)), s.Scale(s.Mod(thread, 8), 8)
		shared(s.Add(i.Expr(), s.Const(3)), row, col)
		at := s.Add(s.Mul(row, rows.Expr()), col, s.Scale(i.Expr(), 64))
		if _, err := c.Address(s.Add(from.Expr(), s.Scale(at, 2)), 64); err != nil {
			t.Fatal(err)
		}
	}
	for m := range int64(4) {
		for k := range int64(4) {
			row := s.Add(s.Mod(lane, 16), s.Scale(s.Mod(warp, 2), 16), s.Const(32*m))
			shared(i.Expr(), row, s.Add(s.Scale(s.Div(lane, 16), 8), s.Const(16*k)))
		}
	}
	if loop := c.End(); loop.Weight != 16 {
		t.Errorf("the loop has %d instructions, want 16: %v", loop.Weight, loop.Stmts)
	}
}

// TestStages emits loops in which several addresses go through the stages of a ring, at constant distances: one of them
// wraps, and the others follow it.
func TestStages(t *testing.T) {
	t.Parallel()
	followed := 0
	for n := range 400 {
		d := newDrawer(uint64(n), [3]int64{0, 31, 1}, [3]int64{0, 15, 1}, [3]int64{0, 400, 1})
		s := d.s
		m := &machine{s: s, syms: d.syms[:2], trips: 11, count: &Counter{Symbol: d.syms[2], From: s.Const(0), Step: 1}}
		stages := 3 + d.Int64N(4)
		w, _ := cute.NewSwizzle(3, 4, 3)
		for range 2 + d.IntN(4) {
			at := s.Swizzle(s.Add(s.Scale(d.syms[0].Expr(), 64), s.Scale(d.syms[1].Expr(), 16*d.Int64N(3))), w)
			stage := s.Mod(s.Add(d.syms[2].Expr(), s.Const(d.Int64N(stages))), stages)
			m.asks = append(m.asks, ask{s.Add(at, s.Scale(stage, 4096), s.Const(4096)), 32})
		}
		stop := s.Trace()
		m.run(t, d.Rand)
		for _, step := range stop() {
			if step.Rule == RuleAhead {
				followed++
			}
		}
	}
	if followed < 100 {
		t.Errorf("%d addresses followed another one: nothing was tried", followed)
	}
}

// TestForget checks that a value is still held after a loop that uses it, and is computed again after a loop that does
// not.
func TestForget(t *testing.T) {
	t.Parallel()
	s := New()
	x, err := s.Symbol("x", Facts{Max: 1 << 20}, 0)
	if err != nil {
		t.Fatal(err)
	}
	i, err := s.Symbol("i", Facts{Max: 100}, 1)
	if err != nil {
		t.Fatal(err)
	}
	b := ptx.NewKernel("k")
	c := NewCode(s, b, 0)
	reg := b.Reg(ptx.B32)
	c.Define(x, reg, 32)
	value := func(x Expr) ptx.Operand {
		r, err := c.Value(x, 32)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	used, unused := s.Div(x.Expr(), 3), s.Div(x.Expr(), 5)
	before := [2]ptx.Operand{value(used), value(unused)}
	c.Loop(Counter{i, s.Const(0), 1}, b.Reg(ptx.B32))
	c.Emit("st.shared.b32", ptx.Addr{Base: value(i.Expr())}, value(used))
	for _, st := range c.End().Stmts {
		c.Add(st)
	}
	if r := value(used); r != before[0] {
		t.Errorf("the loop uses %v, and %v has it behind it", before[0], r)
	}
	if r := value(unused); r == before[1] {
		t.Errorf("%v is kept for what is behind the loop", r)
	}
	if r := value(x.Expr()); r != reg {
		t.Errorf("the symbol is in %v, and has come into %v", reg, r)
	}
}
