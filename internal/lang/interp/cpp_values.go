package interp

import (
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
)

// This file defines the values that only C++ has: pointers, and objects of types that the program declares.

type (
	// A Pointer is the address of a variable, or of element At of the array Of. The position after the last element of
	// an array also has an address.
	Pointer struct {
		Of *Array
		At int64
	}
	// A StructType is a type that the program declares. The scope contains its constants and type names.
	StructType struct {
		Def   *program.Struct
		scope *scope
		// partials are the partial specialisations of a template.
		partials []*program.Struct
		// of and args are the template and the arguments from which a type was made; nil for any other type.
		of   *StructType
		args []Value
	}
	// An Object is a value of a StructType, or a dim3.
	Object struct {
		Type   *StructType // nil for a dim3
		names  []string
		fields map[string]*cell
		// raw are the numbers of a vector of CUDA whose fields are not known, and rawType is their type.
		raw     []Value
		rawType dtype.Type
	}
)

// decay converts an array to the pointer to its first element. It returns any other value unchanged.
func decay(v Value) Value {
	if a, ok := v.(*Array); ok && !a.Vector {
		return Pointer{Of: a}
	}
	return v
}

// copyOf copies an object or a vector, because assignment copies them. It returns any other value unchanged.
func copyOf(v Value) Value {
	switch v := v.(type) {
	case *Object:
		o := &Object{Type: v.Type, names: v.names, fields: make(map[string]*cell, len(v.fields))}
		o.raw, o.rawType = v.raw, v.rawType
		for name, c := range v.fields {
			o.fields[name] = &cell{v: copyOf(c.v), typ: c.typ, elem: c.elem}
		}
		return o
	case *Array:
		a := &Array{Type: v.Type, Vector: v.Vector, elem: v.elem, Cells: make([]*cell, len(v.Cells))}
		for i, c := range v.Cells {
			a.Cells[i] = &cell{v: copyOf(c.v), typ: c.typ, elem: c.elem, in: a, at: i}
		}
		return a
	case *Func:
		return v.clone()
	}
	return v
}

// clone returns a copy of a function. Each copy of a mutable lambda has its own variables.
func (f *Func) clone() *Func {
	d := f.Def
	if !d.Mutable || f.Scope == nil {
		return f
	}
	g, s := *f, *f.Scope
	s.names = make(map[string]*cell, len(f.Scope.names))
	for name, c := range f.Scope.names {
		if !slices.ContainsFunc(d.Captures, func(q program.Capture) bool { return q.Ref && q.Name == name }) {
			c = &cell{v: copyOf(c.v), typ: c.typ, fixed: c.fixed}
		}
		s.names[name] = c
	}
	g.Scope = &s
	return &g
}

// cell returns the variable that a pointer points to.
func (p Pointer) cell() (*cell, error) {
	n := int64(len(p.Of.Cells))
	if p.At < 0 || p.At >= n {
		return nil, errorf(cute.CodeCodomain, "the pointer points to element %d of an array of %d: undefined in C++", p.At, n)
	}
	return p.Of.Cells[p.At], nil
}

// plus returns P + N, which may point to the end of its array.
func (p Pointer) plus(n int64) (Value, error) {
	at := p.At + n
	if size := int64(len(p.Of.Cells)); at < 0 || at > size {
		return nil, errorf(cute.CodeCodomain, "the pointer leaves its array of %d: undefined in C++", size)
	}
	return Pointer{p.Of, at}, nil
}

// cppPointers computes A OP B if A or B is a pointer; ok is false otherwise.
func cppPointers(op string, a, b Value) (v Value, ok bool, err error) {
	a, b = decay(a), decay(b)
	p, isP := a.(Pointer)
	q, isQ := b.(Pointer)
	_, isNull := a.(None)
	_, areNull := b.(None)
	switch {
	case isNull && areNull && (op == "==" || op == "!="):
		return cBools[op == "=="], true, nil
	case !isP && !isQ:
		return nil, false, nil
	case isP && isQ:
		v, err = p.with(op, q)
	case isP:
		v, err = p.offset(op, b)
	case op == "+" || op == "==" || op == "!=":
		v, err = q.offset(op, a)
	default:
		err = errorf(cute.CodeType, "%s is not defined for a pointer on its right", op)
	}
	return v, true, err
}

// offset computes P OP N for an integer N; it also compares P with a null pointer.
func (p Pointer) offset(op string, b Value) (Value, error) {
	n, isInt := b.(CInt)
	_, isNull := b.(None)
	switch {
	case isInt && op == "+":
		return p.plus(int64(n.Bits))
	case isInt && op == "-":
		return p.plus(-int64(n.Bits))
	case isNull && (op == "==" || op == "!="):
		return cBools[op == "!="], nil
	}
	return nil, errorf(cute.CodeType, "%s is not defined for a pointer and %s", op, cppDescribe(b))
}

// with computes P OP Q for two pointers.
func (p Pointer) with(op string, q Pointer) (Value, error) {
	switch {
	case p.Of == q.Of && op == "-":
		return CInt{Bits: uint64(p.At - q.At), Type: CLong}, nil
	case comparisons[op] != nil:
		return p.compare(op, q)
	}
	return nil, errorf(cute.CodeType, "%s is not defined for these pointers", op)
}

// compare computes P OP Q for a comparison.
func (p Pointer) compare(op string, q Pointer) (Value, error) {
	sign := 1
	a, errA := p.cell()
	b, errB := q.cell()
	if p.Of == q.Of {
		sign = int(p.At - q.At)
	} else if a == b && errA == nil && errB == nil {
		sign = 0
	} else if op != "==" && op != "!=" {
		return nil, errorf(cute.CodeType, "%s compares pointers to two arrays: undefined in C++", op)
	}
	return cBools[comparisons[op](sign)], nil
}

// elementAt returns the variable of X[I] of an array or a pointer; ok is false for other values.
func elementAt(x, i Value) (c *cell, ok bool, err error) {
	switch x := x.(type) {
	case Str:
		if _, ok := i.(CInt); !ok {
			return nil, false, nil
		}
		c, err = textArray(string(x)).element(i)
		return c, true, err
	case *Array:
		c, err = x.element(i)
		return c, true, err
	case Pointer:
		n, isInt := integerOf(i)
		if !isInt {
			return nil, true, errorf(cute.CodeType, "expected an integer as an index, found %s", cppDescribe(i))
		}
		c, err = Pointer{x.Of, x.At + n}.cell()
		return c, true, err
	}
	return nil, false, nil
}

// textArray returns the characters of a string, with the 0 at its end.
func textArray(text string) *Array {
	a := &Array{Type: CChar}
	for i := range len(text) + 1 {
		n := CInt{Type: CChar}
		if i < len(text) {
			n = cInt(uint64(text[i]), CChar)
		}
		a.Cells = append(a.Cells, &cell{v: n, typ: CChar, fixed: true})
	}
	return a
}

// element returns the variable of an element of an array.
func (a *Array) element(i Value) (*cell, error) {
	n, ok := i.(CInt)
	if !ok {
		if k, isInt := integerOf(i); isInt {
			n, ok = CInt{Bits: uint64(k), Type: CLong}, true
		}
	}
	if !ok {
		return nil, errorf(cute.CodeType, "expected an integer as an index, found %s", cppDescribe(i))
	}
	if ctypes[n.Type].signed && int64(n.Bits) < 0 || n.Bits >= uint64(len(a.Cells)) {
		return nil, errorf(cute.CodeCodomain, "the index %s is outside the array of %d: undefined in C++", n, len(a.Cells))
	}
	return a.Cells[n.Bits], nil
}
