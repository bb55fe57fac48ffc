package budget

import "runtime/debug"

// SoftLimit makes the garbage collector work harder while the process has more than the given number of bytes. A limit
// that the user has set with GOMEMLIMIT stays.
func SoftLimit(bytes int64) {
	const none = 1<<63 - 1
	if debug.SetMemoryLimit(-1) == none {
		debug.SetMemoryLimit(bytes)
	}
}
