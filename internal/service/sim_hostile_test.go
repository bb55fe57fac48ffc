package service_test

import (
	"testing"

	"girih/internal/check/hostile"
	"girih/internal/lang/report"
)

// TestLaunches checks that hostile runs are refused or end within their limits.
func TestLaunches(t *testing.T) {
	if testing.Short() {
		t.Skip("runs that take as long as they may")
	}
	for _, l := range hostile.Launches() {
		r, cost := simWithin(t.Context(), l.PTX, l.Run)
		if r.OK == (r.Error != nil) || cost.Bytes > fuzzBytes {
			t.Errorf("%s: %d MiB, %+v", l.Name, cost.Bytes>>20, r.Error)
		}
		t.Logf("%-20s %5d ms %3d MiB %.100s", l.Name, cost.Time.Milliseconds(), cost.Bytes>>20, message(r.Error))
	}
}

func message(e *report.Error) string {
	if e == nil {
		return "fine"
	}
	return e.Code + ": " + e.Message
}
