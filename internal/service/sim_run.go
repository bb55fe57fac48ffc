//go:build !js || kernels

package service

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"girih/internal/lang/report"
	"girih/internal/machine/entry"
	"girih/internal/machine/runfile"
	"girih/internal/picture/pipeline"
	"girih/ptx"
	"girih/ptx/sim"
)

// This file runs a kernel in the requested orders of warps, up to the first order in which something is wrong.

// A simulation is the runs of a request, and their response.
type simulation struct {
	SimResponse
	session *Session
	req     SimRequest
	module  *ptx.Module
	draw    painter // draws the timeline; nil if there is none

	file    *runfile.File
	program *sim.Program
	inputs  *runfile.Inputs
	outs    []int // the indices of the buffers that out asks for
	ignore  []sim.Ignore
	guesses *runfile.Guesses
	strict  bool  // the value of strict in the request, while orders are explored
	usual   order // the order whose strict run comes next
}

// run runs the orders. An error says why there is no response.
func (x *simulation) run() *report.Error {
	if info := x.load(); info != nil {
		return info
	}
	if x.req.Exhaustive > 0 {
		return x.explore()
	}
	n := int(max(x.req.Seeds, 1))
	var bad *report.Error
	if x.req.Strict {
		n *= 2
	}
	x.session.runs(n, x.inputs.RunBytes(), func(t *turn) func() bool {
		o := x.order(t)
		return func() bool {
			bad = x.takeOrder(o)
			return bad != nil || x.Error != nil
		}
	})
	x.OK = bad == nil && x.Error == nil
	if x.OK && (x.req.Needless || x.req.Mutate) {
		return x.removeEach()
	}
	return bad
}

// An order is a run in one order, and what it did.
type order struct {
	seed   uint64
	strict bool
	result *sim.Result
	wrong  []SimWrong
	files  [][]byte
	err    error
	orders *sim.Orders  // nil if a seed determines the order
	run    *runfile.Run // the run of orders
}

// load reads the description of the run and all files named in it.
func (x *simulation) load() *report.Error {
	s, q := x.session, x.req
	var err error
	if x.file, err = runfile.Parse([]byte(q.Run)); err != nil {
		return simError(err)
	}
	k, err := entry.Find(x.module, cmp.Or(q.Entry, x.file.Entry))
	if err != nil {
		return simName(err)
	}
	if x.outs, err = x.file.BufferNumbers(q.Out); err != nil {
		return simError(err)
	}
	if x.program, err = sim.Load(x.module); err != nil {
		return simError(err)
	}
	if err := s.budget.Hold(x.program.Bytes()); err != nil {
		return simError(err)
	}
	x.inputs, err = x.file.Load(runfile.Host{Open: q.Open, Keep: s.budget.Hold, Stop: s.budget.Stop})
	if err != nil {
		return simError(err)
	}
	x.Findings, x.Wrong = []SimFinding{}, []SimWrong{}
	if x.Entry = k.Name; k.Full != k.Name {
		x.Kernel, x.Short = k.Full, k.Short
	}
	x.ignore, _ = q.ignoreList()
	if x.guesses = x.file.GuessesOf(x.module, k.Name); x.guesses != nil {
		x.Notes = append(x.Notes, "these values are still what --init made up: "+strings.Join(x.guesses.Fields, ", "))
	}
	x.goesOn, x.checks = q.Continue > 0 || len(x.ignore) > 0, q.checks
	return nil
}

// order runs the kernel in the order of a turn. With --strict each order has two turns; the second is strict.
func (x *simulation) order(t *turn) order {
	o := order{seed: uint64(t.number)}
	if x.req.Strict {
		o.seed, o.strict = o.seed/2, t.number%2 == 1
	}
	x.carryOut(t, &o)
	return o
}

// carryOut runs the kernel in order o.
func (x *simulation) carryOut(t *turn, o *order) {
	run, err := x.inputs.New(x.program)
	if err != nil {
		o.err = err
		return
	}
	l := &run.Launch
	l.Orders = o.orders
	l.Entry, l.Seed, l.Steps, l.Keep = x.Entry, o.seed, x.req.Steps, t.keep
	l.Findings, l.Ignore, l.Strict = int(x.req.Continue), x.ignore, o.strict
	if x.req.Strict {
		l.Findings = maxFindings // the findings of two runs are compared, so each run needs all
	}
	if x.draw != nil {
		l.Events = pipeline.Events
	}
	o.result, err = x.program.Run(turnContext{context.Background(), t}, run.Memory, *l)
	if _, ok := errors.AsType[*sim.Finding](err); !ok && err != nil {
		o.err = err
		return
	}
	if !o.strict && o.result.Ended {
		o.wrong = run.Check()
	}
	if o.strict == x.req.Strict {
		o.files = run.Npy(x.outs)
	}
	if o.orders != nil {
		o.run = run
	}
}

// takeOrder records the result of an order. An error says why there is no response.
func (x *simulation) takeOrder(o order) *report.Error {
	if o.err != nil {
		return simError(o.err)
	}
	if info := x.session.timeUp(); info != nil {
		return info
	}
	if x.req.Strict && !o.strict {
		x.usual = o
		return nil
	}
	lesser := o.result.Lesser
	if o.strict {
		lesser = sim.Strictly(o.result.Findings, x.usual.result.Findings)
		o.result, o.wrong = x.usual.result, x.usual.wrong
	}
	x.Seeds, x.Seed = int64(o.seed)+1, o.seed
	x.take(o.result, x.file, x.req.PTX)
	x.takeLesser(lesser)
	for i := range x.Findings {
		x.guess(&x.Findings[i])
	}
	x.compare(&o)
	if last := x.Seeds >= x.req.Seeds; x.draw != nil && (last || x.Error != nil) {
		return x.paint(o.result, x.draw)
	}
	return nil
}

// takeLesser records findings of lesser grades: with --strict they are findings like others.
func (x *simulation) takeLesser(list []*sim.Finding) {
	lines := strings.SplitAfter(x.req.PTX, "\n")
	for _, f := range list {
		s := simFinding(f, lines)
		switch known := func(t SimFinding) bool { return t.Line == s.Line && t.Other == s.Other && t.Grade == s.Grade }; {
		case x.req.Strict:
			x.Findings = append(x.Findings, s)
		case !slices.ContainsFunc(x.Lesser, known):
			x.Lesser = append(x.Lesser, s)
		}
	}
	if n := len(x.Findings) - max(int(x.req.Continue), 1); x.req.Strict && n > 0 {
		x.Findings, x.More = x.Findings[:len(x.Findings)-n], x.More+n
	}
}

// compare takes the outputs of a kernel that ran to its end, and the requested buffers.
func (x *simulation) compare(o *order) {
	x.Compared = x.file.CountCompared()
	x.Wrong = append(x.Wrong, o.wrong...)
	if x.Files == nil {
		x.Notes = append(x.Notes, x.inputs.Types(x.outs)...)
	}
	x.Files = o.files
	if x.Error = x.failure(); x.Compared == 0 && o.result.Ended && x.Seed == 0 && len(x.file.Buffers) > 0 {
		x.Notes = append(x.Notes,
			"no output was compared: nothing says what the buffers have to hold; give outputs a file or values")
	}
}

// guess adds to a finding how the finding depends on values that init made up.
func (x *simulation) guess(f *SimFinding) {
	var fields []string
	for _, why := range x.guesses.About(f.Kind, f.Line, f.Message) {
		f.Message += "\n" + why.What + " on what --init made up: " + strings.Join(why.Fields, ", ")
		for _, field := range why.Fields {
			if !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
	}
	f.Guesses = strings.Join(fields, ", ")
}

// turnContext is a context that ends when a run has to end.
type turnContext struct {
	context.Context
	t *turn
}

// Err returns why the run has to end, nil before its end.
func (c turnContext) Err() error { return c.t.Err() }
