package triton

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/linear"
)

// An Encoding is a rule that maps the elements of a tensor of any shape to places. Only the types of this package
// implement it.
type Encoding interface {
	// Layout returns the layout on a tensor of that shape, dim0 first. It returns [cute.CodeRank] for the wrong number
	// of dimensions, [cute.CodeExtent] for a size that is not a power of two, [cute.CodeNotDivisible] for a tensor that
	// the tile does not fit, [cute.CodeOverflow] beyond 62 bits, and the errors for wrong parameters, which the type
	// documents.
	Layout(shape ...int64) (linear.Layout, error)
	// Record returns the encoding as a name and fields, from which [FromRecord] makes it again.
	Record() Record
	// String returns the record as text.
	String() string

	// rank returns the number of dimensions of the tensors, or 0 if it may be any number.
	rank() int
}

// fail returns an error whose operation op is the name of the encoding.
//
//go:noinline
func fail(code cute.Code, op, format string, args ...any) error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// checkShape refuses a shape with another rank (0: any rank), or with a size that is not a power of two.
func checkShape(op string, rank int, shape []int64) error {
	if rank != 0 && len(shape) != rank {
		return fail(cute.CodeRank, op, "expected a tensor of %d dimensions, as the encoding has, found the shape %v", rank,
			cute.Ints(shape...))
	}
	if len(shape) == 0 {
		return fail(cute.CodeRank, op, "expected a tensor of at least one dimension, found none")
	}
	return checkPowers(op, "shape", shape)
}

// checkPowers refuses parameters that are not powers of two.
func checkPowers(op, name string, sizes []int64) error {
	for i, n := range sizes {
		if !isPower(n) {
			return fail(cute.CodeExtent, op, "expected powers of two in %s, found %d at %d", name, n, i)
		}
	}
	return nil
}

// checkPower refuses a parameter that is not a power of two.
func checkPower(op, name string, n int64) error {
	if !isPower(n) {
		return fail(cute.CodeExtent, op, "expected a power of two for %s, found %d", name, n)
	}
	return nil
}

func isPower(n int64) bool { return n > 0 && n&(n-1) == 0 }

// checkSizes refuses a list whose length is not the rank, or that contains a number that is not a power of two.
func checkSizes(op, name string, sizes []int64, rank int) error {
	if len(sizes) != rank {
		return fail(cute.CodeRank, op, "expected %d numbers in %s, one for each dimension, found %d", rank, name, len(sizes))
	}
	return checkPowers(op, name, sizes)
}

// checkOrder refuses a list that does not contain each of the rank dimensions once.
func checkOrder(op, name string, order []int, rank int) error {
	if rank == 0 {
		return fail(cute.CodeRank, op, "expected at least one dimension in %s, found none", name)
	}
	if len(order) == rank {
		seen := slices.Clone(order)
		slices.Sort(seen)
		if slices.Equal(seen, upTo(rank)) {
			return nil
		}
	}
	return fail(cute.CodeRank, op, "expected a permutation of the dimensions %v in %s, found %v", upTo(rank), name, order)
}

// upTo returns 0, 1, ..., n-1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// ones returns n ones.
func ones(n int) []int64 { return slices.Repeat([]int64{1}, n) }

// orOnes returns the list, or n ones if it is empty.
func orOnes(sizes []int64, n int) []int64 {
	if len(sizes) == 0 {
		return ones(n)
	}
	return sizes
}

// rowMajor returns the dimensions with the last first.
func rowMajor(rank int) []int {
	order := upTo(rank)
	slices.Reverse(order)
	return order
}

// colMajor returns the dimensions of batches of matrices: the rows, the columns, then the batches.
func colMajor(rank int) []int {
	order := rowMajor(rank)
	if rank > 1 {
		order[0], order[1] = order[1], order[0]
	}
	return order
}

// dimName is the standard name of dimension d of a tensor.
func dimName(d int) string { return fmt.Sprintf("dim%d", d) }
