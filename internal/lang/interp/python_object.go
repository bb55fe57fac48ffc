package interp

import (
	"strings"

	"girih/internal/lang/python"
)

// This file has what the methods of an object decide: its text, its operators, and equality.

// objectText returns str(x) or repr(x) of an object.
func (r *runner) objectText(o *Instance, method string) (string, error) {
	for _, name := range []string{method, "__repr__"} {
		if f, ok := o.class.find(name).(*Func); ok {
			v, err := r.invoke(f, &arguments{pos: []Value{o}})
			if err != nil {
				return "", err
			}
			return r.str(v)
		}
	}
	if o.class.kind == "" {
		return "<__main__." + o.class.Name + " object>", nil
	}
	var parts []string
	for _, name := range o.class.fields {
		text, err := r.py.Repr(o.attrs[name])
		if err != nil {
			return "", err
		}
		parts = append(parts, name+"="+text)
	}
	return o.class.Name + "(" + strings.Join(parts, ", ") + ")", nil
}

// operatorMethods are the methods that operators of objects call.
var operatorMethods = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
	"<<": "lshift", ">>": "rshift", "&": "and", "|": "or", "^": "xor",
	"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}

// objectBinary computes A OP B if one of them is an object; ok is false if neither is.
func (r *runner) objectBinary(op string, a, b Value) (v Value, ok bool, err error) {
	x, isX := a.(*Instance)
	y, isY := b.(*Instance)
	if strings.HasSuffix(op, "in") && isY {
		v, err = r.callAttribute(y, "__contains__", &arguments{pos: []Value{a}})
		if is, ok := v.(Bool); ok && op == "not in" {
			v = !is
		}
		return v, true, err
	}
	if !isX && !isY || strings.HasSuffix(op, "in") {
		return nil, false, nil
	}
	if op == "bool" {
		is, err := r.objectTruth(x)
		return Bool(is), true, err
	}
	if v, ok, err := r.operatorMethod(x, b, "__"+operatorMethods[op]+"__"); ok {
		return v, true, err
	}
	if v, ok, err := r.operatorMethod(y, a, "__r"+operatorMethods[op]+"__"); ok {
		return v, true, err
	}
	switch op {
	case "is", "is not":
		return Bool((a == b) == (op == "is")), true, nil
	case "==", "!=":
		same, err := r.sameFields(x, y)
		return Bool(same == (op == "==")), true, err
	}
	return nil, true, python.TypeError("unsupported operand type(s) for %s: '%s' and '%s'", op, python.TypeName(a),
		python.TypeName(b))
}

// operatorMethod calls the method of an object for an operator; ok is false if there is no object or no method.
func (r *runner) operatorMethod(o *Instance, with Value, name string) (v Value, ok bool, err error) {
	if o == nil {
		return nil, false, nil
	}
	f, ok := o.class.find(name).(*Func)
	if !ok {
		return nil, false, nil
	}
	v, err = r.invoke(f, &arguments{pos: []Value{o, with}})
	return v, true, err
}

// sameFields reports whether two objects are one, or have equal fields if they are of a dataclass or a named tuple.
func (r *runner) sameFields(x, y *Instance) (bool, error) {
	if x == nil || y == nil || x == y || x.class != y.class || x.class.kind == "" {
		return x == y, nil
	}
	p, _ := x.values()
	q, _ := y.values()
	eq, err := r.py.Compare("==", p, q)
	return eq == Bool(true), err
}
