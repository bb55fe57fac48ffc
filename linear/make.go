package linear

import (
	"slices"
	"strconv"

	"girih/cute"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Empty returns the layout without dimensions, which maps nothing to nothing and is the neutral element of
// [Layout.Product].
func Empty() Layout { return Layout{} }

// Identity1D returns the layout that maps every coordinate to itself, with one input and one output dimension of the
// given size. A size of 0 gives [Empty], as in Triton. It returns the errors of [Strided1D].
func Identity1D(size int64, in, out string) (Layout, error) { return Strided1D(size, 1, in, out) }

// Strided1D returns the layout that maps x to stride·x, from an input dimension of the given size to an output
// dimension of size stride·size. A size of 0 gives [Empty]. It returns [cute.CodeExtent] unless size and stride are
// powers of two, [cute.CodeName] for an empty name, and [cute.CodeOverflow] for more than 62 bits.
func Strided1D(size, stride int64, in, out string) (Layout, error) {
	const op = "strided_1d"
	if size == 0 {
		return Empty(), nil
	}
	n, err := sizeBits(op, in, size)
	if err != nil {
		return Layout{}, err
	}
	s, err := sizeBits(op, out, stride)
	if err != nil {
		return Layout{}, fail(cute.CodeExtent, op, "expected a power of two as the stride, found %d", stride)
	}
	ins, err := makeDims(op, []string{in}, []int{n})
	if err != nil {
		return Layout{}, err
	}
	outs, err := makeDims(op, []string{out}, []int{n + s})
	if err != nil {
		return Layout{}, err
	}
	cols := make([]uint64, n)
	for k := range cols {
		cols[k] = 1 << (s + k)
	}
	return Layout{ins: ins, outs: outs, cols: cols}, nil
}

// Zeros1D returns the layout that maps every coordinate of an input dimension of the given size to 0, in an output
// dimension of size outSize. A size of 0 gives [Empty]. It returns the errors of [Strided1D].
func Zeros1D(size int64, in, out string, outSize int64) (Layout, error) {
	const op = "zeros_1d"
	if size == 0 {
		return Empty(), nil
	}
	ins, err := fromDims(op, []Dim{{in, size}})
	if err != nil {
		return Layout{}, err
	}
	outs, err := fromDims(op, []Dim{{out, outSize}})
	if err != nil {
		return Layout{}, err
	}
	return Layout{ins: ins, outs: outs, cols: make([]uint64, ins.total)}, nil
}

// ZerosLike returns the zero map with the dimensions of l.
func ZerosLike(l Layout) Layout {
	return Layout{ins: l.ins, outs: l.outs, cols: make([]uint64, len(l.cols))}
}

// dimName is the standard name of dimension i of a tensor.
func dimName(i int) string { return "dim" + itoa(i) }

// checkOrder reports whether order lists each of 0..n-1 once.
func checkOrder(op string, order []int, n int) error {
	sorted := slices.Sorted(slices.Values(order))
	for i, d := range sorted {
		if len(order) != n || d != i {
			return fail(cute.CodeRank, op, "expected an order of the dimensions 0 to %d, each once, found %v", n-1, order)
		}
	}
	if len(order) != n {
		return fail(cute.CodeRank, op, "expected an order of %d dimensions, found %v", n, order)
	}
	return nil
}
