package cute

import (
	"fmt"
	"math/bits"

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
