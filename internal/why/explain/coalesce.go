package explain

import (
	"fmt"

	"girih"
)

const coalesceSource = "CuTe, include/cute/layout.hpp, coalesce; uniqueness: Colfax, arXiv 2601.05972, 2.1.4.18"

func coalesceLayout(op *Operation, x *Explanation) {
	l, isLayout := arg[girih.Layout](op, 0)
	if !isLayout {
		return
	}
	x.Source = coalesceSource
	if len(op.Args) == 2 {
		x.Rule = "Each mode that stands under a leaf of the target profile is coalesced on its own; modes beyond the profile stay as they are. Only the nesting of the profile counts."
		p, ok := arg[girih.Tuple](op, 1)
		if !ok || op.Err != nil {
			return
		}
		r, err := coalesceByProfile(x, l, p, "")
		if err != nil {
			return
		}
		x.derive(r)
	} else {
		x.Rule = "The layout of least rank that is the same function: a mode of extent 1 goes, and of two neighbours s0:d0 and s1:d1 the second continues the first where d1 = s0·d0; they then are one mode (s0·s1):d0."
		r, lines, err := coalesceWork(l)
		if err != nil {
			return
		}
		x.say("From left to right, each mode against the last one that is kept:", lines...)
		x.derive(r)
	}
	r, ok := op.Result.Value.(girih.Layout)
	if ok && holdsAt(l.Size(), func(i int64) bool { return sameAt(l, r, i) }) {
		x.Check = fmt.Sprintf("L(i) = R(i) %s: %s", atAll(l.Size()), values(l, 12))
	}
}

// sameAt reports whether two layouts agree at an index.
func sameAt(a, b girih.Layout, i int64) bool {
	u, ok1 := at(a, girih.Int(i))
	v, ok2 := at(b, girih.Int(i))
	return ok1 && ok2 && u.Equal(v)
}

// coalesceWork coalesces leaf by leaf, and returns what it does in lines.
func coalesceWork(l girih.Layout) (girih.Layout, []string, error) {
	rows := [][]string{{"mode", "kept so far", ""}}
	var kept []leaf
	for _, f := range leavesOf(l) {
		why := "the first mode"
		switch last := len(kept) - 1; {
		case f.s == 1:
			why = "extent 1: dropped"
		case last < 0:
			kept = append(kept, f)
		default:
			before := kept[last]
			next, err := before.d.Scale(before.s)
			if err != nil {
				return girih.Layout{}, nil, err
			}
			n := len(kept)
			if kept = merge(kept, f, 0); len(kept) == n {
				why = fmt.Sprintf("%v = %d·%v: merges with %v into %v", f.d, before.s, before.d, before, kept[last])
			} else {
				why = fmt.Sprintf("%v is not %d·%v = %v: kept", f.d, before.s, before.d, next)
			}
		}
		text := leafText(kept)
		if text == "" {
			text = "-"
		}
		rows = append(rows, []string{f.String(), text, why})
	}
	r, err := layoutOf(kept)
	return r, columns(rows...), err
}

// coalesceByProfile coalesces the modes under the leaves of the profile, with a step for each.
func coalesceByProfile(x *Explanation, l girih.Layout, p girih.Tuple, path string) (girih.Layout, error) {
	if p.IsInt() {
		r, lines, err := coalesceWork(l)
		if err != nil {
			return r, err
		}
		where := "the layout"
		if path != "" {
			where = "mode " + path
		}
		x.say(fmt.Sprintf("%s, %v, gives %v:", where, l, r), lines...)
		return r, nil
	}
	ls, ps := l.Modes(), p.Modes()
	if len(ps) > len(ls) {
		return girih.Layout{}, &girih.Error{Code: girih.CodeRank, Op: "coalesce", Msg: "the profile has more modes"}
	}
	for i := range ps {
		sub := itoa(int64(i))
		if path != "" {
			sub = path + "," + sub
		}
		var err error
		if ls[i], err = coalesceByProfile(x, ls[i], ps[i], sub); err != nil {
			return girih.Layout{}, err
		}
	}
	for i := len(ps); i < len(ls); i++ {
		x.say(fmt.Sprintf("mode %d, %v, is beyond the profile: it stays", i, ls[i]))
	}
	return girih.MakeLayout(ls...)
}
