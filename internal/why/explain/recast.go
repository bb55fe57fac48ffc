package explain

import (
	"fmt"

	"girih"
	"girih/internal/ints"
)

// recastExplainers explains upcast, downcast and recast_layout.
func recastExplainers() map[string]explainer {
	return map[string]explainer{"upcast": cast, "downcast": cast, "recast_layout": recast}
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
	var r girih.Layout
	if op.Name == "upcast" {
		x.Rule = upcastRule
		r, ok = sayUpcast(x, l, n)
	} else {
		x.Rule = downcastRule
		r, ok = sayDowncast(x, l, n)
	}
	if op.Err != nil {
		insteadOfCast(op, x, l, n)
		return
	}
	if ok {
		x.derive(r)
		x.Check = castCheck(op.Name, l, r, n)
	}
}

// castCheck counts the memory before and after.
func castCheck(name string, l, r girih.Layout, n int64) string {
	wide, narrow := r, l
	if name == "downcast" {
		wide, narrow = l, r
	}
	if narrow.HasBasis() || narrow.Size() > mostChecked {
		return ""
	}
	small, err1 := girih.Image(narrow)
	large, err2 := girih.Image(wide)
	if err1 != nil || err2 != nil {
		return ""
	}
	inside := make(map[int64]bool)
	for _, o := range large {
		inside[o] = true
	}
	for _, o := range small {
		if o < 0 || !inside[o/n] {
			return ""
		}
	}
	return fmt.Sprintf("each of the %s of the narrow layout lies in one of the %d of the wide one: offset div %d", count(int64(len(small)), "offset"), len(large), n)
}

// sayUpcast adds what becomes of each mode in elements n times as wide.
func sayUpcast(x *Explanation, l girih.Layout, n int64) (girih.Layout, bool) {
	rows := [][]string{{"mode", "stride against " + itoa(n), "extent", "becomes"}}
	leaves := leavesOf(l)
	parts := make([]girih.Layout, len(leaves))
	complete := true
	for i, f := range leaves {
		d, ok := f.d.Int64()
		if !ok {
			return l, false
		}
		mag := max(d, -d)
		s, e, why, took := f.s, d, "", itoa(f.s)
		switch {
		case mag == 0:
			why = "0 stays"
		case mag%n == 0:
			why, e = fmt.Sprintf("%d/%d = %d", d, n, d/n), d/n
		case n%mag == 0:
			fit := n / mag
			why, e = fmt.Sprintf("%d/%d = %d to an element", n, mag, fit), d/mag
			s = ints.CeilDiv(f.s, fit)
			took = fmt.Sprintf("%d/%d = %d", f.s, fit, s)
			if f.s%fit != 0 && fit%f.s != 0 {
				took = fmt.Sprintf("%d does not divide %d", fit, f.s)
				complete = false
				setCastFailure(x, fmt.Sprintf("%d does not divide the extent %d of the mode %v: the last wide element would be cut", fit, f.s, f), f)
			}
		case f.s == 1:
			why, e = "a single coordinate: 0", 0
		default:
			why, complete = fmt.Sprintf("neither of %d and %d divides the other", mag, n), false
			setCastFailure(x, fmt.Sprintf("neither of the stride %d and %d divides the other", d, n), f)
		}
		g := integerLeaf(s, e)
		text := g.String()
		if !complete {
			text = "-"
		}
		rows = append(rows, []string{f.String(), why, took, text})
		var err error
		if parts[i], err = girih.New(girih.Int(s), girih.Int(e)); err != nil {
			return l, false
		}
	}
	x.say(fmt.Sprintf("In elements %d times as wide:", n), columns(rows...)...)
	if !complete {
		return l, false
	}
	r, err := nested(l.Shape(), parts)
	return r, err == nil
}

func setCastFailure(x *Explanation, condition string, f leaf) {
	if x.Failure != nil && x.Failure.Pair == "" {
		x.Failure.Condition, x.Failure.Pair = condition, f.String()
	}
}

// sayDowncast adds what becomes of each mode in elements of 1/n of the width.
func sayDowncast(x *Explanation, l girih.Layout, n int64) (girih.Layout, bool) {
	leaves := leavesOf(l)
	unit, units := -1, 0
	for i, f := range leaves {
		d, ok := f.d.Int64()
		if !ok {
			return l, false
		}
		if d != 1 && d != -1 {
			continue
		}
		if f.s > 1 {
			unit, units = i, units+1
		} else if unit < 0 {
			unit = i
		}
	}
	if n == 1 {
		return l, true
	}
	rows := [][]string{{"mode", "", "becomes"}}
	parts := make([]girih.Layout, len(leaves))
	for i, f := range leaves {
		d, _ := f.d.Int64()
		s, e, why := f.s, d, fmt.Sprintf("stride times %d", n)
		var ok bool
		if i == unit && units <= 1 {
			why = fmt.Sprintf("stride %d: extent times %d", d, n)
			s, ok = ints.Mul(f.s, n)
		} else {
			e, ok = ints.Mul(d, n)
		}
		if !ok {
			return l, false
		}
		rows = append(rows, []string{f.String(), why, integerLeaf(s, e).String()})
		var err error
		if parts[i], err = girih.New(girih.Int(s), girih.Int(e)); err != nil {
			return l, false
		}
	}
	if unit < 0 || units > 1 {
		if x.Failure != nil {
			x.Failure.Condition = fmt.Sprintf("%s of stride 1 where exactly one is needed: the %d parts of an element must be neighbours", count(int64(units), "mode"), n)
		}
		return l, false
	}
	x.say(fmt.Sprintf("In elements of 1/%d of the width:", n), columns(rows...)...)
	r, err := nested(l.Shape(), parts)
	return r, err == nil
}

// insteadOfCast adds the factors that work.
func insteadOfCast(op *Operation, x *Explanation, l girih.Layout, n int64) {
	f := girih.Upcast
	if op.Name == "downcast" {
		f = girih.Downcast
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
	if c, err := girih.Coalesce(l); err == nil && !c.Equal(l) {
		if r, err := f(c, n); err == nil {
			x.instead("of the coalesced layout", fmt.Sprintf("%s<%d>(%v)", op.Name, n, c), r.String())
		}
	}
}

func recast(op *Operation, x *Explanation) {
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
	x.Rule = fmt.Sprintf("From %d bits to %d bits: upcast by %d, then downcast by %d. %s", widths[1], widths[0], up, down, upcastRule+" "+downcastRule)
	r := l
	if up > 1 {
		if r, ok = sayUpcast(x, l, up); !ok {
			return
		}
	}
	if down > 1 {
		if r, ok = sayDowncast(x, r, down); !ok {
			return
		}
	}
	if op.Err == nil {
		x.derive(r)
	}
}
