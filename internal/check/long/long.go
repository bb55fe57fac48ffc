// Package long says whether tests have time for everything. By default tests check a sample, so that all of them
// together take minutes; with GIRIH_LONG=1, or FUZZTIME in .ci/run, they check everything.
package long

import (
	"os"
	"testing"
)

// Tests reports whether tests may take as long as they like.
func Tests() bool { return os.Getenv("GIRIH_LONG") != "" || os.Getenv("FUZZTIME") != "" }

// Skips reports whether case i is left out. By default only every nth case is kept.
func Skips(i, n int) bool { return i%n != 0 && !Tests() }

// Cases returns how many random cases a test runs: some, or all.
func Cases(some, all uint64) uint64 {
	if Tests() {
		return all
	}
	return some
}

// Alone skips a long test under the race detector if one goroutine does all of its work: there is no race to find.
func Alone(t testing.TB) {
	if Raced {
		t.Skip("under the race detector: one goroutine does all of the work")
	}
}
