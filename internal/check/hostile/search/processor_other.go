//go:build !unix

package main

import "time"

var begin = time.Now()

// processor returns the time by the clock, where there is no other.
func processor() time.Duration { return time.Since(begin) }
