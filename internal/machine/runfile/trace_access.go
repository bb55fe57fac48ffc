package runfile

import (
	"slices"

	"girih/ptx"
)

// This file records how values are used: as addresses, and as words that loops wait for.

// access records a use of the memory that an address operand leads to.
func (t *tracer) access(in *ptx.Instr, o ptx.Operand, u use) {
	if _, ok := o.(ptx.Addr); !ok {
		return
	}
	list := t.operand(o)
	t.grow(list, int64(in.Op.Type().Bits()/8*max(in.Op.Vec(), 1)))
	for _, x := range list {
		if x.address {
			continue
		}
		if at := in.Pos.Line; !slices.Contains(t.reaches[at], x.spot()) {
			t.reaches[at] = append(t.reaches[at], x.spot())
		}
		if !x.index {
			t.use(x.spot(), u)
		}
	}
}

// grow records the size of the shared memory of open size that is used.
func (t *tracer) grow(list []trail, n int64) {
	for _, x := range list {
		if v := t.vars[x.of]; x.address && x.param < 0 && v != nil && v.Space == ptx.Shared && v.Size() == 0 {
			t.shared = max(t.shared, x.offset+n)
		}
	}
}

// use adds a use of a spot.
func (t *tracer) use(at spot, u use) {
	old := t.uses[at]
	if old == nil {
		old = new(use)
		t.uses[at] = old
	}
	old.read = old.read || u.read
	old.written = old.written || u.written
	old.counts = old.counts || u.counts
	old.rank = max(old.rank, u.rank)
	if old.typ == "" {
		old.typ = u.typ
	}
}

// spins finds the words that loops wait for: loads within a loop that see stores of other threads, and whose value
// decides whether the loop continues.
func (t *tracer) spins(f *ptx.Func) {
	at := map[ptx.Name]int{}
	var code []*ptx.Instr
	for s := range f.Stmts() {
		switch s := s.(type) {
		case *ptx.Label:
			at[s.Name] = len(code)
		case *ptx.Instr:
			code = append(code, s)
		}
	}
	for i, in := range code {
		if in.Op.Name() != "bra" || in.Pred == "" || len(in.Operands) != 1 {
			continue
		}
		label, _ := in.Operands[0].(ptx.Name)
		if begin, ok := at[label]; ok && begin <= i {
			t.spinsIn(code[begin:i], in.Pred)
		}
	}
}

// spinsIn finds the words for which a loop, repeated while pred is true, waits.
func (t *tracer) spinsIn(loop []*ptx.Instr, pred ptx.Name) {
	for k, ld := range loop {
		if ld.Op.Name() != "ld" || !strong(ld.Op) || !decides(loop[k:], ld, pred) {
			continue
		}
		for _, x := range t.reaches[ld.Pos.Line] {
			if u := t.uses[x]; u != nil && u.isAccessed() {
				u.counts = true
			}
		}
	}
}

// strong reports whether a repeated load sees the stores of other threads.
func strong(op ptx.Op) bool {
	for _, m := range []string{"volatile", "relaxed", "acquire", "mmio", "cv", "cg"} {
		if op.Has(m) {
			return true
		}
	}
	return false
}

// decides reports whether a predicate depends on the value of a load, in the code from the load on.
func decides(code []*ptx.Instr, ld *ptx.Instr, pred ptx.Name) bool {
	of := map[ptx.Name]bool{}
	var mark func(o ptx.Operand, names func(ptx.Name))
	mark = func(o ptx.Operand, names func(ptx.Name)) {
		switch o := o.(type) {
		case ptx.Name:
			names(o)
		case ptx.Vec:
			for _, x := range o {
				mark(x, names)
			}
		case ptx.Pair:
			mark(o.First, names)
			mark(o.Second, names)
		}
	}
	mark(ld.Operands[0], func(n ptx.Name) { of[n] = true })
	for _, in := range code[1:] {
		if len(in.Operands) < 2 || in.Op.Name() == "ld" {
			continue
		}
		hit := false
		for _, o := range in.Operands[1:] {
			mark(o, func(n ptx.Name) { hit = hit || of[n] })
		}
		if hit {
			mark(in.Operands[0], func(n ptx.Name) { of[n] = true })
		}
	}
	return of[pred]
}
