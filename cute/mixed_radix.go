package cute

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// This file has the universal procedure of composition: A as a mixed radix system, and the digits of B's values in that
// system. composition.go explains it.

// mostModes limits the modes of a composition: each leaf of B splits into factors of at least 2, and the extents
// together have at most 63 such factors.
func mostModes(leaves int) int { return leaves + 63 }

// A verdict is the universal procedure's answer for a pair of layouts.
type verdict int

const (
	universal verdict = iota // the result is right for all strides of A
	carries                  // some digit carries, or a run does not divide
	overflows
)

// A mixedRadix is one radix system for each axis of B's codomain: for integers there is one system, all of A; for
// coordinates the system of an axis is the mode of A at its path. end[t] is the place in the modes where system t ends.
// The last mode of each system is unbounded. For a single system end is nil.
type mixedRadix struct {
	modes
	end []int
}

// newMixedRadix returns the radix systems of a for integers (c is nil), or for coordinates of the codomain c.
func newMixedRadix(a Layout, c *codomain) (*mixedRadix, error) {
	n, k := a.leaves(), a.cod.axes()
	f := &mixedRadix{modes: heapModes(n+c.axes(), k)}
	if c == nil {
		f.coalesceZ(a.extents(), a.strides())
		return f, nil
	}
	if !addresses(c.prof, a.profile()) {
		return nil, &Error{
			Code: CodeNotCongruent, Op: "composition",
			Msg: fmt.Sprintf("the right operand's coordinates along %s do not address the modes of the shape %v",
				axisText(c.paths[len(c.paths)-1]), a.Shape()),
			Hint: "the axis 1@1@0 is mode 1 of mode 0: its path must exist in the shape of the left operand",
		}
	}
	for _, p := range c.paths {
		_, lo, hi, err := descend(a.profile(), p)
		if err != nil {
			return nil, err
		}
		f.coalesceZ(a.extents()[lo:hi], a.strides()[lo*k:hi*k])
		f.end = append(f.end, f.n)
	}
	return f, nil
}

// addresses reports whether coordinates of profile p address modes of q. Coordinates may contain integers for whole
// modes, and, as in CuTe, be shorter than the shape; omitted modes are at 0.
func addresses(p, q string) bool {
	if p == "." {
		return true
	}
	if q == "." {
		return false
	}
	a, b := modesOf(p), modesOf(q)
	for a.next() {
		if !b.next() || !addresses(a.prof, b.prof) {
			return false
		}
	}
	return true
}

// digitBounds are the digits that the values of B can reach.
type digitBounds struct {
	unit        []int64 // the stride, in A's codomain, of the current mode of the result
	most, least []int64 // the greatest digit at each place, and the greatest magnitude of a negative digit
	place       []int   // the places of the nonzero digits of the current mode
	digit       []int64 // the digits at these places, with their signs
	found       int
	negative    bool // some digit counts down

	// Only for a derivation:
	leaf   int      // the current leaf of B
	full   int      // the place of the digit that reaches its extent after the run
	uneven bool     // the leaf ends before its last step
	terms  [][]Term // the summands of most, then of least, at each place; nil if no steps are recorded
}

// compose puts the modes of A∘B into r and the number of modes of each leaf of B into counts. B is given by its leaves.
// If r is too small, compose sets r.full and the result is meaningless.
func (f *mixedRadix) compose(r *modes, extents, strides []int64, counts []uint8) verdict {
	if f.k == 1 && f.end == nil && f.n <= fewModes && r.trace == nil && noneNegative(strides) {
		return f.composeIntegers(r, extents, strides, counts)
	}
	return f.composeAxes(r, extents, strides, counts)
}

// composeAxes is compose for any number of systems and axes, for strides that count down, and for derivations. A
// derivation continues to the last leaf even after a leaf that does not fit.
func (f *mixedRadix) composeAxes(r *modes, extents, strides []int64, counts []uint8) verdict {
	w := f.newDigitBounds(r.trace)
	k := max(1, len(f.end))
	found, uneven := universal, false
	for j, extent := range extents {
		from := r.n
		w.leaf, w.uneven = j, false
		v := f.leaf(r, extent, strides[j*k:(j+1)*k], &w)
		if found == universal {
			found = v
		}
		if v == overflows || r.full || found != universal && r.trace == nil {
			return found
		}
		counts[j] = r.endLeaf(from)
		if uneven = uneven || w.uneven; r.trace != nil && !w.uneven {
			r.trace.add(Split{j, r.trace.leaves(r, from)})
		}
	}
	borrows := -1
	if w.negative {
		borrows = f.borrows(&w)
	}
	if r.trace != nil && !uneven {
		r.trace.reaches(f, &w, borrows)
	}
	if found == universal && borrows >= 0 {
		return carries
	}
	return found
}

// newDigitBounds returns the bounds before any leaf of B: all digits are 0. If t is not nil, it also allocates the
// summands, which the trace records.
func (f *mixedRadix) newDigitBounds(t *trace) digitBounds {
	w := digitBounds{
		unit: make([]int64, f.k), most: make([]int64, f.n), least: make([]int64, f.n),
		digit: make([]int64, f.n), place: make([]int, f.n),
	}
	if t != nil {
		w.terms = make([][]Term, 2*f.n)
	}
	return w
}

// endLeaf ends the leaf whose modes begin at from, and returns their number. A leaf without modes is given a mode of
// extent 1.
func (m *modes) endLeaf(from int) uint8 {
	if m.n == from {
		m.putAlong(1, 0, 0)
	}
	return uint8(m.n - from) // at most 63
}

func noneNegative(xs []int64) bool {
	for _, x := range xs {
		if x < 0 {
			return false
		}
	}
	return true
}

// composeIntegers is compose for a single system of few integer modes, and strides of B that do not count down: nearly
// every composition in practice. It is leaf, step and reach in one loop without signs, axes and a list of places.
// TestCompositionPathsAgree checks that both give the same answers.
func (f *mixedRadix) composeIntegers(r *modes, extents, strides []int64, counts []uint8) verdict {
	var most, digits [fewModes]int64 // greatest digits of the box, and the digits of the current step
	last := f.n - 1
	as, ad, top := f.s[:last], f.d[:last], f.d[last]
	for j, extent := range extents {
		from, x0 := r.n, strides[j]
		for extent > 1 {
			run, unit, fits, x, used := extent, int64(0), true, x0, 0
			for i, s := range as {
				if x == 0 {
					break
				}
				digit := x
				if x = 0; digit >= s {
					x = int64(uint64(digit) / uint64(s))
					digit -= x * s
				}
				digits[i%fewModes] = digit
				if used = i + 1; digit == 0 {
					continue
				}
				// Divide only if the product says that the digit does reach its extent.
				if hi, lo := bits.Mul64(uint64(run-1), uint64(digit)); hi != 0 || lo >= uint64(s) {
					run = (s-1)/digit + 1
				}
				p, o1 := ints.Mul(digit, ad[i])
				u, o2 := ints.Add(unit, p)
				unit, fits = u, fits && o1 && o2
			}
			if x != 0 {
				p, o1 := ints.Mul(x, top)
				u, o2 := ints.Add(unit, p)
				unit, fits = u, fits && o1 && o2
			}
			if !fits {
				return overflows
			}
			if run < extent && extent%run != 0 {
				return carries
			}
			for i, s := range as[:used] {
				// Both summands are below the extent, so this cannot wrap.
				if most[i%fewModes] += (run - 1) * digits[i%fewModes]; most[i%fewModes] >= s {
					return carries
				}
			}
			if r.pushInteger(run, unit, from); r.full || run == extent {
				break
			}
			extent /= run
			var ok bool
			if x0, ok = ints.Mul(x0, run); !ok {
				return overflows
			}
		}
		if r.n == from {
			r.pushInteger(1, 0, from)
		}
		counts[j] = uint8(r.n - from) // at most 63
	}
	return universal
}

// leaf puts the modes of A∘(n:stride) into r and adds up the greatest digits.
func (f *mixedRadix) leaf(r *modes, n int64, stride []int64, w *digitBounds) verdict {
	from, found := r.n, universal
	scale, ok := int64(1), true // the rest of the leaf is n:(scale·stride)
	for n > 1 {
		run, v := f.step(n, scale, stride, w)
		if v != universal {
			return w.ends(found, v)
		}
		if r.trace != nil {
			r.trace.run(f, w, remainder{n, scale, stride}, run)
		}
		if run < n && n%run != 0 {
			return w.ends(found, carries)
		}
		if !f.reach(run-1, w) {
			if found = carries; r.trace == nil {
				return carries
			}
		}
		r.push(run, w.unit, from)
		if r.full || run == n {
			return found
		}
		n /= run
		if scale, ok = ints.Mul(scale, run); !ok && n > 1 {
			return w.ends(found, overflows)
		}
	}
	return found
}

// ends marks the current leaf as ending early, and returns the first verdict that was found.
func (w *digitBounds) ends(found, now verdict) verdict {
	w.uneven = true
	if found != universal {
		return found
	}
	return now
}

// step stores the digits of scale·stride in w and returns the number of such steps, at most n, until one of the digits
// reaches its extent. It runs in every composition, so it keeps its variables in registers where possible.
func (f *mixedRadix) step(n, scale int64, stride []int64, w *digitBounds) (run int64, v verdict) {
	run, w.full = n, -1
	unit, fits, found, single := int64(0), true, 0, f.k == 1
	if !single {
		clear(w.unit)
	}
	extents, place, digits := f.s[:f.n], w.place, w.digit
	start, end := 0, f.n
	for t, d := range stride {
		if f.end != nil {
			end = f.end[t]
		}
		x, ok := ints.Mul(scale, d)
		sign := int64(1)
		if x < 0 {
			x, sign = -x, -1 // A is odd, so these are the digits of |x|
		}
		if !ok || x < 0 {
			return 0, overflows
		}
		for i := start; x != 0; i++ {
			digit := x
			x = 0
			if i < end-1 {
				s := extents[i]
				if digit >= s {
					x = int64(uint64(digit) / uint64(s))
					if digit -= x * s; digit == 0 {
						continue
					}
				}
				// Divide only if the product says that the digit does reach its extent.
				if p, ok := ints.Mul(run-1, digit); !ok || p >= s {
					run, w.full = (s-1)/digit+1, i
				}
			}
			digit *= sign
			place[found], digits[found] = i, digit
			found++
			if single {
				p, o1 := ints.Mul(digit, f.d[i])
				u, o2 := ints.Add(unit, p)
				unit, fits = u, fits && o1 && o2
			} else {
				fits = addScaled(w.unit, digit, f.d[i*f.k:]) && fits
			}
		}
		start = end
	}
	if !fits {
		return 0, overflows
	}
	w.found = found
	if single {
		w.unit[0] = unit
	}
	return run, universal
}

// addScaled adds x·d to sum and reports whether it fits.
func addScaled(sum []int64, x int64, d []int64) bool {
	fits := true
	for a := range sum {
		p, o1 := ints.Mul(x, d[a])
		s, o2 := ints.Add(sum[a], p)
		sum[a] = s
		fits = fits && o1 && o2
	}
	return fits
}

// reach adds steps times w's digits to the greatest digits, and reports whether every sum stays below its extent. The
// last mode of a system is unbounded, so its digit is only marked as used.
func (f *mixedRadix) reach(steps int64, w *digitBounds) bool {
	most, fits := w.most, true
	for j, i := range w.place[:w.found] {
		digit := w.digit[j]
		if w.terms != nil {
			w.term(i, steps, digit)
		}
		to := most
		if digit < 0 {
			to, digit = w.least, -digit
			w.negative = true
		}
		if i == f.n-1 || (f.end != nil && f.last(i)) {
			to[i] = 1
			continue
		}
		// Each summand, and the sum so far, is below the extent, so this cannot wrap. In a derivation the sum may wrap,
		// because a derivation continues after a sum that reaches its extent.
		sum := to[i] + steps*digit
		if sum >= f.s[i] {
			if fits = false; w.terms == nil {
				return false
			}
		}
		to[i] = sum
	}
	return fits
}

// last reports whether place i is the last, unbounded one of its system; there are several systems.
func (f *mixedRadix) last(i int) bool {
	for _, end := range f.end {
		if i == end-1 {
			return true
		}
	}
	return false
}

// borrows returns the first system in which digits of both signs meet, or -1 if there is no such system. In the other
// systems all values count up, or all count down, or all use a single digit.
func (f *mixedRadix) borrows(w *digitBounds) int {
	start := 0
	for t, end := range f.ends() {
		used, up, down := 0, false, false
		for i := start; i < end; i++ {
			if w.most[i] > 0 || w.least[i] > 0 {
				used++
			}
			up = up || w.most[i] > 0
			down = down || w.least[i] > 0
		}
		if up && down && used > 1 {
			return t
		}
		start = end
	}
	return -1
}

// run returns the number of steps of scale·stride, at most n, until some digit reaches its extent.
func (f *mixedRadix) run(n, scale int64, stride []int64) int64 {
	run, start := uint64(n), 0
	for t, end := range f.ends() {
		x := uint64(scale * stride[t])
		if stride[t] < 0 {
			x = -x // correct for the least int64 too
		}
		for i := start; i < end-1 && x != 0; i++ {
			extent := uint64(f.s[i])
			digit := x % extent
			x /= extent
			if digit != 0 {
				run = min(run, (extent-1)/digit+1)
			}
		}
		start = end
	}
	return int64(run)
}

// ends returns the end of each radix system, also if there is only one.
func (f *mixedRadix) ends() []int {
	if f.end == nil {
		return []int{f.n}
	}
	return f.end
}

// The steps of a composition follow, as composition.go describes it and docs/proofs.md proves it.

// A Radix is the mixed radix system that the values of B index, along one axis or as integers. Its digits are the modes
// of A, coalesced.
type Radix struct {
	Axis   []int  // the path of the axis of B's values, nil for integers
	Of     Layout // A, or the mode of A at that path
	Digits []Leaf // the first one is the fastest; the last one is unbounded, whatever its extent
	// Digit i of an index x is x div Worth[i] mod its extent.
	Worth []int64
}

// A Run is the longest part of a leaf of B in which no digit reaches its extent; it becomes one mode of the result. The
// rest of the leaf then takes larger steps. If the run does not divide the rest, no layout is the composition for all
// strides of A.
type Run struct {
	Leaf   int       // the index of the leaf of B
	Left   int64     // the number of steps left of the leaf, including the run
	Index  []int64   // what a step adds to B's value, in each radix system
	Digits [][]int64 // the digits of Index, with their sign
	Mode   Leaf      // the number of steps of the run, and what each step adds to A's value
	// The system of the digit that reaches its extent after the run, and the digit's place there. Both are -1 if the
	// run ends with the leaf.
	System, Digit int
}

// Even reports whether the run divides the rest of the leaf.
func (r Run) Even() bool { return r.Left%r.Mode.Extent == 0 }

// A Split is the result for one leaf of B: its runs, coalesced. There is no Split for a leaf with a run that is not
// even.
type Split struct {
	Leaf  int // the index of the leaf of B
	Modes []Leaf
}

// A Reach is the greatest digit of B's values at one place, over all runs together. If it reaches the extent, there is
// no layout for all strides of A.
type Reach struct {
	System, Digit int
	Down          bool   // the digit counts down, and the numbers are magnitudes
	Terms         []Term // the summands
	Sum           int64
	Extent        int64 // the extent of the digit, 0 for the last one, which is unbounded
}

// Carries reports whether the digit reaches its extent.
func (r Reach) Carries() bool { return r.Extent > 0 && r.Sum >= r.Extent }

// A Term is what one run adds to the greatest digit at a place: its number of steps minus one, times the digit of a
// step.
type Term struct {
	Leaf         int // the index of the leaf of B
	Steps, Digit int64
}

// A Borrow names a system in which some digits count up and others count down, so that their sum borrows.
type Borrow struct{ System int }

// A Table says that all values, not the digits, decide the result or its absence: if strides of A coincide, a carry may
// make no difference.
type Table struct{ Values int64 }

func (Radix) derives() {}

func (Run) derives() {}

func (Split) derives() {}

func (Reach) derives() {}

func (Borrow) derives() {}

func (Table) derives() {}

// radices records the radix systems of A for values with the axes of c.
func (t *trace) radices(f *mixedRadix, c *codomain) {
	start := 0
	for sys, end := range f.ends() {
		r := Radix{Of: t.top().A}
		if c != nil {
			r.Axis = slices.Clone(c.paths[sys])
			r.Of, _ = t.top().A.Mode(r.Axis...) // newMixedRadix found this mode without an error
		}
		for i, worth := start, int64(1); i < end; i++ {
			r.Digits, r.Worth = append(r.Digits, t.leaf(f.s[i], f.stride(i))), append(r.Worth, worth)
			worth *= f.s[i] // at most the size of A
		}
		t.add(r)
		start = end
	}
}

// A remainder is the rest of a leaf of B: n steps, each of scale times the stride.
type remainder struct {
	n, scale int64
	stride   []int64
}

// run records a run of the given number of steps of the rest of a leaf.
func (t *trace) run(f *mixedRadix, w *digitBounds, left remainder, run int64) {
	r := Run{Leaf: w.leaf, Left: left.n, Mode: t.leaf(run, w.unit), System: -1, Digit: -1}
	start, found := 0, 0
	for sys, end := range f.ends() {
		x, _ := ints.Mul(left.scale, left.stride[sys]) // step checked that it fits
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

// reaches records the greatest digits, and the first system that borrows, if any.
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

// term adds the contribution of one run to the digit at place i.
func (w *digitBounds) term(i int, steps, digit int64) {
	if digit < 0 {
		w.terms[2*i+1] = append(w.terms[2*i+1], Term{w.leaf, steps, -digit})
		return
	}
	w.terms[2*i] = append(w.terms[2*i], Term{w.leaf, steps, digit})
}
