//go:build !js

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
	draw    painter // of the timeline; nil if there is to be none

	file    *runfile.File
	program *sim.Program
	inputs  *runfile.Inputs
	outs    []int // the buffers that out asks for
	ignore  []sim.Ignore
	guesses *runfile.Guesses
}

// run runs the orders. An error says why there is no response.
func (x *simulation) run() *report.Error {
	if info := x.load(); info != nil {
		return info
	}
	for seed := range uint64(max(x.req.Seeds, 1)) {
		if info := x.order(seed); info != nil {
			return info
		}
		if x.Error != nil {
			return nil
		}
	}
	x.OK = true
	return nil
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
	x.goesOn = q.Continue > 0 || len(x.ignore) > 0
	return nil
}

// order runs the kernel in one order and records what was found.
func (x *simulation) order(seed uint64) *report.Error {
	s, q := x.session, x.req
	run, err := x.inputs.New(x.program)
	if err != nil {
		return simError(err)
	}
	run.Launch.Entry, run.Launch.Seed, run.Launch.Steps, run.Launch.Keep = x.Entry, seed, q.Steps, s.budget.Hold
	run.Launch.Findings, run.Launch.Ignore = int(q.Continue), x.ignore
	if x.draw != nil {
		run.Launch.Events = pipeline.Events
	}
	res, err := x.program.Run(sessionContext{context.Background(), s}, run.Memory, run.Launch)
	if _, ok := errors.AsType[*sim.Finding](err); !ok && err != nil {
		return simError(err)
	}
	x.Seeds, x.Seed = int64(seed)+1, seed
	x.take(res, x.file, q.PTX)
	for i := range x.Findings {
		x.guess(&x.Findings[i])
	}
	if info := x.compare(run, res); info != nil {
		return info
	}
	if last := x.Seeds >= x.req.Seeds; x.draw != nil && (last || x.Error != nil) {
		return x.paint(res, x.draw)
	}
	return nil
}

// compare compares the outputs of a kernel that ran to its end, and keeps the requested buffers.
func (x *simulation) compare(run *runfile.Run, res *sim.Result) *report.Error {
	if x.Compared = x.file.CountCompared(); res.Ended {
		x.Wrong = append(x.Wrong, run.Check()...)
		if info := x.session.timeUp(); info != nil {
			return info
		}
	}
	if x.Files == nil {
		x.Notes = append(x.Notes, run.Types(x.outs)...)
	}
	x.Files = run.Npy(x.outs)
	if x.Error = x.failure(); x.Compared == 0 && res.Ended && x.Seed == 0 && len(x.file.Buffers) > 0 {
		x.Notes = append(x.Notes,
			"no output was compared: nothing says what the buffers have to hold; give outputs a file or values")
	}
	return nil
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
