package banks

import (
	"fmt"

	"girih/cute"
)

// refuse returns an error of this package.
//
//go:noinline
func refuse(code cute.Code, hint, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: "bank", Msg: fmt.Sprintf(format, args...), Hint: hint}
}
