package tensor

import (
	"fmt"

	"girih"
)

// refuse returns the error of an operation that has no answer.
func refuse(op string, code girih.Code, hint, format string, args ...any) error {
	return &girih.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// overflow is the error of positions that leave 64 bits.
func overflow(op, format string, args ...any) error {
	return refuse(op, girih.CodeOverflow, "", format+" leave 64 bits", args...)
}

// missing is the error of an operation on a zero Tensor.
func missing(op string) error {
	return refuse(op, girih.CodeType, "make one with Make, Alloc, Packed, Counting or Identity", "expected a tensor, found a zero Tensor, which has no elements")
}
