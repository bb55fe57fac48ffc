package tensor

import (
	"girih/atom"
	"girih/cute"
)

// Try returns the tensor. If it could not be made, Try returns a tensor without elements that keeps the error, and
// every operation on it returns that error. So calls nest, and one check at the end suffices:
//
//	err := tensor.Copy(tensor.Try(t.Slice(c)), dst)
//
// Its extents are 0: check [Tensor.Err] before a loop over them, which would do nothing.
func Try[T any](t Tensor[T], err error) Tensor[T] {
	if err != nil {
		return Tensor[T]{eng: &failed[T]{err: err}}
	}
	return t
}

// Err returns the error that [Try] kept, and nil for all other tensors.
func (t Tensor[T]) Err() error {
	if f, ok := t.eng.(*failed[T]); ok {
		return f.err
	}
	return nil
}

// A failed engine belongs to a tensor that could not be made. It has no elements.
type failed[T any] struct {
	indexEngine[T]
	err error
}

func (f *failed[T]) failure() error                { return f.err }
func (f *failed[T]) get(int64) (none T)            { return none }
func (f *failed[T]) length() int64                 { return 0 }
func (f *failed[T]) in(atom.Space) engine[T]       { return f }
func (f *failed[T]) text(int64, cute.Tuple) string { return f.err.Error() }
