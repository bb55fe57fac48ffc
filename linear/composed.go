package linear

import (
	"girih/cute"
	"girih/f2"
)

// This file inverts composed layouts. Sw o 0 o L has the inverse L⁻¹ o Sw, which CuTe again writes with the swizzle
// outside: right_inverse(Sw<2,0,2> o 0 o (4,4):(4,1)) is Sw<2,0,-2> o 0 o (4,4):(4,1). For maps over bits, the inverse
// takes one elimination.

// RightInverse returns the largest r on a prefix of the flat outputs with l(r(k)) = k for every k below r's size, where
// r(k) is the least such flat input. Its input is "index". It returns [cute.CodeNotInvertible] if l does not reach 0.
func (l Layout) RightInverse() (Layout, error) {
	const op = "right_inverse"
	m := l.Matrix()
	start, err := m.Solve(f2.Vector(l.origin))
	if err != nil {
		return Layout{}, fail(cute.CodeNotInvertible, op,
			"expected a layout with the value 0 somewhere, found none: the origin %s is no sum of bases", l.outs.text(l.origin))
	}
	in := In{Name: "index"}
	for k := range l.outs.width() {
		pre, err := m.Solve(1 << k)
		if err != nil {
			break // 2^k is not a value, so the indices end here
		}
		in.Bases = append(in.Bases, l.ins.split(uint64(pre)))
	}
	r, err := New([]In{in}, l.ins.export())
	if err != nil {
		return Layout{}, err
	}
	r.origin = uint64(start)
	return r, nil
}
