package outcomes

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/machine/litmus"
)

// This file refuses tests whose barriers let threads wait for ever. A loop of a thread that waits gives up, but nobody
// gives up at a barrier of a CTA or a cluster, and a card would hang:
//
//	bar.sync 0   |   bar.sync 1
//	bar.sync 1   |   bar.sync 0
//
// Barriers, arrivals and copies are in threads without branches, so one run of these shows whether all of them end: a
// barrier completes when all of its threads have come, in whatever order.

// A step is an instruction that arrives at a barrier, waits there, or both.
type step struct {
	key            string
	need           int // arrivals
	arrives, waits bool
	text           string
}

// steps returns the barriers of thread i, in order.
func (p *Plan) steps(i int) []step {
	own, list, meets := p.seats[i], []step(nil), 0
	cluster := step{key: fmt.Sprint("cluster ", own.cluster), text: "the barrier of the cluster"}
	for _, s := range p.seats {
		if s.cluster == own.cluster {
			cluster.need++
		}
	}
	for k := range p.Test.Threads[i].Code {
		ins := &p.Test.Threads[i].Code[k]
		s := cluster
		switch {
		case ins.Op == litmus.Barrier && ins.Bar.Scope == litmus.Cluster:
			if s.waits = ins.Bar.Waits; s.waits {
				meets++
			}
			s.arrives = ins.Bar.Arrives
		case ins.Op == litmus.Barrier:
			s = step{fmt.Sprint("bar ", own.cluster, own.block, ins.Bar.Instance), 0, true, ins.Bar.Waits, ins.Text}
			p.partners(i, ins, func(seat) { s.need++ })
		case isMbarrier(ins):
			s = p.mbarrierStep(ins.Loc, ins)
			s.arrives = ins.Op == litmus.Reduce
			s.waits = !s.arrives
		case ins.Op == litmus.Copy && len(ins.Parts) > 3:
			s = p.mbarrierStep(ins.Parts[3].Loc, ins)
			s.arrives = true
		default:
			continue
		}
		list = append(list, s)
	}
	for ; meets < p.meets; meets++ { // in the kernel, all threads must meet equally often
		cluster.arrives, cluster.waits = true, true
		list = append(list, cluster)
	}
	return list
}

// partners calls f for the seat of each thread that takes part in the barrier of ins, an instruction of thread i. It
// returns these threads as a mask of their numbers in the block.
func (p *Plan) partners(i int, ins *litmus.Instruction, f func(seat)) int64 {
	mask, own := int64(0), p.seats[i]
	for k, s := range p.seats {
		meets := slices.ContainsFunc(p.Test.Threads[k].Code, func(o litmus.Instruction) bool {
			return o.Op == litmus.Barrier && o.Bar.Scope == ins.Bar.Scope && o.Bar.Instance == ins.Bar.Instance
		})
		if meets && s.cluster == own.cluster && s.block == own.block {
			mask |= 1 << s.member
			f(s)
		}
	}
	return mask
}

func (p *Plan) mbarrierStep(loc int, ins *litmus.Instruction) step {
	return step{key: "mbarrier " + p.Test.Locations[loc].Name, need: int(p.cells[loc].arrivals), text: ins.Text}
}

// A gathering is the state of a barrier.
type gathering struct{ came, phase int }

// ends refuses the test if threads wait for ever.
func (p *Plan) ends() {
	n := len(p.Test.Threads)
	left, since := make([][]step, n), make([]map[string]int, n)
	for i := range left {
		left[i], since[i] = p.steps(i), map[string]int{}
		onceWithArrive(left[i])
	}
	at := map[string]*gathering{}
	for moved := true; moved; {
		moved = false
		for i := range left {
			for len(left[i]) > 0 && pass(at, since[i], &left[i][0]) {
				left[i], moved = left[i][1:], true
			}
		}
	}
	for i, list := range left {
		if len(list) > 0 {
			skip("expected barriers to which all their threads come, found %s, where %s waits for ever", list[0].text,
				p.Test.Threads[i].Name)
		}
	}
}

// pass lets a thread arrive at a barrier, once, and reports whether it passes. since are the phases of barriers when
// the thread arrived.
func pass(at map[string]*gathering, since map[string]int, s *step) bool {
	g := at[s.key]
	if g == nil {
		g = &gathering{}
		at[s.key] = g
	}
	if s.arrives {
		s.arrives = false
		since[s.key] = g.phase
		if g.came++; g.came == s.need {
			g.came, g.phase = 0, g.phase+1
		}
	}
	return !s.waits || g.phase > since[s.key]
}

// onceWithArrive refuses a thread that comes to a barrier again after a bar.arrive. Since bar.arrive does not wait,
// both may count for one phase.
func onceWithArrive(list []step) {
	arrived := map[string]bool{}
	for _, s := range list {
		if arrived[s.key] && strings.HasPrefix(s.key, "bar ") {
			skip("expected a thread to come to a barrier once if it does not wait there, found %s again", s.text)
		}
		arrived[s.key] = arrived[s.key] || s.arrives && !s.waits
	}
}
