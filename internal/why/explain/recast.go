package explain

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/ints"
)

// recastExplainers explains upcast, downcast and recast_layout.
func recastExplainers() map[string]explainer {
	return map[string]explainer{"upcast": cast, "downcast": cast, "recast_layout": recastLayout}
}

const (
	upcastRule   = "An element n times as wide holds n old ones. A stride that n divides is divided by n; a stride d that divides n enters the wide element, so n/d steps of that mode become one, and its stride becomes 1. A mode of extent 1 does not move, whatever its stride."
	downcastRule = "An element becomes n neighbours: the mode of stride 1 gets n times the extent, all other strides n times the length."
	recastSource = "CuTe, include/cute/layout.hpp, upcast, downcast, recast_layout"
)

func cast(op *Operation, x *Explanation) {
	l, ok := op.layoutArg(0)
	n, ok2 := op.integerArg(1)
	if len(op.Template) == 1 {
		n, ok2 = op.Template[0], true
	}
	if !ok || !ok2 || n < 1 {
		return
	}
	x.Source = recastSource
	x.Rule = downcastRule
	if op.Name == "upcast" {
		x.Rule = upcastRule
	}
	d, err := op.Until.Derive(op.Name, l, cute.Int(n))
	sayCast(x, d)
	if op.Err != nil {
		insteadOfCast(op, x, l, n)
		return
	}
	if r, ok := op.layoutResult(); ok && err == nil {
		checkCast(x, l, r, n)
	}
}

// checkCast checks that each offset of the narrow layout, divided by n, is an offset of the wide layout. Layouts with
// negative offsets are not checked.
func checkCast(x *Explanation, l, r cute.Layout, n int64) {
	wide, narrow := r, l
	if x.Op == "downcast" {
		wide, narrow = l, r
	}
	if narrow.HasBasis() || narrow.Size() > mostChecked {
		return
	}
	small, err1 := cute.Image(narrow)
	large, err2 := cute.Image(wide)
	if err1 != nil || err2 != nil || small[0] < 0 {
		return
	}
	x.Check = fmt.Sprintf("each of the %s of the narrow layout is in one of the %d of the wide one: offset div %d",
		Count(len(small), "offset"), len(large), n)
	outside := func(o int64) bool { _, ok := slices.BinarySearch(large, o/n); return !ok }
	if i := slices.IndexFunc(small, outside); i >= 0 {
		x.refute("that each offset of the narrow layout is in one of the wide one", "offset %d", small[i])
	}
}

// sayCast describes how each mode changes for elements of another width.
func sayCast(x *Explanation, d *cute.Derivation) {
	if d.Op == "upcast" {
		sayUpcast(x, d)
	} else {
		sayDowncast(x, d)
	}
}

// sayUpcast describes how each mode changes for elements that are wider by an integer factor.
func sayUpcast(x *Explanation, d *cute.Derivation) {
	steps := stepsOf[cute.Rescale](d)
	if len(steps) == 0 || d.A.HasBasis() {
		return
	}
	n, broken := steps[0].Factor, false
	rows := [][]string{{"mode", "stride against " + itoa(n), "extent", "becomes"}}
	for _, s := range steps {
		d, _ := s.Mode.Stride.Int64()
		mag, extent := max(d, -d), s.Mode.Extent
		why, took, into := "", itoa(extent), s.Into.String()
		switch {
		case mag == 0:
			why = "0 stays"
		case mag%n == 0:
			why = fmt.Sprintf("%d/%d = %d", d, n, d/n)
		case s.Fit == 0:
			why = fmt.Sprintf("neither of %d and %d divides the other", mag, n)
			setCastFailure(x, fmt.Sprintf("neither of the stride %d and %d divides the other", d, n), s.Mode)
		case n%mag != 0:
			why = "a single coordinate: 0"
		case s.Into.Extent == 0:
			why = fmt.Sprintf("%d/%d = %d to an element", n, mag, s.Fit)
			took = fmt.Sprintf("%d does not divide %d", s.Fit, extent)
			setCastFailure(x, fmt.Sprintf("%d does not divide the extent %d of the mode %v: the last wide element would be cut",
				s.Fit, extent, s.Mode), s.Mode)
		default:
			why = fmt.Sprintf("%d/%d = %d to an element", n, mag, s.Fit)
			took = fmt.Sprintf("%d/%d = %d", extent, s.Fit, s.Into.Extent)
		}
		if broken = broken || s.Into.Extent == 0; broken {
			into = "-"
		}
		rows = append(rows, []string{s.Mode.String(), why, took, into})
	}
	x.sayf("In elements %d times as wide:", n).show(columns(rows...)...)
}

func setCastFailure(x *Explanation, condition string, f cute.Leaf) {
	if x.Failure != nil && x.Failure.Pair == "" {
		x.Failure.Condition, x.Failure.Pair = condition, f.String()
	}
}

// sayDowncast describes how each mode changes for elements that are narrower by an integer factor.
func sayDowncast(x *Explanation, d *cute.Derivation) {
	t, _ := d.B.(cute.Tuple)
	n, _ := t.Int64()
	units := stepsOf[cute.Unit](d)
	if len(units) == 0 {
		return
	}
	if units[0].Count != 1 {
		if x.Failure != nil {
			x.Failure.Condition = fmt.Sprintf("%s of stride 1 where exactly one is needed: the %d parts of an element must be neighbours",
				Count(units[0].Count, "mode"), n)
		}
		return
	}
	steps := stepsOf[cute.Rescale](d)
	if len(steps) < len(leavesOf(d.A)) {
		return // a number exceeds 64 bits
	}
	rows := [][]string{{"mode", "", "becomes"}}
	for i, s := range steps {
		why := fmt.Sprintf("stride times %d", n)
		if i == units[0].Leaf {
			why = fmt.Sprintf("stride %v: extent times %d", s.Mode.Stride, n)
		}
		rows = append(rows, []string{s.Mode.String(), why, s.Into.String()})
	}
	x.sayf("In elements of 1/%d of the width:", n).show(columns(rows...)...)
}

// insteadOfCast offers factors that work.
func insteadOfCast(op *Operation, x *Explanation, l cute.Layout, n int64) {
	f := cute.Upcast
	if op.Name == "downcast" {
		f = cute.Downcast
	}
	for m := n / 2; m > 1; m-- {
		if r, err := f(l, m); err == nil && n%m == 0 {
			x.instead(fmt.Sprintf("by %d", m), fmt.Sprintf("%s<%d>(%v)", op.Name, m, l), r.String())
			return
		}
		if n-m > 4096 {
			return
		}
	}
	if c := cute.Coalesce(l); !c.Equal(l) {
		if r, err := f(c, n); err == nil {
			x.instead("of the coalesced layout", fmt.Sprintf("%s<%d>(%v)", op.Name, n, c), r.String())
		}
	}
}

func recastLayout(op *Operation, x *Explanation) {
	last := len(op.Args) - 1
	if _, ok := op.integerArg(0); !ok && last == 2 {
		turned := *op // recast_layout(L, old_bits, new_bits)
		turned.Args = []Operand{op.Args[2], op.Args[1], op.Args[0]}
		op = &turned
	}
	widths := op.Template
	if widths == nil {
		for i := range last {
			n, ok := op.integerArg(i)
			if !ok {
				return
			}
			widths = append(widths, n)
		}
	}
	l, ok := op.layoutArg(last)
	if !ok || len(widths) != 2 || widths[0] < 1 || widths[1] < 1 {
		return
	}
	x.Source = recastSource
	g := ints.GCD(widths[0], widths[1])
	up, down := widths[0]/g, widths[1]/g
	x.Rule = fmt.Sprintf("From %d bits to %d bits: upcast by %d, then downcast by %d. %s",
		widths[1], widths[0], up, down, upcastRule+" "+downcastRule)
	d, _ := cute.Derive("recast_layout", l, cute.Ints(widths[1], widths[0]))
	for _, part := range partsOf(d) {
		if part.Op == "upcast" && up > 1 || part.Op == "downcast" && down > 1 {
			sayCast(x, part)
		}
	}
}
