package budget

import "runtime/debug"

// SoftLimit lets the collector work more where the process has more than so many bytes, rather than let it grow: unless
// the user has set another limit, with GOMEMLIMIT.
func SoftLimit(bytes int64) {
	const none = 1<<63 - 1
	if debug.SetMemoryLimit(-1) == none {
		debug.SetMemoryLimit(bytes)
	}
}
