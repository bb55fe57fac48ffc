package interp

import (
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements the operations on an object that its methods define: its text, its operators, and equality.

// objectText returns str(x) or repr(x) of an object.
func (r *runner) objectText(o *Instance, method string) (string, error) {
	for _, name := range []string{method, "__repr__"} {
		f, ok := o.class.method(name)
		if !ok {
			if name == "__str__" && (o.class.kind == exceptionClass || isEnum(o.class)) {
				return r.shortText(o)
			}
			continue
		}
		v, err := r.invoke(f, &arguments{pos: []Value{o}})
		if err != nil {
			return "", err
		}
		text, ok := v.(Str)
		if !ok {
			return "", python.TypeError("%s returned non-string (type %s)", name, python.TypeName(v))
		}
		return string(text), nil
	}
	return r.plainText(o)
}

// shortText implements str(x) for an exception or a member of an enumeration.
func (r *runner) shortText(o *Instance) (string, error) {
	if o.class.kind == exceptionClass {
		return r.exceptionText(o)
	}
	if o.class.kind == intEnumClass {
		return r.py.Str(o.attrs["value"])
	}
	name, _ := o.attrs["name"].(Str)
	return o.class.Name + "." + string(name), nil
}

// plainText implements repr(x) for an object whose class does not define it.
func (r *runner) plainText(o *Instance) (string, error) {
	switch t := o.class; {
	case t.kind == exceptionClass:
		args := o.args()
		text, err := r.py.Repr(args)
		if len(args) == 1 {
			text, err = r.py.Repr(args[0])
			text = "(" + text + ")"
		}
		if err == nil {
			err = o.certain()
		}
		return t.Name + text, err
	case isEnum(t):
		text, err := r.py.Repr(o.attrs["value"])
		name, _ := o.attrs["name"].(Str)
		return "<" + t.Name + "." + string(name) + ": " + text + ">", err
	case t.kind == plainClass && t.mro != nil:
		return "", python.Refuse("the text of an object of %s has its address: write __repr__", t.Name)
	case t.kind == plainClass:
		return "<" + t.Name + " object>", nil
	}
	if err := r.py.Enter(); err != nil {
		return "", err
	}
	defer r.py.Leave()
	var parts []string
	for i, v := range o.fieldValues() {
		name := o.class.fields[i]
		if x, ok := o.class.fieldOption(name, "repr"); ok && x == Bool(false) {
			continue
		}
		text, err := r.py.Repr(v)
		if err != nil {
			return "", err
		}
		parts = append(parts, name+"="+text)
	}
	name := o.class.Name
	if o.class.kind == dataClass {
		name = o.class.qualifiedName()
	}
	return name + "(" + strings.Join(parts, ", ") + ")", nil
}

// operatorNames maps operators to the methods of objects that implement them.
var operatorNames = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
	"<<": "lshift", ">>": "rshift", "&": "and", "|": "or", "^": "xor",
	"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}

// reflected maps comparisons to the method of the right operand.
var reflected = map[string]string{"<": "gt", "<=": "ge", ">": "lt", ">=": "le", "==": "eq", "!=": "ne"}

// notImplemented is NotImplemented.
const notImplemented = python.Module("NotImplemented")

// objectBinary computes A OP B if A or B is an object; ok is false if neither is.
func (r *runner) objectBinary(op string, a, b Value) (v Value, ok bool, err error) {
	x, isX := a.(*Instance)
	y, isY := b.(*Instance)
	switch {
	case !isX && !isY || strings.HasSuffix(op, "in") && !isY:
		return nil, false, nil
	case strings.HasSuffix(op, "in"):
		v, err = r.objectContains(y, a)
		if is, ok := v.(Bool); ok && op == "not in" {
			v = !is
		}
		return v, true, err
	}
	switch op {
	case "bool":
		is, err := r.objectTruth(x)
		return Bool(is), true, err
	case "is", "is not":
		return Bool((a == b) == (op == "is")), true, nil
	}
	if v, ok, err := r.operatorMethods(op, a, b); ok {
		return v, true, err
	}
	if _, isTuple := a.(Tuple); !isX && !isTuple && reflected[op] == "" && r.lang == program.Python {
		return nil, false, nil // for example 'text' % object or [1] + object
	}
	return r.withoutOperator(op, a, b)
}

// operatorMethods computes A OP B by a method of A or of B. The method of B comes first if its class is derived from
// the class of A.
func (r *runner) operatorMethods(op string, a, b Value) (v Value, ok bool, err error) {
	if v, ok, err := r.numberBinary(op, a, b); ok {
		return v, true, err
	}
	x, isX := a.(*Instance)
	y, isY := b.(*Instance)
	right := "__r" + operatorNames[op] + "__"
	if name := reflected[op]; name != "" {
		right = "__" + name + "__"
	}
	first, second := func() (Value, bool, error) { return r.operatorMethod(x, b, "__"+operatorNames[op]+"__") },
		func() (Value, bool, error) { return r.operatorMethod(y, a, right) }
	if isX && isY && x.class != y.class && y.class.is(x.class) {
		first, second = second, first
	}
	if v, ok, err = first(); ok {
		return v, true, err
	}
	return second()
}

// objectContains is VALUE in OBJECT.
func (r *runner) objectContains(o *Instance, v Value) (Value, error) {
	if _, ok := o.class.method("__contains__"); ok {
		v, err := r.callAttribute(o, "__contains__", &arguments{pos: []Value{v}})
		if err != nil {
			return nil, err
		}
		b, err := r.truth(v)
		return Bool(b), err
	}
	list, err := r.elements(o)
	if err != nil {
		return nil, err
	}
	return r.py.Compare("in", v, Tuple(list))
}

// numberBinary computes with members of an integer enumeration as with their values.
func (r *runner) numberBinary(op string, a, b Value) (v Value, ok bool, err error) {
	x, isX := intMember(a)
	y, isY := intMember(b)
	if !isX && !isY {
		return nil, false, nil
	}
	if operatorNames[op] != "" && reflected[op] == "" {
		v, err = r.combine(op, x, y, nil)
	} else {
		v, err = r.compare(op, x, y)
	}
	return v, true, err
}

// intMember returns the value of a member of an integer enumeration. It returns any other value unchanged.
func intMember(v Value) (Value, bool) {
	if o, ok := v.(*Instance); ok && o.class.kind == intEnumClass {
		return o.attrs["value"], true
	}
	return v, false
}

// withoutOperator computes A OP B for objects without a method for the operator.
func (r *runner) withoutOperator(op string, a, b Value) (Value, bool, error) {
	x, isX := a.(*Instance)
	y, isY := b.(*Instance)
	switch {
	case op == "!=":
		v, _, err := r.objectBinary("==", a, b)
		if err != nil {
			return nil, true, err
		}
		same, err := r.truth(v)
		return Bool(!same), true, err
	case op == "==":
		same, err := r.sameFields(a, b)
		return Bool(same), true, err
	case isX && isY && x.class == y.class && x.class.data["order"] && reflected[op] != "":
		v, err := r.py.Compare(op, x.fieldValues(), y.fieldValues())
		return v, true, err
	}
	if v, ok, err := r.tupleBinary(op, a, b); ok {
		return v, true, err
	}
	if reflected[op] != "" {
		return nil, true, python.TypeError("'%s' not supported between instances of '%s' and '%s'", op, python.TypeName(a),
			python.TypeName(b))
	}
	if op == "**" {
		op = "** or pow()"
	}
	return nil, true, python.TypeError("unsupported operand type(s) for %s: '%s' and '%s'", op, python.TypeName(a),
		python.TypeName(b))
}

// tupleBinary computes A OP B for named tuples as for tuples; ok is false for other values.
func (r *runner) tupleBinary(op string, a, b Value) (v Value, ok bool, err error) {
	p, isTuple := tupleOf(a)
	q, alsoTuple := tupleOf(b)
	switch {
	case isTuple && alsoTuple && reflected[op] != "":
		v, err = r.py.Compare(op, p, q)
		return v, true, err
	case isTuple && op == "+" || isTuple && op == "*" || alsoTuple && op == "*":
		v, err = r.py.Binary(op, p, q)
		return v, true, err
	}
	return nil, false, nil
}

// tupleOf returns the values of a tuple or a named tuple. It returns any other value unchanged.
func tupleOf(v Value) (Value, bool) {
	if o, ok := v.(*Instance); ok {
		if list, ok := o.values(); ok {
			return list, true
		}
	}
	_, ok := v.(Tuple)
	return v, ok
}

// operatorMethod calls the method of an object for an operator; ok is false if there is no object or no method, or if
// the method returns NotImplemented.
func (r *runner) operatorMethod(o *Instance, with Value, name string) (v Value, ok bool, err error) {
	if o == nil {
		return nil, false, nil
	}
	f, ok := o.class.method(name)
	if !ok {
		return nil, false, nil
	}
	v, err = r.invoke(f, &arguments{pos: []Value{o, with}})
	return v, v != notImplemented, err
}

// sameFields reports whether two values are the same object, or are dataclasses or named tuples with equal fields.
func (r *runner) sameFields(a, b Value) (bool, error) {
	if p, ok := tupleOf(a); ok {
		q, also := tupleOf(b)
		if !also {
			return false, nil
		}
		eq, err := r.py.Compare("==", p, q)
		return eq == Bool(true), err
	}
	x, isX := a.(*Instance)
	y, isY := b.(*Instance)
	if !isX || !isY || x == y || x.class != y.class || x.class.kind != dataClass || x.class.data["noeq"] {
		return a == b, nil
	}
	eq, err := r.py.Compare("==", x.comparedFields(), y.comparedFields())
	return eq == Bool(true), err
}

// augmentObject computes OLD OP= Y by the corresponding method of an object; ok is false if there is no such method.
func (r *runner) augmentObject(op string, old, y Value) (v Value, ok bool, err error) {
	o, _ := old.(*Instance)
	return r.operatorMethod(o, y, "__i"+operatorNames[op]+"__")
}

// objectTruth returns the truth value of an object.
func (r *runner) objectTruth(o *Instance) (bool, error) {
	if v, ok := intMember(o); ok {
		return r.truth(v)
	}
	for _, name := range []string{"__bool__", "__len__"} {
		v, ok, err := r.specialMethod(o, name)
		if err != nil {
			return false, err
		}
		if ok {
			return r.truth(v)
		}
	}
	return true, nil
}

// A dslType is a class of values of the CuTe DSL, for use in isinstance.
type dslType string

// TypeName returns the name of the type in Python.
func (dslType) TypeName() string { return "type" }

// ClassName returns the name in the text of the class.
func (t dslType) ClassName() string { return "cutlass.cute." + string(t) }

// has reports whether a value is an instance of the class.
func (t dslType) has(v Value) bool {
	_, isVector := v.(Vector)
	a, ok := v.(Algebra)
	_, isAddress := v.(Address)
	kind := ""
	if ok {
		kind = string(a.Value.Kind())
	}
	switch t {
	case "TensorSSA":
		return isVector
	case "Pointer":
		return isAddress
	case "Tensor":
		return kind == "tensor" && !(a.isTensor() && a.host)
	case "ComposedLayout":
		return strings.HasPrefix(kind, "composed")
	}
	return kind == "layout"
}

// updateAttribute runs X.NAME OP= Y.
func (r *runner) updateAttribute(a *program.Attr, op string, x program.Expr) (Value, error) {
	of, err := r.value(a.X)
	if err != nil {
		return nil, err
	}
	if !isObject(of) {
		return nil, errorf(cute.CodeType, "nothing can be assigned to this target")
	}
	old, err := r.attributeOf(of, a.Name)
	if err != nil {
		return nil, r.at(a, err)
	}
	y, err := r.value(x)
	if err != nil {
		return nil, err
	}
	v, err := r.augment(op, old, y, x)
	if err != nil {
		return nil, err
	}
	return v, r.at(a, r.setAttribute(of, a.Name, v))
}

// objectUnary computes OP X for an object.
func (r *runner) objectUnary(op string, o *Instance) (Value, error) {
	if n, ok := intMember(o); ok {
		return r.py.Unary(op, n)
	}
	name := map[string]string{"-": "__neg__", "+": "__pos__", "~": "__invert__"}[op]
	if o.class.find(name) == nil {
		return nil, python.TypeError("bad operand type for unary %s: '%s'", op, o.class.Name)
	}
	return r.callAttribute(o, name, &arguments{})
}
