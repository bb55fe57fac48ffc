package service

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/lang/syntax"
	"girih/internal/why/explain"
)

// This file explains programs with integers known only at run time: by the conditions of the results, and step by step
// for the same program with numbers in place of these integers.

// An unknown is an integer known only at run time, with the places in the program where the integer occurs.
type unknown struct {
	name   string // the name of the integer; "" for ?
	facts  syntax.Facts
	places []place
}

// A place is one occurrence of an unknown, scaled by a literal before it.
type place struct {
	pos, end int
	scale    int64
}

// unknowns returns the integers known only at run time, in the order of the source.
func unknowns(prog *syntax.Program) []unknown {
	var us []unknown
	bound := make(map[string]bool)
	add := func(name string, facts syntax.Facts, p place) {
		i := slices.IndexFunc(us, func(u unknown) bool { return name != "" && u.name == name })
		if i < 0 {
			us = append(us, unknown{name: name, facts: facts})
			i = len(us) - 1
		}
		if facts != (syntax.Facts{}) {
			us[i].facts = facts
		}
		us[i].places = append(us[i].places, p)
	}
	leaf := func(x syntax.Expr, pos int, scale int64) bool {
		switch x := x.(type) {
		case *syntax.Symbol:
			add(x.Name, x.Facts, place{pos, x.End(), scale})
			return true
		case *syntax.Ident:
			if !eval.IsReserved(x.Name) && !bound[x.Name] && !strings.HasPrefix(x.Name, "Layout") {
				add(x.Name, syntax.Facts{}, place{pos, x.End(), scale})
				return true
			}
		}
		return false
	}
	for _, s := range prog.Stmts {
		syntax.Walk(s.X, func(x syntax.Expr) bool {
			if scaled, ok := x.(*syntax.Scaled); ok {
				return !leaf(scaled.X, scaled.Pos(), scaled.Value)
			}
			leaf(x, x.Pos(), 1)
			return true
		})
		bound[s.Name] = true
	}
	return us
}

// samples are numbers to try for integers known only at run time, plausible numbers first.
var samples = []int64{8, 16, 12, 32, 64, 128, 256, 512, 1024, 24, 48, 96, 192, 6, 4, 3, 5, 7, 9, 2, 1}

// value returns the number for the unknown in a round of trying: a sample that satisfies the unknown's facts.
func (u unknown) value(round, i int) (int64, bool) {
	x := samples[(round+i)%len(samples)]
	if u.facts.HasMin {
		x = max(x, u.facts.Min)
	}
	if d := u.facts.Div; d > 1 {
		if x > 1<<40 {
			return 0, false
		}
		x = (x + d - 1) / d * d
	}
	return x, !u.facts.HasMax || x <= u.facts.Max
}

// An instance is a program with numbers for its unknowns.
type instance struct {
	with string // the values of the integers: "M = 8 and N = 16"
	ops  []explain.Operation
}

// example returns the program with numbers for its unknowns such that the program has a value; ok is false if
// no such numbers were found.
func (s *Session) example(src string) (in instance, ok bool) {
	prog, err := syntax.Parse(src)
	if err != nil {
		return instance{}, false
	}
	us := unknowns(prog)
	if len(us) == 0 || len(us) > 8 {
		return instance{}, false
	}
	var best instance
	for round := range 2 * len(samples) {
		values, ok := make([]int64, len(us)), true
		for i, u := range us {
			step := i
			if round >= len(samples) {
				step = 0 // all values are equal, so their step is 0
			}
			var fits bool
			values[i], fits = u.value(round, step)
			ok = ok && fits
		}
		if !ok {
			continue
		}
		in, ok := s.try(src, us, values)
		switch {
		case ok && !in.hasPadding():
			return in, true
		case ok && best.with == "":
			best = in
		}
	}
	return best, best.with != ""
}

// hasPadding reports whether some operation padded: examples without padding explain more.
func (in instance) hasPadding() bool {
	return slices.ContainsFunc(in.ops, func(op explain.Operation) bool {
		return slices.ContainsFunc(op.Notes, func(n string) bool { return strings.HasPrefix(n, "padded") })
	})
}

// try evaluates the program with the values.
func (s *Session) try(src string, us []unknown, values []int64) (instance, bool) {
	type edit struct {
		place
		text string
	}
	var edits []edit
	names := make([]string, len(us))
	for i, u := range us {
		for _, p := range u.places {
			edits = append(edits, edit{p, strconv.FormatInt(p.scale*values[i], 10)})
		}
		names[i] = fmt.Sprintf("%s = %d", cmp.Or(u.name, "?"), values[i])
	}
	sort.Slice(edits, func(i, j int) bool { return edits[j].pos < edits[i].pos })
	for _, e := range edits {
		src = src[:e.pos] + e.text + src[e.end:]
	}
	var env eval.Env
	s.limitEnv(&env)
	in := instance{with: strings.Join(names, " and ")}
	symbolic := false
	env.Trace(func(a eval.Application) {
		op := operation(a, src)
		in.ops = append(in.ops, op)
		symbolic = symbolic || op.Result.Symbolic
	})
	_, err := env.Eval(src)
	return in, err == nil && !symbolic
}

// exemplify adds an example with numbers to the explanation of an operation on unknowns, the n-th operation of the
// program.
func (in instance) exemplify(x *explain.Explanation, op explain.Operation, n int) {
	if n >= len(in.ops) || in.ops[n].Name != op.Name {
		return
	}
	numbers := in.ops[n]
	numbers.Until = op.Until
	y := explain.Explain(numbers)
	x.Rule, x.Source = y.Rule, y.Source
	if y.Result == "" {
		return
	}
	end := ":"
	if len(y.Steps) == 0 {
		end = "."
	}
	say := fmt.Sprintf("For example with %s it is %s = %s%s", in.with, y.Expr, y.Result, end)
	x.Steps = append(x.Steps, explain.Step{Say: say})
	x.Steps = append(x.Steps, y.Steps...)
	if y.Check != "" {
		x.Check = "with " + in.with + ": " + y.Check
	}
}
