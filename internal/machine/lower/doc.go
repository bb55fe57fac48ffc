// Package lower emits the instructions of package atom as PTX. [MMA] and [Copy] emit one to a ptx.Builder, given its
// registers. [FragmentOf] says where a thread's registers have a value, [DescriptorAt] computes how wgmma finds a
// matrix in shared memory, and [TargetFor] says which target a module needs for an instruction, or why a chip lacks it.
// All of it follows from the traits of the atom and its text.
package lower

import (
	"fmt"

	"girih/cute"
)

const op = "lower"

// fail returns an error of this package.
//
//go:noinline
func fail(code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}
