package explain

import (
	"fmt"
	"strings"

	"girih/cute"
)

// This file writes a thread-value layout as the formulas of the PTX ISA: row = groupID + 8·(i/2), column = ....
//
// The coordinates of an index are its row, its column and its block. Each of the three is the composition of a layout
// of coordinates, such as (M,N,B):(1,0,0) for the row, with the thread-value layout. The modes of this composition are
// the terms of the formula.

// A term is step·(x/size % extent), where x is the thread t or the value i.
type term struct {
	jump
	value bool // x is i
	last  bool // no higher digit of x exists, so % extent has no effect
}

// termsOf returns the modes of a layout of threads and values that have a nonzero step.
func termsOf(l cute.Layout) []term {
	var out []term
	for side, m := range l.Modes() {
		for _, j := range jumps(m) {
			if j.step != 0 {
				out = append(out, term{jump: j, value: side == 1, last: j.size*j.extent == m.Size()})
			}
		}
	}
	return out
}

// A formula gives the row, the column and the block of value i of thread t as sums of terms.
type formula struct{ row, column, block []term }

// formulaOf returns the formula of a panel. It returns false if a row, a column or a block is not a sum of terms, or if
// an element is outside the panel.
func (p panel) formulaOf() (formula, bool) {
	var sums [3][]term
	extents := cute.Ints(p.rows, p.columns, p.blocks)
	if end, err := p.tv.Cosize(); err != nil || end > p.rows*p.columns*p.blocks {
		return formula{}, false
	}
	for i := range sums {
		var unit [3]int64
		unit[i] = 1
		along, err := cute.New(extents, cute.Ints(unit[:]...))
		if err != nil {
			return formula{}, false
		}
		sum, err := cute.Composition(along, p.derived)
		if err != nil {
			return formula{}, false
		}
		if sum, err = coalescedModes(sum); err != nil {
			return formula{}, false
		}
		sums[i] = termsOf(sum)
	}
	return formula{row: sums[0], column: sums[1], block: sums[2]}, true
}

// lanes says which names of the PTX ISA apply to the digits of a thread's number.
type lanes struct {
	named bool  // the threads are 4 by 8, or 4 by 8 by warps
	warps int64 // warps per warpgroup
}

// lanesOf finds out whether the PTX ISA has names for the digits in all terms of threads.
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

// text formats a sum of terms.
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

// term formats a term.
func (l lanes) term(t term) string {
	x := l.name(t)
	if t.step != 1 && strings.ContainsAny(x, "/%") {
		x = "(" + x + ")"
	}
	return times(t.step, x)
}

// name formats the digit of a term.
func (l lanes) name(t term) string {
	x := "t"
	switch {
	case t.value:
		x = "i"
	case l.named && t.size == 1:
		return "threadID_in_group"
	case l.named && t.size == 4:
		return "groupID"
	case l.named && t.size == 32:
		return "warp"
	}
	if t.size > 1 {
		x = fmt.Sprintf("%s/%d", x, t.size)
	}
	switch {
	case t.last:
		return x
	case t.size > 1:
		x = "(" + x + ")"
	}
	return fmt.Sprintf("%s%%%d", x, t.extent)
}

// times formats factor·x.
func times(factor int64, x string) string {
	if factor == 1 {
		return x
	}
	return fmt.Sprintf("%d·%s", factor, x)
}

// formulaLines returns, as lines, the formulas of a panel for thread t and its value i.
func (p panel) formulaLines(threads int64) []string {
	f, ok := p.formulaOf()
	if !ok {
		return align([][]string{
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
	return align(rows)
}

// indexText returns the index as a sum over all digits.
func (p panel) indexText() string { return lanes{}.text(termsOf(p.derived)) }
