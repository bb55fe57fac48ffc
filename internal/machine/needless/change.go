package needless

import (
	"slices"
	"strings"

	"girih/ptx"
)

// A change removes or weakens one instruction.
type change struct {
	fn   *ptx.Func
	old  *ptx.Instr
	new  *ptx.Instr // the instruction that replaces it; nil if it is removed
	what string     // what was done to the instruction: "removed", ...
	deaf bool       // the simulator does not model the order that the instruction makes
}

// changes returns the changes of a kernel and of the functions that it may call, in the order of the module:
//
//	barriers, fences, commits, arrivals, waits for groups	are removed
//	mbarrier.test_wait and try_wait				return true immediately
//	.acquire, .release and .acq_rel of ld, st, atom, red	become .relaxed
//
// If an arrival that returns a state is removed, its destination register has no value.
func changes(m *ptx.Module, entry string) []change {
	var list []change
	for f := range m.Funcs() {
		if f.Body == nil || f.Entry && string(f.Name) != entry {
			continue
		}
		for s := range f.Stmts() {
			if in, ok := s.(*ptx.Instr); ok {
				if c, ok := changeOf(in); ok {
					c.fn, c.old = f, in
					list = append(list, c)
				}
			}
		}
	}
	return list
}

// changeOf returns the change of an instruction. ok is false if the instruction does not synchronize.
func changeOf(in *ptx.Instr) (c change, ok bool) {
	has := func(mods ...string) bool { return slices.ContainsFunc(mods, in.Op.Has) }
	c.what = "removed"
	switch in.Op.Name() {
	case "bar", "barrier":
		return c, true
	case "membar", "fence":
		c.deaf = has("alias")
		return c, true
	case "griddepcontrol":
		c.deaf = true
		return c, has("wait")
	case "cp":
		return c, has("commit_group", "wait_group", "wait_all") || has("mbarrier") && has("arrive")
	case "wgmma":
		return c, has("fence", "commit_group", "wait_group")
	case "tcgen05":
		return c, has("fence::before_thread_sync", "fence::after_thread_sync", "wait::ld", "wait::st", "commit")
	case "mbarrier":
		if has("test_wait", "try_wait") && len(in.Operands) > 0 {
			c.what = "true at once"
			c.new = &ptx.Instr{
				Pos: in.Pos, Pred: in.Pred, Not: in.Not, Op: "setp.eq.u32",
				Operands: []ptx.Operand{in.Operands[0], ptx.Int(0), ptx.Int(0)},
			}
			return c, true
		}
		return c, has("arrive", "arrive_drop", "expect_tx", "complete_tx")
	case "ld", "st", "atom", "red":
		if has("async") || !has("acquire", "release", "acq_rel") {
			return c, false
		}
		c.what = "relaxed"
		x := *in
		x.Op = ptx.Op(weaken.Replace(string(in.Op) + "."))
		x.Op = x.Op[:len(x.Op)-1]
		c.new = &x
		return c, true
	}
	return c, false
}

var weaken = strings.NewReplacer(".acquire.", ".relaxed.", ".release.", ".relaxed.", ".acq_rel.", ".relaxed.")

// apply returns m with the change. The result shares all other statements with m.
func (c *change) apply(m *ptx.Module) *ptx.Module {
	out := *m
	out.Decls = slices.Clone(m.Decls)
	for i, d := range out.Decls {
		if f, ok := d.(*ptx.Func); ok && f == c.fn {
			g := *f
			g.Body = c.in(f.Body)
			out.Decls[i] = &g
		}
	}
	return &out
}

// in returns a copy of b with the change, or b itself if it does not contain the instruction.
func (c *change) in(b *ptx.Block) *ptx.Block {
	for i, s := range b.Stmts {
		switch x := s.(type) {
		case *ptx.Instr:
			if x != c.old {
				continue
			}
			list := slices.Clone(b.Stmts)
			if c.new != nil {
				list[i] = c.new
			} else {
				list = slices.Delete(list, i, i+1)
			}
			return &ptx.Block{Stmts: list}
		case *ptx.Block:
			if y := c.in(x); y != x {
				list := slices.Clone(b.Stmts)
				list[i] = y
				return &ptx.Block{Stmts: list}
			}
		}
	}
	return b
}
