package kernel

import (
	"girih/cute"
)

// OrderedSequenceParams are the parameters of an [OrderedSequenceBarrier].
type OrderedSequenceParams struct {
	Depth  int64 // the parts of an iteration that are ordered, such as 2 for a main loop and an epilogue
	Length int64 // the number of groups that take turns
	Group  int64 // the number of threads of a group, in whole warps
}

// An OrderedSequenceBarrier lets groups of warps take turns, such as two warpgroups: one multiplies while the other
// stores. It is CUTLASS's OrderedSequenceBarrier, for ping-pong. Group 0 begins; each group arrives for the next one,
// and the last one for group 0. The methods of the zero OrderedSequenceBarrier fail as the methods of the zero
// [Barrier] do.
type OrderedSequenceBarrier struct {
	k    *K
	p    OrderedSequenceParams
	name string
	bars Barriers // by part, and within it by group
}

// OrderedSequenceBarrier returns a barrier. Thread 0 initialises it here; [K.Sync] or [K.ClusterSync] must follow
// before its first use. It fails with [cute.CodeExtent] for impossible numbers of parts, groups or threads.
func (k *K) OrderedSequenceBarrier(name string, p OrderedSequenceParams) OrderedSequenceBarrier {
	const op = "ordered_sequence"
	switch {
	case p.Depth < 1 || p.Depth > 16:
		k.refuse(op, cute.CodeExtent, "expected 1 to 16 parts, found %d", p.Depth)
	case p.Length < 2 || p.Length > 32:
		k.refuse(op, cute.CodeExtent, "expected 2 to 32 groups, found %d", p.Length)
	case p.Group < WarpSize || p.Group%WarpSize != 0 || p.Group*p.Length > k.threads:
		k.refuse(op, cute.CodeExtent, "expected groups of whole warps, %d of them in the %d threads of the block, found %d",
			p.Length, k.threads, p.Group)
	}
	if !k.ready() {
		return OrderedSequenceBarrier{}
	}
	o := OrderedSequenceBarrier{k: k, p: p, name: name, bars: k.Barriers(name, p.Depth*p.Length)}
	o.bars.ring = true
	k.If(k.ThreadIdx().Less(Int(1)), func() {
		for i := range p.Depth * p.Length {
			o.bars.At(Int(i)).Init(p.Group)
		}
		k.FenceBarrierInit()
	})
	return o
}

// Wait waits for the turn of a group: wait. Turns count from 0 on, Depth of them in an iteration: turn i is part
// i mod Depth. It fails with [cute.CodeMode] for a group that the barrier may not have.
func (o OrderedSequenceBarrier) Wait(group, turn Index) {
	const op = "ordered_sequence_wait"
	o.check(op, group)
	first := Int(1).Sub(group.Min(Int(1))) // group 0 need not wait in its first turns
	o.at(group, turn).Wait(turn.Div(o.p.Depth).Add(first).Mod(2))
}

// Arrive ends the turn of a group, and lets the next group take it: arrive. All threads of the group execute it, once
// in each turn. It fails with [cute.CodeExtent] if another number of threads certainly does, because a group would wait
// forever or go too early, and the errors of Wait.
func (o OrderedSequenceBarrier) Arrive(group, turn Index) {
	const op = "ordered_sequence_arrive"
	k := o.check(op, group)
	if _, known := group.Int64(); k.err == nil {
		want, n, certain := o.p.Group, int64(0), true
		if !known {
			want *= o.p.Length
		}
		for _, c := range k.executes(k.around) {
			certain = certain && c != perhaps
			if c == always {
				n++
			}
		}
		if certain && n != want {
			k.advise("let all threads of the group arrive, under a condition such as k.WarpgroupIdx().Equal(group)").refuse(op,
				cute.CodeExtent, "%s counts %d arrivals for %v, and %d threads arrive here", o.name, want, group, n)
		}
	}
	o.at(group.Add(Int(1)).Mod(o.p.Length), turn).Arrive()
}

// check returns the kernel of the barrier, and refuses the zero barrier and groups that it does not have.
func (o OrderedSequenceBarrier) check(op string, group Index) *K {
	if o.k == nil {
		none(op, aSequence)
	}
	k := o.k
	if k.ready() && !k.among(k.expr(group), o.p.Length) {
		lo, hi := k.expr(group).Range()
		k.refuse(op, cute.CodeMode, "expected a group from 0 to %d of %s, found %v, from %d to %d", o.p.Length-1,
			o.name, group, lo, hi)
	}
	return k
}

// at returns the barrier of a group at a turn. The conditions around the code bound the group, not its range.
func (o OrderedSequenceBarrier) at(group, turn Index) Barrier {
	k := o.k
	i := k.expr(turn.Mod(o.p.Depth).Mul(Int(o.p.Length)).Add(group))
	k.space()
	home := innermost(group.home(), turn.home())
	return Barrier{k: k, at: k.s.Add(o.bars.at, k.s.Scale(i, 8)), ring: true, home: home}
}
