package lint

import (
	"girih/ptx"
)

// registers checks setmaxnreg, and reports local memory.
func (c *checker) registers() {
	c.local()
	launch, known := launchRegisters(c.decl)
	seen, said := 0, false
	for i, in := range c.g.Code {
		if in.Op.Name() != "setmaxnreg" || len(in.Operands) != 1 {
			continue
		}
		seen++
		n, ok := in.Operands[0].(ptx.Int)
		if !ok || n < 24 || n > 256 || n%8 != 0 {
			c.say(mark{ruleSetmaxnr, Fault}, in, "%v registers: expected a multiple of 8 from 24 to 256", in.Operands[0])
			continue
		}
		switch {
		case !c.decl.Entry:
		case !known && !said:
			said = true
			c.say(mark{ruleSetmaxnr, Hint}, in, "the kernel has neither .maxnreg nor .minnctapersm with .maxntid or .reqntid, so that "+
				"ptxas may not know how many registers a thread begins with, and ignores setmaxnreg (C7508), unless it is given --maxrregcount")
		case known && c.isFirst(i):
			c.change(in, int64(n), launch)
		}
	}
}

// change checks the first setmaxnreg of a kernel. n is its number of registers, and most is the largest number of
// registers with which a thread may begin.
func (c *checker) change(in *ptx.Instr, n, most int64) {
	switch {
	case in.Op.Has("inc"):
	case n == most:
		c.say(mark{ruleSetmaxnr, Hint}, in, "%d registers, and a thread begins with no more: it has no effect", n)
	case n > most:
		c.say(mark{ruleSetmaxnr, Fault}, in, "%d registers, and a thread begins with at most %d: .dec releases registers",
			n, most)
	}
}

// isFirst reports whether no other setmaxnreg can come before instruction i.
func (c *checker) isFirst(i int) bool {
	reached := make([]bool, len(c.g.First))
	var todo []int
	for k, in := range c.g.Code {
		if in.Op.Name() == "setmaxnreg" && !reached[c.g.Block[k]] {
			if k < i && c.g.Block[k] == c.g.Block[i] {
				return false
			}
			todo = append(todo, c.g.To[c.g.Block[k]]...)
		}
		if in.Op.Name() == "call" {
			return false // the called function may contain a setmaxnreg
		}
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b < len(reached)-1 && !reached[b] {
			reached[b] = true
			todo = append(todo, c.g.To[b]...)
		}
	}
	return !reached[c.g.Block[i]]
}

// launchRegisters returns the number of registers with which each thread of a kernel begins, if the directives
// determine it.
func launchRegisters(f *ptx.Func) (n int64, known bool) {
	if d, ok := f.Directive("maxnreg"); ok && len(d.Args) > 0 {
		return min(d.Args[0], 255), true
	}
	d, ok := f.Directive("minnctapersm")
	if !ok || len(d.Args) == 0 || d.Args[0] < 1 {
		return 0, false
	}
	t, ok := f.Directive("maxntid")
	if !ok {
		if t, ok = f.Directive("reqntid"); !ok {
			return 0, false
		}
	}
	threads := int64(1)
	for _, x := range t.Args {
		threads *= max(x, 1)
		if threads > 1<<16 {
			return 0, false
		}
	}
	return min((1<<16)/threads/d.Args[0]/8*8, 255), true
}

// local reports the variables that a function declares in local memory.
func (c *checker) local() {
	first := map[ptx.Name]*ptx.Instr{} // the first instruction that names each variable
	for s := range c.decl.Stmts() {
		if v, ok := s.(*ptx.Var); ok && v.Space == ptx.Local {
			first[v.Name] = nil
		}
	}
	if len(first) == 0 {
		return
	}
	for _, in := range c.g.Code {
		for n := range in.Names() {
			if old, local := first[n]; local && old == nil {
				first[n] = in
			}
		}
	}
	for s := range c.decl.Stmts() {
		if v, ok := s.(*ptx.Var); ok && v.Space == ptx.Local && first[v.Name] != nil {
			l := c.say(mark{ruleLocal, Hint}, first[v.Name], "%s is %s of local memory of each thread: an array with indices that are "+
				"not constants, or a variable whose address is used", v.Name, bytesText(v.Size()))
			l.Other = int(v.Pos.Line)
			first[v.Name] = nil
		}
	}
}

func bytesText(n int64) string {
	if n <= 0 {
		return "an array"
	}
	return plural(int(min(n, 1<<40)), "byte")
}
