//go:build !unix

package hostile

import "time"

var begin = time.Now()

// Processor returns the clock time, because it cannot read the processor time on these systems.
func Processor() time.Duration { return time.Since(begin) }
