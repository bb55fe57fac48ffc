package explain

import (
	"fmt"
	"strings"

	"girih/cute"
)

// This file describes the digits of a composition in words.

// digitsText returns an integer as the sum of its digits: "9 = 1 + 2·4".
func digitsText(s cute.Radix, x int64, digits []int64) string {
	var parts []string
	for i, d := range digits {
		switch {
		case d == 0:
		case s.Worth[i] == 1:
			parts = append(parts, itoa(d))
		default:
			parts = append(parts, fmt.Sprintf("%d·%d", d, s.Worth[i]))
		}
	}
	if text := strings.Join(parts, " + "); text == "" || text == itoa(x) || len(digits) == 1 {
		return itoa(x)
	}
	return itoa(x) + " = " + strings.Join(parts, " + ")
}

// tupleText returns the digits in parentheses, or a single digit without parentheses.
func tupleText(digits []int64) string {
	if len(digits) == 1 {
		return itoa(digits[0])
	}
	return "(" + strings.ReplaceAll(list(digits, len(digits)), " ", ",") + ")"
}

// digitSum returns the sum of the digits, each multiplied by the stride of its mode: "2·1 + 1·8 = 10".
func digitSum(sys []cute.Radix, digits [][]int64, sum cute.Tuple) string {
	var parts []string
	for t, ds := range digits {
		for i, x := range ds {
			if x != 0 {
				parts = append(parts, fmt.Sprintf("%d·%v", x, sys[t].Digits[i].Stride))
			}
		}
	}
	switch {
	case len(parts) == 0:
		return "0"
	case len(parts) == 1 && strings.HasPrefix(parts[0], "1·"):
		return sum.String()
	}
	return strings.Join(parts, " + ") + " = " + sum.String()
}

// digitName returns the name of digit i of system t: "digit 1", or "digit 1 of mode 0" if there are several systems.
func digitName(sys []cute.Radix, t, i int) string {
	if sys[t].Axis == nil {
		return fmt.Sprintf("digit %d", i)
	}
	return fmt.Sprintf("digit %d of mode %s", i, pathText(sys[t].Axis))
}

func pathText(path []int) string {
	parts := make([]string, len(path))
	for i, p := range path {
		parts[i] = itoa(int64(p))
	}
	return strings.Join(parts, ",")
}

// A breach describes, in words, where the digits stop growing evenly.
type breach struct{ condition, pair string }

// A leafWalk is the composition of one leaf of the right operand.
type leafWalk struct {
	from  leaf
	runs  []cute.Run
	split cute.Split // has no modes if the walk ends early
}

// walksOf returns the walk of each leaf of b in a composition.
func walksOf(d *cute.Derivation, b cute.Layout) []leafWalk {
	leaves := leavesOf(b)
	out := make([]leafWalk, len(leaves))
	for j, f := range leaves {
		out[j].from = f
	}
	for _, s := range d.Steps {
		switch s := s.(type) {
		case cute.Run:
			out[s.Leaf].runs = append(out[s.Leaf].runs, s)
		case cute.Split:
			out[s.Leaf].split = s
		}
	}
	return out
}

// uneven returns the run whose length does not divide the rest of the leaf, if there is such a run.
func (w leafWalk) uneven() (cute.Run, bool) {
	if n := len(w.runs); n > 0 && !w.runs[n-1].Even() {
		return w.runs[n-1], true
	}
	return cute.Run{}, false
}

// ends reports whether the walk reaches its end, rather than stopping at a number that exceeds 64 bits.
func (w leafWalk) ends() bool {
	_, uneven := w.uneven()
	return uneven || w.split.Modes != nil
}

// rows returns a row for each run: the step, its digits, the value that a step adds, the length of the run, and the
// resulting mode.
func (w leafWalk) rows(sys []cute.Radix) [][]string {
	if len(w.runs) == 0 && w.split.Modes != nil {
		return [][]string{{"-", "-", "0", "1 of 1: to the end", "1:0"}}
	}
	out := make([][]string, len(w.runs))
	for i, r := range w.runs {
		steps, stop := make([]string, len(sys)), "to the end"
		for t, digits := range r.Digits {
			steps[t] = tupleText(digits)
		}
		if f, d := fullDigit(sys, r); d != 0 {
			stop = fmt.Sprintf("%s is full (%d·%d of %d)", digitName(sys, r.System, r.Digit), r.Mode.Extent, d, f.Extent)
		}
		out[i] = []string{
			indexText(sys, r), strings.Join(steps, " "), digitSum(sys, r.Digits, r.Mode.Stride),
			fmt.Sprintf("%d of %d: %s", r.Mode.Extent, r.Left, stop), r.Mode.String(),
		}
	}
	return out
}

// indexText returns what a step of the run adds to B's value, as digits.
func indexText(sys []cute.Radix, r cute.Run) string {
	texts := make([]string, len(sys))
	for t, s := range sys {
		texts[t] = digitsText(s, r.Index[t], r.Digits[t])
	}
	return strings.Join(texts, ", ")
}

// fullDigit returns the mode of A that is full after the run, and the absolute amount by which each step changes this
// mode's digit. The amount is 0 if the run ends with the leaf.
func fullDigit(sys []cute.Radix, r cute.Run) (cute.Leaf, int64) {
	if r.System < 0 {
		return cute.Leaf{}, 0
	}
	d := r.Digits[r.System][r.Digit]
	return sys[r.System].Digits[r.Digit], max(d, -d)
}

// breach returns the condition that this leaf alone violates, or nil.
func (w leafWalk) breach(sys []cute.Radix) *breach {
	r, uneven := w.uneven()
	if !uneven {
		return nil
	}
	f, d := fullDigit(sys, r)
	n := r.Mode.Extent
	return &breach{
		condition: fmt.Sprintf("%d does not divide %d: after %s of %s %s reaches %d·%d = %d, its extent is %d",
			n, r.Left, Count(n, "step"), indexText(sys, r), digitName(sys, r.System, r.Digit), n, d, n*d, f.Extent),
		pair: fmt.Sprintf("the leaf %v of B and the mode %v of A", w.from, f),
	}
}
