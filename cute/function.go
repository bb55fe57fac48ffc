package cute

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// This file splits a composed layout, as a function, into a table and a layout. A swizzle reads and changes only bits
// below some 2^P, so a digit of the coordinate whose stride is a multiple of 2^P passes it unchanged:
//
//	f = Sw<3,3,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))      P = 9
//	f(x) = t(x's digits of strides 64 and 1) + 512·(digit of 16) + 8192·(digit of 3)
//
// So f is a table over some digits plus a layout of the other digits; here the table has 512 entries, not 24,576.
// Questions about f are answered from the two parts: whether it equals another function, what its image is, whether it
// is injective. A chain through a layout of several modes, which may change its argument arbitrarily, becomes a table
// of all values. So does a chain whose digits end inside a multiple of 2^P. docs/proofs.md explains why there is no
// smaller form for all chains.

// A function is a composed layout of integers, split into a table and digits that pass.
type function struct {
	c     Composed
	s     []int64 // the extents of the digits of the index, with the fastest first
	d     []int64 // what one step of a digit adds to the value; unused for digits of the table
	table []bool  // whether the digit belongs to the table

	values []int64 // the table, colexicographic over its digits
}

// Composed returns l as a composed layout without functions outside.
func (l Layout) Composed() Composed { return composedOf(nil, l, nil) }

// A Passage is the part of a composed layout that its outer functions do not change. Each digit of Values adds its
// stride to the value, whatever the other digits are; Indices has the same digits with their steps in the index. Table
// is the number of entries of the table over the other digits, and Bits the number of low bits of a value that swizzles
// read or change.
type Passage struct {
	Values, Indices Layout
	Table           int64
	Bits            int
}

// Passage splits c as every question about it does. It returns [CodeCodomain] for coordinates, [CodeLimit] if the table
// has more than [EnumLimit] entries, [CodeOverflow], and the errors of [Composed.Eval].
func (c Composed) Passage() (Passage, error) {
	f, err := functionOf("passage", c)
	if err != nil {
		return Passage{}, err
	}
	p := Passage{Table: int64(len(f.values))}
	p.Values, p.Indices = f.passing()
	_, p.Bits, _ = c.passes()
	return p, nil
}

// functionOf splits c. It returns [CodeCodomain] for coordinates, [CodeLimit] if the table has more than [EnumLimit]
// entries, [CodeOverflow] if a value leaves 64 bits, and the errors of [Composed.Eval].
func functionOf(op string, c Composed) (*function, error) {
	if c.HasBasis() {
		return nil, errorf(CodeCodomain, op, "the values of %v are coordinates, not integers", c)
	}
	if err := c.stop().ask(); err != nil {
		return nil, err
	}
	f := &function{c: c}
	factor, wide, ok := c.passes()
	for i, s := range c.inner().extents() {
		if !ok {
			f.tableDigit(s, 0)
			continue
		}
		d := c.inner().stride(i)[0]
		product, fits := ints.Mul(d, factor)
		if !fits {
			return nil, overflowError(op, "%d times the stride %d of %v", factor, d, c)
		}
		low := int64(1) // the number of steps of the digit until the value is a multiple of 2^wide
		if d != 0 {
			low = 1 << min(62, max(0, wide-bits.TrailingZeros64(uint64(d))))
		}
		if low > 1 && (low >= s || s%low != 0) {
			f.tableDigit(s, product)
			continue
		}
		if low > 1 {
			f.tableDigit(low, product)
		}
		if s > low {
			if product, fits = ints.Mul(product, low); !fits {
				return nil, overflowError(op, "the values of %v", c)
			}
			f.passingDigit(s/low, product)
		}
	}
	if err := f.fill(op); err != nil {
		return nil, err
	}
	return f, f.checkReach(op)
}

// passingDigit appends a digit of the index that passes, unless its extent is 1.
func (f *function) passingDigit(s, d int64) {
	if s > 1 {
		f.s, f.d, f.table = append(f.s, s), append(f.d, d), append(f.table, false)
	}
}

// tableDigit appends a digit of the table, unless its extent is 1.
func (f *function) tableDigit(s, d int64) {
	f.passingDigit(s, d)
	if s > 1 {
		f.table[len(f.table)-1] = true
	}
}

// passes describes the digits that the stages let pass: the stages multiply such a digit by factor, and the low wide
// bits of its stride must be 0. ok is false if no digit passes: coordinates are inside, a stage is a layout of several
// modes, or numbers that reach a swizzle may be negative.
func (c Composed) passes() (factor int64, wide int, ok bool) {
	factor = 1
	if !c.integersInside() {
		return 0, 0, false
	}
	negative := slices.ContainsFunc(c.inner().strides(), func(d int64) bool { return d < 0 })
	for i := len(c.stages()) - 1; i >= 0; i-- {
		o, _ := c.stages()[i].offset.Int64()
		negative = negative || o < 0
		switch f := c.stages()[i].outer.(type) {
		case Swizzle:
			if f.b > 0 {
				wide = max(wide, f.m+f.b+max(f.s, -f.s)-bits.TrailingZeros64(uint64(factor)))
			}
			if negative {
				return 0, 0, false
			}
		case Layout:
			// A layout of one mode multiplies every integer by its stride.
			if f.prof != "." || f.v[1] == 0 {
				return 0, 0, false
			}
			negative = negative || f.v[1] < 0
			if factor, ok = ints.Mul(factor, f.v[1]); !ok {
				return 0, 0, false
			}
		}
	}
	return factor, wide, true
}

// fill computes the table.
func (f *function) fill(op string) error {
	var s, d []int64
	step := int64(1)
	for i, e := range f.s {
		if f.table[i] {
			s, d = append(s, e), append(d, step)
		}
		step *= e
	}
	if len(s) == 0 {
		s, d = []int64{1}, []int64{0}
	}
	low := Layout{v: append(s, d...), prof: flatProfile(len(s))}
	if err := checkEnum(op, low.Size(), fmt.Sprintf("the part of %v that its outer functions change", f.c)); err != nil {
		return err
	}
	if low.Size() == f.c.Size() {
		var err error
		f.values, err = f.c.AppendOffsets(nil)
		return err
	}
	part, err := Composition(flatNested(f.c.inner()), low)
	if err != nil {
		return err
	}
	f.values, err = composedOf(f.c.stages(), part, f.c.stop()).AppendOffsets(nil)
	return err
}

// flatNested returns l with all leaves at the top level.
func flatNested(l Layout) Layout { return Layout{v: l.v, prof: flatProfile(l.leaves()), cod: l.cod} }

// size returns the number of indices.
func (f *function) size() int64 { return f.c.Size() }

// at returns the value at an index below the size.
func (f *function) at(i int64) int64 {
	sum, entry, step := int64(0), int64(0), int64(1)
	for k, s := range f.s {
		x := i % s
		i /= s
		if f.table[k] {
			entry += x * step
			step *= s
		} else {
			sum += x * f.d[k]
		}
	}
	return sum + f.values[entry]
}

// index returns the index of an entry of the table, with the other digits 0.
func (f *function) index(entry int64) int64 {
	sum, step := int64(0), int64(1)
	for k, s := range f.s {
		if f.table[k] {
			sum += entry % s * step
			entry /= s
		}
		step *= s
	}
	return sum
}

// passing returns the digits outside the table as two layouts, of values and of indices.
func (f *function) passing() (values, indices Layout) {
	var s, d, at []int64
	step := int64(1)
	for k, e := range f.s {
		if !f.table[k] {
			s, d, at = append(s, e), append(d, f.d[k]), append(at, step)
		}
		step *= e
	}
	if len(s) == 0 {
		return unitMode, unitMode
	}
	prof := unwrappedProfile(len(s))
	return Layout{v: append(slices.Clone(s), d...), prof: prof}, Layout{v: append(s, at...), prof: prof}
}

// reach returns the least and the greatest value.
func (f *function) reach() (least, most int64) {
	least, most = slices.Min(f.values), slices.Max(f.values)
	for k, s := range f.s {
		if !f.table[k] {
			least += min(0, (s-1)*f.d[k])
			most += max(0, (s-1)*f.d[k])
		}
	}
	return least, most
}

// separable reports whether the values of the table span less than every step of the digits that pass, so that
// different digits never give the same value.
func (f *function) separable() bool {
	values, _ := f.passing()
	step := leastStep(values)
	return step == 0 || uint64(slices.Max(f.values))-uint64(slices.Min(f.values)) < uint64(step)
}

// leastStep returns a number that divides every stride, or 0 if no mode moves: distinct values differ by at least this
// much.
func leastStep(l Layout) int64 {
	g := int64(0)
	for i, s := range l.extents() {
		if s > 1 {
			g = ints.GCD(g, l.stride(i)[0])
		}
	}
	return g
}

// checkReach refuses values that leave 64 bits.
func (f *function) checkReach(op string) error {
	least, most := slices.Min(f.values), slices.Max(f.values)
	values, _ := f.passing()
	ok := values.fits()
	for k, s := range f.s {
		if f.table[k] {
			continue
		}
		x, fits := ints.Mul(s-1, f.d[k])
		ok = ok && fits
		if ok && x < 0 {
			least, ok = ints.Add(least, x)
		} else if ok {
			most, ok = ints.Add(most, x)
		}
	}
	if !ok {
		return overflowError(op, "the values of %v", f.c)
	}
	return nil
}

// errorIs reports whether err is an *Error with the given code.
func errorIs(err error, code Code) bool {
	e, ok := err.(*Error) //nolint:errorlint // errors come from this package, unwrapped
	return ok && e.Code == code
}

// The rest of this file bounds the arguments of the functions of a composed layout: an interval for each stage.

// reach returns the least and the greatest value of c, or bounds for them if its table is too long.
func (c Composed) reach(op string) (least, most int64, err error) {
	f, err := functionOf(op, c)
	if err == nil {
		least, most = f.reach()
		return least, most, nil
	}
	if !errorIs(err, CodeLimit) {
		return 0, 0, err
	}
	spans, tooWide := c.spans(op)
	if tooWide != nil {
		return 0, 0, err
	}
	if w, ok := c.stages()[0].outer.(Swizzle); ok && spans[0].least >= 0 {
		return 0, w.most(spans[0].most), nil
	}
	return 0, 0, err
}

// most returns a bound for the swizzled numbers 0 to x. The swizzle sets only the bits of its target mask T. A number
// at most x becomes at most x + T, and bits above all bits of x and T do not change.
func (w Swizzle) most(x int64) int64 {
	t := (int64(1)<<w.b - 1) << (w.m + max(-w.s, 0))
	all := int64(1)<<bits.Len64(uint64(x|t)) - 1
	if sum, ok := ints.Add(x, t); ok {
		return min(sum, all)
	}
	return all
}

// A span is an interval that contains the arguments of a function.
type span struct{ least, most int64 }

// spans returns, for each stage of c, an interval that contains the arguments of its function.
func (c Composed) spans(op string) ([]span, error) {
	terms, err := integerTerms(op, c.inner())
	if err != nil {
		return nil, err
	}
	out := make([]span, len(c.stages()))
	least, reach := extremes(c.inner(), terms)
	now := span{least, least + reach}
	for i := len(c.stages()) - 1; i >= 0; i-- {
		if out[i], now, err = c.stages()[i].through(op, now); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// through returns intervals for the arguments and the values of the stage's function, if the stage is applied to
// numbers in the given interval.
func (s stage) through(op string, in span) (taken, out span, err error) {
	o, isInt := s.offset.Int64()
	least, ok1 := ints.Add(in.least, o)
	most, ok2 := ints.Add(in.most, o)
	if !isInt || !ok1 || !ok2 {
		return taken, out, overflowError(op, "numbers from %d to %d and the offset %v", in.least, in.most, s.offset)
	}
	taken = span{least, most}
	f, ok := s.outer.(Layout)
	if !ok {
		return taken, span{0, s.outer.(Swizzle).most(max(most, 0))}, nil
	}
	whole, err := f.upTo(max(most, -least, 0))
	if err != nil {
		return taken, out, err
	}
	terms, err := integerTerms(op, whole)
	if err != nil {
		return taken, out, err
	}
	at, reach := extremes(whole, terms)
	out = span{at, at + reach}
	if least < 0 { // layouts are odd functions
		n := max(-at, at+reach)
		out = span{-n, n}
	}
	return taken, out, nil
}

// upTo returns l with its last mode extended as far as the index x needs. A layout without modes is 0 at every index.
func (l Layout) upTo(x int64) (Layout, error) {
	n := l.leaves()
	if x < l.Size() || n == 0 {
		return l, nil
	}
	v := slices.Clone(l.v)
	var ok bool
	if v[n-1], ok = ints.Add(x/(l.Size()/v[n-1]), 1); !ok {
		return Layout{}, overflowError(opLeftInverse, "the indices up to %d of %v", x, l)
	}
	return finish(opLeftInverse, v, l.prof, l.cod)
}
