package swizzle

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/cute"
)

// A Found describes the maps that turn one table of offsets into another.
type Found struct {
	// Swizzles has every such Sw<B,M,S>, in the order of [Compare], except those that differ from one of them only in
	// bits that no offset has. It is empty if no single swizzle does it; {Sw<0,0,0>} if the tables are equal.
	Swizzles []cute.Swizzle
	// Map is one such map: the first of Swizzles, or otherwise a map that keeps the bits that the tables leave open, as
	// far as possible.
	Map Map
}

// Find returns the swizzles, and a linear map of bits, with Sw(from[i]) = to[i] for every i. It answers which swizzle
// turns one layout into another.
//
// It returns [cute.CodeNotRepresentable] if no invertible linear map does. The witness is the first index at which
// every linear map that is right before it is wrong, with the value of these maps; Other is an earlier index that
// contradicts it, if a single one does. It returns [cute.CodeNotCongruent] for tables of different lengths and
// [cute.CodeNegative] for negative offsets.
func Find(from, to []int64) (Found, error) {
	const op = "find_swizzle"
	if len(from) != len(to) {
		return Found{}, &cute.Error{
			Code: cute.CodeNotCongruent, Op: op, Msg: fmt.Sprintf("expected two layouts of one size, found %d and %d offsets",
				len(from), len(to)),
		}
	}
	for _, t := range [][]int64{from, to} {
		if err := checkTable(op, t, "the table"); err != nil {
			return Found{}, err
		}
	}
	pairs, err := independentPairs(op, from, to)
	if err != nil {
		return Found{}, err
	}
	n := 0
	identity := true
	for _, p := range pairs {
		n = max(n, bits.Len64(p.from), bits.Len64(p.to))
		identity = identity && p.from == p.to
	}
	if identity {
		return Found{Swizzles: []cute.Swizzle{{}}}, nil
	}
	var f Found
	for _, w := range candidates(n) {
		if !slices.ContainsFunc(pairs, func(p pair) bool { return fast(w, p.from) != p.to }) {
			f.Swizzles = append(f.Swizzles, w)
		}
	}
	if len(f.Swizzles) > 0 {
		f.Map = MapOf(f.Swizzles[0])
		return f, nil
	}
	f.Map, err = extend(pairs, n)
	return f, err
}

// A pair says that an offset goes to another one.
type pair struct{ from, to uint64 }

// independentPairs returns pairs whose left sides are a basis of the span of from, and checks that the linear map they
// define is right everywhere and takes different offsets to different ones.
func independentPairs(op string, from, to []int64) ([]pair, error) {
	s := pairSearch{op: op, from: from, to: to, first: make(map[int64]int), came: make(map[int64]int)}
	for i := range from {
		if err := s.add(i); err != nil {
			return nil, err
		}
	}
	return s.pairs, nil
}

// A pairSearch is the part of two tables that was read so far.
type pairSearch struct {
	op          string
	from, to    []int64
	first, came map[int64]int // the first index of an offset of from, and of to
	forth, back basis         // the two sides of the pairs; a tag is the set of pairs whose sum is the vector
	pairs       []pair
	at          []int // the indices of the pairs
}

// add reads the entry at index i, which becomes a pair unless the pairs so far imply it.
func (s *pairSearch) add(i int) error {
	x, y := s.from[i], s.to[i]
	if j, seen := s.first[x]; seen {
		if s.to[j] != y {
			return s.refuse(misfit{index: i, want: s.to[j], other: j},
				"no function does it: the offset %d is at the indices %d and %d, and has to go to %d and to %d",
				x, j, i, s.to[j], y)
		}
		return nil
	}
	if j, seen := s.came[y]; seen {
		return s.refuse(misfit{index: i, want: -1, other: j}, "no swizzle takes two offsets to one: %d at index %d and %d at index %d both have to go to %d",
			s.from[j], j, x, i, y)
	}
	s.first[x], s.came[y] = i, i
	tag := uint64(1) << len(s.pairs)
	if sum, independent := s.forth.add(uint64(x), tag); !independent {
		return s.checkSum(i, sum)
	}
	if sum, independent := s.back.add(uint64(y), tag); !independent {
		if y == 0 {
			return s.refuse(misfit{index: i, want: x, other: -1},
				"a swizzle takes the offset 0 alone to 0, and at index %d it has to take %d there", i, x)
		}
		_, text := s.sum(sum)
		return s.refuse(misfit{index: i, want: -1, other: s.at[bits.TrailingZeros64(sum)]},
			"no swizzle takes two offsets to one: %d at index %d and %s, which is another offset, both go to %d", x, i, text, y)
	}
	s.pairs, s.at = append(s.pairs, pair{uint64(x), uint64(y)}), append(s.at, i)
	return nil
}

// checkSum checks that the entry at index i, whose left side is the sum of some pairs' left sides, has the sum of their
// right sides.
func (s *pairSearch) checkSum(i int, pairs uint64) error {
	x, y := s.from[i], s.to[i]
	want, text := s.sum(pairs)
	switch {
	case want == uint64(y):
		return nil
	case x == 0:
		return s.refuse(misfit{index: i, want: 0, other: -1},
			"a swizzle keeps the offset 0, and at index %d it has to go to %d", i, y)
	}
	return s.refuse(misfit{index: i, want: int64(want), other: -1}, "no exclusive or of bits does it: at index %d the offset is %d = %s, which goes to %d with those before it, and has to go to %d",
		i, x, text, want, y)
}

// sum returns the sum of the right sides of some pairs, and their left sides as text.
func (s *pairSearch) sum(pairs uint64) (to uint64, text string) {
	var parts []string
	for rest := pairs; rest != 0; rest &= rest - 1 {
		p := s.pairs[bits.TrailingZeros64(rest)]
		to ^= p.to
		parts = append(parts, fmt.Sprint(p.from))
	}
	return to, join(parts, " ^ ")
}

// A misfit is an entry that contradicts the entries before it.
type misfit struct {
	index int
	want  int64 // the value that it would need, -1 if there is none
	other int   // an earlier index that contradicts it, -1 if there is none
}

func (s *pairSearch) refuse(x misfit, format string, args ...any) error {
	w := &cute.Witness{Coord: cute.Int(int64(x.index)), Index: int64(x.index), Value: cute.Int(s.to[x.index])}
	if x.other >= 0 {
		o := cute.Int(int64(x.other))
		w.Other = &o
	}
	if x.want >= 0 {
		w.Want = cute.Int(x.want)
	}
	return &cute.Error{Code: cute.CodeNotRepresentable, Op: s.op, Msg: fmt.Sprintf(format, args...), Witness: w}
}

// extend returns an invertible map of n bits with the given pairs. Bits that neither side of the pairs reaches stay.
func extend(pairs []pair, n int) (Map, error) {
	var from, to basis
	for _, p := range pairs {
		from.add(p.from, p.to)
		to.add(p.to, 0)
	}
	// The units that complete one side go to the units that complete the other one, to themselves if possible.
	var left, right []uint64
	spare := to
	for j := range n {
		if _, ok := spare.add(1<<j, 0); ok {
			right = append(right, 1<<j)
		}
	}
	open := from
	for j := range n {
		if _, ok := open.add(1<<j, 0); ok {
			left = append(left, 1<<j)
		}
	}
	for i, x := range left {
		if j := slices.Index(right, x); j >= 0 && j != i && j < len(right) {
			right[i], right[j] = right[j], right[i]
		}
	}
	for i, x := range left {
		from.add(x, right[i])
	}
	cols := make([]uint64, n)
	for j := range cols {
		_, cols[j] = from.reduce(1 << j)
	}
	return NewMap(cols)
}

// join joins at most four parts, and counts the rest.
func join(parts []string, sep string) string {
	text := ""
	for i, p := range parts {
		if i == 4 && len(parts) > 5 {
			return text + sep + fmt.Sprintf("... (%d more)", len(parts)-i)
		}
		if i > 0 {
			text += sep
		}
		text += p
	}
	return text
}
