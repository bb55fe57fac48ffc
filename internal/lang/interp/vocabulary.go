package interp

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/indexmap"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file converts notation that is specific to a language to values of the algebra: members of enumerations, element
// types, functions that map indices, and the question whether two layouts are complements.

// member evaluates a member of an enumeration: utils.LayoutEnum.ROW_MAJOR becomes LayoutEnum(ROW_MAJOR). ok is false if
// x is not such a member.
func (r *runner) member(x *program.Attr) (v Value, ok bool, err error) {
	class := ""
	switch of := x.X.(type) {
	case *program.Attr:
		class = of.Name
	case *program.Name:
		if v, _ := r.lookupValue(of.Name); v == nil {
			class = of.Name
		}
	}
	if !slices.Contains(eval.Enumerations()[class], x.Name) {
		return nil, false, nil
	}
	word := &syntax.Ident{Span: spanOf(x), Name: x.Name}
	v, err = r.solve(&syntax.Call{
		Span: spanOf(x), Name: class, NamePos: x.Pos(), Qualified: true, Args: []syntax.Arg{{KeyPos: -1, X: word}},
	}, x)
	return v, true, err
}

// elementTree returns the expression for an element type such as cutlass.Float16; ok is false for other values.
func elementTree(v Value, span syntax.Span) (tree syntax.Expr, ok bool) {
	t, isType := v.(TypeValue)
	elem, ok := elementTypeOf(v)
	if !isType || !ok || pythonTypes[t.Name] {
		return nil, false
	}
	return &syntax.Ident{Span: span, Name: eval.ElementType{Type: elem}.String()}, true
}

// isElementOfDSL reports whether a type is an element type of the CuTe DSL. Its text is its name.
func isElementOfDSL(t TypeValue) bool {
	elem, err := dtype.Parse(t.Name)
	return err == nil && elem.DSL() == t.Name
}

// indexMap converts a function of the program to a map of indices, using the text of the function:
//
//	def f(i, j):
//	    return i * 8 + (j ^ i)
//
// Names that are not parameters are replaced by the integers that they have around the function.
func (r *runner) indexMap(f *Func) (Algebra, error) {
	from := f.Def.From
	if n := len(f.Def.Decorators); n > 0 {
		from = f.Def.Decorators[n-1].End()
	}
	m, err := indexmap.Parse(strings.TrimSpace(f.Def.Src[from:f.Def.To]))
	if err != nil {
		return Algebra{}, errorf(cute.CodeSyntax, "%s is no map of indices: %s", f.name(), err)
	}
	var numbers []int64
	for _, name := range m.Free() {
		n, ok := f.number(name)
		if !ok {
			return Algebra{}, errorf(cute.CodeName, "%s is no map of indices: %s is no integer", f.name(), name)
		}
		numbers = append(numbers, n)
	}
	v := eval.IndexMap{Map: m.Bind(numbers...)}
	const name = " value"
	r.Env.Bind(name, v)
	bound, _ := r.Env.Take(name)
	return Algebra{Result: eval.Result{Value: v}, bound: bound}, nil
}

// number returns the integer value of a name around a function.
func (f *Func) number(name string) (n int64, ok bool) {
	for s := f.Scope; s != nil; s = s.outer {
		if c := s.names[name]; c != nil {
			return integerOf(c.v)
		}
	}
	return 0, false
}

// isQuestion reports whether a statement in girih's notation asks whether two layouts are complements: L1 = L2^* is a
// question if L1 already has a value. Otherwise it binds L1.
func (r *runner) isQuestion(st *program.Assign) bool {
	if len(st.Targets) != 1 || r.lang == program.Cpp {
		return false
	}
	name, isName := st.Targets[0].(*program.Name)
	x, isText := st.X.(*program.Girih)
	if !isName || !isText {
		return false
	}
	if v, err := r.lookupValue(name.Name); v == nil || err != nil {
		return false
	}
	tree, err := syntax.ParseWithin(r.src, x.Pos(), x.End())
	c, isCall := tree.(*syntax.Call)
	return err == nil && isCall && c.Dual
}

// noteUnbound notes the names in an expression that had no value, and that became run-time integers in its value.
func (r *runner) noteUnbound(tree syntax.Expr, pos int, v eval.Value) {
	var words []string
	syntax.Walk(tree, func(x syntax.Expr) bool {
		id, ok := x.(*syntax.Ident)
		if !ok || strings.HasPrefix(id.Name, " ") || r.unbound[id.Name] {
			return true
		}
		if b, bound := r.Env.Take(id.Name); bound {
			r.Env.Give(id.Name, b)
			return true
		}
		if words == nil {
			words = wordsOf(v.String())
		}
		if slices.Contains(words, id.Name) && eval.IsDynamic(v) {
			r.unbound[id.Name] = true
			r.noteAt(pos, id.Name+" is not bound: a run-time integer")
		}
		return true
	})
}
