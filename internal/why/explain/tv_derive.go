package explain

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
)

// explainTV derives the thread-value layout of an instruction, a tiled MMA or a copy, jump by jump.
func explainTV(op *Operation, x *Explanation) {
	if c, ok := op.tiledCopyArg(0); ok {
		explainCopyTV(op, x, c)
		return
	}
	if a, ok := op.copyAtomArg(0); ok {
		x.Source = a.Source
		x.Rule = "The layout of one side of a copy leads from (thread, value) to the number of the value within the instruction."
		side := a.ValSrc
		if op.letterArg(1) == "D" {
			side = a.ValDst
		}
		if p, err := newPanel(op.letterArg(1), [2]string{"value", ""},
			[3]int64{max(a.Bits()/max(int64(a.Type.Bits()), 1), 1), 1, 1}, side); err == nil {
			x.sayf("%s with values of %v: %v.", a.Name, a.Type, side).show(p.valueLines()...)
		}
		return
	}
	o, ok := op.operandArg(1)
	if !ok {
		return
	}
	if t, ok := op.tiledMMAArg(0); ok {
		if p, err := tilePanel(t, o); err == nil {
			x.Source = "CUTLASS, cute/atom/mma_atom.hpp, get_layout" + p.name + "_TV"
			derive(x, p, derivation{what: "The tile of " + p.name, figure: op.Expr(), threads: t.Size()})
		}
		return
	}
	m, ok := op.mmaArg(0)
	if !ok {
		return
	}
	p, err := operandPanel(m, o)
	if err != nil {
		return
	}
	x.Source = m.Source
	derive(x, p, derivation{what: p.name + " of " + m.Name, figure: op.Expr(), threads: m.Threads(), atom: &m, operand: o})
}

// A derivation describes the instruction, tiled MMA or copy that a panel belongs to.
type derivation struct {
	what, figure string
	threads      int64
	atom         *atom.MMA // set for a single instruction
	operand      atom.Operand
}

// derive adds the steps that lead from the picture of a panel to the layout of the panel.
func derive(x *Explanation, p panel, d derivation) {
	low := [2]string{strings.ToLower(p.axes[0]), strings.ToLower(p.axes[1])}
	x.Rule = fmt.Sprintf("The layout leads from (thread, value) to the index of an element, and (%s,%s) has the index %s + %s·%d, since %s = %d. "+
		"Follow the elements from one thread to the next: each jump to a new direction is a mode, the steps that go on in this direction are its extent, and the step of the index is its stride.",
		low[0], low[1], low[0], low[1], p.rows, p.axes[0], p.rows)
	first := x.sayf("%s has %s = %d and %s = %d. One further along %s is a step of 1 of the index, one further along %s a step of %d.",
		d.what, p.axes[0], p.rows, p.axes[1], p.columns, low[0], low[1], p.rows)
	first.Figure = &Figure{Kind: "tv", Expr: d.figure, Caption: "thread and value of each element of " + p.name}
	if d.atom != nil {
		sayThreads(x, *d.atom)
	}
	p.sayJumps(x, p.threadWalk(), "the value 0")
	p.sayJumps(x, p.valueWalk(), "the thread 0")
	p.sayBlock(x)
	r := p.derived
	together := fmt.Sprintf("The two modes together are (thread, value): %v.", r)
	switch {
	case r.Equal(p.tv):
	case d.atom != nil && d.atom.TVText(d.operand) != p.tv.String():
		together += fmt.Sprintf(" CuTe writes %s.", d.atom.TVText(d.operand))
	default:
		together += fmt.Sprintf(" The table writes it %v: the same function, with modes that could be one.", p.tv)
	}
	x.say(together)
	say := "As formulas, for the thread t and its value i:"
	if lines := p.formulaLines(d.threads); len(lines) > 0 {
		x.say(say, lines...)
	}
	if d.atom != nil {
		x.say(holding(*d.atom, d.operand) + ".")
	}
	x.Check = p.check(r)
}

// sayJumps adds the step that reads the threads while the value is fixed, or the values while the thread is fixed.
func (p panel) sayJumps(x *Explanation, w walk, fixed string) {
	n, noun, js := int64(len(w.table)), w.noun, w.jumps
	switch {
	case n == 1:
		x.sayf("There is one %s: the mode 1:0.", noun)
		return
	case len(js) == 1 && js[0].step == 0:
		x.sayf("All %d %ss have the same elements: the %ss are the mode %d:0.", n, noun, noun, n)
		return
	}
	moves := make([]string, len(js))
	for i, j := range js {
		moves[i] = fmt.Sprintf("%s -> %s", p.at(0), p.at(j.step))
	}
	shape := integers(js, func(j jump) int64 { return j.extent })
	stride := integers(js, func(j jump) int64 { return j.step })
	x.sayf("Keep %s and count the %d %ss. They jump in %s: %s, steps %s. So the shape has %s, %s, and the stride is %s.",
		fixed, n, noun, Count(len(js), "direction"), strings.Join(moves, ", "), strings.Join(stepList(js), ", "),
		Count(len(js), "mode"), shape, stride).show(align(p.jumpRows(w))...)
}

func stepList(js []jump) []string {
	out := make([]string, len(js))
	for i, j := range js {
		out[i] = fmt.Sprint(j.step)
	}
	return out
}

// sayBlock says which mode of the values repeats a block that the threads and the earlier values fill. For wgmma,
// blocks of 64 by 8 are repeated along N.
func (p panel) sayBlock(x *Explanation) {
	threads := int64(len(p.tableT))
	reach := int64(0)
	for _, j := range p.threads {
		reach += (j.extent - 1) * j.step
	}
	for i, j := range p.values {
		if i > 0 && j.step == threads*j.size && j.step%p.rows == 0 && reach < j.step {
			x.sayf("The jump V0 -> V%d repeats a block: %d threads with %d values each are %d elements, all of %d by %d, and index %d is where the next %d columns begin. With %d columns there are %d/%d = %d blocks.",
				j.size, threads, j.size, j.step, p.rows, j.step/p.rows,
				j.step, j.step/p.rows, p.columns, p.columns, j.step/p.rows, j.extent)
			return
		}
		reach += (j.extent - 1) * j.step
	}
}

// check compares the derived layout with the table's layout, and counts the holders of each element.
func (p panel) check(r cute.Layout) string {
	same := "The jumps give the layout at"
	if eq, _ := cute.Equivalent(r, p.tv); !eq {
		same = "The jumps do not give the layout at"
	}
	return fmt.Sprintf("%s all %d·%d = %d places; %s.",
		same, len(p.tableT), len(p.tableV), len(p.tableT)*len(p.tableV), coverageText(p.coverage()))
}

// coverage counts the threads that hold each element.
func (p panel) coverage() atom.Coverage {
	c, err := atom.CoverageOf(p.tv, p.rows*p.columns*p.blocks)
	if err != nil { // impossible: newPanel has evaluated all offsets
		return atom.Coverage{}
	}
	return c
}
