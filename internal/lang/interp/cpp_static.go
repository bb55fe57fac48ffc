package interp

import (
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
	"girih/internal/pattern"
)

// This file determines which integers of a value C++ knows at compile time. CuTe's print writes an _ before these
// integers:
//
//	auto a = make_layout(make_shape(Int<4>{}, n));   // n is 3
//	print(a);                                        // (_4,3):(_1,_4)
//
// A value made only from static integers has only static integers. Any other value is computed twice: once with its
// numbers, and once with run-time integers in place of the integers that are not static, as the CuTe DSL does at trace
// time. The second value is stored in the field late of an Algebra; for a tensor, it is the layout. This is done only
// in programs that print such values.

// printsPattern matches calls that print a value of CuTe.
const printsPattern = pattern.Pattern(`\bprint(_layout|_tensor)?\s*\(`)

// streamPattern matches the names in a chain of <<.
const streamPattern = pattern.Pattern(`<<\s*(?:cute::)?([A-Za-z_]\w*)`)

// algebraPattern matches the declarations of names whose type may be a type of CuTe.
const algebraPattern = pattern.Pattern(`\b(?:auto|Layout|Tensor|Shape|Stride)\b[\s&*]*(?:const\s*&?\s*)?(\w+)`)

// printsAlgebra reports whether a text of C++ may print a value of the algebra.
func printsAlgebra(src string) bool {
	if printsPattern.MatchString(src) {
		return true
	}
	names := make(map[string]bool)
	for _, m := range algebraPattern.FindAllStringSubmatch(src, -1) {
		names[m[1]] = true
	}
	for _, m := range streamPattern.FindAllStringSubmatch(src, -1) {
		if names[m[1]] || isOperation(m[1]) || templates[m[1]] != nil {
			return true
		}
	}
	return false
}

// printsStatic reports whether the program, a later program, or a function of an earlier program may print a value of
// the algebra.
func (r *runner) printsStatic() bool {
	if r.lang != program.Cpp || r.Marks {
		return r.lang == program.Cpp
	}
	for _, v := range r.Globals {
		if f, ok := v.(*Func); ok && f.Def.Lang == program.Cpp && f.Def.Src != r.src && printsAlgebra(f.Def.Src) {
			return true
		}
	}
	return printsAlgebra(r.src)
}

// withStatic computes the trace-time value of a tree that contains integers which are not static, and stores it in v.
func (r *runner) withStatic(v Value, tree syntax.Expr, lent []string) Value {
	if !r.marks {
		return v
	}
	traced, ok := r.tracedValue(tree, lent)
	switch v := v.(type) {
	case Algebra:
		v.late = &Algebra{}
		if ok {
			v.late, v.mixed = &traced, traced.Static != ""
			v = r.withModes(v)
		}
		return v
	case CInt:
		if c, isCall := tree.(*syntax.Call); isCall && c.Name == "max_common_vector" {
			traced, ok = Algebra{}, true
		}
		if ok && v.Type != CBool {
			v.Static, r.unsure = traced.Static == "", false
		}
		return v
	}
	return v
}

// withModes gives a layout the modes that it has in C++ if they differ. For example, coalesce(make_layout(make_shape(2,
// 4))) keeps two modes, because C++ does not know that 2 is the stride of the second mode. The layout is the same
// function, but has a different rank, stride and parts.
func (r *runner) withModes(a Algebra) Algebra {
	if a.Value.Kind() != eval.KindLayout || a.late.Value.Kind() != eval.KindLayout {
		return a
	}
	text := a.late.AtRun()
	if text == a.Value.String() {
		return a
	}
	own, ok := r.parseText(text)
	if !ok || own.Value.Kind() != eval.KindLayout {
		return a
	}
	late := *a.late
	late.bound = late.bound.With(own.bound)
	own.late, own.mixed = &late, a.mixed
	return own
}

// tracedValue evaluates a tree with run-time integers.
func (r *runner) tracedValue(tree syntax.Expr, lent []string) (v Algebra, ok bool) {
	if c, isCall := tree.(*syntax.Call); isCall && partitions[c.Name] {
		return r.tracedPart(tree, lent)
	}
	for _, name := range lent {
		if !r.lendTraced(name) {
			return v, false
		}
	}
	done := r.Env.OpenIntegers()
	v, ok = r.traceOnce(r.asLayouts(tree))
	done()
	return v, ok && v.Value.Kind() != eval.KindTensor && v.Value.Kind() != eval.KindList
}

// lendTraced binds the name that represents a value in a tree to the trace-time value, which for a tensor is the
// layout.
func (r *runner) lendTraced(name string) bool {
	a := r.temps[name]
	switch {
	case a.late != nil && a.late.Value == nil:
		return false
	case a.late != nil:
		r.Env.Give(name, a.late.bound)
	case a.mixed:
		return false
	case a.isTensor():
		l, err := r.layoutOf([]Value{a})
		return err == nil && r.bindLayout(name, l)
	}
	return true
}

// partitions lists operations that do not accept run-time integers. The integers among their operands are coordinates.
var partitions = program.Words("partition_A partition_B partition_C partition_S partition_D local_partition local_tile")

// tracedPart evaluates the call of a partition twice: with the run-time integers as they are, and 1009 times as large.
// An integer that is the same in both results is static, because the parts of a larger tensor have larger shapes and
// strides.
//
//	partition_C(thr, (128,?):(1,?))   // for 256 and 128, and for 258304 and 129152: ((1,..),8,16), ((1,..),8,16144)
func (r *runner) tracedPart(tree syntax.Expr, lent []string) (v Algebra, ok bool) {
	var texts [2]string
	for i, scale := range []int64{1, 1009} {
		for _, name := range lent {
			a := r.temps[name]
			switch a.Value.Kind() {
			case eval.KindTensor, eval.KindLayout, eval.KindComposed:
			default: // a coordinate, or the thread of a tiled MMA
				r.Env.Give(name, a.bound)
				continue
			}
			if !r.lendTraced(name) {
				return v, false
			}
			if a.late == nil || a.late.Static == "" {
				continue
			}
			text, ok := eval.MapNumbers(a.late.AtRun(), a.late.AtTrace(), func(n, of string) string {
				k, _ := strconv.ParseInt(n, 10, 64)
				if of == "?" {
					k *= scale
				}
				return itoa(k)
			})
			scaled, known := r.parseText(text)
			if !ok || !known {
				return v, false
			}
			r.Env.Give(name, scaled.bound)
		}
		part, ok := r.traceOnce(tree)
		if !ok {
			return v, false
		}
		texts[i] = part.AtRun()
	}
	text, ok := eval.MapNumbers(texts[0], texts[1], func(n, of string) string {
		if n == of {
			return n
		}
		return "Int32(" + n + ")"
	})
	if !ok {
		return v, false
	}
	return r.parseText(text)
}

// parseText evaluates a text in girih's notation.
func (r *runner) parseText(text string) (v Algebra, ok bool) {
	tree, err := syntax.ParseWithin(text, 0, len(text))
	if err != nil {
		return v, false
	}
	return r.traceOnce(tree)
}

// traceOnce evaluates a tree. If the result is a layout together with the offset of a part of a tensor, it returns the
// layout.
func (r *runner) traceOnce(tree syntax.Expr) (Algebra, bool) {
	const name = " value"
	res, err := r.Env.Assign(name, tree)
	bound, _ := r.Env.Take(name)
	known := err == nil && res.Value != nil && !slices.ContainsFunc(res.Notes, func(n string) bool {
		return strings.HasPrefix(n, "at trace time it is refused") // the operation has a value only if the numbers are known
	})
	if first, isList := bound.First(); known && isList {
		const whole = " whole"
		r.Env.Give(whole, first)
		v, ok := r.traceOnce(&syntax.Ident{Name: whole})
		r.Env.Forget(whole)
		return v, ok
	}
	return Algebra{Result: res, bound: bound}, known
}

// asLayouts replaces calls that make a tensor without storage by calls that make its layout.
func (r *runner) asLayouts(tree syntax.Expr) syntax.Expr {
	c, ok := tree.(*syntax.Call)
	switch {
	case !ok:
	case c.Name == "make_identity_tensor":
		own := *c
		own.Name = "make_identity_layout"
		return &own
	case c.Name == "make_tensor" && len(c.Args) > 1:
		own := *c
		own.Name, own.Args = "make_layout", c.Args[1:]
		if id, isName := c.Args[1].X.(*syntax.Ident); isName && len(c.Args) == 2 {
			if a := r.temps[id.Name]; a.Value != nil && a.Value.Kind() == eval.KindLayout {
				return id
			}
		}
		return &own
	}
	return tree
}

// staticText returns the text of a value of the algebra as CuTe prints it.
func (r *runner) staticText(a Algebra, text string) string {
	run, traced := text, text
	if a.mixed {
		if a.late == nil || a.late.Value == nil {
			r.noteStatic()
			return text
		}
		run, traced = layoutText(a.late.AtRun()), layoutText(a.late.AtTrace())
	}
	marked, ok := eval.MarkStatic(run, traced)
	if !ok {
		r.noteStatic()
		return text
	}
	return marked
}

// layoutText returns the layout in the text of a tensor without storage, and any other text itself.
func layoutText(text string) string {
	if head, layout, ok := strings.Cut(text, " o "); ok && !strings.HasPrefix(text, "Sw<") && !strings.Contains(head, ":") {
		return layout
	}
	return text
}

// bindLayout binds a name for the evaluator to a layout.
func (r *runner) bindLayout(name string, l cute.Inner) bool {
	switch l := l.(type) {
	case cute.Layout:
		r.Env.Bind(name, eval.Layout{Layout: l})
		return true
	case cute.Composed:
		r.Env.Bind(name, eval.Composed{Composed: l})
		return true
	}
	return false
}

// likeLayout gives a tensor what is known of the integers of the layout that it was made with.
func (r *runner) likeLayout(a Algebra, layout []Value) Algebra {
	if r.lang != program.Cpp || !r.marks {
		return a
	}
	l, ok := layout[0].(Algebra)
	if !ok || len(layout) > 1 || l.Value.Kind() != eval.KindLayout {
		v, err := r.callValues("make_layout", layout...)
		if l, ok = v.(Algebra); err != nil || !ok {
			l = Algebra{mixed: true}
		}
	}
	a.mixed, a.late = l.mixed, l.late
	return a
}

// tensorHead returns the beginning of a tensor of coordinates as CuTe prints it.
func (r *runner) tensorHead(t eval.Tensor) string {
	zero := true
	for _, n := range t.First().Leaves() {
		zero = zero && n == 0
	}
	first := t.First().String()
	if zero {
		first, _ = eval.MarkStatic(first, first)
	} else {
		r.noteStatic()
	}
	return "ArithTuple" + first
}

// noteStatic notes that a text lacks the _ of static integers.
func (r *runner) noteStatic() {
	r.noteAt(r.here.Pos(), "which integers C++ knows when it compiles is not known here: no _ is printed")
}

// staticTensor returns the text of a tensor as CuTe prints it: text has its pointer and its layout, after o.
func (r *runner) staticTensor(a Algebra, text string) string {
	head, layout, ok := strings.Cut(text, " o ")
	if !ok {
		return text
	}
	layout, end, hasEnd := strings.Cut(layout, ":\n")
	if hasEnd {
		end = ":\n" + end
	}
	return head + " o " + r.staticText(a, layout) + end
}
