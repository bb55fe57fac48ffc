package girih

import (
	"fmt"
	"slices"
)

// ArithmeticTuple returns the coordinate t as one leaf, element i along axis i: (1,(0,2)) is 1@0+2@1@1, what a layout's
// stride has to be for its coordinate 1 to be there. A leaf is returned as it is. It is CuTe's as_arithmetic_tuple. It
// returns [CodeCodomain] if a tuple has a leaf that is no integer, or is wider or nested deeper than [MaxAxisPath].
func ArithmeticTuple(t Tuple) (Tuple, error) {
	if t.prof == "." {
		return t, nil
	}
	if t.cod != nil {
		return Tuple{}, errorf(CodeCodomain, "as_arithmetic_tuple", "the numbers of a coordinate are integers, found %v", t)
	}
	cod, err := newCodomain(leafPaths(nil, t.profile(), nil))
	if err != nil {
		return Tuple{}, err
	}
	if cod == nil {
		return Int(0), nil
	}
	v, cod := trimAxes(slices.Clone(t.v), cod)
	return Tuple{v: v, prof: ".", cod: cod}, nil
}

// RecognizeCoordinates returns the coalesced layout that has the given coordinates at the indices 0, 1, 2, ..., in
// colexicographic order: [Recognize] for coordinate strides. The coordinates are tuples of one nesting, such as
// (1,(0,2)), or leaves such as 1@0+2@1; element i of a tuple lies along axis i. What it says of offsets holds for each
// axis.
//
// If there is none it returns [CodeNotRepresentable] with the first index at which every layout fails. It returns
// [CodeExtent] for an empty list, [CodeNotCongruent] for coordinates of different nesting, [CodeCodomain] for one
// without numbers or with too many, [CodeLimit] above [EnumLimit] numbers, and [CodeOverflow].
func RecognizeCoordinates(coords []Tuple) (Layout, error) {
	const op = "recognize"
	if len(coords) == 0 {
		return Layout{}, &Error{Code: CodeExtent, Op: op, Msg: "expected at least one coordinate, found none"}
	}
	cod, err := coordinateAxes(op, coords)
	if err != nil {
		return Layout{}, err
	}
	k := cod.axes()
	if err := checkEnum(op, int64(len(coords))*int64(k), "the list"); err != nil {
		return Layout{}, err
	}
	table := make([]int64, 0, len(coords)*k)
	for _, c := range coords {
		if c.prof != "." {
			table = append(table, c.v...) // the leaves are the axes
		} else if table, err = rebase(table, c.v, c.cod, cod); err != nil {
			return Layout{}, err
		}
	}
	spelt := func(x []int64) Tuple {
		if x == nil {
			return Tuple{}
		}
		if p := coords[0].profile(); p != "." {
			return Tuple{v: x, prof: p}
		}
		v, c := trimAxes(x, cod)
		return Tuple{v: v, prof: ".", cod: c}
	}
	if !isZero(table[:k]) {
		first := spelt(table[:k])
		return Layout{}, &Error{
			Code: CodeNotRepresentable, Op: op,
			Msg:     fmt.Sprintf("a layout maps index 0 to 0, found %v", first),
			Witness: &Witness{Coord: Int(0), Value: first, Want: spelt(make([]int64, k))},
			Hint:    fmt.Sprintf("subtract %v from every coordinate and keep it as the offset", first),
		}
	}
	m := heapModes(64, k)
	bad, err := m.recognize(table, nil)
	if err != nil {
		return Layout{}, err
	}
	if bad != nil {
		return Layout{}, &Error{
			Code: CodeNotRepresentable, Op: op, Msg: fmt.Sprintf("no layout has these coordinates: %s", bad.why),
			Witness: &Witness{Coord: Int(bad.index), Index: bad.index, Value: spelt(bad.value), Want: spelt(bad.want)},
		}
	}
	return m.layout(op, unwrappedProfile(m.n), cod)
}

// coordinateAxes returns the axes of the coordinates, the leaves of a tuple or those that leaves name.
func coordinateAxes(op string, coords []Tuple) (cod *codomain, err error) {
	p := coords[0].profile()
	for i, c := range coords {
		if c.profile() != p {
			return nil, errorf(CodeNotCongruent, op,
				"expected coordinates of one nesting, found %v at index 0 and %v at index %d", coords[0], c, i)
		}
		if c.cod != nil && p != "." {
			return nil, errorf(CodeCodomain, op, "the numbers of a coordinate are integers, found %v at index %d", c, i)
		}
		if cod, err = unifyCodomains(cod, c.cod); err != nil {
			return nil, err
		}
	}
	if p == "." {
		return cod, nil
	}
	if cod, err = newCodomain(leafPaths(nil, p, nil)); err == nil && cod == nil {
		err = errorf(CodeCodomain, op, "a coordinate has at least one number, found %v", coords[0])
	}
	return cod, err
}
