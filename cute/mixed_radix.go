package cute

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// This file holds the universal procedure of composition: A as a mixed radix system, and the digits that B's values
// have in it. composition.go explains it.

// mostModes bounds the modes of a composition: a leaf splits into factors of at least 2 of its extent, and all
// extents together have at most 63 of those.
func mostModes(leaves int) int { return leaves + 63 }

// verdict is what the universal procedure says about a pair.
type verdict int

const (
	universal verdict = iota // a layout for all strides of A
	carries                  // some digit carries, or a run does not divide
	overflows
)

// A mixedRadix is one radix system for each axis of B's codomain: for integers, all of A; for coordinates, the
// mode of A at each axis. end[t] is the end of system t in the modes; each system's last mode is unbounded.
// For a single system end is nil.
type mixedRadix struct {
	modes
	end []int
}

// newMixedRadix returns the radix systems of a that integers (c is nil), or coordinates of the codomain c, index.
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

// addresses reports whether coordinates of profile p reach modes of q. They may be integers for whole modes, and
// CuTe lets coordinates be shorter than the shape, the modes they leave out being at 0.
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
	unit        []int64 // the stride in A's codomain of the mode under way
	most, least []int64 // greatest digit, and greatest magnitude of a negative one, at each place
	place       []int   // where the digits of the mode under way are
	digit       []int64 // and what they are, with sign
	found       int
	negative    bool // some digit counts down

	// For a derivation:
	leaf   int      // of B, the one under way
	full   int      // the place of the digit that reaches its extent after the run
	uneven bool     // the leaf ends early
	terms  [][]Term // of the greatest digits, those that count up and those that count down at each place; nil without
}

// compose puts the modes of A∘B, B given by its leaves, into r, and the number of modes of each leaf into counts.
// If r is too small it sets r.full, and the result means nothing.
func (f *mixedRadix) compose(r *modes, extents, strides []int64, counts []uint8) verdict {
	if f.k == 1 && f.end == nil && f.n <= fewModes && r.trace == nil && noneNegative(strides) {
		return f.composeIntegers(r, extents, strides, counts)
	}
	return f.composeAxes(r, extents, strides, counts)
}

// composeAxes is compose for any number of systems and axes, for strides that count down, and for derivations. Those go
// on to the last leaf when one is found that does not fit.
func (f *mixedRadix) composeAxes(r *modes, extents, strides []int64, counts []uint8) verdict {
	w := digitBounds{
		unit: make([]int64, f.k), most: make([]int64, f.n), least: make([]int64, f.n),
		digit: make([]int64, f.n), place: make([]int, f.n),
	}
	if r.trace != nil {
		w.terms = make([][]Term, 2*f.n)
	}
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
		if r.n == from {
			r.putAlong(1, 0, 0)
		}
		counts[j] = uint8(r.n - from) // at most 63
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

func noneNegative(xs []int64) bool {
	for _, x := range xs {
		if x < 0 {
			return false
		}
	}
	return true
}

// composeIntegers is compose for a single system of few integer modes and strides of B that do not count down: nearly
// every composition there is. It is the same procedure as leaf, step and reach in one loop, without signs, axes and a
// list of places; TestCompositionPathsAgree holds the two to the same answers.
func (f *mixedRadix) composeIntegers(r *modes, extents, strides []int64, counts []uint8) verdict {
	var most, digits [fewModes]int64 // greatest digits of the box, and the digits of the step
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
				// A division only where the product says that the digit does reach its extent.
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

// leaf puts the modes of A∘(n:stride) into r and adds up the digits they reach.
func (f *mixedRadix) leaf(r *modes, n int64, stride []int64, w *digitBounds) verdict {
	from, found := r.n, universal
	scale, ok := int64(1), true // the leaf still to do is n:(scale·stride)
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

// ends marks the leaf under way as one that ends early, and returns what was found first.
func (w *digitBounds) ends(found, now verdict) verdict {
	w.uneven = true
	if found != universal {
		return found
	}
	return now
}

// step takes the digits of scale·stride into w and returns the number of such steps, at most n, until
// one of the digits reaches its extent. It runs in every composition, so it keeps what it can in registers.
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
			x, sign = -x, -1 // digits are taken of |x|: A is odd
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
				// A division only where the product says that the digit does reach its extent.
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

// reach adds the given number of steps of w's digits to the greatest ones, and reports whether all stay
// below their extents. A system's last mode is unbounded; its digit is only marked as used.
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
		// Each summand and each sum so far is below the extent, so this cannot wrap; it may for a derivation, which goes
		// on with sums that are not.
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

// last reports whether place i is the unbounded one of its system, of several.
func (f *mixedRadix) last(i int) bool {
	for _, end := range f.end {
		if i == end-1 {
			return true
		}
	}
	return false
}

// borrows returns the first system in which digits of both signs meet: neither do all values count up, nor all down,
// nor do they use a single digit. It returns -1 if there is none.
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
			x = -x // also of the least int64
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

// ends returns the end of each radix system, also of a single one.
func (f *mixedRadix) ends() []int {
	if f.end == nil {
		return []int{f.n}
	}
	return f.end
}

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

func (Radix) derives() {}

func (Run) derives() {}

func (Split) derives() {}

func (Reach) derives() {}

func (Borrow) derives() {}

func (Table) derives() {}

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
