// Package lower writes the instructions of package atom as PTX: [MMA] and [Copy] put one into a ptx.Builder, given its
// registers, [FragmentOf] says which bits of which register of a thread a value is, [Tile.Descriptor] how wgmma finds a
// matrix in shared memory, and [TargetFor] what a module must say to have an instruction, or why a chip lacks it. All
// of it follows from the traits of the atom and its text.
package lower

import (
	"fmt"

	"girih/cute"
)

const op = "lower"

// fail returns an error about what was asked.
func fail(code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}
