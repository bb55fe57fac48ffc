package service_test

import (
	"context"
	"testing"
	"time"

	"girih/internal/budget"
	"girih/internal/check/hostile"
	"girih/internal/service"
)

// The limits of one run in a fuzz test. The budget is smaller than the memory limit, because the PTX text, its tree
// and the findings are not counted exactly.
const (
	fuzzTime   = time.Second
	fuzzBytes  = 64 << 20
	fuzzBudget = 16 << 20
)

// simWithin runs a description within a budget, and returns its cost.
func simWithin(ctx context.Context, ptx, run string) (service.SimResponse, hostile.Cost) {
	ctx, cancel := context.WithTimeout(ctx, fuzzTime/4)
	defer cancel()
	s := new(service.Session)
	s.Within(budget.With(ctx, budget.New(ctx, fuzzBudget)), service.Room{Bytes: 256 << 10})
	var r service.SimResponse
	cost := hostile.Measure(fuzzBytes, func() { r = s.Sim(service.SimRequest{PTX: ptx, Run: run}) })
	return r, cost
}

// FuzzLaunch checks that no PTX and description of a run exceed their limits of time and memory, whatever
// they declare.
func FuzzLaunch(f *testing.F) {
	for _, l := range hostile.Launches() {
		f.Add(l.PTX, l.Run)
	}
	for _, name := range []string{"ring", "late"} {
		f.Add(example(f, name+".ptx"), example(f, name+".json"))
	}
	f.Fuzz(func(t *testing.T, ptx, run string) {
		if len(ptx)+len(run) > 1<<18 {
			return
		}
		r, cost := simWithin(t.Context(), ptx, run)
		for again := 0; again < 3 && cost.Time > fuzzTime; again++ { // tries again, because the machine may have paused
			r, cost = simWithin(t.Context(), ptx, run)
		}
		if r.OK == (r.Error != nil) {
			t.Errorf("%+v", r)
		}
		if cost.Bytes > fuzzBytes || cost.Time > fuzzTime {
			t.Errorf("%v, %d MiB: %+v", cost.Time, cost.Bytes>>20, r.Error)
		}
		s := new(service.Session)
		s.Sim(service.SimRequest{PTX: ptx, Init: true})
	})
}
