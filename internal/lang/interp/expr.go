package interp

import (
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file evaluates expressions.

// value evaluates an expression.
func (r *runner) value(x program.Expr) (Value, error) {
	v, err := r.evaluate(x)
	return v, r.at(x, err)
}

func (r *runner) evaluate(x program.Expr) (Value, error) {
	switch x := x.(type) {
	case *program.Number:
		return r.number(x)
	case *program.Text:
		return r.text(x)
	case *program.Constant:
		return r.constant(x.Value), nil
	case *program.Name:
		return r.name(x)
	case *program.Call:
		return r.call(x)
	case *program.Attr:
		return r.attribute(x)
	case *program.Index:
		return r.item(x)
	case *program.Unary:
		return r.unary(x)
	case *program.Binary:
		return r.binary(x)
	case *program.Compare:
		return r.comparison(x)
	case *program.Logic:
		return r.logic(x)
	case *program.Cond:
		return r.conditional(x)
	case *program.Girih:
		return r.notation(x)
	case *known:
		return x.v, nil
	}
	return r.composite(x)
}

// composite evaluates an expression that combines several values into one, such as a list.
func (r *runner) composite(x program.Expr) (Value, error) {
	switch x := x.(type) {
	case *program.Tuple:
		list, err := r.list(x.Elems)
		return Tuple(list), err
	case *program.List:
		list, err := r.list(x.Elems)
		return &List{Elems: list}, err
	case *program.Dict:
		return r.dict(x)
	case *program.Set:
		return r.set(x)
	case *program.Lambda:
		return r.function(x.Def)
	case *program.Comprehension:
		return r.comprehension(x)
	case *program.Slice:
		return r.slice(x)
	case *program.Cast:
		return r.cast(x)
	case *program.Make:
		return r.make(x)
	case *program.Template, *program.TypeOf:
		return r.typeValue(x)
	}
	return r.effect(x)
}

// effect evaluates an expression that has an effect.
func (r *runner) effect(x program.Expr) (Value, error) {
	switch x := x.(type) {
	case *program.Update:
		return r.update(x.Target, x.Op, x.X)
	case *program.Step:
		return r.stepValue(x)
	case *program.Yield:
		return r.yieldValue(x)
	case *program.Absent:
		return absent(x.Module), nil
	case *program.Walrus:
		v, err := r.value(x.X)
		if err == nil {
			r.assign(x.Target.Name, v)
		}
		return v, err
	}
	return nil, errorf(cute.CodeSyntax, "this expression is not run")
}

// list evaluates expressions, spreading *X.
func (r *runner) list(xs []program.Expr) ([]Value, error) {
	list := make([]Value, 0, len(xs))
	for _, x := range xs {
		star, spread := x.(*program.Star)
		if spread {
			x = star.X
		}
		if spread && r.lang == program.Cpp {
			more, err := r.expand(x)
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
			continue
		}
		v, err := r.value(x)
		if err != nil {
			return nil, err
		}
		if !spread {
			list = append(list, v)
			continue
		}
		more, err := r.elements(v)
		if err != nil {
			return nil, r.at(x, err)
		}
		list = append(list, more...)
	}
	return list, nil
}

// text evaluates a string. In an f-string, it inserts the values.
func (r *runner) text(x *program.Text) (Value, error) {
	if x.Char {
		text, _ := program.TextOf(x)
		return CInt{Bits: uint64(int64(int8(text[0]))), Type: CChar}, nil
	}
	text, err := r.parts(x.Parts)
	return Str(text), err
}

func (r *runner) parts(parts []program.Part) (string, error) {
	var b strings.Builder
	for _, p := range parts {
		if p.X == nil {
			b.WriteString(p.Text)
			continue
		}
		v, err := r.value(p.X)
		if err != nil {
			return "", err
		}
		spec, err := r.parts(p.Spec)
		if err != nil {
			return "", err
		}
		text, err := r.formatField(v, p.Conv, spec)
		if err != nil {
			return "", r.at(p.X, err)
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// formatField returns the text of a value in an f-string.
func (r *runner) formatField(v Value, conv byte, spec string) (string, error) {
	switch conv {
	case 'r':
		text, err := r.py.Repr(v)
		if err != nil {
			return "", err
		}
		v = Str(text)
	case 'a':
		text, err := r.py.ASCII(v)
		if err != nil {
			return "", err
		}
		v = Str(text)
	case 's':
		text, err := r.str(v)
		if err != nil {
			return "", err
		}
		v = Str(text)
	}
	text, err := r.str(v)
	if err != nil || spec == "" {
		return text, err
	}
	return r.spell(text, v, spec)
}

func (r *runner) constant(name string) Value {
	switch name {
	case "True", "False":
		if r.lang == program.Cpp {
			return cBools[name == "True"]
		}
		return Bool(name == "True")
	case "Ellipsis":
		return Module("Ellipsis")
	}
	return None{}
}

// name evaluates a name.
func (r *runner) name(x *program.Name) (Value, error) {
	if v, ok := r.inType(x); ok {
		return v, nil
	}
	if x.Path == "" {
		if v, err := r.lookupValue(x.Name); v != nil || err != nil {
			return r.tracing.shadowInSize(v), err
		}
	} else if c := r.find(x); c != nil {
		return r.load(c, x)
	}
	if v, ok := r.builtin(x.Path, x.Name); ok {
		return v, nil
	}
	if path, ok := r.modulePath(x); ok && r.lang == program.Python {
		return Module(path), nil
	}
	return r.algebraName(x)
}

func (r *runner) logic(x *program.Logic) (Value, error) {
	v, err := r.value(x.X)
	if err != nil {
		return nil, err
	}
	if t, ok := v.(*Traced); ok {
		return r.tracedLogic(x, t)
	}
	b, err := r.truth(v)
	if err != nil {
		return nil, r.at(x.X, err)
	}
	if b == x.Or {
		if r.lang == program.Cpp {
			return cBools[b], nil
		}
		return v, nil
	}
	if v, err = r.value(x.Y); err != nil || r.lang != program.Cpp {
		return v, err
	}
	if t, ok := v.(*Traced); ok {
		v, err = r.convertTraced(t, CBool)
		return v, r.at(x.Y, err)
	}
	b, err = r.truth(v)
	return cBools[b], r.at(x.Y, err)
}

func (r *runner) conditional(x *program.Cond) (Value, error) {
	cond, ok, err := r.condition(x.Cond)
	if err != nil {
		return nil, err
	}
	if cond != nil {
		return r.tracedChoice(x, cond)
	}
	taken, other := x.Then, x.Else
	if !ok {
		taken, other = x.Else, x.Then
	}
	v, err := r.value(taken)
	if err != nil || r.lang != program.Cpp {
		return v, err
	}
	return r.commonWith(v, other)
}

func (r *runner) unary(x *program.Unary) (Value, error) {
	if x.Op == "&" || x.Op == "*" {
		return r.pointer(x)
	}
	if strings.Contains(x.Op, "...") {
		return r.fold(x)
	}
	v, err := r.value(x.X)
	if err != nil {
		return nil, err
	}
	if u, ok, err := r.tracedOperator("unary "+x.Op, v); ok {
		return u, err
	}
	if x.Op == "not" || x.Op == "!" {
		b, err := r.truth(v)
		if r.lang == program.Cpp {
			return cBools[!b], r.at(x.X, err)
		}
		return Bool(!b), r.at(x.X, err)
	}
	switch v := v.(type) {
	case Algebra:
		return r.algebraUnary(x, v)
	case Element:
		return elementUnary(x.Op, v)
	case Vector:
		return r.eachElement(v, func(e Value) (Value, error) {
			if n, ok := e.(Element); ok {
				return elementUnary(x.Op, n)
			}
			return r.py.Unary(x.Op, e)
		})
	case *Instance:
		return r.objectUnary(x.Op, v)
	}
	if r.lang == program.Cpp {
		return cppUnary(x.Op, v)
	}
	return r.py.Unary(x.Op, v)
}

func (r *runner) binary(x *program.Binary) (Value, error) {
	a, err := r.value(x.X)
	if err != nil {
		return nil, err
	}
	if x.Op == "," {
		return r.value(x.Y)
	}
	b, err := r.value(x.Y)
	if err != nil {
		return nil, err
	}
	return r.combine(x.Op, a, b, x)
}

// combine computes A OP B with the arithmetic of the language, or with the algebra if A or B is a value of the algebra.
func (r *runner) combine(op string, a, b Value, at program.Node) (Value, error) {
	if v, ok, err := r.ownBinary(op, a, b); ok {
		return v, err
	}
	if v, ok, err := r.hostBinary(op, a, b); ok {
		return v, err
	}
	if v, ok, err := addressBinary(op, a, b); ok {
		return v, err
	}
	if v, ok, err := r.vectorBinary(op, a, b); ok {
		return v, err
	}
	if v, ok, err := r.elementBinary(op, a, b); ok {
		return v, err
	}
	if stream, ok := a.(*stream); ok && op == "<<" {
		return stream, r.insert(stream, b)
	}
	if isAlgebra(a) || isAlgebra(b) {
		return r.algebraBinary(op, a, b, at)
	}
	if r.lang == program.Cpp {
		v, err := cppBinary(op, a, b)
		if f, ok := v.(CFloat); ok && f.F != f.F {
			v = r.foldNaN(f, a, b, at)
		}
		return v, err
	}
	if op == "@" && r.lang != program.Python {
		return r.algebraBinary(op, a, b, at)
	}
	return r.py.Binary(op, a, b)
}

func (r *runner) comparison(x *program.Compare) (Value, error) {
	a, err := r.value(x.X[0])
	if err != nil {
		return nil, err
	}
	var v Value
	for i, op := range x.Ops {
		b, err := r.value(x.X[i+1])
		if err != nil {
			return nil, err
		}
		if v, err = r.compare(op, a, b); err != nil {
			return nil, r.at(x, err)
		}
		if i == len(x.Ops)-1 {
			break
		}
		ok, err := r.truth(v)
		if err != nil || !ok {
			return v, r.at(x, err)
		}
		a = b
	}
	return v, nil
}

// compare compares two values with one operator.
func (r *runner) compare(op string, a, b Value) (Value, error) {
	if v, ok, err := r.ownBinary(op, a, b); ok {
		return v, err
	}
	if v, ok, err := r.vectorCompare(op, a, b); ok {
		return v, err
	}
	if v, ok, err := r.elementCompare(op, a, b); ok {
		return v, err
	}
	switch {
	case op == "is" || op == "is not" || op == "in" || op == "not in":
		return r.py.Compare(op, a, b)
	case isAlgebra(a) || isAlgebra(b):
		return r.algebraCompare(op, a, b)
	case r.lang == program.Cpp:
		return cppBinary(op, a, b)
	}
	return r.py.Compare(op, a, b)
}

// truth returns the truth value of a value.
func (r *runner) truth(v Value) (bool, error) {
	switch v := v.(type) {
	case *Traced:
		return false, r.notFollowed("a condition here that differs from thread to thread")
	case Algebra:
		return r.algebraTruth(v)
	case Element:
		return v.F != 0 || v.N != 0, nil
	case *Instance:
		return r.objectTruth(v)
	}
	if r.lang == program.Cpp {
		return cppTruth(v)
	}
	return r.py.Truth(v)
}

func (r *runner) number(x *program.Number) (Value, error) {
	if r.lang == program.Cpp {
		return cppNumber(x)
	}
	return python.Number(x)
}

// item evaluates X[I].
func (r *runner) item(x *program.Index) (Value, error) {
	of, err := r.value(x.X)
	if err != nil {
		return nil, err
	}
	if a, ok := of.(Algebra); ok {
		if a.isTensor() {
			return r.tensorItem(x, a)
		}
		if r.traces() && !hasEffects(&program.Call{Args: []program.Arg{{X: x.Args[0]}}}) {
			i, err := r.index(x)
			if err == nil && IsTraced(i) {
				v, _, err := r.tracedItem(a, i, x)
				return v, r.at(x, err)
			}
		}
		return r.algebraItem(x, a)
	}
	if f, ok := of.(*Builtin); ok {
		switch kind := strings.TrimPrefix(f.Name, "cute.struct."); {
		case f.Name == "cute.compile":
			return f, nil // the brackets contain options of the call
		case kind != f.Name:
			return r.structMember(kind, x)
		}
	}
	i, err := r.index(x)
	if err != nil {
		return nil, err
	}
	if p, ok := of.(*vectorPointer); ok {
		c, err := r.vectorPlace(p, i, x)
		if err != nil {
			return nil, r.at(x, err)
		}
		return r.load(c, x)
	}
	return r.getIndex(of, i, x)
}

// index evaluates the index of X[I].
func (r *runner) index(x *program.Index) (Value, error) {
	if len(x.Args) == 1 {
		return r.value(x.Args[0])
	}
	list, err := r.list(x.Args)
	return Tuple(list), err
}

func (r *runner) slice(x *program.Slice) (Value, error) {
	var s Slice
	for _, b := range []struct {
		x  program.Expr
		to *Value
	}{{x.Low, &s.Low}, {x.High, &s.High}, {x.Step, &s.Step}} {
		if b.x == nil {
			continue
		}
		v, err := r.value(b.x)
		if err != nil {
			return nil, err
		}
		*b.to = v
	}
	return s, nil
}

// comprehension evaluates a list, tuple, set or dict that is made by loops.
func (r *runner) comprehension(x *program.Comprehension) (Value, error) {
	if x.Kind == '(' {
		return r.generatorOf(x)
	}
	outer := r.scope
	defer func() { r.scope = outer }()
	var keys, values []Value
	err := r.compLoop(&looping{x: x}, 0, func() error {
		if x.Key != nil {
			k, err := r.value(x.Key)
			if err != nil {
				return err
			}
			keys = append(keys, k)
		}
		v, err := r.value(x.X)
		values = append(values, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	switch x.Kind {
	case ':':
		return r.newDict(keys, values)
	case '{':
		return r.newSet(values)
	}
	return &List{Elems: values}, nil
}

// A looping is a running comprehension. first is the value over which its first loop runs; nil if it is not evaluated
// yet.
type looping struct {
	x     *program.Comprehension
	first Value
}

// compLoop runs the loops of a comprehension, starting with the loop from, and calls f in the innermost loop.
func (r *runner) compLoop(c *looping, from int, f func() error) (err error) {
	if from == len(c.x.Loops) {
		if err := r.step(c.x); err != nil {
			return err
		}
		return f()
	}
	l := c.x.Loops[from]
	of := c.first
	if from > 0 || of == nil {
		if of, err = r.value(l.X); err != nil {
			return err
		}
	}
	if from == 0 {
		outer := r.scope
		if outer.fn != nil && outer.fn.body && r.lang == program.Python {
			outer = outer.outer // only the first loop sees the names of a class around it
		}
		r.scope = &scope{names: make(map[string]*cell), outer: outer}
	}
	return r.forEach(of, l.X, func(v Value) (bool, error) {
		if err := r.bindTo(l.Target, v, r.declareValue); err != nil {
			return false, err
		}
		for _, cond := range l.Ifs {
			if ok, err := r.holds(cond); err != nil || !ok {
				return true, err
			}
		}
		return true, r.compLoop(c, from+1, f)
	})
}
