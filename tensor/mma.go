package tensor

import (
	"girih/cute"
)

// An MMA is one instruction on the values of a thread: Call sets d = a·b + c, all of rank 1, with the values in the
// order of the instruction's layouts (CuTe's MMA_Atom::call). It refuses tensors of any other size.
type MMA[A, B, C any] interface {
	Call(d Tensor[C], a Tensor[A], b Tensor[B], c Tensor[C]) error
}

// FMA is the scalar MMA: a function of one element of each operand, CuTe's UniversalFMA. It handles several values one
// by one.
type FMA[A, B, C any] func(a A, b B, c C) C

// MulAdd returns the FMA a·b + c of a Go type, with the roundings of Go's arithmetic: integers wrap, and floats are
// rounded after the product and again after the sum.
func MulAdd[T Number]() FMA[T, T, T] { return func(a, b, c T) T { return T(a*b) + c } }

// Call sets d(v) = f(a(v), b(v), c(v)) for every v. It returns [cute.CodeNotCongruent] unless all four have one size,
// and the errors of [Tensor.At] and [Tensor.Set].
func (f FMA[A, B, C]) Call(d Tensor[C], a Tensor[A], b Tensor[B], c Tensor[C]) error {
	n := d.Size()
	if f == nil || n == 0 {
		return missing("gemm", d.eng)
	}
	if a.Size() != n || b.Size() != n || c.Size() != n {
		return refuse("gemm", cute.CodeNotCongruent,
			"expected as many values of A, B and C as of D, %d, found %d, %d and %d", n, a.Size(), b.Size(), c.Size())
	}
	for i := range n {
		x, err := a.At(i)
		if err != nil {
			return err
		}
		y, err := b.At(i)
		if err != nil {
			return err
		}
		z, err := c.At(i)
		if err != nil {
			return err
		}
		if err := d.Set(f(x, y, z), i); err != nil {
			return err
		}
	}
	return nil
}
