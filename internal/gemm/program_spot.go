package gemm

import (
	"fmt"

	"girih"
	"girih/ptx"
)

// This file writes what depends on the thread as arithmetic: the offsets that layouts give are tabulated, the simplest
// expression is looked for, and it is checked against every entry of the table before it is written.

// A spot table has a number for each value of each thread: an offset, a row, a column.
type spotTable struct {
	threads, values int
	at              []int64 // thread by thread
}

func newSpotTable(threads, values int) spotTable {
	return spotTable{threads, values, make([]int64, threads*values)}
}

func (p *spotTable) get(thread, value int) int64    { return p.at[thread*p.values+value] }
func (p *spotTable) set(thread, value int, x int64) { p.at[thread*p.values+value] = x }

// ofValue returns the numbers that all threads have for a value.
func (p *spotTable) ofValue(value int) []int64 {
	xs := make([]int64, p.threads)
	for t := range xs {
		xs[t] = p.get(t, value)
	}
	return xs
}

// splits reports whether each number is what the thread adds to what the value adds, for a join that is its own undo in
// both arguments together: addition, or exclusive or.
func (p *spotTable) splits(join, undo func(a, b int64) int64) bool {
	for t := range p.threads {
		for v := range p.values {
			if p.get(t, v) != join(p.get(t, 0), undo(p.get(0, v), p.get(0, 0))) {
				return false
			}
		}
	}
	return true
}

// A spot is a number of a thread at run time: that of a register, and a constant to add.
type spot struct {
	base ptx.Name
	add  int64
}

// A writer writes a kernel.
type writer struct {
	*ptx.Builder
	name   string
	thread ptx.Name
	tables []ptx.Decl // in global memory, for what no expression was found for
}

func add(a, b int64) int64 { return a + b }
func sub(a, b int64) int64 { return a - b }
func xor(a, b int64) int64 { return a ^ b }

// spots writes the numbers of the table: one for each value.
func (w *writer) spots(p spotTable) []spot {
	out := make([]spot, p.values)
	switch {
	case p.splits(add, sub):
		base := w.number(p.ofValue(0))
		for v := range out {
			out[v] = spot{base, p.get(0, v) - p.get(0, 0)}
		}
	case p.splits(xor, xor):
		own := p.ofValue(0)
		met := int64(0) // bits that are set in some thread: others may as well be added
		for _, x := range own {
			met |= x
		}
		base := w.number(own)
		flipped := map[int64]ptx.Name{0: base}
		for v := range out {
			flip := p.get(0, v) ^ p.get(0, 0)
			if _, ok := flipped[flip&met]; !ok {
				flipped[flip&met] = w.Let(ptx.B32, "xor.b32", base, ptx.Int(flip&met))
			}
			out[v] = spot{flipped[flip&met], flip &^ met}
		}
	default:
		for v := range out {
			out[v] = spot{w.number(p.ofValue(v)), 0}
		}
	}
	return out
}

// number writes a number that each thread has: a layout of the threads, or else an exclusive or of their bits, as
// swizzles make it, or else a table.
func (w *writer) number(xs []int64) ptx.Name {
	shifted := make([]int64, len(xs))
	for t, x := range xs {
		shifted[t] = x - xs[0]
	}
	if l, err := girih.Recognize(shifted); err == nil {
		return w.layout(l, xs[0])
	}
	if masks, ok := shifts(xs); ok {
		return w.bits(masks, xs[0])
	}
	return w.table(xs)
}

// layout writes what the layout gives for the thread.
func (w *writer) layout(l girih.Layout, first int64) ptx.Name {
	x := w.Let(ptx.B32, "mov.u32", ptx.Int(first))
	shape, stride := l.Shape().Leaves(), l.Stride().Leaves()
	step := int64(1)
	for i, s := range shape {
		if stride[i] != 0 {
			digit := w.thread
			if step > 1 {
				digit = w.Let(ptx.B32, "div.u32", digit, ptx.Int(step))
			}
			if i < len(shape)-1 {
				digit = w.Let(ptx.B32, "rem.u32", digit, ptx.Int(s))
			}
			w.Emit("mad.lo.u32", x, digit, ptx.Int(stride[i]), x)
		}
		step *= s
	}
	return x
}

// A mask is bits of the thread's number that go up by a number of places, or down.
type mask struct{ bits, up int64 }

// shifts returns the masks whose exclusive or, with the first number, gives all of them, if there are such.
func shifts(xs []int64) ([]mask, bool) {
	var images []int64
	for i := 1; i < len(xs); i *= 2 {
		images = append(images, xs[i]^xs[0])
	}
	for t, x := range xs {
		for i, image := range images {
			if t>>i&1 == 1 {
				x ^= image
			}
		}
		if x != xs[0] {
			return nil, false
		}
	}
	var masks []mask
	for up := int64(-len(images)); up < 32; up++ {
		m := mask{up: up}
		for i, image := range images {
			if to := int64(i) + up; to >= 0 && image>>to&1 == 1 {
				m.bits |= 1 << i
			}
		}
		if m.bits != 0 {
			masks = append(masks, m)
		}
	}
	return masks, true
}

func (w *writer) bits(masks []mask, first int64) ptx.Name {
	x := w.Let(ptx.B32, "mov.u32", ptx.Int(first))
	for _, m := range masks {
		y := w.Let(ptx.B32, "and.b32", w.thread, ptx.Int(m.bits))
		if m.up > 0 {
			w.Emit("shl.b32", y, y, ptx.Int(m.up))
		} else if m.up < 0 {
			w.Emit("shr.u32", y, y, ptx.Int(-m.up))
		}
		w.Emit("xor.b32", x, x, y)
	}
	return x
}

func (w *writer) table(xs []int64) ptx.Name {
	v := &ptx.Var{
		Space: ptx.Global, Align: 4, Type: ptx.B32, Name: ptx.Name(fmt.Sprintf("%s_table%d", w.name, len(w.tables))),
		Dims: []int64{int64(len(xs))},
	}
	init := make(ptx.Vec, len(xs))
	for i, x := range xs {
		init[i] = ptx.Int(x)
	}
	v.Init = init
	w.tables = append(w.tables, v)
	at := w.Let(ptx.U64, "mov.u64", v.Name)
	w.Emit("mad.wide.u32", at, w.thread, ptx.Int(4), at)
	return w.Let(ptx.B32, "ld.global.b32", ptx.Addr{Base: at})
}

// plus writes the sum of a register and a spot.
func (w *writer) plus(x ptx.Name, p spot) ptx.Name {
	sum := w.Let(ptx.B32, "add.u32", x, p.base)
	if p.add != 0 {
		w.Emit("add.u32", sum, sum, ptx.Int(p.add))
	}
	return sum
}
