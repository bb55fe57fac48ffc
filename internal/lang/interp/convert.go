package interp

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
	"girih/internal/lang/syntax"
)

// This file converts values between the host language and the algebra. A value of the host becomes an expression for
// the evaluator: (4, 8) of Python is the tuple (4,8). A result without run-time integers becomes a value of the host
// where the host has such a value: an integer, a truth value, and in Python a tuple.

func isAlgebra(v Value) bool {
	_, ok := v.(Algebra)
	return ok
}

// spanOf returns the position of a node for trees of the evaluator, so that the evaluator's errors have this position.
func spanOf(at program.Node) syntax.Span { return syntax.SpanOf(at.Pos(), at.End()) }

// tree writes a value as an expression. A value of the algebra is replaced by a name that contains a blank; the name is
// bound while the expression is evaluated.
func (r *runner) tree(v Value, at program.Node) (syntax.Expr, error) {
	span := spanOf(at)
	switch v := v.(type) {
	case Int:
		return &syntax.Int{Span: span, Value: int64(v)}, nil
	case CInt:
		n, ok := v.int64()
		if !ok {
			return nil, errorf(cute.CodeOverflow, "%d exceeds 64 bits with a sign", v.Bits)
		}
		if v.Type == CBool {
			return &syntax.Bool{Span: span, Value: n != 0}, nil
		}
		return &syntax.Int{Span: span, Value: n, Static: v.Static}, nil
	case Bool:
		return &syntax.Bool{Span: span, Value: bool(v)}, nil
	case Str:
		return &syntax.Text{Span: span, Value: string(v)}, nil
	case None:
		return &syntax.Wildcard{Span: span}, nil
	case Tuple:
		elems, err := r.trees(v, at)
		return &syntax.Tuple{Span: span, Elems: elems, TrailingComma: len(v) == 1}, err
	case *List:
		elems, err := r.trees(v.Elems, at)
		if len(elems) == 0 && err == nil {
			return nil, errorf(cute.CodeType, "expected integers or layouts in a list, found none")
		}
		return syntax.NewTiler(span, elems), err
	case Element:
		return v.tree(span)
	case Algebra:
		r.lent++
		name := " " + strconv.Itoa(r.lent)
		r.temps[name] = v
		return &syntax.Ident{Span: span, Name: name}, nil
	}
	if tree, ok := elementTree(v, span); ok {
		return tree, nil
	}
	return nil, errorf(cute.CodeType, "expected an integer, a tuple or a layout, found %s", r.describe(v))
}

// tree writes an integer element as an expression.
func (v Element) tree(span syntax.Span) (syntax.Expr, error) {
	if v.Type.Kind() == dtype.Float {
		return nil, errorf(cute.CodeType, "expected an integer, found %s, an element of type %v", v.text(), v.Type)
	}
	return &syntax.Int{Span: span, Value: v.N}, nil
}

// treeBytes is the approximate memory of a value as an expression.
const treeBytes = 64

// trees writes values as expressions. Values may nest as deeply as printing allows.
func (r *runner) trees(vs []Value, at program.Node) ([]syntax.Expr, error) {
	if err := r.py.Enter(); err != nil {
		return nil, err
	}
	defer r.py.Leave()
	if err := r.work(len(vs)); err != nil {
		return nil, err
	}
	if err := r.hold(len(vs) * treeBytes); err != nil {
		return nil, err
	}
	list := make([]syntax.Expr, len(vs))
	for i, v := range vs {
		var err error
		if list[i], err = r.tree(v, at); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// int64 returns the integer; ok is false if it exceeds 63 bits.
func (n CInt) int64() (int64, bool) {
	unsigned := n.Type == CULong || n.Type == CULongLong
	return int64(n.Bits), !unsigned || n.Bits <= math.MaxInt64
}

// solve evaluates a tree. The names that function tree gave to values are bound during the evaluation.
func (r *runner) solve(tree syntax.Expr, at program.Node) (Value, error) {
	const name = " value"
	lent, owner := r.lendTemps(tree)
	var res eval.Result
	var err error
	if id, ok := tree.(*syntax.Ident); ok {
		res, err = r.Env.Value(id) // the value of a single unbound name must not become a run-time integer
	}
	if err == nil {
		res, err = r.Env.Assign(name, tree)
	}
	bound, _ := r.Env.Take(name)
	v := Value(nil)
	if err == nil {
		v = r.fromResult(res, bound)
		if a, ok := v.(Algebra); ok && owner != nil {
			if _, isTensor := a.Value.(eval.Tensor); isTensor {
				a.window = owner // a tensor made from another tensor shares its storage
				v = a
			}
		}
		if lates := r.latesOf(lent, v); lates != nil {
			v = r.solveLate(tree, lates, v)
		}
		if r.lang == program.Cpp {
			v = r.withKind(v, tree, lent)
			r.noteMerged(tree, v, at)
			v = r.withLazy(v, lent)
		}
	}
	for _, t := range lent {
		r.Env.Forget(t)
		delete(r.temps, t)
	}
	if err != nil {
		return nil, err
	}
	r.note(at.Pos(), res)
	r.noteUnbound(tree, at.Pos(), res.Value)
	return v, nil
}

// withKind returns the value of a tree, with the information whether C++ knows its integers at compile time.
func (r *runner) withKind(v Value, tree syntax.Expr, lent []string) Value {
	mixed := false
	c, isCall := tree.(*syntax.Call)
	typed := isCall && (c.Name == "rank" || c.Name == "depth") // these depend only on the type
	syntax.Walk(tree, func(x syntax.Expr) bool {
		switch x := x.(type) {
		case *syntax.Int:
			mixed = mixed || !x.Static
		case *syntax.Ident:
			mixed = mixed || r.temps[x.Name].mixed
		}
		return !mixed
	})
	switch of := v.(type) {
	case Algebra:
		of.mixed = mixed
		v = of
	case CInt:
		mixed = mixed && !typed
		of.Static = !mixed
		r.unsure = r.unsure || mixed
		v = of
	}
	if mixed {
		return r.withStatic(v, tree, lent)
	}
	return v
}

// withLazy gives a tensor the function of lazy::transform from the tensor that it was made from.
func (r *runner) withLazy(v Value, names []string) Value {
	a, ok := v.(Algebra)
	if !ok || a.Value.Kind() != eval.KindTensor {
		return v
	}
	for _, name := range names {
		if f := r.temps[name].lazy; f != nil {
			a.lazy = f
		}
	}
	return a
}

// lendTemps binds the names that function tree gave to values, and returns the names. owner is the storage of the first
// tensor among the values. The evaluator does not support storage for a tensor with run-time integers, so these
// integers are replaced by their numbers in that case.
func (r *runner) lendTemps(tree syntax.Expr) (lent []string, owner *window) {
	syntax.Walk(tree, func(x syntax.Expr) bool {
		id, ok := x.(*syntax.Ident)
		if !ok {
			return true
		}
		if a, ok := r.temps[id.Name]; ok {
			lent = append(lent, id.Name)
			if owner == nil && a.isTensor() {
				owner = a.window
			}
		}
		return true
	})
	for _, name := range lent {
		a := r.temps[name]
		if owner != nil && a.Form != nil {
			r.Env.Bind(name, a.Form)
		} else {
			r.Env.Give(name, a.bound)
		}
	}
	return lent, owner
}

// fromResult returns a result of the evaluator as a value of the program.
func (r *runner) fromResult(res eval.Result, bound eval.Binding) Value {
	whole := Algebra{Result: res, bound: bound}
	if res.Static != "" || res.Open != nil || r.lang == program.Notation {
		return whole
	}
	if v := r.host(res.Value); v != nil {
		return v
	}
	return whole
}

// host returns the host value that corresponds to a value of the algebra, or nil if there is none.
func (r *runner) host(v eval.Value) Value {
	switch v := v.(type) {
	case eval.Bool:
		if r.lang == program.Cpp {
			return cBools[bool(v)]
		}
		return Bool(v)
	case eval.Text:
		return Str(v)
	case eval.Tuple:
		if r.lang == program.Cpp && !v.IsInt() {
			return nil
		}
		return r.hostTuple(v.Tuple)
	}
	return nil
}

// hostTuple returns an integer or a tuple of integers as a value of the host.
func (r *runner) hostTuple(t cute.Tuple) Value {
	if t.IsInt() {
		n := t.Leaves()[0]
		if r.lang == program.Cpp {
			if n == int64(int32(n)) {
				return CInt{Bits: uint64(n), Type: CIntType}
			}
			return CInt{Bits: uint64(n), Type: CLongLong}
		}
		return Int(n)
	}
	list := make(Tuple, 0, t.Rank())
	for _, mode := range t.Modes() {
		list = append(list, r.hostTuple(mode))
	}
	return list
}

// note keeps the notes on a value, each note only once per line. print shows the trace-time text.
func (r *runner) note(pos int, v eval.Result) {
	for _, n := range v.Notes {
		if v.Static != "" && strings.HasPrefix(n, "at trace time") {
			continue
		}
		r.noteAt(pos, n)
	}
}

func (r *runner) noteAt(pos int, text string) {
	line, _ := syntax.Position(r.src, pos)
	text = fmt.Sprintf("line %d: %s", line, text)
	if !r.noted[text] && len(r.notes) < maxNotes {
		r.noted[text] = true
		r.notes = append(r.notes, text)
	}
}

// elements returns the elements of a sequence, or the modes of a value of the algebra.
func (r *runner) elements(v Value) ([]Value, error) {
	if a, ok := v.(Algebra); ok {
		return r.modes(a)
	}
	if o, ok := v.(*Object); ok {
		return o.values(), nil
	}
	if a, ok := v.(*Array); ok {
		list := make([]Value, len(a.Cells))
		for i, c := range a.Cells {
			list[i] = c.v
		}
		return list, nil
	}
	var list []Value
	err := r.forEach(v, program.Span{}, func(e Value) (bool, error) {
		list = append(list, e)
		if len(list)%holdEvery == 0 {
			if err := r.hold(holdEvery * python.ValueBytes); err != nil {
				return false, err
			}
		}
		return true, nil
	})
	return list, err
}

// holdEvery is the number of values for which memory is requested at once.
const holdEvery = 1 << 12

// hold requests memory.
func (r *runner) hold(bytes int) error {
	if e := r.Hold(bytes); e != nil {
		return &statedError{code: cute.Code(e.Code), msg: e.Message, hint: e.Hint}
	}
	return nil
}

// modes returns the modes of a value of the algebra, or the values of a list.
func (r *runner) modes(a Algebra) ([]Value, error) {
	if list, ok := a.Value.(eval.List); ok {
		out := make([]Value, len(list))
		for i, v := range list {
			r.Env.Bind(" value", v)
			bound, _ := r.Env.Take(" value")
			out[i] = r.fromResult(eval.Result{Value: v}, bound)
		}
		return out, nil
	}
	at := program.Span{}
	of, err := r.tree(a, at)
	if err != nil {
		return nil, err
	}
	rank, err := r.solve(&syntax.Call{Name: "rank", Qualified: true, Args: []syntax.Arg{{KeyPos: -1, X: of}}}, at)
	if err != nil {
		return nil, err
	}
	n, ok := integerOf(rank)
	if !ok {
		return nil, errorf(cute.CodeType, "expected several values, found %s", a.Value)
	}
	out := make([]Value, n)
	for i := range out {
		if of, err = r.tree(a, at); err != nil {
			return nil, err
		}
		out[i], err = r.solve(&syntax.Call{
			Name: "get", Qualified: true, Template: []syntax.Expr{&syntax.Int{Value: int64(i), Static: true}},
			Args: []syntax.Arg{{KeyPos: -1, X: of}},
		}, at)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// integerOf returns the integer value of v; ok is false if v is not an integer.
func integerOf(v Value) (int64, bool) {
	switch v := v.(type) {
	case Int:
		return int64(v), true
	case CInt:
		return v.int64()
	case Element:
		return v.N, v.Type.Kind() != dtype.Float
	case Algebra:
		if t, ok := v.Value.(eval.Tuple); ok && t.IsInt() {
			return t.Leaves()[0], true
		}
	}
	return 0, false
}

// describe returns the description of a value for an error.
func (r *runner) describe(v Value) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case *Func:
		return "the function " + v.name()
	case *Builtin:
		return "the function " + v.Name
	case Algebra:
		return v.Value.String()
	case Module:
		return "the module " + string(v)
	case *tracedAddress:
		return "a pointer"
	}
	return r.repr(v)
}
