package banks

import (
	"fmt"

	"girih"
)

// refuse returns an error of this package.
func refuse(code girih.Code, hint, format string, args ...any) *girih.Error {
	return &girih.Error{Code: code, Op: "bank", Msg: fmt.Sprintf(format, args...), Hint: hint}
}
