package lint

import (
	"fmt"
	"slices"

	"girih/ptx"
)

// This file checks the states that stage.go computes, at fences, uses, calls and ends of a function.

// grade returns the grade of a rule that the conditions in bad break, and whether x contains any of them.
func grade(x, bad set) (Grade, bool) {
	switch {
	case x&bad == 0:
		return "", false
	case x&^bad == 0:
		return Fault, true
	}
	return Path, true
}

// onPath returns the end of a sentence: for the grade path, that only some paths break the rule.
func onPath(g Grade) string {
	if g == Path {
		return ", on a path through the branches"
	}
	return ""
}

func (s *stageReader) judgeFence(i int, states []set) {
	in, u := s.g.Code[i], &s.uses[i]
	if g, bad := grade(states[begun], written); bad {
		s.say(mark{ruleFence, g}, in, "no wgmma.fence comes before this wgmma%s: one has to come before the first wgmma of a kernel",
			onPath(g))
		return
	}
	count, first, worst := 0, 0, Path
	for _, k := range slices.Concat(u.d, u.a) {
		if g, bad := grade(states[k], written); bad {
			if count == 0 || g == Fault && worst != Fault {
				first, worst = k, g
			}
			count++
		}
	}
	if count == 0 {
		return
	}
	what := fmt.Sprintf("%s, a register", s.nameOf(first))
	if count > 1 {
		what = fmt.Sprintf("%s, one of %d registers", s.nameOf(first), count)
	}
	l := s.say(mark{ruleFence, worst}, in, "no wgmma.fence comes between a write to %s of this wgmma, and the wgmma%s",
		what, onPath(worst))
	if w := s.back(i, first, isWrite); w >= 0 {
		l.Other = s.lineOf(w)
		l.Text = fmt.Sprintf("%s at line %d writes %s of this wgmma, and no wgmma.fence comes between the two%s",
			s.g.Code[w].Op, l.Other, what, onPath(worst))
	}
}

// An access is a use of a register: its state, the conditions under which the use breaks a rule, and the verb for
// messages.
type access struct {
	is, bad set
	verb    string
}

func (s *stageReader) judgeUse(i, k int, a access) {
	g, bad := grade(a.is, a.bad)
	if !bad {
		return
	}
	in, w := s.g.Code[i], s.back(i, k, isWgmma)
	cause := 4*w + len(g)%2*2 // the two grades get different causes, because their names differ in length
	if a.bad == flights {
		cause++
	}
	if at, ok := s.said[cause]; ok {
		if s.report.Lines[at].Line != s.lineOf(i) {
			s.counts[at]++
		}
		return
	}
	why := "no wgmma.wait_group covers it before"
	if a.is&a.bad == firstFlight || a.is&a.bad == firstInput {
		why = "no wgmma.commit_group puts it into a group that could be waited for"
	}
	at, what := "a wgmma that is", "accumulator"
	if w >= 0 {
		at = fmt.Sprintf("the wgmma at line %d, which is", s.lineOf(w))
	}
	if a.is&a.bad&flights == 0 {
		what = "part of A"
	}
	l := s.say(mark{ruleRegisters, g}, in, "%s %s, %s of %s under way%s: %s",
		a.verb, s.nameOf(k), what, at, onPath(g), why)
	if w >= 0 {
		l.Other = s.lineOf(w)
	}
	if s.report.More == 0 {
		s.said[cause] = len(s.report.Lines) - 1
	}
}

func (s *stageReader) judgeCall(i int, states []set) {
	all := set(0)
	worst := set(0)
	for _, x := range states[firstOf:] {
		if x&underWay != 0 {
			all |= x
			if x&^underWay == 0 {
				worst = x
			}
		}
	}
	if all == 0 {
		return
	}
	g := Path
	if worst != 0 {
		g = Fault
	}
	callee := s.callee(s.g.Code[i])
	unless := ""
	if f := s.module.Func(callee); f != nil && f.Body != nil {
		unless = ", unless it inlines the function"
	}
	s.say(mark{ruleCall, Hint}, s.g.Code[i], "calls %s while a wgmma is under way%s: ptxas serializes the wgmma%s",
		callee, onPath(g), unless)
}

// mayHaveWgmma reports whether a function may execute wgmma, wgmma.fence or a wait for wgmma. This is so if its
// text contains one of them or a call, or if the function is not in the module.
func (x *text) mayHaveWgmma(name ptx.Name) bool {
	if slices.Contains([]ptx.Name{"vprintf", "__assertfail", "malloc", "free"}, name) {
		return false
	}
	may, known := x.wgmma[name]
	if known {
		return may
	}
	f := x.module.Func(name)
	may = f == nil || f.Body == nil
	if !may {
		for s := range f.Stmts() {
			if in, ok := s.(*ptx.Instr); ok && (in.Op.Name() == "wgmma" || in.Op.Name() == "call") {
				may = true
				break
			}
		}
	}
	x.wgmma[name] = may
	return may
}

// lineOf returns the line of instruction i.
func (c *checker) lineOf(i int) int { return int(c.g.Code[i].Pos.Line) }

// callee returns the name of the function that a call instruction names.
func (c *checker) callee(in *ptx.Instr) ptx.Name {
	for _, o := range in.Operands {
		if n, ok := o.(ptx.Name); ok {
			return n
		}
	}
	return "a function"
}

func (s *stageReader) judgeEnd(i int, states []set) {
	for k := firstOf; k < len(states); k++ {
		if g, bad := grade(states[k], flights); bad && g == Fault {
			in, w := s.g.Code[i], s.back(i, k, isWgmma)
			if w < 0 {
				continue
			}
			missing := "wgmma.wait_group is"
			if states[k] == firstFlight {
				missing = "wgmma.commit_group and wgmma.wait_group are"
			}
			l := s.say(mark{ruleEnd, Hint}, in, "the kernel ends while the wgmma at line %d is under way: %s missing",
				s.lineOf(w), missing)
			l.Other = s.lineOf(w)
			return
		}
	}
}
