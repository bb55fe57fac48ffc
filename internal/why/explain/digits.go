package explain

import (
	"fmt"
	"slices"
	"strings"

	"girih"
	"girih/internal/ints"
)

// A system is a mixed radix system: the leaves of the left operand that integers along one axis of the right operand's
// values count. The last digit is unbounded.
type system struct {
	path   []int // of the axis, nil for integers
	leaves []leaf
	worth  []int64 // of one step of each digit, as an index
}

// systemsOf returns the systems of a that the values of b index, or false if b addresses what a does not have.
func systemsOf(a, b girih.Layout) ([]system, bool) {
	if !b.HasBasis() {
		r := radices(a)
		return []system{{nil, r, worths(r)}}, true
	}
	var paths [][]int
	for _, f := range leavesOf(b) {
		f.d.Terms(func(_ int64, path []int) { paths = append(paths, slices.Clone(path)) })
	}
	slices.SortFunc(paths, slices.Compare[[]int])
	paths = slices.CompactFunc(paths, slices.Equal[[]int])
	out := make([]system, len(paths))
	for i, p := range paths {
		m, err := a.Mode(p...)
		if err != nil {
			return nil, false
		}
		r := radices(m)
		out[i] = system{p, r, worths(r)}
	}
	return out, true
}

// digits returns the digits of x, all with its sign.
func (s system) digits(x int64) []int64 {
	out := make([]int64, len(s.leaves))
	for i, f := range s.leaves {
		if i == len(s.leaves)-1 {
			out[i] = x
			break
		}
		out[i], x = x%f.s, x/f.s
	}
	return out
}

// text returns the integer as its digits: "9 = 1 + 2·4".
func (s system) text(x int64, digits []int64) string {
	var parts []string
	for i, d := range digits {
		switch {
		case d == 0:
		case s.worth[i] == 1:
			parts = append(parts, itoa(d))
		default:
			parts = append(parts, fmt.Sprintf("%d·%d", d, s.worth[i]))
		}
	}
	if text := strings.Join(parts, " + "); text == "" || text == itoa(x) || len(digits) == 1 {
		return itoa(x)
	}
	return itoa(x) + " = " + strings.Join(parts, " + ")
}

// tupleText returns the digits in parentheses, or the only one.
func tupleText(digits []int64) string {
	if len(digits) == 1 {
		return itoa(digits[0])
	}
	return "(" + strings.ReplaceAll(list(digits, len(digits)), " ", ",") + ")"
}

// adds returns what the digits add up to in the codomain, and the sum as text.
func adds(sys []system, digits [][]int64) (girih.Tuple, string, bool) {
	sum := girih.Int(0)
	var parts []string
	for t, ds := range digits {
		for i, x := range ds {
			if x == 0 {
				continue
			}
			d := sys[t].leaves[i].d
			p, err := d.Scale(x)
			if err != nil {
				return sum, "", false
			}
			if sum, err = sum.Add(p); err != nil {
				return sum, "", false
			}
			parts = append(parts, fmt.Sprintf("%d·%v", x, d))
		}
	}
	switch len(parts) {
	case 0:
		return sum, "0", true
	case 1:
		if strings.HasPrefix(parts[0], "1·") {
			return sum, sum.String(), true
		}
	}
	return sum, strings.Join(parts, " + ") + " = " + sum.String(), true
}

// name returns the name of digit i of system t: "digit 1", or with several systems "digit 1 of mode 0".
func digitName(sys []system, t, i int) string {
	if sys[t].path == nil {
		return fmt.Sprintf("digit %d", i)
	}
	return fmt.Sprintf("digit %d of mode %s", i, pathText(sys[t].path))
}

func pathText(path []int) string {
	parts := make([]string, len(path))
	for i, p := range path {
		parts[i] = itoa(int64(p))
	}
	return strings.Join(parts, ",")
}

// coefficients returns the numbers of a stride along the axes of the systems.
func coefficients(sys []system, d girih.Tuple) []int64 {
	out := make([]int64, len(sys))
	d.Terms(func(x int64, path []int) {
		for t, s := range sys {
			if slices.Equal(s.path, path) {
				out[t] = x
			}
		}
	})
	return out
}

// A breach is the place where digits stop growing evenly.
type breach struct {
	leaf      int   // of the right operand, -1 if it is between several
	steps     int64 // after which the value is not linear any more; 0 if leaves carry together
	condition string
	pair      string
}

// A leafWalk is what composition does with one leaf of the right operand.
type leafWalk struct {
	from  leaf
	rows  [][]string
	modes []leaf      // as the runs come
	digit [][][]int64 // of the step of each mode, for each system
	bad   *breach
	fits  bool // all numbers fit in 64 bits
}

// walkLeaf takes leaf j of the right operand apart: as many steps as no digit reaches its extent make a mode, and the
// rest is a leaf of larger steps.
func walkLeaf(sys []system, j int, f leaf) leafWalk {
	w := leafWalk{from: f, fits: true}
	head := []string{"step", "digits", "a step adds", "runs"}
	w.rows = [][]string{append(head, "mode")}
	x := coefficients(sys, f.d)
	for n := f.s; n > 1; {
		digits := make([][]int64, len(sys))
		run, stop := n, "to the end"
		var texts, steps []string
		reached := ""
		for t, s := range sys {
			digits[t] = s.digits(x[t])
			for i, d := range digits[t][:len(digits[t])-1] {
				if d < 0 {
					d = -d
				}
				if d == 0 {
					continue
				}
				e := s.leaves[i].s
				if m := (e-1)/d + 1; m < run {
					run = m
					reached = fmt.Sprintf("%s reaches %d·%d = %d, its extent is %d", digitName(sys, t, i), m, d, m*d, e)
					stop = fmt.Sprintf("%s is full (%d·%d of %d)", digitName(sys, t, i), m, d, e)
					w.bad = &breach{j, 0, "", fmt.Sprintf("the leaf %v of B and the mode %v of A", f, s.leaves[i])}
				}
			}
			texts = append(texts, s.text(x[t], digits[t]))
			steps = append(steps, tupleText(digits[t]))
		}
		unit, sum, ok := adds(sys, digits)
		if !ok {
			w.fits = false
			return w
		}
		mode := leaf{run, unit}
		w.rows = append(w.rows, []string{strings.Join(texts, ", "), strings.Join(steps, " "), sum, fmt.Sprintf("%d of %d: %s", run, n, stop), mode.String()})
		if run < n && n%run != 0 {
			w.bad.steps = 1
			for _, m := range w.modes {
				w.bad.steps *= m.s
			}
			w.bad.steps *= run
			w.bad.condition = fmt.Sprintf("%d does not divide %d: after %s of %s %s", run, n, count(run, "step"), strings.Join(texts, ", "), reached)
			return w
		}
		w.bad = nil
		w.modes, w.digit = append(w.modes, mode), append(w.digit, digits)
		n /= run
		for t := range x {
			var fits bool
			if x[t], fits = ints.Mul(x[t], run); !fits && n > 1 {
				w.fits = false
				return w
			}
		}
	}
	if len(w.modes) == 0 {
		w.modes = []leaf{integerLeaf(1, 0)}
		w.digit = [][][]int64{make([][]int64, len(sys))}
		w.rows = append(w.rows, []string{"-", "-", "0", "1 of 1: to the end", "1:0"})
	}
	return w
}

// merged returns the modes of the leaf coalesced.
func (w leafWalk) merged() []leaf {
	var out []leaf
	for _, m := range w.modes {
		if m.s != 1 {
			out = merge(out, m, 0)
		}
	}
	if len(out) == 0 {
		return []leaf{integerLeaf(1, 0)}
	}
	return out
}

// mixedSigns returns the name of a system in which digits of the values of the right operand count up and others down,
// or "": the sum then borrows from a digit, unless there is only one.
func mixedSigns(sys []system, walks []leafWalk) (name string, found bool) {
	for t, s := range sys {
		up, down := make([]bool, len(s.leaves)), make([]bool, len(s.leaves))
		used := make(map[int]bool)
		for _, w := range walks {
			for m, mode := range w.modes {
				if w.digit[m][t] == nil || mode.s == 1 {
					continue
				}
				for i, d := range w.digit[m][t] {
					up[i], down[i] = up[i] || d > 0, down[i] || d < 0
					if d != 0 {
						used[i] = true
					}
				}
			}
		}
		if len(used) > 1 && slices.Contains(up, true) && slices.Contains(down, true) {
			if s.path == nil {
				return "A", true
			}
			return "mode " + pathText(s.path) + " of A", true
		}
	}
	return "", false
}

// A reach is the greatest digit at one place that the values of the right operand have.
type reach struct {
	name  string
	terms []string
	from  []string // the leaves of the right operand that the terms belong to
	sum   int64
	bound int64 // the extent; 0 if there is none
	owner string
}

// reaches adds up the digits of all leaves at each place, those that count up and those that count down apart.
func reaches(sys []system, walks []leafWalk) []reach {
	var out []reach
	for t, s := range sys {
		for i, f := range s.leaves {
			var up, down reach
			for _, w := range walks {
				for m, mode := range w.modes {
					if w.digit[m][t] == nil || mode.s == 1 {
						continue
					}
					d := w.digit[m][t][i]
					to := &up
					if d < 0 {
						to, d = &down, -d
					}
					if d != 0 {
						to.terms = append(to.terms, fmt.Sprintf("%d·%d", mode.s-1, d))
						to.from = append(to.from, w.from.String())
						to.sum += (mode.s - 1) * d
					}
				}
			}
			for _, r := range []reach{up, down} {
				if len(r.terms) == 0 {
					continue
				}
				r.name, r.owner = digitName(sys, t, i), f.String()
				if i < len(s.leaves)-1 {
					r.bound = f.s
				}
				out = append(out, r)
			}
		}
	}
	return out
}
