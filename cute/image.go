package cute

import (
	"fmt"
	"slices"

	"girih/internal/ints"
)

// This file lists the offsets of a layout as a set. Within a span of at most EnumLimit integers the set grows
// leaf by leaf in one array, whatever the size of the layout; a layout with few offsets far apart is
// evaluated and sorted.

// Image returns the distinct offsets of a in increasing order, in elements.
// It returns [CodeCodomain] for coordinate strides, and [CodeLimit] if a has more than [EnumLimit] coordinates
// (those that only repeat offsets by stride 0 not counted) and its offsets span more than that, too.
func Image(a Layout) ([]int64, error) { return image(a, nil) }

func image(a Layout, stop Until) ([]int64, error) {
	const op = "image"
	terms, err := integerTerms(op, a)
	if err != nil {
		return nil, err
	}
	least, span := extremes(a, terms)
	if span < EnumLimit {
		set, err := reached(terms, span, stop)
		list := []int64{}
		for i, r := range set {
			if r {
				list = append(list, least+int64(i))
			}
		}
		return list, err
	}
	m := layoutOf(a, terms)
	if err := checkEnum(op, m.Size(), a); err != nil {
		return nil, err
	}
	offsets, err := m.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	if err := ints.Sort(offsets, stop); err != nil {
		return nil, err
	}
	return slices.Compact(offsets), nil
}

// Holes returns the integers between the least and the greatest offset of a that are not offsets, in
// increasing order. It returns [CodeCodomain] for coordinate strides, and [CodeLimit] if there are any and the
// offsets span more than [EnumLimit] integers.
func Holes(a Layout) ([]int64, error) { return holes(a, nil) }

func holes(a Layout, stop Until) ([]int64, error) {
	const op = "holes"
	terms, err := integerTerms(op, a)
	if err != nil {
		return nil, err
	}
	if firstGap(terms, 0) == 0 {
		return nil, nil
	}
	least, span := extremes(a, terms)
	if span >= EnumLimit {
		return nil, &Error{
			Code: CodeLimit, Op: op,
			Msg: fmt.Sprintf("the offsets of %v span the integers from %d to %d, more than the %d that are enumerated",
				a, least, least+span, int64(EnumLimit)),
			Hint: "take a slice or a tile of it first",
		}
	}
	set, err := reached(terms, span, stop)
	var list []int64
	for i, r := range set {
		if !r {
			list = append(list, least+int64(i))
		}
	}
	return list, err
}

// integerTerms returns the leaves of a that move, and refuses coordinate strides.
func integerTerms(op string, a Layout) ([]term, error) {
	if a.cod != nil {
		return nil, errorf(CodeCodomain, op, "the offsets of %v are coordinates, not integers", a)
	}
	terms, _ := termsOf(a)
	return terms, nil
}

// extremes returns the least offset of a layout of integers with the given terms, and how much greater the
// greatest one is.
func extremes(a Layout, terms []term) (least, span int64) {
	for _, t := range terms {
		span += t.most * norm(t.d)
	}
	return leastOffset(a)[0], span
}

// reached tells which of the numbers 0, ..., span the terms make up, counted from the least offset. A term adds
// 0 to most times its stride, so a number is reached if the number one stride below is and the term has steps
// left there: left counts the most that any way of reaching it leaves.
func reached(terms []term, span int64, stop Until) ([]bool, error) {
	set := make([]bool, span+1)
	left := make([]int64, span+1)
	set[0] = true
	top := int64(0)
	for _, t := range terms {
		if err := stop.ask(); err != nil {
			return nil, err
		}
		d := norm(t.d)
		top += t.most * d
		for i := range top + 1 {
			switch {
			case set[i]:
				left[i] = t.most
			case i >= d && left[i-d] > 0:
				left[i] = left[i-d] - 1
				set[i] = true
			default:
				left[i] = 0
			}
		}
	}
	return set, nil
}
