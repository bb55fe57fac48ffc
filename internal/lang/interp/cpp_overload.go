package interp

import (
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
)

// This file resolves overloaded functions of C++, and expands template packs.

// declareFunction declares a function. A function with the same name in the same text remains, as an overload.
func (r *runner) declareFunction(f *Func) {
	if c := r.scope.names[f.Def.Name]; c != nil {
		if old, ok := c.v.(*Func); ok && old.Def.Src == f.Def.Src && old.Def != f.Def {
			f.next = old
		}
	}
	r.declare(f.Def.Name, &cell{v: f})
}

// overload returns the function that a call means. For this function, no argument needs a worse conversion than for any
// other candidate, and at least one argument needs a better conversion.
func (r *runner) overload(f *Func, args []argument) (*Func, error) {
	if f.next == nil {
		return f, nil
	}
	var best *Func
	var bestRanks []int
	ambiguous := false
	for g := f; g != nil; g = g.next {
		ranks := r.ranks(g, args)
		switch {
		case ranks == nil:
		case best == nil || isBetter(ranks, bestRanks):
			best, bestRanks, ambiguous = g, ranks, false
		case !isBetter(bestRanks, ranks):
			ambiguous = true
		}
	}
	switch {
	case best == nil:
		return nil, errorf(cute.CodeType, "no function %s takes these %d arguments", f.name(), len(args))
	case ambiguous:
		return nil, errorf(cute.CodeType, "more than one function %s takes these arguments", f.name())
	}
	return best, nil
}

func isBetter(a, b []int) bool {
	better := false
	for i := range a {
		if a[i] > b[i] {
			return false
		}
		better = better || a[i] < b[i]
	}
	return better
}

// The ranks of conversions, from best to worst.
const (
	exactRank = iota
	promotionRank
	conversionRank
	classRank // by a constructor or an operator of a class such as half
)

// ranks returns the rank of the conversion of each argument, followed by whether the function is a template. It returns
// nil if the function cannot take the arguments.
func (r *runner) ranks(f *Func, args []argument) []int {
	params := f.Def.Params
	var ranks []int
	for i, p := range params {
		if p.Star > 0 {
			break
		}
		if i >= len(args) {
			if p.Default == nil {
				return nil
			}
			continue
		}
		rank := r.rank(f, p, args[i].v)
		if rank < 0 {
			return nil
		}
		ranks = append(ranks, rank)
	}
	isPack := len(params) > 0 && params[len(params)-1].Star > 0
	if len(args) > len(params) && !isPack {
		return nil
	}
	for len(ranks) < len(args) {
		ranks = append(ranks, exactRank)
	}
	if f.Def.Template != nil {
		return append(ranks, 1, f.deducedParams())
	}
	return append(ranks, 0, 0)
}

// deducedParams returns the number of parameters whose types name a template parameter. Of two templates, the one for
// which this number is smaller is more specialised.
func (f *Func) deducedParams() (n int) {
	names := make(map[string]bool)
	for _, t := range f.Def.Template {
		names[t.Name] = true
	}
	for _, p := range f.Def.Params {
		found := false
		program.Walk(p.Type, func(x program.Expr) bool {
			found = found || names[nameOf(x)]
			return true
		})
		if found {
			n++
		}
	}
	return n
}

// rank returns the rank of the conversion of a value to the type of a parameter, or -1 if there is no conversion.
func (r *runner) rank(f *Func, p program.Param, v Value) int {
	outer := r.scope
	r.scope = f.Scope
	t, err := r.resolve(p.Type)
	r.scope = outer
	from, own := ownTypeOf(v)
	elem, isClass := elementTypeOf(t)
	switch {
	case err != nil:
		return -1
	case t.C != CNone:
		return rankOfNumber(t.C, from, own)
	case isClass:
		return rankOfClass(elem, from, own)
	case t.Name == "pointer" && !pointsTo(v, *t.Elem), t.Struct != nil && typeOfValue(v).Struct != t.Struct:
		return -1
	}
	return exactRank
}

// rankOfNumber returns the rank of the conversion of a number to a type of C++.
func rankOfNumber(to, from CType, own dtype.Type) int {
	switch {
	case from == CNone && own != 0:
		return classRank
	case from == CNone:
		return -1
	case from == to:
		return exactRank
	case cppPromoted(from) == to || from == CSingle && to == CDouble:
		return promotionRank
	}
	return conversionRank
}

// ownTypeOf returns the type of a number: one of C++, or an element type such as half.
func ownTypeOf(v Value) (CType, dtype.Type) {
	switch v := v.(type) {
	case Element:
		return CNone, v.Type
	case *Traced:
		return v.Type, v.Elem
	}
	return typeOfNumber(v), 0
}

// rankOfClass returns the rank of the conversion of a number to a class such as half. A number of another class, as
// __nv_bfloat16, is not converted.
func rankOfClass(to dtype.Type, from CType, own dtype.Type) int {
	switch {
	case own == to:
		return exactRank
	case own == 0 && from != CNone:
		return classRank
	}
	return -1
}

// pointsTo reports whether a value is a pointer that may point to elements of type t. The result is true if one of the
// two types is unknown.
func pointsTo(v Value, t TypeValue) bool {
	to, known := elementTypeOf(t)
	switch p := decay(v).(type) {
	case Address:
		return !known || to == p.typ
	case Pointer:
		own, ownKnown := elementTypeOf(p.Of.typeOfElements())
		return !known || !ownKnown || to == own
	}
	return false
}

// bindReferences runs auto& [a, b] = X: it binds the names to the elements of X.
func (r *runner) bindReferences(st *program.Assign) error {
	v, err := r.value(st.X)
	if err != nil {
		return err
	}
	return r.at(st, r.bindParts(st.Targets[0], v))
}

// bindParts binds the names of a Tuple to the elements of a value.
func (r *runner) bindParts(target program.Expr, v Value) error {
	var cells []*cell
	switch v := v.(type) {
	case *Array:
		cells = v.Cells
	case *Object:
		for _, name := range v.names {
			cells = append(cells, v.fields[name])
		}
	default:
		list, err := r.elements(v)
		if err != nil {
			return err
		}
		for _, e := range list {
			cells = append(cells, &cell{v: e})
		}
	}
	names := target.(*program.Tuple).Elems // the parser makes no other expression
	if len(names) != len(cells) {
		return errorf(cute.CodeRank, "expected %d names, found %d", len(cells), len(names))
	}
	for i, c := range cells {
		r.declare(names[i].(*program.Name).Name, c) // the parser makes no other expression
	}
	return nil
}

// packs returns the packs that an expression names, and their length.
func (r *runner) packs(x program.Expr) (names []string, n int, err error) {
	n = -1
	program.Walk(x, func(y program.Expr) bool {
		name, ok := y.(*program.Name)
		if !ok {
			return true
		}
		c, _ := r.lookup(name.Name)
		if c == nil {
			return true
		}
		if list, ok := c.v.(Tuple); ok {
			if n >= 0 && n != len(list) {
				err = errorf(cute.CodeRank, "the packs have %d and %d elements", n, len(list))
			}
			n = len(list)
			names = append(names, name.Name)
		}
		return true
	})
	return names, n, err
}

// eachOf calls f for each element of the packs in an expression, with their names bound to the element.
func (r *runner) eachOf(x program.Expr, f func() error) error {
	names, n, err := r.packs(x)
	if err == nil && n < 0 {
		err = errorf(cute.CodeType, "expected a pack before ...")
	}
	if err != nil {
		return r.at(x, err)
	}
	lists := make([]Tuple, len(names))
	for k, name := range names {
		c, _ := r.lookup(name)
		lists[k] = c.v.(Tuple) // packs has checked this
	}
	for i := range n {
		leave := r.enter()
		for k, name := range names {
			r.declare(name, &cell{v: lists[k][i]})
		}
		err := f()
		leave()
		if err != nil {
			return err
		}
	}
	return nil
}

// expand evaluates X...: it returns the value of X for each element of the packs in X.
func (r *runner) expand(x program.Expr) (list []Value, err error) {
	err = r.eachOf(x, func() error {
		v, err := r.value(x)
		list = append(list, v)
		return err
	})
	return list, err
}

// fold evaluates the fold expressions (... OP X), (X OP ...) and (I OP ... OP X).
func (r *runner) fold(x *program.Unary) (Value, error) {
	op := strings.Trim(x.Op, ".")
	var list []Value
	of := x.X
	if both, ok := of.(*program.Tuple); ok {
		first := both.Elems[0]
		of = both.Elems[1]
		if _, n, _ := r.packs(first); n >= 0 {
			return nil, errorf(cute.CodeSyntax, "a fold whose first value comes last is not run")
		}
		v, err := r.value(first)
		if err != nil {
			return nil, err
		}
		list = []Value{v}
	}
	if op == "&&" || op == "||" {
		return r.foldTruth(op, list, of)
	}
	more, err := r.expand(of)
	if err != nil {
		return nil, err
	}
	list = append(list, more...)
	if len(list) == 0 {
		if op == "," {
			return None{}, nil
		}
		return nil, errorf(cute.CodeRank, "a fold of an empty pack by %s has no value", op)
	}
	if strings.HasSuffix(x.Op, "...") { // a right fold
		v := list[len(list)-1]
		for i := len(list) - 2; i >= 0 && err == nil; i-- {
			v, err = r.foldPair(op, list[i], v, x)
		}
		return v, err
	}
	v := list[0]
	for i := 1; i < len(list) && err == nil; i++ {
		v, err = r.foldPair(op, v, list[i], x)
	}
	return v, err
}

// foldTruth is fold for && and ||. It stops at the first value that decides the result, as C++ does.
func (r *runner) foldTruth(op string, first []Value, of program.Expr) (Value, error) {
	all, decided := op == "&&", false
	take := func(v Value) error {
		b, err := r.truth(v)
		decided = b != all
		return err
	}
	for _, v := range first {
		if err := take(v); err != nil {
			return nil, err
		}
	}
	err := r.eachOf(of, func() error {
		if decided {
			return nil
		}
		v, err := r.value(of)
		if err == nil {
			err = take(v)
		}
		return err
	})
	return cBools[decided != all], err
}

func (r *runner) foldPair(op string, a, b Value, at program.Node) (Value, error) {
	if op == "," {
		return b, nil
	}
	if comparisons[op] != nil {
		return r.compare(op, a, b)
	}
	return r.combine(op, a, b, at)
}
