package tensor

import (
	"fmt"

	"girih/cute"
)

// refuse returns an error of the operation.
//
//go:noinline
func refuse(op string, code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// advise adds a hint to an error.
func advise(hint string, e *cute.Error) error {
	e.Hint = hint
	return e
}

// overflow returns the error of positions that exceed 64 bits.
func overflow(op, format string, args ...any) error {
	return refuse(op, cute.CodeOverflow, format+" leave 64 bits", args...)
}

// missing returns the error of an operation on a tensor without elements: the error that [Try] kept, or that the tensor
// is a zero Tensor.
func missing(op string, all ...store) error {
	for _, e := range all {
		if f, ok := e.(interface{ failure() error }); ok {
			return f.failure()
		}
	}
	return advise("make one with Make, Alloc, Packed, Counting or Identity",
		refuse(op, cute.CodeType, "expected a tensor, found a zero Tensor, which has no elements"))
}
