package codegen

import (
	"errors"
	"fmt"
	"slices"

	"girih/cute"
	"girih/linear"
)

// This file writes functions of an index as Triton's linear layouts, which package linear finds.

// maxTriton is the largest size of an output, because Triton keeps sizes in 32-bit integers.
const maxTriton = 1 << 30

func writeTriton(n node) (string, error) {
	if !allStatic(n) {
		return "", refuse(Triton, "the bases of a linear layout are known integers, %s has others", girihText(n))
	}
	var l linear.Layout
	var err error
	switch n := n.(type) {
	case layout:
		var a cute.Layout
		if a, err = cute.Parse(girihText(n)); err == nil {
			err = powerOfTwo(a.Size())
		}
		if err == nil {
			l, err = linear.FromLayout(a)
		}
	case composed:
		var c cute.Composed
		if c, err = buildComposed(n); err == nil {
			err = powerOfTwo(c.Size())
		}
		var zero cute.Tuple
		if err == nil {
			zero, err = c.Eval(cute.Int(0))
		}
		if err == nil {
			err = zeroAtZero(zero.Leaves())
		}
		if err == nil {
			l, err = linear.FromComposed(c)
		}
	case swizzle:
		l, err = swizzleMap(n)
	default:
		return "", refuse(Triton, "a linear layout is a function of an index, %s is not: write a layout", describe(n))
	}
	if err != nil {
		if e, ok := errors.AsType[*cute.Error](err); ok && e.Op == "linear" {
			e.Op = string(Triton)
		}
		return "", err
	}
	return fromBases(l)
}

// powerOfTwo refuses a size for which Triton's layout would continue beyond the end.
func powerOfTwo(size int64) error {
	if size&(size-1) != 0 {
		return refuse(Triton, "a linear layout has a power of two of elements, this has %d: pad it and mask the rest", size)
	}
	return nil
}

// zeroAtZero refuses an origin, which linear layouts of Triton do not have.
func zeroAtZero(origin []int64) error {
	if !slices.ContainsFunc(origin, func(x int64) bool { return x != 0 }) {
		return nil
	}
	return &cute.Error{
		Code: cute.CodeNotRepresentable, Op: string(Triton),
		Witness: &cute.Witness{Coord: cute.Int(0), Value: vector(origin), Want: cute.Int(0)},
		Msg:     fmt.Sprintf("a linear layout of Triton is 0 at index 0, and this is %v", vector(origin)),
		Hint:    "add the offset outside of the linear layout",
	}
}

// buildComposed returns the chain as a composed layout.
func buildComposed(c composed) (cute.Composed, error) {
	l, err := cute.Parse(girihText(c.inner))
	if err != nil {
		return cute.Composed{}, err
	}
	var inner cute.Inner = l
	var f cute.Composed
	for i := len(c.stages) - 1; i >= 0; i-- {
		s := c.stages[i]
		offset, err := cute.ParseTuple(leafText(s.offset))
		if err != nil {
			return f, err
		}
		var outer cute.Outer
		if w, ok := s.outer.(swizzle); ok {
			outer, err = cute.NewSwizzle(w.b, w.m, w.s)
		} else {
			outer, err = cute.Parse(girihText(s.outer))
		}
		if err != nil {
			return f, err
		}
		if f, err = cute.NewComposed(outer, offset, inner); err != nil {
			return f, err
		}
		inner = f
	}
	return f, nil
}

// swizzleMap takes the swizzle as a function on the 2^(B+M+|S|) integers that it permutes.
func swizzleMap(n swizzle) (linear.Layout, error) {
	w, err := cute.NewSwizzle(n.b, n.m, n.s)
	if err != nil {
		return linear.Layout{}, err
	}
	size := n.b + n.m + max(n.s, -n.s)
	if size > 30 {
		return linear.Layout{}, refuse(Triton, "%s permutes 2^%d integers, a linear layout has at most 2^30 values",
			girihText(n), size)
	}
	l, err := linear.FromSwizzle(w, size)
	if err != nil {
		return l, err
	}
	return l.RenameIn("offset", "index")
}
