package sim

import "math/bits"

// The drivers below make steps of functions on the values of one lane. Registers are numbered by slots, constants and
// special registers among them, so that a source is always a slot.

// map1 is d = op(a).
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

// map2 is d = op(a, b).
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

// map3 is d = op(a, b, c).
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

// mapN is d = op(src...), for what has many operands; op must not keep its argument.
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

// origin is where a value without meaning came from: a register, and the instruction that read it first; or a load of
// bytes that nobody had written, with the finding that it is if the value matters.
type origin struct {
	slot, pc int
	load     *Finding
}

// taint notes that d was computed of src by the instruction at pc. Where one of these has no value, d has none:
// compilers let lanes compute with registers that nobody wrote, and throw the result away, so that this is no fault
// yet.
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

// because notes where the value of d, which has no meaning, came from.
func (f *frame) because(d int, from origin) {
	if f.why == nil {
		f.why = map[int]origin{}
	}
	f.why[d] = from
}

// blame notes that predicate p has no value because of one of src.
func (f *frame) blame(p int, src ...int) {
	for _, s := range src {
		if from, ok := f.why[s]; ok && from.load != nil {
			f.blamed(p, from.load)
			return
		}
	}
	delete(f.lost, p)
}

func (f *frame) blamed(p int, load *Finding) {
	if f.lost == nil {
		f.lost = map[int]*Finding{}
	}
	f.lost[p] = load
}

// blamePredicates is blame for sources that are predicates.
func (f *frame) blamePredicates(p int, src ...int) {
	for _, s := range src {
		if load := f.lost[s]; load != nil {
			f.blamed(p, load)
			return
		}
	}
	delete(f.lost, p)
}

// setPredicate gives predicate d the values of bits in the lanes of mask.
func (f *frame) setPredicate(d int, mask, bits uint32) {
	f.pred[d] = f.pred[d]&^mask | bits&mask
	f.pdef[d] |= mask
}

// undefine takes the values of predicate d away in the lanes of mask.
func (f *frame) undefine(d int, mask uint32) { f.pdef[d] &^= mask }
