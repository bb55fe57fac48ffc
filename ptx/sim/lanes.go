package sim

import "math/bits"

// The drivers in this file make steps from functions on the values of one lane. Registers, constants and special
// registers are all numbered by slots, so a source is always a slot.

// map1 returns the step d = op(a).
func map1(d, a int, op func(x uint64) uint64) step {
	return func(w *warp, mask uint32) status {
		f := w.f
		if ok := f.def[a]; mask&^ok != 0 {
			f.taint(d, w.p.pc, mask, a)
		} else {
			f.def[d] |= mask
		}
		x, z := &f.regs[a], &f.regs[d]
		if mask == all {
			for i := range z {
				z[i] = op(x[i])
			}
			return advance
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			z[i] = op(x[i])
		}
		return advance
	}
}

// map2 returns the step d = op(a, b).
func map2(d int, src [2]int, op func(x, y uint64) uint64) step {
	a, b := src[0], src[1]
	return func(w *warp, mask uint32) status {
		f := w.f
		if mask&^(f.def[a]&f.def[b]) != 0 {
			f.taint(d, w.p.pc, mask, a, b)
		} else {
			f.def[d] |= mask
		}
		x, y, z := &f.regs[a], &f.regs[b], &f.regs[d]
		if mask == all {
			for i := range z {
				z[i] = op(x[i], y[i])
			}
			return advance
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			z[i] = op(x[i], y[i])
		}
		return advance
	}
}

// map3 returns the step d = op(a, b, c).
func map3(d int, src [3]int, op func(x, y, z uint64) uint64) step {
	a, b, c := src[0], src[1], src[2]
	return func(w *warp, mask uint32) status {
		f := w.f
		if mask&^(f.def[a]&f.def[b]&f.def[c]) != 0 {
			f.taint(d, w.p.pc, mask, a, b, c)
		} else {
			f.def[d] |= mask
		}
		x, y, u, z := &f.regs[a], &f.regs[b], &f.regs[c], &f.regs[d]
		if mask == all {
			for i := range z {
				z[i] = op(x[i], y[i], u[i])
			}
			return advance
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			z[i] = op(x[i], y[i], u[i])
		}
		return advance
	}
}

// mapN returns the step d = op(src...) for operations with many operands. op must not keep its argument.
func mapN(d int, src []int, op func(x []uint64) uint64) step {
	return func(w *warp, mask uint32) status {
		f := w.f
		var x [8]uint64
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			for k, s := range src {
				x[k] = f.regs[s][i]
			}
			f.regs[d][i] = op(x[:len(src)])
		}
		f.taint(d, w.p.pc, mask, src...)
		return advance
	}
}

// origin says why a value is missing: from a register without a value and the first instruction that read it, or from a
// load of bytes that nobody wrote, with the finding to report if the value is used.
type origin struct {
	slot, pc int
	load     *Finding
}

// taint records that the instruction at pc computed d from src. If one of src has no value, d gets no value. This is
// not yet a fault: compilers let lanes compute with unwritten registers, and discard the result.
func (f *frame) taint(d, pc int, mask uint32, src ...int) {
	ok := all
	for _, s := range src {
		if mask&^f.def[s] != 0 {
			from, known := f.why[s]
			if !known {
				from = origin{s, pc, nil}
			}
			f.because(d, from)
		}
		ok &= f.def[s]
	}
	f.def[d] = f.def[d]&^mask | ok&mask
}

// because records why d has no value.
func (f *frame) because(d int, from origin) {
	if f.why == nil {
		f.why = map[int]origin{}
	}
	f.why[d] = from
}

// blame records that predicate p has no value because one of src has no value.
func (f *frame) blame(p int, src ...int) {
	for _, s := range src {
		if from, ok := f.why[s]; ok && from.load != nil {
			f.blameLoad(p, from.load)
			return
		}
	}
	delete(f.lost, p)
}

func (f *frame) blameLoad(p int, load *Finding) {
	if f.lost == nil {
		f.lost = map[int]*Finding{}
	}
	f.lost[p] = load
}

// blamePredicates is blame for sources that are predicates.
func (f *frame) blamePredicates(p int, src ...int) {
	for _, s := range src {
		if load := f.lost[s]; load != nil {
			f.blameLoad(p, load)
			return
		}
	}
	delete(f.lost, p)
}

// setPredicate sets predicate d to bits in the lanes of mask.
func (f *frame) setPredicate(d int, mask, bits uint32) {
	f.pred[d] = f.pred[d]&^mask | bits&mask
	f.pdef[d] |= mask
}

// undefine removes the value of predicate d in the lanes of mask.
func (f *frame) undefine(d int, mask uint32) { f.pdef[d] &^= mask }
