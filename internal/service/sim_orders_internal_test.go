//go:build !js

package service

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"girih/internal/budget"
)

// TestRuns checks that results are taken in order, whatever the number of processors and the memory that is left, and
// that nothing is taken after the last one. It changes the number of processors, so it is not parallel.
func TestRuns(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(cores)
		for _, x := range []struct{ copy, before, each, last int64 }{
			{0, 0, 0, 9}, {0, 0, 0, 3}, {10, 10, 30, 9}, {10, 0, 95, 9}, {200, 0, 0, 9}, {10, 10, 90, 5}, {1, 0, 5, 9},
		} {
			t.Run(fmt.Sprint(cores, x), func(t *testing.T) {
				s := &Session{budget: budget.New(t.Context(), 100)}
				var taken []int
				var most atomic.Int64
				s.runs(10, x.copy, func(r *turn) func() bool {
					err := errors.Join(r.keep(x.before), r.Err(), r.keep(x.each), r.Err())
					most.Store(max(most.Load(), s.budget.InUse()))
					if err == nil && r.under == nil {
						s.budget.Free(x.before + x.each)
					}
					return func() bool {
						if taken = append(taken, r.number); err != nil {
							t.Errorf("run %d: %v", r.number, err)
						}
						return int64(r.number) == x.last
					}
				})
				if want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}[:x.last+1]; !slices.Equal(taken, want) {
					t.Errorf("took %v, want %v", taken, want)
				}
				if s.budget.InUse() != 0 || s.budget.Stop() != nil || most.Load() > 100 {
					t.Errorf("%d bytes held, %d at most: %v", s.budget.InUse(), most.Load(), s.budget.Stop())
				}
			})
		}
	}
}

// TestRunsOver checks that a run that needs more than there is ends with that error, alone or with others.
func TestRunsOver(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 4} {
		runtime.GOMAXPROCS(cores)
		s := &Session{budget: budget.New(t.Context(), 100)}
		var taken []int
		s.runs(10, 1, func(r *turn) func() bool {
			err := r.keep(int64(r.number) * 30)
			if err == nil && r.under == nil {
				s.budget.Free(int64(r.number) * 30)
			}
			return func() bool { taken = append(taken, r.number); return err != nil }
		})
		if !slices.Equal(taken, []int{0, 1, 2, 3, 4}) {
			t.Errorf("%d cores: took %v", cores, taken)
		}
	}
}

// TestRunsPanic checks that a panic of a run is a panic of the request.
func TestRunsPanic(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("there was no panic")
		}
	}()
	new(Session).runs(3, 0, func(r *turn) func() bool {
		if r.number == 1 {
			panic("a defect")
		}
		return func() bool { return false }
	})
}
