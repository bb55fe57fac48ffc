package swizzle

import (
	"fmt"
	"math/bits"
	"strings"

	"girih/cute"
)

// A Term is one exclusive or of a formula: it adds the bits of the offset that are in Mask, moved down by Shift places,
// or up if Shift is negative, without carry. A term of Shift 0 clears bits.
type Term struct {
	Mask  int64 // the bits that are read
	Shift int
}

// String returns the term for an offset x, as it is written in C and Python: "((x & 0x1c0) >> 3)".
func (t Term) String() string { return t.of("x") }

func (t Term) of(x string) string {
	switch {
	case t.Shift > 0:
		return fmt.Sprintf("((%s & %#x) >> %d)", x, t.Mask, t.Shift)
	case t.Shift < 0:
		return fmt.Sprintf("((%s & %#x) << %d)", x, t.Mask, -t.Shift)
	}
	return fmt.Sprintf("(%s & %#x)", x, t.Mask)
}

// Terms returns the formula of the map: m(x) is the sum of x and all these terms of x, without carry. There is one term
// for each distance from a bit that is read to a bit that it changes, the largest distance down first.
func (m Map) Terms() []Term {
	var masks [2*MaxBits + 1]int64 // by distance + MaxBits
	for j, c := range m.cols {
		for rest := c ^ 1<<j; rest != 0; rest &= rest - 1 {
			masks[j-bits.TrailingZeros64(rest)+MaxBits] |= 1 << j
		}
	}
	var terms []Term
	for d := MaxBits; d >= -MaxBits; d-- {
		if mask := masks[d+MaxBits]; mask != 0 {
			terms = append(terms, Term{mask, d})
		}
	}
	return terms
}

// Formula returns the map as an expression in x, as it is written in C and Python: "x ^ ((x & 0x1c0) >> 3)". Bits that
// the map does not keep are cleared first: "(x & ~0x3) ^ ...".
func (m Map) Formula(x string) string {
	var b strings.Builder
	terms := m.Terms()
	head := x
	for _, t := range terms {
		if t.Shift == 0 {
			head = fmt.Sprintf("(%s & ~%#x)", x, t.Mask)
		}
	}
	b.WriteString(head)
	for _, t := range terms {
		if t.Shift != 0 {
			b.WriteString(" ^ " + t.of(x))
		}
	}
	return b.String()
}

// String returns the formula for an offset x.
func (m Map) String() string { return m.Formula("x") }

// Swizzle returns the map as a single Sw<B,M,S>. If the map is not a single swizzle, it returns
// [cute.CodeNotRepresentable] with the reason.
func (m Map) Swizzle() (cute.Swizzle, error) {
	terms := m.Terms()
	if len(terms) == 0 {
		return cute.Swizzle{}, nil
	}
	refuse := func(format string, args ...any) (cute.Swizzle, error) {
		return cute.Swizzle{}, &cute.Error{
			Code: cute.CodeNotRepresentable, Op: "make_swizzle",
			Msg: fmt.Sprintf("%s is no single swizzle: ", m) + fmt.Sprintf(format, args...),
		}
	}
	if len(terms) > 1 {
		var by []string
		for _, t := range terms {
			by = append(by, fmt.Sprint(t.Shift))
		}
		return refuse("one moves bits by one distance S, this by %s", strings.Join(by, " and "))
	}
	t := terms[0]
	runs := t.runs()
	if len(runs) > 1 {
		return refuse("one reads neighbouring bits, this reads the bits %#x, with a gap", t.Mask)
	}
	b := bits.OnesCount64(uint64(t.Mask))
	w, ok := runs[0].swizzle()
	if !ok {
		return refuse("one reads bits that it does not change, and %d bits moved by %d overlap", b, t.Shift)
	}
	return w, nil
}

// runs splits the term into terms whose masks have no gaps, the lowest first.
func (t Term) runs() []Term {
	var runs []Term
	for rest := uint64(t.Mask); rest != 0; {
		low := bits.TrailingZeros64(rest)
		run := uint64(1)<<bits.TrailingZeros64(^(rest>>low)) - 1
		runs = append(runs, Term{int64(run << low), t.Shift})
		rest &^= run << low
	}
	return runs
}

// swizzle returns a term whose mask has no gaps as a swizzle, unless it changes bits that it reads.
func (t Term) swizzle() (cute.Swizzle, bool) {
	if t.Shift == 0 {
		return cute.Swizzle{}, false
	}
	w, err := cute.NewSwizzle(bits.OnesCount64(uint64(t.Mask)),
		bits.TrailingZeros64(uint64(t.Mask))-max(t.Shift, 0), t.Shift)
	return w, err == nil
}

// Factors returns the map as a chain of swizzles in written order, as in Sw o Sw: the swizzle applied last comes first.
// It returns [cute.CodeNotRepresentable] if the terms of the formula are not such a chain in any order.
func (m Map) Factors() ([]cute.Swizzle, error) {
	var left []cute.Swizzle
	for _, t := range m.Terms() {
		for _, r := range t.runs() {
			w, ok := r.swizzle()
			if !ok {
				return nil, m.noFactors()
			}
			left = append(left, w)
		}
	}
	// The sum of terms is a chain if no swizzle reads bits that an earlier swizzle has changed.
	var chain []cute.Swizzle // in the order of application
	for len(left) > 0 {
		i := nextReadsNothing(left)
		if i < 0 {
			return nil, m.noFactors()
		}
		chain = append(chain, left[i])
		left = append(left[:i:i], left[i+1:]...)
	}
	for i, j := 0, len(chain)-1; i < j; i, j = i+1, j-1 {
		chain[i], chain[j] = chain[j], chain[i]
	}
	return chain, nil
}

func (m Map) noFactors() error {
	return &cute.Error{
		Code: cute.CodeNotRepresentable, Op: "factors",
		Msg: fmt.Sprintf("the terms of %s read what others change: they are no chain of swizzles", m),
	}
}

// nextReadsNothing returns the index of a swizzle that can be applied before all others, because no other swizzle reads
// bits that it changes; -1 if there is none.
func nextReadsNothing(ws []cute.Swizzle) int {
	for i, w := range ws {
		free := true
		for j, v := range ws {
			if i != j && changes(w)&reads(v) != 0 {
				free = false
				break
			}
		}
		if free {
			return i
		}
	}
	return -1
}

// reads returns the bits that w adds to other bits.
func reads(w cute.Swizzle) uint64 { return (1<<w.B() - 1) << (w.M() + max(w.S(), 0)) }

// changes returns the bits to which w adds other bits.
func changes(w cute.Swizzle) uint64 { return (1<<w.B() - 1) << (w.M() + max(-w.S(), 0)) }
