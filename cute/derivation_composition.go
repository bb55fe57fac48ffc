package cute

import (
	"slices"

	"girih/internal/ints"
)

// This file holds the steps of composition, as composition.go describes it and docs/proofs.md proves it.

// A Radix is how the values of B count in A, along one axis or as integers: as numbers in a mixed radix system, whose
// digits are the modes of A, coalesced.
type Radix struct {
	Axis   []int  // the path of the axis of B's values, nil for integers
	Of     Layout // A, or the mode of A at that path
	Digits []Leaf // the first one is the fastest; the last one counts without end, whatever its extent
	// What one step of each digit is worth as an index: digit i of x is x div Worth[i] mod its extent.
	Worth []int64
}

// A Run is as many steps of a leaf of B as no digit reaches its extent in: they make one mode of the result. What is
// left of the leaf is one of larger steps. There is no such layout if the run does not divide what is left.
type Run struct {
	Leaf   int       // of B
	Left   int64     // the number of steps that are left of the leaf
	Index  []int64   // what a step adds to B's value, in each system of radices
	Digits [][]int64 // the digits of that, with its sign
	Mode   Leaf      // the number of steps of the run, and what each adds to the value of A
	// The digit that reaches its extent after the run: its system and its place there. Both are -1 where the run ends
	// with the leaf.
	System, Digit int
}

// Even reports whether the run divides what is left of the leaf.
func (r Run) Even() bool { return r.Left%r.Mode.Extent == 0 }

// A Split is what becomes of a leaf of B: its runs, coalesced. It is no step of a leaf with a run that is not even.
type Split struct {
	Leaf  int // of B
	Modes []Leaf
}

// A Reach is the greatest digit at one place that the values of B have, all runs together. There is no such layout for
// all strides of A if it reaches the extent.
type Reach struct {
	System, Digit int
	Down          bool   // the digit counts down, and the numbers are magnitudes
	Terms         []Term // its summands
	Sum           int64
	Extent        int64 // of the digit, 0 for the last one, which has none
}

// Carries reports whether the digit reaches its extent.
func (r Reach) Carries() bool { return r.Extent > 0 && r.Sum >= r.Extent }

// A Term is what a run adds to the greatest digit at a place: its steps but one, times the digit of a step.
type Term struct {
	Leaf         int // of B
	Steps, Digit int64
}

// A Borrow is a system in which some digits count up and others down, so that their sum borrows.
type Borrow struct{ System int }

// A Table is a result, or that there is none, that follows from all values and not from the digits: the strides of A
// may coincide, so that a carry makes no difference.
type Table struct{ Values int64 }

func (Radix) derives()  {}
func (Run) derives()    {}
func (Split) derives()  {}
func (Reach) derives()  {}
func (Borrow) derives() {}
func (Table) derives()  {}

// radices takes down the systems of A for values with the axes of c.
func (t *trace) radices(f *mixedRadix, c *codomain) {
	start := 0
	for sys, end := range f.ends() {
		r := Radix{Of: t.top().A}
		if c != nil {
			r.Axis = slices.Clone(c.paths[sys])
			r.Of, _ = t.top().A.Mode(r.Axis...) // newMixedRadix has found it
		}
		for i, worth := start, int64(1); i < end; i++ {
			r.Digits, r.Worth = append(r.Digits, t.leaf(f.s[i], f.stride(i))), append(r.Worth, worth)
			worth *= f.s[i] // at most the size of A
		}
		t.add(r)
		start = end
	}
}

// A remainder is what is left to do of a leaf of B: n steps, each of scale times the stride.
type remainder struct {
	n, scale int64
	stride   []int64
}

// run takes down a run of that many steps of what is left of a leaf.
func (t *trace) run(f *mixedRadix, w *digitBounds, left remainder, run int64) {
	r := Run{Leaf: w.leaf, Left: left.n, Mode: t.leaf(run, w.unit), System: -1, Digit: -1}
	start, found := 0, 0
	for sys, end := range f.ends() {
		x, _ := ints.Mul(left.scale, left.stride[sys]) // step has seen that it fits
		digits := make([]int64, end-start)
		for ; found < w.found && w.place[found] < end; found++ {
			digits[w.place[found]-start] = w.digit[found]
		}
		if run < left.n && start <= w.full && w.full < end {
			r.System, r.Digit = sys, w.full-start
		}
		r.Index, r.Digits = append(r.Index, x), append(r.Digits, digits)
		start = end
	}
	t.add(r)
}

// reaches takes down the greatest digits, and the first system that borrows if one does.
func (t *trace) reaches(f *mixedRadix, w *digitBounds, borrows int) {
	start := 0
	for sys, end := range f.ends() {
		for i := start; i < end; i++ {
			for _, r := range []Reach{{Terms: w.terms[2*i]}, {Terms: w.terms[2*i+1], Down: true}} {
				if len(r.Terms) == 0 {
					continue
				}
				r.System, r.Digit = sys, i-start
				if i < end-1 {
					r.Extent = f.s[i]
				}
				for _, term := range r.Terms {
					r.Sum += term.Steps * term.Digit
				}
				t.add(r)
			}
		}
		start = end
	}
	if borrows >= 0 {
		t.add(Borrow{borrows})
	}
}

// term adds what a run of some steps but one adds to the digit at place i.
func (w *digitBounds) term(i int, steps, digit int64) {
	if digit < 0 {
		w.terms[2*i+1] = append(w.terms[2*i+1], Term{w.leaf, steps, -digit})
		return
	}
	w.terms[2*i] = append(w.terms[2*i], Term{w.leaf, steps, digit})
}
