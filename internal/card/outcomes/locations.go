package outcomes

import (
	"girih/internal/machine/litmus"
)

// A use is one access of a thread to a location.
type use struct {
	thread int
	ins    *litmus.Instruction
	kind   useKind
}

// A useKind says what memory an access needs.
type useKind int

const (
	plain    useKind = iota // any memory
	arrive                  // an mbarrier of any block of the cluster
	await                   // an mbarrier of the thread's own block
	complete                // an mbarrier of the own block at which a copy completes
	into                    // shared memory of the own block, the destination of a copy
	outOf                   // shared memory of the own block, the source of a copy
	global                  // global memory, the other side of a copy
)

// uses returns the accesses to each location.
func (p *Plan) uses() [][]use {
	list := make([][]use, len(p.Test.Locations))
	for i := range p.Test.Threads {
		code := p.Test.Threads[i].Code
		for k := range code {
			ins := &code[k]
			add := func(loc int, kind useKind) { list[loc] = append(list[loc], use{i, ins, kind}) }
			switch ins.Op {
			case litmus.Load, litmus.Store, litmus.Atomic, litmus.Reduce:
				switch {
				case !isMbarrier(ins):
					add(ins.Loc, plain)
				case ins.Op == litmus.Reduce:
					add(ins.Loc, arrive)
				default:
					add(ins.Loc, await)
				}
			case litmus.Copy:
				from, to := ins.Parts[0].Loc, ins.Parts[1].Loc
				switch {
				case len(ins.Parts) > 3:
					add(from, global)
					add(to, into)
					add(ins.Parts[3].Loc, complete)
				case ins.Bulk:
					add(from, outOf)
					add(to, global)
				default:
					add(from, global)
					add(to, into)
				}
			}
		}
	}
	return list
}

// locations places the locations: where copies and mbarriers ask for it, and else as the form says.
func (p *Plan) locations() {
	p.cells = make([]cell, len(p.Test.Locations))
	inShared, inGlobal := 0, 0
	free := false // whether the form of the test decides some location
	for i, list := range p.uses() {
		l := &p.Test.Locations[i]
		if l.Place != i {
			skip("expected locations that do not overlap, found %s, another address of %s", l.Name,
				p.Test.Locations[l.Place].Name)
		}
		c := &p.cells[i]
		free = p.kind(i, list) || free
		index := &inGlobal
		if c.shared {
			index = &inShared
			p.own(i, list)
		}
		c.index = *index
		*index++
	}
	if p.Form.Shared && !free {
		skip("expected a location that can be in shared memory as well, found none")
	}
	if inShared > 0 && p.Clusters > 1 {
		skip("expected all threads in one cluster, whose shared memory they use, found %d clusters", p.Clusters)
	}
}

// kind says which memory a location is in, and reports whether the form decides.
func (p *Plan) kind(i int, list []use) (free bool) {
	c := &p.cells[i]
	kinds := [global + 1]int{}
	for _, u := range list {
		kinds[u.kind]++
	}
	mbarriers, sides := kinds[arrive]+kinds[await]+kinds[complete], kinds[into]+kinds[outOf]
	if mbarriers > 0 && mbarriers < len(list) || sides > 0 && kinds[global] > 0 {
		skip("expected one kind of memory for %s, found mbarriers, shared or global memory in %s",
			p.Test.Locations[i].Name, list[0].ins.Text)
	}
	switch {
	case mbarriers > 0:
		c.shared = true
		p.arrivals(i, list)
	case sides > 0:
		c.shared = true
	case kinds[global] == 0:
		c.shared = p.Form.Shared
		return len(list) > 0
	}
	return false
}

// own finds the block whose shared memory has a location: the block of the threads that need it in their own, or the
// block of the first thread that accesses it.
func (p *Plan) own(i int, list []use) {
	c := &p.cells[i]
	found := false
	for _, u := range list {
		if u.kind == plain || u.kind == arrive {
			continue
		}
		block := p.seats[u.thread].block
		if found && block != c.block {
			skip("expected %s in shared memory of one CTA, found %s in another one", p.Test.Locations[i].Name, u.ins.Text)
		}
		found, c.block = true, block
	}
	if !found && len(list) > 0 {
		c.block = p.seats[list[0].thread].block
	}
}

// arrivals counts the arrivals at an mbarrier: the kernel initializes it with their number, so that all waits are for
// its first phase.
func (p *Plan) arrivals(i int, list []use) {
	n, name := int64(0), p.Test.Locations[i].Name
	for _, u := range list {
		if u.kind == arrive || u.kind == complete {
			n++
		}
	}
	for _, u := range list {
		if u.kind == await && u.ins.Await != n {
			skip("expected waits for all %d arrivals at the mbarrier %s, found %s", n, name, u.ins.Text)
		}
	}
	if p.Test.Locations[i].Start != 0 {
		skip("expected an mbarrier that begins with 0, found %s=%d", name, p.Test.Locations[i].Start)
	}
	p.cells[i].arrivals = n
}

// inShared returns the number of locations in shared memory. The others are in global memory.
func (p *Plan) inShared() int {
	n := 0
	for _, c := range p.cells {
		if c.shared {
			n++
		}
	}
	return n
}
