package explain

import (
	"fmt"

	"girih/cute"
)

const coalesceSource = "CuTe, include/cute/layout.hpp, coalesce; uniqueness: Colfax, arXiv 2601.05972, 2.1.4.18"

func coalesceLayout(op *Operation, x *Explanation) {
	l, isLayout := arg[cute.Layout](op, 0)
	if !isLayout {
		return
	}
	x.Source = coalesceSource
	if len(op.Args) == 2 {
		x.Rule = "Each mode below a leaf of the target profile is coalesced separately; modes beyond the profile do not change. Only the nesting of the profile counts."
		p, ok := arg[cute.Tuple](op, 1)
		if !ok || op.Err != nil {
			return
		}
		if d, err := cute.Derive("coalesce", l, p); err == nil {
			sayCoalesced(x, d)
		}
	} else {
		x.Rule = "The layout of least rank that is the same function: a mode of extent 1 goes, and of two neighbours s0:d0 and s1:d1 the second continues the first where d1 = s0·d0; they then are one mode (s0·s1):d0."
		if d, err := cute.Derive("coalesce", l); err == nil {
			x.say("From left to right, each mode against the last one that is kept:", mergeLines(d)...)
		}
	}
	r, ok := op.Result.Value.(cute.Layout)
	if ok {
		x.verify("L(i) = R(i)", l.Size(), func(i int64) bool { return sameAt(l, r, i) })
		x.Check += ": " + values(l, 12)
	}
}

// sameAt reports whether two layouts agree at an index.
func sameAt(a, b cute.Layout, i int64) bool {
	u, ok1 := at(a, cute.Int(i))
	v, ok2 := at(b, cute.Int(i))
	return ok1 && ok2 && sameValue(u, v)
}

// coalesceLines returns the coalesced layout and the lines that describe coalesce, mode by mode.
func coalesceLines(l cute.Layout) (cute.Layout, []string, error) {
	d, err := cute.Derive("coalesce", l)
	return d.Result, mergeLines(d), err
}

// mergeLines describes coalesce, mode by mode.
func mergeLines(d *cute.Derivation) []string {
	rows := [][]string{{"mode", "kept so far", ""}}
	var kept []cute.Leaf
	for _, m := range stepsOf[cute.Merge](d) {
		why := "the first mode"
		switch {
		case m.Mode.Extent == 1:
			why = "extent 1: dropped"
		case m.Merged:
			kept[len(kept)-1] = m.After
			why = fmt.Sprintf("%v = %d·%v: merges with %v into %v",
				m.Mode.Stride, m.Before.Extent, m.Before.Stride, m.Before, m.After)
		default:
			if len(kept) > 0 {
				why = fmt.Sprintf("%v is not %d·%v = %v: kept", m.Mode.Stride, m.Before.Extent, m.Before.Stride, m.Next)
			}
			kept = append(kept, m.After)
		}
		text := leafText(kept)
		if text == "" {
			text = "-"
		}
		rows = append(rows, []string{m.Mode.String(), text, why})
	}
	return columns(rows...)
}

// sayCoalesced adds a step for each mode that a leaf of the profile coalesces, and for each mode beyond the profile.
func sayCoalesced(x *Explanation, d *cute.Derivation) {
	p, ok := d.B.(cute.Tuple)
	switch {
	case !ok:
		x.sayf("mode %d, %v, is beyond the profile: it stays", d.At[len(d.At)-1], d.A)
	case p.IsInt():
		where := "the layout"
		if len(d.At) > 0 {
			where = "mode " + pathText(d.At)
		}
		x.sayf("%s, %v, gives %v:", where, d.A, d.Result).show(mergeLines(d)...)
	default:
		for _, part := range partsOf(d) {
			sayCoalesced(x, part)
		}
	}
}
