package sim

import (
	"context"
	"hash/maphash"
	"maps"
	"slices"
)

// RunSeeds runs a kernel n times, with the seed of l and the seeds after it. Each run begins with the memory as it was.
// RunSeeds stops after the first run with an error; a [Finding] contains the seed of its run. The memory, the result
// and the error come from the last run. An n below 1 counts as 1. It returns the errors of [Program.Run].
func (p *Program) RunSeeds(ctx context.Context, m *Memory, l Launch, n int) (*Result, error) {
	for i := 1; i < n; i++ {
		before := m.clone()
		if res, err := p.Run(ctx, m, l); err != nil {
			return res, err
		}
		m.restore(before)
		l.Seed++
	}
	return p.Run(ctx, m, l)
}

// clone returns a copy of m.
func (m *Memory) clone() *Memory {
	out := *m
	out.heap, out.segs = maps.Clone(m.heap), nil
	for _, s := range m.segs {
		out.segs = append(out.segs, &segment{data: slices.Clone(s.data), def: slices.Clone(s.def), name: s.name})
	}
	return &out
}

// restore resets m to before, an earlier clone of m. Later allocations by a kernel are removed.
func (m *Memory) restore(before *Memory) {
	m.segs = m.segs[:len(before.segs)]
	for i, s := range before.segs {
		to := m.segs[i]
		to.data, to.def, to.name = append(to.data[:0], s.data...), s.def, s.name
	}
	m.next, m.total, m.heap, m.given, m.common = before.next, before.total, before.heap, before.given, nil
}

// sums is the seed of all sums of this process.
var sums = maphash.MakeSeed()

// Sum returns a checksum of the bytes of m, which is the same for the same bytes until the process ends.
func (m *Memory) Sum() uint64 {
	var h maphash.Hash
	h.SetSeed(sums)
	for _, s := range m.segs {
		_, _ = h.Write(s.data)
	}
	return h.Sum64()
}
