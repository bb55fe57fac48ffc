package lower

import (
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/ptx"
)

// This file emits operations on complex numbers, which are several instructions on their parts.

// A Step is one of these instructions. It multiplies the sum of A's parts, possibly negated, by the sum of B's parts,
// and adds the product to part D, which starts from C or from the result of an earlier step.
type Step struct {
	D        int
	A, B     []int
	Negative bool
	// First says that the step begins with C.
	First bool

	opcode ptx.Op
}

// Steps returns the steps of an operation on complex numbers, from its text: "mma... d.re, -a.im, b.im, d.re;". It
// returns nil for other operations, and [cute.CodeType] for a text that it cannot read.
func Steps(m atom.MMA) ([]Step, error) {
	if m.Types.A.Parts <= 1 {
		return nil, nil
	}
	var steps []Step
	for line := range strings.SplitSeq(m.Text, "\n") {
		opcode, rest, _ := strings.Cut(strings.TrimSuffix(line, ";"), " ")
		places := strings.Split(rest, ", ")
		if len(places) != 4 {
			return nil, fail(cute.CodeType, "%s is not four operands: %s", m.Name, line)
		}
		s := Step{First: strings.HasPrefix(places[3], "c."), opcode: ptx.Op(opcode)}
		places[1], s.Negative = strings.CutPrefix(places[1], "-")
		d, ok := parts("d", places[0])
		c, same := parts(places[3][:1], places[3])
		a, okA := parts("a", places[1])
		b, okB := parts("b", places[2])
		if !ok || !same || !okA || !okB || len(d) != 1 || len(c) != 1 || c[0] != d[0] || !s.First && places[3][0] != 'd' {
			return nil, fail(cute.CodeType, "%s has operands that are not lowered: %s", m.Name, line)
		}
		s.D, s.A, s.B = d[0], a, b
		steps = append(steps, s)
	}
	return steps, nil
}

// parts reads "a.re+a.im".
func parts(operand, text string) ([]int, bool) {
	number := map[string]int{"re": 0, "im": 1, "t0": 0, "t1": 1, "t2": 2}
	var all []int
	for term := range strings.SplitSeq(text, "+") {
		name, has := strings.CutPrefix(term, operand+".")
		p, known := number[name]
		if !has || !known {
			return nil, false
		}
		all = append(all, p)
	}
	return all, true
}

// emitSteps emits the operation: the parts of an element are consecutive registers.
func emitSteps(b *ptx.Builder, m atom.MMA, steps []Step, o Operands) error {
	count := m.Registers
	for _, g := range []struct {
		name        string
		found, want int
	}{
		{"D", len(o.D), count.D.Count}, {"A", len(o.A), count.A.Count}, {"B", len(o.B), count.B.Count}, {"C", len(o.C), count.C.Count},
	} {
		if g.found != g.want {
			return fail(cute.CodeExtent, "%s of %s has %d registers, found %d", g.name, m.Name, g.want, g.found)
		}
	}
	// of returns registers with the sum of the given parts of all elements.
	of := func(v ptx.Vec, per int, which ...int) ptx.Vec {
		var sum ptx.Vec
		for i := 0; i < len(v); i += per {
			x := v[i+which[0]]
			for _, p := range which[1:] {
				x = b.Let(ptx.F64, "add.f64", x, v[i+p])
			}
			sum = append(sum, x)
		}
		return sum
	}
	t := m.Types
	for _, s := range steps {
		d, from := of(o.D, t.D.Parts, s.D), o.C
		if !s.First {
			from = o.D
		}
		left := of(o.A, t.A.Parts, s.A...)
		if s.Negative {
			for i, x := range left {
				left[i] = b.Let(ptx.F64, "neg.f64", x)
			}
		}
		b.Emit(s.opcode, d, left, of(o.B, t.B.Parts, s.B...), of(from, t.D.Parts, s.D))
	}
	return nil
}
