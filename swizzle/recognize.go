package swizzle

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/cute"
)

// A Recognition is a table of offsets as a formula: table[i] = F(Origin + Layout(i)), where F is Map, and also the
// chain Swizzles if there is one.
type Recognition struct {
	// Swizzles is F as a chain in written order, so the swizzle applied last comes first: Sw o 0 o Sw o Origin o
	// Layout. Swizzles is empty if F is the identity or not a chain of swizzles; then only Map gives F.
	Swizzles []cute.Swizzle
	// If Swizzles has one element, Same lists the single swizzles that give the same table in place of Swizzles[0],
	// with the same Origin and Layout.
	Same   []cute.Swizzle
	Map    Map
	Origin int64
	Layout cute.Layout
}

// Recognize returns a table of offsets, in colexicographic order, in the first of these forms that fits: a layout, a
// swizzle after a layout, two swizzles after a layout, or a linear map of bits after a layout. Of several single
// swizzles Recognize returns the least in the order of [Compare], and of several pairs of swizzles one with the least
// sum of B.
//
// It finds the first two forms for every table. The others need a power of two of offsets that are linear over bits:
// table[i^j] = table[i] ^ table[j] ^ table[0]. If the offsets are not linear, or no invertible map turns them into a
// layout, it returns [cute.CodeNotRepresentable] with the first index that fails. It returns [cute.CodeExtent] for an
// empty table, and [cute.CodeLimit] above [RecognizeLimit] offsets, or if the offsets are not linear over bits and the
// swizzles need more than 2^28 comparisons.
func Recognize(table []int64) (Recognition, error) {
	const op = "recognize"
	if len(table) == 0 {
		return Recognition{}, &cute.Error{Code: cute.CodeExtent, Op: op, Msg: "expected at least one offset, found none"}
	}
	if len(table) > RecognizeLimit {
		return Recognition{}, &cute.Error{
			Code: cute.CodeLimit, Op: op,
			Msg:  fmt.Sprintf("expected at most %d offsets, found %d", RecognizeLimit, len(table)),
			Hint: "take a slice or a tile of it first",
		}
	}
	shifted := make([]int64, len(table))
	if l, err := layoutFrom(shifted, table); err == nil {
		return Recognition{Origin: table[0], Layout: l}, nil
	} else if slices.Min(table) < 0 {
		return Recognition{}, err
	}
	f := formula(table)
	r, ok, err := oneSwizzle(table, shifted, f)
	if ok || err != nil {
		return r, err
	}
	if f.bad != nil {
		return Recognition{}, f.bad
	}
	if r, ok := twoSwizzles(table, shifted, f); ok {
		return r, nil
	}
	return anyMap(table, f)
}

// RecognizeLimit is the largest table that [Recognize] accepts.
const RecognizeLimit = 1 << 20

// layoutFrom recognises the table minus its first offset. room is scratch space of the same length.
func layoutFrom(room, table []int64) (cute.Layout, error) {
	for i, x := range table {
		room[i] = x - table[0]
	}
	return cute.Recognize(room)
}

// A bitFormula describes a table as the exclusive or of images of the index bits, or says why that is impossible.
type bitFormula struct {
	origin uint64
	cols   []uint64
	bad    error
}

// formula returns the table as a formula over bits.
func formula(table []int64) bitFormula {
	n := len(table)
	f := bitFormula{origin: uint64(table[0])}
	refuse := func(why string, w *cute.Witness) bitFormula {
		f.bad = &cute.Error{Code: cute.CodeNotRepresentable, Op: "recognize", Msg: why, Witness: w}
		return f
	}
	for j := 1; j < n; j *= 2 {
		f.cols = append(f.cols, uint64(table[j])^f.origin)
	}
	for i, x := range table {
		want := f.origin
		for rest := uint64(i); rest != 0; rest &= rest - 1 {
			want ^= f.cols[bits.TrailingZeros64(rest)]
		}
		if want != uint64(x) {
			low := i & (i - 1)
			return refuse(fmt.Sprintf("it is no swizzled layout, and not linear over bits: the offsets at %d, %d and 0 give %d at index %d, found %d",
				low, i^low, want, i, x),
				&cute.Witness{Coord: cute.Int(int64(i)), Index: int64(i), Value: cute.Int(x), Want: cute.Int(int64(want))})
		}
	}
	if n&(n-1) != 0 {
		return refuse(fmt.Sprintf("it is no swizzled layout, and other maps of bits need a power of two of offsets, found %d",
			n), nil)
	}
	return f
}

// disjoint reports whether no bit is in two of the masks. Then sums of the masks do not carry, and the masks are a
// layout.
func disjoint(masks []uint64) bool {
	var all uint64
	for _, m := range masks {
		if all&m != 0 {
			return false
		}
		all |= m
	}
	return true
}

// compareLimit bounds the number of offsets that oneSwizzle compares.
const compareLimit = 1 << 28

// isLayout reports whether the swizzled table is a layout, as [cute.Recognize] does but without a reason. It adds the
// number of compared offsets to looked.
func isLayout(w cute.Swizzle, table []int64, looked *int64) bool {
	step := 1 // this round looks at the entries 0, step, 2·step, ...
	at := func(i int) int64 { return int64(fast(w, uint64(table[i*step]))) }
	for n := len(table); n > 1; {
		origin := at(0)
		d := at(1) - origin
		run := 2
		for run < n && at(run)-at(run-1) == d {
			run++
		}
		*looked += int64(run)
		if n%run != 0 {
			return false
		}
		for y := run; y < n; y += run {
			*looked += int64(run)
			start := at(y)
			for x := 1; x < run; x++ {
				if at(y+x)-start != at(x)-origin {
					return false
				}
			}
		}
		n /= run
		step *= run
	}
	return true
}

// oneSwizzle recognises a table as one swizzle after a layout.
func oneSwizzle(table, room []int64, f bitFormula) (Recognition, bool, error) {
	n := bits.Len64(uint64(slices.Max(table)))
	undone := make([]int64, len(table))
	masks := make([]uint64, len(f.cols))
	all := candidates(n)
	looked := int64(0)
	for i, w := range all {
		if f.bad != nil {
			if looked > compareLimit {
				return Recognition{}, false, &cute.Error{
					Code: cute.CodeLimit, Op: "recognize",
					Msg: fmt.Sprintf("whether a swizzle makes a layout of these %d offsets takes more than %d comparisons",
						len(table), compareLimit),
					Hint: "take a slice or a tile of it first",
				}
			}
			if !isLayout(w, table, &looked) {
				continue
			}
		} else {
			for j, c := range f.cols {
				masks[j] = fast(w, c)
			}
			if !disjoint(masks) {
				continue
			}
		}
		for k, x := range table {
			undone[k] = int64(fast(w, uint64(x)))
		}
		l, err := layoutFrom(room, undone)
		if err != nil {
			continue
		}
		span := spanOf(undone, func(int) {})
		r := Recognition{Swizzles: []cute.Swizzle{w}, Map: MapOf(w), Origin: undone[0], Layout: l}
		for _, v := range all[i+1:] {
			if !slices.ContainsFunc(span, func(x uint64) bool { return fast(v, x) != fast(w, x) }) {
				r.Same = append(r.Same, v)
			}
		}
		return r, true, nil
	}
	return Recognition{}, false, nil
}

// pairBits bounds the bits of offsets for which all pairs of swizzles are tried.
const pairBits = 18

// twoSwizzles recognises a table as two swizzles after a layout, with the least sum of their B.
func twoSwizzles(table, room []int64, f bitFormula) (Recognition, bool) {
	n := bits.Len64(uint64(slices.Max(table)))
	if n > pairBits {
		return Recognition{}, false
	}
	ws := candidates(n)
	size := len(table)
	var best Recognition
	bestB := MaxBits
	once, twice := make([]uint64, len(f.cols)), make([]uint64, len(f.cols))
	for _, outer := range ws {
		if outer.B() >= bestB {
			break
		}
		for j, c := range f.cols {
			once[j] = fast(outer, c)
		}
		for _, inner := range ws {
			if outer.B()+inner.B() >= bestB {
				break
			}
			for j, c := range once {
				twice[j] = fast(inner, c)
			}
			if !disjoint(twice) {
				continue
			}
			undone := make([]int64, size)
			for i, x := range table {
				undone[i] = int64(fast(inner, fast(outer, uint64(x))))
			}
			l, err := layoutFrom(room, undone)
			if err != nil {
				continue // cannot happen: disjoint masks are a layout
			}
			bestB = outer.B() + inner.B()
			best = Recognition{
				Swizzles: []cute.Swizzle{outer, inner}, Map: MapOf(outer).After(MapOf(inner)), Origin: undone[0], Layout: l,
			}
			break
		}
	}
	return best, bestB < MaxBits
}

// Composed returns the formula as a composed layout. It returns [cute.CodeNotRepresentable] if its map is not a chain
// of swizzles, and the errors of [cute.NewComposed].
func (r Recognition) Composed() (cute.Composed, error) {
	if r.Map.Bits() > 0 && len(r.Swizzles) == 0 {
		return cute.Composed{}, r.Map.noFactors()
	}
	var inner cute.Inner = r.Layout
	offset := cute.Int(r.Origin)
	chain := r.Swizzles
	if len(chain) == 0 {
		identity, err := cute.New(cute.Int(1), cute.Int(1)) // the identity of all integers, including negative ones
		if err != nil {
			return cute.Composed{}, err
		}
		return cute.NewComposed(identity, offset, r.Layout)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		c, err := cute.NewComposed(chain[i], offset, inner)
		if err != nil {
			return cute.Composed{}, err
		}
		inner, offset = c, cute.Int(0)
	}
	return inner.(cute.Composed), nil
}
