package service_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"girih/internal/check/hostile"
	"girih/internal/check/long"
	"girih/internal/service"
)

// Requests of any size end soon after their time is over: most within a second or two on a quiet machine. The answer
// does not matter.
func TestTimeIsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of requests that take as long as they may")
	}
	const most, ever = 10 * time.Millisecond, time.Minute
	for i, q := range byName(hostile.Requests()) {
		if long.Skips(i, 4) {
			continue
		}
		ctx, stop := context.WithTimeout(context.Background(), most)
		start := time.Now()
		out := service.DoWithin(ctx, q.Op, q.Body)
		took := time.Since(start) - most
		stop()
		switch {
		case len(out) == 0:
			t.Errorf("%s: no answer", q.Name)
		case took > ever:
			t.Errorf("%s goes on for %v after its time", q.Name, took)
		case took > time.Second:
			t.Logf("%s goes on for %v after its time", q.Name, took)
		}
	}
}

// byName sorts requests, so that every run of a test uses the same sample.
func byName(requests []hostile.Request) []hostile.Request {
	slices.SortFunc(requests, func(a, b hostile.Request) int { return strings.Compare(a.Name, b.Name) })
	return requests
}
