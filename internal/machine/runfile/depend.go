package runfile

import (
	"strings"

	"girih/ptx"
	"girih/ptx/flow"
)

// This file finds the parts of a kernel that depend on made-up values of a skeleton: operands of instructions, and
// whether instructions are executed. Values are traced as for a skeleton (trace.go), and also through predicates, and
// through loads at addresses that depend on a value. An instruction depends on all branches that decide whether it is
// reached. The result is what the PTX may do, not what it did in one run.

// These parameters represent the extents of the launch.
const (
	blockParam = -2
	gridParam  = -3
)

// launchTrail returns the trail of a special register with an extent of the launch.
func launchTrail(name ptx.Name) (trail, bool) {
	switch register, _, _ := strings.Cut(string(name), "."); register {
	case "%ntid":
		return trail{param: blockParam, index: true}, true
	case "%nctaid", "%nclusterid":
		return trail{param: gridParam, index: true}, true
	}
	return trail{}, false
}

// A guide lists the trails on which an instruction's operands and predicate depend.
type guide struct{ operands, guard []trail }

// guide records what an instruction depends on. If the instruction is a comparison, guide also traces its results,
// and reports true.
func (t *tracer) guide(in *ptx.Instr) bool {
	var list []trail
	_, stores := in.Operands[0].(ptx.Addr)
	compares := in.Op.Name() == "setp" || in.Op.Name() == "set" || in.Op.Name() == "testp"
	for i, o := range in.Operands {
		if i > 0 || stores || len(in.Operands) == 1 || in.Op.Type() == "" {
			list = t.union(list, t.operandAll(o))
		}
	}
	list = indexes(list)
	t.guided[in] = guide{list, nil}
	if in.Pred != "" {
		t.guided[in] = guide{list, indexes(t.operand(in.Pred))}
	}
	if !compares {
		return false
	}
	for _, d := range pairOf(in.Operands[0]) {
		t.assign(in, d, list)
	}
	return true
}

// operandAll returns the trails of an operand, including the coordinates of a tensor and the elements of lists.
func (t *tracer) operandAll(o ptx.Operand) []trail {
	list := t.operand(o)
	args, ok := o.(ptx.Args)
	if a, is := o.(ptx.Addr); is {
		args, ok = a.Args, true
	}
	if !ok {
		return list
	}
	for _, x := range args {
		list = t.union(list, t.operand(x))
	}
	return list
}

// pairOf returns the registers that a comparison writes to.
func pairOf(o ptx.Operand) []ptx.Name {
	var list []ptx.Name
	parts := []ptx.Operand{o}
	if both, ok := o.(ptx.Pair); ok {
		parts = []ptx.Operand{both.First, both.Second}
	}
	for _, x := range parts {
		if n, ok := x.(ptx.Name); ok && n != ptx.Sink {
			list = append(list, n)
		}
	}
	return list
}

// A guessSet is a set of guesses, one bit each.
type guessSet uint64

// dependences are the guesses on which the lines of the PTX depend.
type dependences struct {
	operands, executed map[int32]guessSet
}

// dependencesOf returns the dependences of the functions that k reaches. bit returns the guess at a spot, or 0 if there
// is none.
func dependencesOf(m *ptx.Module, k *ptx.Func, bit func(spot) guessSet) dependences {
	t := traceIn(m, k, map[*ptx.Instr]guide{})
	d := dependences{map[int32]guessSet{}, map[int32]guessSet{}}
	of := func(list []trail) (all guessSet) {
		for _, x := range list {
			all |= bit(x.spot())
		}
		return all
	}
	called := map[*ptx.Func]guessSet{} // what decides whether a function is called
	for range mostRounds {
		more := false
		for _, decl := range m.Decls {
			f, ok := decl.(*ptx.Func)
			if !ok || !t.reached[f] {
				continue
			}
			g := flow.New(f)
			decided := controlOf(g, func(in *ptx.Instr) guessSet {
				x := t.guided[in]
				return of(x.guard) | of(x.operands)
			})
			for i, in := range g.Code {
				x := t.guided[in]
				executed := called[f] | decided[i] | of(x.guard)
				d.operands[in.Pos.Line] |= of(x.operands)
				d.executed[in.Pos.Line] |= executed
				for _, to := range t.calledBy(in) {
					more = more || called[to]|executed != called[to]
					called[to] |= executed
				}
			}
		}
		if !more {
			break
		}
	}
	return d
}

// calledBy returns the functions that an instruction names.
func (t *tracer) calledBy(in *ptx.Instr) []*ptx.Func {
	var list []*ptx.Func
	for _, o := range in.Operands {
		if n, ok := o.(ptx.Name); ok && in.Op.Name() == "call" && t.funcs[n] != nil {
			list = append(list, t.funcs[n])
		}
	}
	return list
}
