package sim

import (
	"maps"
	"slices"
	"strings"

	"girih/ptx"
)

// This file watches the registers of wgmma. No thread may touch the registers of a wgmma in flight before the
// wait_group that covers the wgmma, and writes to these registers need a fence (PTX ISA 9.7.15.7.1). The registers to
// watch are found when a function is read, so instructions that name no watched register cost nothing.

// A use lists the registers that an instruction names.
type use struct {
	reads, writes []int // slots
	move          bool  // the instruction only copies one register to another
}

// usesAsync reports whether a function contains a wgmma or a tcgen05.ld.
func usesAsync(b *ptx.Block) bool {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			if usesAsync(s) {
				return true
			}
		case *ptx.Instr:
			if strings.HasPrefix(string(s.Op), "wgmma.mma_async") || strings.HasPrefix(string(s.Op), "tcgen05.ld.") {
				return true
			}
		}
	}
	return false
}

// uses returns the registers that an instruction names. The instruction writes the registers of its first operand,
// unless that operand is an address.
func (d *decoder) uses(in *ptx.Instr) use {
	var u use
	for i, o := range in.Operands {
		into := &u.reads
		if _, address := o.(ptx.Addr); i == 0 && !address {
			into = &u.writes
		}
		*into = d.registersIn(*into, o)
	}
	u.move = in.Op.Name() == "mov" && len(u.reads) == 1 && len(u.writes) == 1
	return u
}

// registersIn appends the registers that an operand names.
func (d *decoder) registersIn(slots []int, o ptx.Operand) []int {
	switch o := o.(type) {
	case ptx.Vec:
		for _, x := range o {
			slots = d.registersIn(slots, x)
		}
	case ptx.Args:
		for _, x := range o {
			slots = d.registersIn(slots, x)
		}
	case ptx.Pair:
		return d.registersIn(d.registersIn(slots, o.First), o.Second)
	case ptx.Addr:
		slots = d.registersIn(slots, o.Base)
		for _, x := range o.Args {
			slots = d.registersIn(slots, x)
		}
	case ptx.Name:
		name := o
		s := d.lookup(name)
		if s == nil && name.Part() != "" {
			name = name.Base()
			s = d.lookup(name)
		}
		if s != nil && s.kind == symReg {
			slots = append(slots, d.slotOf(s, name))
		}
	}
	return slots
}

// wgmmaUses contains what a decoder records about the wgmma of a function.
type wgmmaUses struct {
	watch  bool          // the function contains wgmma or tcgen05.ld
	used   map[int]use   // the registers that each instruction names
	own    map[int][]int // the registers of each wgmma
	list   []*wgmmaUse
	loaded map[int]bool // the registers that tcgen05.ld writes
}

// note records the registers that the next instruction names.
func (u *wgmmaUses) note(d *decoder, in *ptx.Instr) {
	if !u.watch {
		return
	}
	if u.used == nil {
		u.used, u.own = map[int]use{}, map[int][]int{}
	}
	u.used[len(d.code)] = d.uses(in)
}

// finish numbers the watched registers when all instructions are read.
func (u *wgmmaUses) finish(f *function) {
	if !u.watch {
		return
	}
	f.watchLoads(u)
	f.watch(u.used, u.own)
	for _, x := range u.list {
		x.watchedD, x.watchedA = f.watchedOf(x.d), f.watchedOf(x.a)
	}
}

// watch numbers the registers of wgmma, and the registers that these are copied from or to. It wraps the instructions
// that name numbered registers with checks of the state of these registers.
func (f *function) watch(uses map[int]use, own map[int][]int) {
	f.watched = map[int]int{}
	add := func(slot int) {
		if _, ok := f.watched[slot]; !ok {
			f.watched[slot] = len(f.watched)
		}
	}
	for _, slots := range own {
		for _, s := range slots {
			add(s)
		}
	}
	copies := map[int][]int{} // copies from and to each slot
	for _, u := range uses {
		if u.move {
			from, to := u.reads[0], u.writes[0]
			copies[from], copies[to] = append(copies[from], to), append(copies[to], from)
		}
	}
	for todo := slices.Collect(maps.Keys(f.watched)); len(todo) > 0; {
		slot := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, x := range copies[slot] {
			if _, ok := f.watched[x]; !ok {
				add(x)
				todo = append(todo, x)
			}
		}
	}
	for pc, u := range uses {
		if _, ok := own[pc]; ok {
			continue
		}
		reads, writes := f.watchedOf(u.reads), f.watchedOf(u.writes)
		if len(reads)+len(writes) > 0 {
			f.code[pc].do = guarded{u.move, reads, writes, f.code[pc].do}.run
		}
	}
}

// watchedOf returns the numbers of the watched slots among slots.
func (f *function) watchedOf(slots []int) []int {
	var list []int
	for _, s := range slots {
		if n, ok := f.watched[s]; ok {
			list = append(list, n)
		}
	}
	return list
}

// A flight is the state of a register that a wgmma may use.
type flight struct {
	group   int    // group of the wgmma that uses the register, 0 for none; done up to wgmmaState.landed
	input   bool   // the wgmma only reads the register
	written bool   // written since the last wgmma.fence
	at      uint32 // the wgmma, see grid.site
	nth     uint32 // when the warp executed the wgmma, see groups.events
}

// guarded is an instruction that names watched registers.
type guarded struct {
	move          bool
	reads, writes []int
	do            step
}

func (g guarded) run(w *warp, mask uint32) status {
	f, s := w.f, &w.wgmma
	if g.isCopy() {
		// A copy also copies the state of the register: compilers rename accumulators this way.
		from, to := &f.flights[g.reads[0]], &f.flights[g.writes[0]]
		if s.has(from) && !from.input && !s.has(to) {
			*to = *from
			return g.do(w, mask)
		}
	}
	for _, n := range g.reads {
		if x := &f.flights[n]; s.has(x) && !x.input && !w.inFlight(x, mask, "reads") {
			return failed
		}
	}
	for _, n := range g.writes {
		if x := &f.flights[n]; s.has(x) && !w.inFlight(x, mask, "writes") {
			return failed
		}
	}
	for _, n := range g.writes {
		x := &f.flights[n]
		x.written = true
		if g.move && len(g.reads) == 1 {
			x.written = f.flights[g.reads[0]].written
		}
	}
	return g.do(w, mask)
}

// isCopy reports whether g copies one watched register to another.
func (g guarded) isCopy() bool { return g.move && len(g.reads) == 1 && len(g.writes) == 1 }

// inFlight notes that an instruction touches a register that a wgmma in flight uses, and reports whether the run goes
// on. If so, it goes on as if the warp had waited, so one missing wait gives one finding.
func (w *warp) inFlight(x *flight, mask uint32, verb string) bool {
	if !w.repeats(KindWgmma, x.at) {
		what := "accumulator"
		if x.input {
			what = "matrix A"
		}
		g := w.block.grid
		o := &operation{
			warp: w, missing: "wgmma.wait_group", groups: w.wgmma.waits, group: uint32(x.group - 1), nth: x.nth,
		}
		w.fail(KindWgmma, mask, "%s a register that the wgmma at line %s, which is under way, has as %s: %s",
			verb, g.lineAt(x.at), what, o.whyUnseen(0, toucher{warp: w}))
		w.fault.otherAt(g.at(x.at))
	}
	group := x.group
	if !w.goesOn() {
		return false
	}
	w.wgmma.excused = max(w.wgmma.excused, group)
	return true
}

// wgmmaState is the state of a warp's wgmma in flight.
type wgmmaState struct {
	committed, landed int     // number of groups that were committed, and of groups that are done
	excused           int     // the registers of this many groups may be used as if the groups were done
	ends              []int   // for each group from landed to committed: the number of wgmma executed at its commit
	older             int     // number of earlier groups that are not done and have no entry in ends
	waits             *groups // groups and last wait of lane 0, for reports; nil before the first use
	// Whether there was a wgmma.fence since the last wgmma, since the last wait_group, and at all.
	sinceMMA, sinceWait, ever bool
}

func (s *wgmmaState) reset() { *s = wgmmaState{ends: s.ends[:0]} }

// has reports whether a wgmma in flight uses the register with state x.
func (s *wgmmaState) has(x *flight) bool { return x.group > s.landed && x.group > s.excused }

// groups returns s.waits, and creates it if it is nil.
func (s *wgmmaState) groups() *groups {
	if s.waits == nil {
		s.waits = &groups{}
	}
	return s.waits
}

// fence executes wgmma.fence: earlier writes to registers are visible to later wgmma.
func (w *warp) fence() {
	for i := range w.f.flights {
		w.f.flights[i].written = false
	}
	w.wgmma.sinceMMA, w.wgmma.sinceWait, w.wgmma.ever = true, true, true
}
