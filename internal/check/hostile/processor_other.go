//go:build !unix

package hostile

import "time"

var begin = time.Now()

// Processor returns the time by the clock: these systems have no other.
func Processor() time.Duration { return time.Since(begin) }
