package explain

import (
	"fmt"

	"girih/cute"
)

// This file describes in words what the algebra does for each axis of coordinate strides.

// axisName returns the name of the axis with the given path: "axis 1@0" for mode 0 of coordinates.
func axisName(path []int) string {
	unit, err := cute.Basis(1, path...)
	if err != nil {
		return "axis " + pathText(path)
	}
	return "axis " + unit.String()
}

// complementAxes adds the steps of a complement with coordinate strides, axis by axis.
func complementAxes(op *Operation, x *Explanation, a cute.Layout, cotarget cute.Tuple) {
	d, err := op.Until.Derive(op.Name, a, cotarget)
	for _, s := range d.Steps {
		switch s := s.(type) {
		case *cute.Derivation:
			g := gapsOf(s)
			x.sayf("Along %s A has %s, up to %v:", axisName(s.At), leafText(leavesOf(s.A)), s.B).show(g.lines...)
			if g.bad != "" && x.Failure != nil {
				x.Failure.Condition, x.Failure.Pair = axisName(s.At)+": "+g.bad, g.pair
			}
			sayRest(x, s, g)
		case cute.Free:
			x.sayf("Along %s A does not move: all %d places are free.", axisName(s.Axis), s.Places)
		}
	}
	if err == nil {
		x.sayf("Side by side, as the axes stand: %v.", d.Result)
	}
}

// inverseAxes adds the steps of the inverse of a layout with coordinate strides, axis by axis. lines returns the lines
// of work of one axis.
func inverseAxes(op *Operation, x *Explanation, a cute.Layout, lines func(d *cute.Derivation) []string) {
	d, err := op.Until.Derive(op.Name, a)
	for _, p := range partsOf(d) {
		if p.Op == "coalesce" {
			if !p.Result.Equal(a) {
				x.sayf("A is coalesced first: %v.", p.Result)
			}
			continue
		}
		text := fmt.Sprintf("Along %s A has %s", axisName(p.At), leafText(leavesOf(p.A)))
		switch {
		case len(stepsOf[cute.Negate](p)) > 0:
			text += ", and counts down; as R(-u) = -R(u), R takes back -A with the sign turned"
		case len(stepsOf[cute.Search](p)) > 0 && p.OK:
			text += fmt.Sprintf(". The strides do not chain, so R = %v is found from the equations R(A(i)) = i", p.Result)
		}
		x.say(text+":", lines(p)...)
	}
	if err == nil {
		x.sayf("Side by side, in the order of the axes in A's coordinates: %v.", d.Result)
		if r, ok := op.layoutResult(); ok {
			checkInverse(op, x, a, r)
		}
	}
}

// checkInverse checks that r satisfies the definition of the inverse of a, a layout with coordinate strides.
func checkInverse(op *Operation, x *Explanation, a, r cute.Layout) {
	switch op.Name {
	case "left_inverse":
		x.verifyLeft(a.Size(), func(i int64) (int64, bool) {
			v, ok := composedAt(r, a, i)
			k, isInt := v.Int64()
			return k, ok && isInt
		}, func(i int64) (cute.Tuple, bool) { return at(a, cute.Int(i)) })
	default:
		x.verify("A(R(c)) = c", r.Size(), func(i int64) bool {
			k, err := r.At(i)
			if err != nil {
				return false
			}
			v, ok := at(a, cute.Int(k))
			if !ok {
				return false
			}
			j, ok := rightIndex(v, r)
			return ok && j == i
		})
		x.Check += " of R"
	}
}

// rightIndex returns the index of the coordinate v in the shape of r.
func rightIndex(v cute.Tuple, r cute.Layout) (int64, bool) {
	v, ok := withZeros(v, r.Shape())
	if !ok {
		return 0, false
	}
	k, err := cute.Crd2Idx(v, r.Shape())
	return k, err == nil
}
