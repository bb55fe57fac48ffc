//go:build !js || kernels

package service

import (
	"cmp"
	"fmt"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/report"
	"girih/internal/machine/entry"
	"girih/internal/machine/runfile"
	"girih/internal/picture/follow"
	"girih/ptx/sim"
)

// This file follows PTX with the description of a run.

// fromPTX runs PTX.
func (x *followed) fromPTX() *report.Error {
	q := &x.req
	if strings.TrimSpace(q.Run) == "" {
		return usage("expected a run for the PTX, found none: girih sim FILE.ptx --init writes one")
	}
	m, info := simModule(q.PTX)
	if info != nil {
		return info
	}
	file, err := runfile.Parse([]byte(q.Run))
	if err != nil {
		return simError(err)
	}
	k, err := entry.Find(m, cmp.Or(q.Entry, file.Entry))
	if err != nil {
		return simName(err)
	}
	if info := x.inGrid([3]int64(file.Grid)); info != nil {
		return info
	}
	program, err := sim.LoadRecorded(m)
	if err != nil {
		return simError(err)
	}
	b := x.session.budget
	if err := b.Hold(program.Bytes()); err != nil {
		return simError(err)
	}
	inputs, err := file.Load(runfile.Host{Open: q.Open, Keep: b.Hold, Stop: b.Stop})
	if err != nil {
		return simError(err)
	}
	if n := inputs.Bytes(); n > followBytes {
		return refusal(cute.CodeLimit, fmt.Sprintf("the buffers have %d bytes, and up to %d are followed", n, followBytes),
			"run a smaller problem")
	}
	run, err := inputs.New(program)
	if err != nil {
		return simError(err)
	}
	x.Name, x.Title, x.ptx = cmp.Or(k.Short, k.Name), k.Full, q.PTX
	x.Threads = file.Block[0] * file.Block[1] * file.Block[2]
	x.kernel = follow.Kernel{Threads: x.Threads}
	if len(m.Target) > 0 {
		x.kernel.Target = m.Target[0]
	}
	for _, p := range file.Buffers {
		t := follow.Buffer{Name: p.Name, Type: p.Type, Bits: 8}
		if d, err := dtype.Parse(p.Type); err == nil && d.Bits() >= 8 {
			t.Bits = d.Bits()
		}
		x.kernel.Tensors = append(x.kernel.Tensors, t)
	}
	l, want := &run.Launch, x.limits()
	l.Entry, l.Steps, l.Record, l.Events = k.Name, want.Steps, want.Record, want.Events
	l.Findings, l.Keep = want.Findings, want.Keep
	return x.take(program.Run(x.context(), run.Memory, *l))
}
