package atom

import (
	"cmp"
	"slices"
	"sort"

	"girih/cute"
	"girih/internal/ints"
)

// This file finds the PermutationMNK that makes values of a thread neighbours.
//
// Along one mode, say M, the index of an element of the tile has digits. First come the digits of its place in the
// atom; the layout of the atom gives each of them to threads or to values. Then come the atom, a digit of threads, and
// the repeat of all atoms, a digit of values. A permutation is a stride in the tensor for each digit. So the digits of
// values come first, in the order of the values, until they make the wanted run, and all others follow in their order:
//
//	SM70_8x8x4 NT, A along M, 2 atoms, tile 32     4 values, 2 threads | 2 atoms | 2 repeats
//	8 values in a run                              strides 1, 8 | 16 | 4: (4,2,2,2):(1,8,16,4) = (4,4,2):(1,8,4)

// A digit is a factor of the extent of a mode in the numbering of the tile.
type digit struct {
	extent, stride int64
	value          int // the rank among the digits of values; -1 for a digit of threads
}

// FindPermutation returns the PermutationMNK of the smallest tile, no smaller than the tile of m, for which every
// thread holds the elements of the operand along the axis (0, 1, 2 for M, N, K) in runs of the given number of
// consecutive elements, in the order of its values. Other modes keep the permutations of m.
//
// It returns [cute.CodeMode] if the operand has no such axis, [cute.CodeExtent] for a run below 1,
// [cute.CodeNotDivisible] if runs of this length do not fit the values that a thread has of an atom, and
// [cute.CodeNotRepresentable] if the layout of the atom does not split the axis into digits.
func FindPermutation(m TiledMMA, o Operand, axis int, run int64) (cute.Tile, error) {
	const op = "permute"
	if x, y := o.Axes(); o > OperandC || axis != x && axis != y {
		return cute.Tile{}, fail(cute.CodeMode, op, "expected a mode of %v as axis, 0, 1 or 2 for M, N or K, found %d", o,
			axis)
	}
	if run < 1 {
		return cute.Tile{}, fail(cute.CodeExtent, op, "expected a run of at least 1 value, found %d", run)
	}
	digits, err := m.digits(o, axis)
	if err != nil {
		return cute.Tile{}, err
	}
	held := int64(1) // the number of values that a thread has along the axis in one atom
	for _, d := range digits {
		if d.value >= 0 {
			held *= d.extent
		}
	}
	whole := m.atom.Shape[axis] * m.threadsAlong(axis)
	repeats := m.tiler[axis].Size() / whole
	need := int64(1)
	if run > held {
		if run%held != 0 {
			return cute.Tile{}, runDoesNotFit(o, axis, run, held)
		}
		need = run / held
	}
	repeats = ints.RoundUp(repeats, need)
	if repeats > cute.EnumLimit/whole {
		return cute.Tile{}, fail(cute.CodeLimit, op,
			"a run of %d values needs a tile of %d times %d elements, more than %d", run, repeats, whole, cute.EnumLimit)
	}
	digits = append(digits,
		digit{m.threadsAlong(axis), m.atom.Shape[axis], -1},
		digit{need, whole, len(digits)}, digit{repeats / need, whole * need, len(digits) + 1})
	l, ok := arrange(digits, run)
	if !ok {
		return cute.Tile{}, runDoesNotFit(o, axis, run, held)
	}
	return m.withPermutation(axis, l), nil
}

func runDoesNotFit(o Operand, axis int, run, held int64) *cute.Error {
	e := fail(cute.CodeNotDivisible, "permute",
		"a thread holds %d elements of %v of an atom along %c, which cannot make runs of %d", held, o,
		axisNames[axis], run)
	e.Hint = "runs that divide this number, or are multiples of it, can"
	return e
}

// digits returns the digits of the axis in an atom, by stride.
func (m TiledMMA) digits(o Operand, axis int) ([]digit, error) {
	tv := m.atom.TV(o)
	rows, columns := m.atom.Extents(o)
	along := cute.Ints(1, 0)
	if x, _ := o.Axes(); axis != x {
		along = cute.Ints(0, 1)
	}
	coordinate, err := cute.New(cute.Ints(rows, columns), along)
	if err != nil {
		return nil, err
	}
	var out []digit
	for side, mode := range tv.Modes() {
		places, err := cute.Composition(coordinate, mode.Flatten())
		if err != nil {
			return nil, notDigits(m, o, axis, tv)
		}
		for i, leaf := range places.Modes() {
			extents, strides := leaf.Shape().Leaves(), leaf.Stride().Leaves()
			for k, s := range extents {
				if s == 1 || strides[k] == 0 {
					continue
				}
				d := digit{extent: s, stride: strides[k], value: -1}
				if side == 1 {
					d.value = i
				}
				out = append(out, d)
			}
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].stride < out[j].stride })
	next := int64(1)
	for _, d := range out {
		if d.stride != next {
			return nil, notDigits(m, o, axis, tv)
		}
		next *= d.extent
	}
	if next != m.atom.Shape[axis] {
		return nil, notDigits(m, o, axis, tv)
	}
	return out, nil
}

func notDigits(m TiledMMA, o Operand, axis int, tv cute.Layout) *cute.Error {
	return fail(cute.CodeNotRepresentable, "permute", "the layout %v of %v of %s does not count along %c in digits", tv,
		o, m.atom.Name, axisNames[axis])
}

// arrange gives strides to the digits, which are in the order of the numbering: first to digits of values in the order
// of the values until they make the run, then to the others. It reports whether the runs have this length.
func arrange(digits []digit, run int64) (cute.Layout, bool) {
	byValue := make([]int, 0, len(digits))
	for i, d := range digits {
		if d.value >= 0 {
			byValue = append(byValue, i)
		}
	}
	slices.SortStableFunc(byValue, func(a, b int) int { return cmp.Compare(digits[a].value, digits[b].value) })
	strides := make([]int64, len(digits))
	next := int64(1)
	for _, i := range byValue {
		if next >= run {
			break
		}
		strides[i] = next
		next *= digits[i].extent
	}
	if next%run != 0 {
		return cute.Layout{}, false
	}
	extents := make([]int64, len(digits))
	for i, d := range digits {
		extents[i] = d.extent
		if strides[i] == 0 {
			strides[i] = next
			next *= d.extent
		}
	}
	l, err := cute.New(cute.Ints(extents...), cute.Ints(strides...))
	if err != nil {
		return cute.Layout{}, false
	}
	return cute.Coalesce(l), true
}

// withPermutation returns the permutations of m with l along the axis: as an integer if it is the identity, and as _ if
// m has it by default.
func (m TiledMMA) withPermutation(axis int, l cute.Layout) cute.Tile {
	elems := m.perm
	elems[axis] = l
	if n := l.Size(); l.Equal(column(n, 1)) || n == 1 {
		elems[axis] = cute.Int(n)
		if n == m.atom.Shape[axis]*m.threadsAlong(axis) && m.perm[axis] == cute.Keep {
			elems[axis] = cute.Keep
		}
	}
	return cute.MakeTile(elems[:]...)
}
