package explain

import (
	"fmt"
	"strings"
)

// This file writes a thread-value layout as the formulas of the PTX ISA: row = groupID + 8·(i/2), column = ....
//
// Each jump is a digit t/size % extent, and its step is so many rows and so many columns. A jump that runs over the end
// of a column is two digits, one for each direction. The formula is exact if the rows of all digits together never
// carry into the next column, which their largest values tell.

// A term is factor·(x/size % extent), where x is the thread t or the value i.
type term struct {
	value        bool // of i
	size, extent int64
	factor       int64
	last         bool // no digit of x stands above, so that % extent does nothing
}

// A formula is the row, the column and the block of the value i of the thread t, as sums of terms.
type formula struct{ row, column, block []term }

// formulaOf returns the formula of a panel, and false if some digit moves rows and columns so that they carry.
func (p panel) formulaOf() (formula, bool) {
	var f formula
	for side, js := range [2][]jump{p.threads, p.values} {
		for i, j := range js {
			if j.step == 0 || j.extent == 1 {
				continue
			}
			t := term{value: side == 1, size: j.size, extent: j.extent, last: i == len(js)-1}
			low, high, ok := split(t, j.step, p.rows)
			if !ok {
				return f, false
			}
			f.row = append(f.row, low...)
			for _, h := range high {
				low, high, ok := split(h, h.factor, p.columns)
				if !ok {
					return f, false
				}
				f.column, f.block = append(f.column, low...), append(f.block, high...)
			}
		}
	}
	if most(f.row) >= p.rows || most(f.column) >= p.columns || most(f.block) >= p.blocks {
		return f, false
	}
	f.row, f.column, f.block = merged(f.row), merged(f.column), merged(f.block)
	return f, true
}

// split takes the digit t, whose step is given, apart into what it does below the modulus and above it.
func split(t term, step, modulus int64) (low, high []term, ok bool) {
	below, above := step%modulus, step/modulus
	if (t.extent-1)*below < modulus {
		if below > 0 {
			l := t
			l.factor = below
			low = append(low, l)
		}
		if above > 0 {
			h := t
			h.factor = above
			high = append(high, h)
		}
		return low, high, true
	}
	if above > 0 || modulus%below != 0 || t.extent%(modulus/below) != 0 {
		return nil, nil, false
	}
	l, h := t, t
	l.extent, l.factor, l.last = modulus/below, below, false
	h.size, h.extent, h.factor = t.size*l.extent, t.extent/l.extent, 1
	return append(low, l), append(high, h), true
}

// most returns the largest value of a sum.
func most(ts []term) int64 {
	sum := int64(0)
	for _, t := range ts {
		sum += (t.extent - 1) * t.factor
	}
	return sum
}

// merged joins digits that count on where the one before ends.
func merged(ts []term) []term {
	var out []term
	for _, t := range ts {
		if n := len(out); n > 0 {
			l := &out[n-1]
			if l.value == t.value && t.size == l.size*l.extent && t.factor == l.factor*l.extent {
				l.extent *= t.extent
				l.last = t.last
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

// lanes are the names that the PTX ISA has for parts of the number of a thread.
type lanes struct {
	named bool  // the threads are 4 by 8, or 4 by 8 by warps
	warps int64 // in a warpgroup
}

// lanesOf reports whether all terms of threads are of the form that the PTX ISA names.
func lanesOf(threads int64, f formula) lanes {
	l := lanes{named: threads == 32 || threads == 128, warps: threads / 32}
	used := false
	for _, ts := range [][]term{f.row, f.column, f.block} {
		for _, t := range ts {
			if t.value {
				continue
			}
			used = true
			switch {
			case t.size == 1 && t.extent == 4, t.size == 4 && t.extent == 8, t.size == 32 && t.extent == l.warps:
			default:
				l.named = false
			}
		}
	}
	l.named = l.named && used
	return l
}

// text writes a sum of terms.
func (l lanes) text(ts []term) string {
	if len(ts) == 0 {
		return "0"
	}
	parts := make([]string, len(ts))
	for i, t := range ts {
		parts[i] = l.term(t)
	}
	return strings.Join(parts, " + ")
}

func (l lanes) term(t term) string {
	name, simple := "t", true
	switch {
	case t.value:
		name = "i"
	case l.named && t.size == 1:
		return times(t.factor, "threadID_in_group")
	case l.named && t.size == 4:
		return times(t.factor, "groupID")
	case l.named && t.size == 32:
		return times(t.factor, "warp")
	}
	if t.size > 1 {
		name, simple = fmt.Sprintf("%s/%d", name, t.size), false
	}
	switch {
	case t.last:
	case simple:
		name, simple = fmt.Sprintf("%s%%%d", name, t.extent), false
	default:
		name = fmt.Sprintf("(%s)%%%d", name, t.extent)
	}
	if !simple && t.factor != 1 {
		name = "(" + name + ")"
	}
	return times(t.factor, name)
}

// times writes factor·x.
func times(factor int64, x string) string {
	if factor == 1 {
		return x
	}
	return fmt.Sprintf("%d·%s", factor, x)
}

// formulaLines writes the formulas of a panel for the thread t and its value i.
func (p panel) formulaLines(threads int64) []string {
	f, ok := p.formulaOf()
	if !ok {
		return aligned([][]string{
			{"index", "=", p.indexText()},
			{strings.ToLower(p.axes[0]), "=", fmt.Sprintf("index %% %d", p.rows)},
			{strings.ToLower(p.axes[1]), "=", fmt.Sprintf("index / %d", p.rows)},
		})
	}
	l := lanesOf(threads, f)
	var rows [][]string
	if l.named {
		group := "t/4"
		if l.warps > 1 {
			rows = append(rows, []string{"warp", "=", "t/32"})
			group = "(t/4)%8"
		}
		rows = append(rows, []string{"groupID", "=", group}, []string{"threadID_in_group", "=", "t%4"})
	}
	rows = append(rows,
		[]string{strings.ToLower(p.axes[0]), "=", l.text(f.row)},
		[]string{strings.ToLower(p.axes[1]), "=", l.text(f.column)})
	if p.blocks > 1 {
		rows = append(rows, []string{"block", "=", l.text(f.block)})
	}
	return aligned(rows)
}

// indexText writes the index as a sum over all digits.
func (p panel) indexText() string {
	var ts []term
	for side, js := range [2][]jump{p.threads, p.values} {
		for i, j := range js {
			if j.step != 0 {
				ts = append(ts, term{value: side == 1, size: j.size, extent: j.extent, factor: j.step, last: i == len(js)-1})
			}
		}
	}
	return lanes{}.text(ts)
}
