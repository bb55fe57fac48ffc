//go:build !js || kernels

package service

import (
	"context"
	"errors"
	"runtime"

	"girih/internal/lang/report"
	"girih/internal/machine/needless"
	"girih/ptx/sim"
)

// needlessSeeds is how many orders are tried without an instruction if the request does not say it.
const needlessSeeds = 4

// removeEach removes each synchronizing instruction in turn, on all processors. If memory is too scarce for several
// runs at once, it begins again with one.
func (x *simulation) removeEach() *report.Error {
	bytes := x.inputs.RunBytes()
	workers := max(1, min(runtime.GOMAXPROCS(0), int(x.session.budget.Left()/max(1, 2*bytes))))
	r, err := x.removeWith(workers, bytes)
	if workers > 1 && errors.Is(err, sim.CodeMemory) {
		r, err = x.removeWith(1, bytes)
	}
	if err != nil {
		return simError(err)
	}
	x.Needless, x.scores = r, x.req.Mutate && !x.req.Needless
	return nil
}

// needlessText is the report of removeEach in words.
func (r SimResponse) needlessText() string {
	if r.scores {
		return r.Needless.Score()
	}
	return r.Needless.Text()
}

// removeWith is removeEach with a number of goroutines, whose buffers have a number of bytes.
func (x *simulation) removeWith(workers int, bytes int64) (*needless.Report, error) {
	budget := x.session.budget
	more := bytes * int64(workers-1)
	if err := budget.Hold(more); err != nil {
		return nil, err
	}
	defer budget.Free(more)
	share, ctx := budget.Left()/int64(workers), requestContext{context.Background(), x.session}
	k := needless.Kernel{Module: x.module, Entry: x.Entry, New: func(p *sim.Program) (*needless.Case, error) {
		run, err := x.inputs.New(p)
		if err != nil {
			return nil, err
		}
		l, held := run.Launch, int64(0)
		l.Steps, l.Ignore = x.req.Steps, x.ignore
		l.Keep = func(n int64) error {
			if held += n; workers > 1 && held > share {
				held -= n
				return errPutOff
			}
			return budget.Hold(n)
		}
		return &needless.Case{Memory: run.Memory, Launch: l, Wrong: func() string {
			if bad := run.Check(); len(bad) > 0 {
				return wrongText(bad[0])
			}
			return ""
		}}, nil
	}}
	return needless.Run(ctx, k, needless.Options{
		Orders: int(x.req.Seeds), Workers: workers, Progress: x.req.Progress,
	})
}

// requestContext is a context that ends when the session runs out of time or memory. Several goroutines may ask it.
type requestContext struct {
	context.Context
	s *Session
}

// Err returns why the session has ended, nil before its end.
func (c requestContext) Err() error { return c.s.budget.Stop() }
