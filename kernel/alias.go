package kernel

import "girih/ptx"

// This file keeps operations right whose operands are views of one fragment, such as a transpose in registers: an
// element that the operation has stored must not be read as an element of its source.

// before returns the source of an operation on elements one by one: s, or its copy in other registers if storing to d
// would change elements of s at other places.
func (k *K) before(s, d side) side {
	if s.root.space != Registers || s.root.storage() != d.root.storage() {
		return s
	}
	for i := range s.elements {
		x := &s.elements[i]
		for j := range d.elements {
			if y := &d.elements[j]; i != j && x.off == y.off && x.base == y.base || s.root.bits() != d.root.bits() {
				s.root = k.copyOf(s.root)
				return s
			}
		}
	}
	return s
}

// apartFrom returns an operand of a product whose registers are none of the accumulators'.
func (k *K) apartFrom(acc, t Tensor) Tensor {
	if t.root.storage() == acc.root.storage() {
		t.root = k.copyOf(t.root)
	}
	return t
}

// copyOf returns a copy of a fragment in other registers.
func (k *K) copyOf(r *root) *root {
	k.refuseUnfinished(r)
	out := *r
	out.of, out.operands, out.words = nil, nil, nil
	typ, _ := r.register()
	for _, w := range r.words {
		out.words = append(out.words, k.let(typ, "mov."+ptx.Op(typ), w))
	}
	quiet := k.record.quiet
	k.record.quiet = 0
	k.goesBeyond("an operation between views of one fragment") // CuTe stores some elements before it reads others
	k.record.quiet = quiet
	return &out
}
