package service_test

import (
	"context"
	"encoding/json"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"girih/internal/check/hostile"
	"girih/internal/check/long"
	"girih/internal/lang/report"
	"girih/internal/service"
)

// within carries out a request with a time limit. It returns how long the request ran beyond the limit, and the peak
// size of its objects in bytes.
func within(t testing.TB, q hostile.Request, most time.Duration) (out []byte, after time.Duration, peak int64) {
	t.Helper()
	runtime.GC()
	base := heap()
	ctx, stop := context.WithTimeout(t.Context(), most)
	defer stop()
	done := make(chan []byte)
	start := time.Now()
	go func() { done <- service.DoWithin(ctx, q.Op, q.Body) }()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case out := <-done:
			return out, time.Since(start) - most, peak
		case <-tick.C:
			peak = max(peak, heap()-base)
		}
	}
}

// heap returns the bytes of the objects that the last collection found in use.
func heap() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// Requests that once took all time and memory end within their time and in little memory, with or without an error. The
// bounds hold on a loaded machine too: without limits, these requests take gigabytes and minutes.
func TestUnbounded(t *testing.T) {
	if testing.Short() {
		t.Skip("requests that take as long as they may")
	}
	const most, late, memory = time.Second, 30 * time.Second, 512 << 20
	for i, q := range byName(hostile.Unbounded()) {
		if long.Skips(i, 4) {
			continue
		}
		out, after, peak := within(t, q, most)
		var r struct {
			OK    bool
			Error *report.Error
		}
		if err := json.Unmarshal(out, &r); err != nil || r.OK == (r.Error != nil) {
			t.Errorf("%s: %.200s", q.Name, out)
		}
		if after > late {
			t.Errorf("%s goes on for %v after its time", q.Name, after)
		}
		if peak > memory {
			t.Errorf("%s takes %d MiB", q.Name, peak>>20)
		}
		if after > 100*time.Millisecond || peak > 128<<20 {
			t.Logf("%s: %v after its time, %d MiB: %.120s", q.Name, after, peak>>20, out)
		}
	}
}

// Values that double with each statement are refused by their size, long before they fill the memory.
func TestDoubling(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	for name, program := range hostile.Doubling() {
		var s service.Session
		if r := s.Eval(service.EvalRequest{Expr: program}); r.Error == nil || r.Error.Code == "limit" {
			continue
		} else if r.Error.Code == "syntax" || r.Error.Code == "name" {
			t.Errorf("%s: %s", name, r.Error.Message)
		}
	}
}
