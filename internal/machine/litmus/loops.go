package litmus

// loops describes the loops of a thread.
type loops struct {
	head []bool   // by instruction: whether a branch jumps back to it
	live []uint64 // by instruction: the registers whose values are used there or later
}

// loopsOf finds the loops of thread i. Registers that conditions compare are live at the end of the thread.
func loopsOf(t *Test, i int) loops {
	code := t.Threads[i].Code
	l := loops{make([]bool, len(code)+1), make([]uint64, len(code)+1)}
	l.live[len(code)] = t.Filter.registers(i)
	for _, a := range t.Asks {
		l.live[len(code)] |= a.Cond.registers(i)
	}
	for changed := true; changed; {
		changed = false
		for pc := len(code) - 1; pc >= 0; pc-- {
			ins := &code[pc]
			live := l.live[pc+1]
			if ins.Op == Branch {
				live |= l.live[ins.Target]
				if ins.Target <= pc {
					l.head[ins.Target] = true
				}
				if ins.Math == "goto" {
					live = l.live[ins.Target]
				}
			}
			if ins.Dst >= 0 {
				live &^= 1 << uint(ins.Dst)
			}
			live |= ins.uses()
			changed = changed || live != l.live[pc]
			l.live[pc] = live
		}
	}
	return l
}

// uses returns the registers that an instruction reads.
func (ins *Instruction) uses() uint64 {
	operands := []Operand{ins.A, ins.B}
	if ins.Bar != nil {
		operands = append(operands, ins.Bar.ID, ins.Bar.Quorum)
	}
	var set uint64
	for _, o := range operands {
		if o.Register >= 0 {
			set |= 1 << uint(o.Register)
		}
	}
	return set
}

// registers returns the registers of thread i that c compares.
func (c *Condition) registers(i int) uint64 {
	if c == nil {
		return 0
	}
	set := c.L.registers(i) | c.R.registers(i)
	for _, term := range []Term{c.A, c.B} {
		if c.Op == 'c' && term.Thread == i {
			set |= 1 << uint(term.Register)
		}
	}
	return set
}
