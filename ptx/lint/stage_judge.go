package lint

import (
	"fmt"
	"slices"

	"girih/ptx"
)

// This file judges what stage.go has followed: fences, uses, calls and ends of a function.

// grade returns the grade of a rule that the states of bad break, and whether any does.
func grade(x, bad set) (Grade, bool) {
	switch {
	case x&bad == 0:
		return "", false
	case x&^bad == 0:
		return Fault, true
	}
	return Path, true
}

// onPath is the end of a sentence about a line of a grade.
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

// access is a use of a register: the states of the register, those in which it may not be used, and the verb.
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
	cause := 4*w + len(g)%2*2 // fault and path differ in length
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

// mayHaveWgmma reports whether a function may execute wgmma, its fence or its waits: if its text has one or a call, or
// is not in the module.
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

// callee returns the name of the function that a call names.
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
