package kernel

import "girih/cute"

// This file is about elements of a fragment that share a register, as the elements under a stride of 0 do: a fragment
// like a bias that all rows have.

// again reports for each element of a fragment whether an earlier one has its register. It refuses to set the two to
// different numbers: unless all operands have one element at both, too. Sums, without operands, are different.
func (k *K) again(op string, dst side, from ...side) []bool {
	if k.err != nil || dst.root.space != Registers {
		return nil
	}
	out, first := make([]bool, len(dst.elements)), make([]int, dst.root.count)
	for i := range dst.elements {
		n, ok := dst.elements[i].number()
		if !ok || n < 0 || n >= int64(len(first)) {
			return out // another check refuses it
		}
		j := first[n] - 1
		if out[i] = j >= 0; !out[i] {
			first[n] = i + 1
			continue
		}
		alike := len(from) > 0
		for _, s := range from {
			x, y := &s.elements[i], &s.elements[j]
			alike = alike && x.base == y.base && x.off == y.off && x.cond.same(y.cond)
		}
		if !alike {
			k.advise("write to a fragment without strides of 0, such as MakeFragment's").refuse(op, cute.CodeNotInjective,
				"elements %d and %d of %s are one register, and get numbers of their own", j, i, dst.root.name)
			return nil
		}
	}
	return out
}
