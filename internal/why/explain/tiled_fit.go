package explain

import (
	"girih/atom"
	"girih/cute"
)

// CopyFit explains whether a copy operation fits a layout of shared memory: the elements that the operation needs after
// each address, where these elements are, and which operations would fit. Offsets are in elements. CopyFit returns the
// errors of [atom.Copy.Fit] and [atom.CopiesFor].
func CopyFit(c atom.Copy, r atom.CopyRequest) (Explanation, error) {
	fit, err := c.Fit(r)
	if err != nil {
		return Explanation{}, err
	}
	x := Explanation{
		Op: "copy_fit", Expr: c.Name, Source: c.Source,
		Rule: "A copy operation fits if its threads and values divide the threads and values of the request, and if every run of bits that a thread addresses in shared memory has no gap and begins at a multiple of its length. Every address is checked.",
	}
	x.sayf("Asked for: %s with %s each, %v, elements of %v, in shared memory at %v.",
		Count(r.LayoutTV.Modes()[0].Size(), "thread"),
		Count(r.LayoutTV.Modes()[1].Size(), "value"), r.Direction, r.Type, r.Memory)
	x.sayf("%s moves %d bits with %s. Source: %s. Destination: %s.",
		c.Name, c.Bits(), Count(c.Threads(), "thread"), sideText(c.From), sideText(c.To)).show(opcode(c.Text)...)
	if a, err := atom.MakeCopyAtom(c, r.Type); err == nil {
		threads, values := r.LayoutTV.Modes()[0].Size(), r.LayoutTV.Modes()[1].Size()
		x.sayf("It takes %s and %s of %v from each: %s, %s.",
			Count(a.ValRef.Modes()[0].Size(), "thread"), Count(a.NumVal(), "value"), r.Type,
			quotient(threads, a.ValRef.Modes()[0].Size()), quotient(values, a.NumVal()))
	}
	if fit.First != nil && fit.Second != nil {
		sayMisplaced(&x, fit, r)
	}
	if fit.Fits {
		x.Result = "fits"
		x.say(fit.Reason)
		x.Check = "Every address of every thread was looked at."
		return x, nil
	}
	x.Failure = &Failure{Code: string(cute.CodeNotDivisible), Condition: fit.Reason, Index: -1, Message: c.Name + " does not fit"}
	if fit.First != nil {
		x.Failure.Code, x.Failure.Coord = string(cute.CodeNotRepresentable), fit.First.Coord.String()
	}
	if fit.Hint != "" {
		x.instead(fit.Hint+".", "", "")
	}
	fits, err := atom.CopiesFor(r)
	if err != nil {
		return Explanation{}, err
	}
	for i, f := range fits {
		if !f.Fits || i == 3 {
			break
		}
		x.instead(f.Copy.Name+" fits. "+f.Reason, "", "")
	}
	return x, nil
}

// sayMisplaced lists the elements at and after the address where an operation does not fit.
func sayMisplaced(x *Explanation, fit atom.CopyFit, r atom.CopyRequest) {
	side, layout := fit.Copy.From, fit.Tiled.LayoutSrcTV()
	if r.Direction != atom.SharedToRegisters {
		side, layout = fit.Copy.To, fit.Tiled.LayoutDstTV()
	}
	bits := int64(r.Type.Bits())
	need := side.Unit / max(bits, 1)
	if fit.First.Offset == fit.Second.Offset && fit.First.Value == fit.Second.Value {
		first := fit.First.Offset * bits
		x.sayf("Thread %d begins at %v, offset %d: %d·%d = bit %d, and %d mod %d = %d. The address has to be a multiple of %d bits.",
			fit.First.Thread, fit.First.Coord, fit.First.Offset, fit.First.Offset, bits, first,
			first, side.Align, first%max(side.Align, 1), side.Align)
		return
	}
	rows := [][]string{{"value", "element", "offset", "needed"}}
	start := fit.First.Value
	for v := start; v < start+need && v < start+8; v++ {
		i, err := layout.At(fit.First.Thread + v*layout.Modes()[0].Size())
		if err != nil {
			return
		}
		coord, err := cute.Idx2Crd(cute.Int(i), fit.Tiled.Shape())
		if err != nil {
			return
		}
		offset, ok := offsetAt(r.Memory, coord)
		if !ok {
			return
		}
		rows = append(rows, []string{itoa(v), coord.String(), itoa(offset), itoa(fit.First.Offset + v - start)})
	}
	x.sayf("Behind one address thread %d needs %d elements in a row, %d bits. Its values from %d on are:",
		fit.First.Thread, need, side.Unit, start).show(align(rows)...)
}

// offsetAt returns the offset of a coordinate in memory.
func offsetAt(memory cute.Inner, c cute.Tuple) (int64, bool) {
	var at cute.Tuple
	var err error
	switch l := memory.(type) {
	case cute.Layout:
		at, err = l.Eval(c)
	case cute.Composed:
		at, err = l.Eval(c)
	default:
		return 0, false
	}
	if err != nil {
		return 0, false
	}
	return at.Int64()
}
