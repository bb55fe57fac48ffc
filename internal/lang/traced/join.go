package traced

import (
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/interp"
	"girih/kernel"
	"girih/symbolic"
)

// This file carries variables out of the two parts of a condition. A variable travels in a register of its type in C++.
// If it has no type, as the value of C ? A : B, the value after the first part decides. An integer then travels in two
// registers, since the other part may have a float.

// A join is the two parts of a condition.
type join struct {
	t     *Tracer
	slots []*slot
	parts int // that have been traced
}

// A slot is a variable of a join.
type slot struct {
	of      *interp.Variable
	python  bool
	values  []interp.Value // after the parts
	carrier dtype.Type     // S64 for integers, S32 for a bool; 0 if it is not carried
	pair    bool           // there is a register for a float too
	isFloat bool           // a part has one
	isValue bool           // the integer is an element in a part
	ctype   interp.CType   // the common type of the values
	least   int64          // the bounds of the integers
	most    int64
}

// part returns a part, which returns what the variables carry out of it.
func (j *join) part(body func() error) func() []kernel.Value {
	return func() (out []kernel.Value) {
		j.t.depth++
		j.t.abort(body())
		j.t.depth--
		for _, s := range j.slots {
			if s.values = append(s.values, s.of.Value); j.parts == 0 {
				s.begin()
			}
			list, ok := j.carry(s, s.of.Value)
			if !ok {
				j.t.abort(refuse(cute.CodeNotRepresentable, "give both parts numbers of one type",
					"what the two parts of a condition that differs from thread to thread leave in a variable, or choose, has two "+
						"types, and is not followed"))
			}
			out = append(out, list...)
		}
		j.parts++
		return out
	}
}

// abort ends the trace with an error, from within a part of a condition.
func (t *Tracer) abort(err error) {
	if err != nil {
		t.failed = err
		kernel.Must(0, err)
	}
}

// isInteger reports whether a type is one of integers of 32 or 64 bits.
func isInteger(t dtype.Type) bool {
	return t == dtype.S32 || t == dtype.U32 || t == dtype.S64 || t == dtype.U64
}

// elementOf returns the element that a value is.
func elementOf(v interp.Value) (kernel.Value, bool) {
	x, ok := v.(*interp.Traced)
	if !ok {
		return kernel.Value{}, false
	}
	of, ok := x.Of.(kernel.Value)
	return of, ok
}

// ownType returns the type of a number that C++ itself does not have, as half, or of an element.
func ownType(v interp.Value) (dtype.Type, bool) {
	if x, ok := v.(interp.Element); ok {
		return x.Type, true
	}
	x, ok := elementOf(v)
	if !ok {
		return 0, false
	}
	return x.Type(), true
}

// isNumber reports whether a value is a number of any kind, or a condition.
func isNumber(v interp.Value) bool {
	_, isElement := elementOf(v)
	_, isCond := condOf(v)
	_, isIndex := indexOf(v)
	return v != nil && (isElement || isCond || isIndex || isConstant(v))
}

// begin chooses how a variable is carried.
func (s *slot) begin() {
	v := s.values[0]
	s.ctype = s.of.Type
	known := s.ctype != interp.CNone
	if !known {
		s.ctype = interp.TypeOfNumber(v)
	}
	own, hasOwn := ownType(v)
	_, isElement := elementOf(v)
	_, isIndex := indexOf(v)
	typ := elementTypes[s.ctype]
	switch {
	case isBool(v) || s.ctype == interp.CBool:
		s.carrier = dtype.S32
	case hasOwn && !isInteger(own) && typ == 0:
		s.carrier = own
	case typ == dtype.F32 || typ == dtype.F64:
		s.carrier = typ
	case isElement || isIndex || known && typ != 0:
		s.carrier, s.pair = dtype.S64, isIndex && !known
	case isConstant(v):
		s.carrier = dtype.F32 // a float of Python
	}
}

// isBool reports whether a value is a condition, or a bool of Python.
func isBool(v interp.Value) bool {
	_, isCond := condOf(v)
	_, is := v.(interp.Bool)
	return isCond || is
}

// carry returns the registers of a value.
func (j *join) carry(s *slot, v interp.Value) ([]kernel.Value, bool) {
	t := j.t
	switch {
	case s.carrier == 0:
		return nil, j.parts == 0 || sameNumber(v, s.values[0]) || sameMMA(v, s.values[0])
	case !isNumber(v): // there is none
		out := []kernel.Value{t.k.Number(s.carrier, 0)}
		if s.pair {
			out = append(out, t.k.Number(dtype.F32, 0))
		}
		return out, true
	case !s.joins(v):
		return nil, false
	case s.pair && isF32(v):
		x, ok := t.number(v, dtype.F32)
		s.isFloat = true
		return []kernel.Value{t.k.Number(dtype.S64, 0), x}, ok
	}
	x, ok := t.number(v, s.carrier)
	out := []kernel.Value{x}
	if s.carrier == dtype.S64 {
		s.extend(t, v)
	}
	if s.pair {
		f, okF := t.number(v, dtype.F32)
		return append(out, f), ok && okF
	}
	return out, ok
}

// An eitherMMA is an MMA whose products set C in some threads, and add to it in others.
type eitherMMA struct{ of interp.Value }

// anyMMA returns one of the MMAs that a value is.
func anyMMA(v interp.Value) interp.Value {
	if x, ok := v.(*interp.Traced); ok {
		if e, ok := x.Of.(eitherMMA); ok {
			return e.of
		}
	}
	return v
}

// sameMMA reports whether two values are one MMA, perhaps with another accumulate_ in some threads.
func sameMMA(a, b interp.Value) bool { return interp.SameMMA(anyMMA(a), anyMMA(b)) }

// extend extends the bounds of an integer to a value.
func (s *slot) extend(t *Tracer, v interp.Value) {
	i, isIndex := t.integer(v)
	if !isIndex {
		s.isValue = true
		return
	}
	lo, hi := i.Range()
	least, most := limits(i.typ)
	lo, hi = max(lo, least), min(hi, most)
	if len(s.values) > 1 {
		lo, hi = min(lo, s.least), max(hi, s.most)
	}
	s.least, s.most = lo, hi
}

// isF32 reports whether a value is a float, as an element or as a number of the program.
func isF32(v interp.Value) bool {
	element, isElement := elementOf(v)
	return isElement && !isInteger(element.Type()) || isFloat(v)
}

// isFloat reports whether a value is a float of the program.
func isFloat(v interp.Value) bool {
	switch v.(type) {
	case interp.CFloat, interp.Float:
		return true
	}
	return false
}

// sameNumber reports whether a variable has one value after both parts.
func sameNumber(a, b interp.Value) bool { return isComparable(a) && isComparable(b) && a == b }

// isComparable reports whether a value is nil, a number, or one of the tracer.
func isComparable(v interp.Value) bool {
	switch v.(type) {
	case nil, *interp.Traced, interp.CInt, interp.CFloat, interp.Element, interp.None:
		return true
	}
	switch v.(type) {
	case interp.Int, interp.Float, interp.Bool:
		return true
	}
	return false
}

// joins reports whether a value after the second part, of a variable without a type, has a type that goes with the
// first one.
func (s *slot) joins(v interp.Value) bool {
	if len(s.values) < 2 || s.of.Type != interp.CNone || !isNumber(s.values[0]) {
		return true
	}
	typ := interp.TypeOfNumber(v)
	switch {
	case s.carrier == dtype.S32:
		return isBool(v) || typ == interp.CBool
	case isBool(v):
		return false
	case s.python:
		return s.joinsInPython(v)
	case s.ctype == interp.CNone || typ == interp.CNone:
		own, hasOwn := ownType(v) // half_t and similar classes
		return hasOwn && own == s.carrier
	}
	both := interp.CommonType(s.ctype, typ)
	if of := elementTypes[both]; of != s.carrier && (of == dtype.F64 || of == dtype.F32 && !s.pair) {
		return false
	}
	s.ctype = both
	return true
}

// joinsInPython is joins for a program of the CuTe DSL.
func (s *slot) joinsInPython(v interp.Value) bool {
	element, isElement := elementOf(v)
	switch {
	case s.carrier != dtype.S64:
		return isElement && element.Type() == s.carrier || s.carrier == dtype.F32 && !isElement
	case s.pair:
		return !isElement || element.Type() == dtype.F32 || isInteger(element.Type())
	}
	return !isFloat(v) && (!isElement || isInteger(element.Type()))
}

// give sets the variables after both parts.
func (j *join) give(out []kernel.Value) {
	for _, s := range j.slots {
		a, b := s.values[0], s.values[1]
		var list []kernel.Value
		switch {
		case s.carrier == 0:
		case s.pair:
			list, out = out[:2], out[2:]
		default:
			list, out = out[:1], out[1:]
		}
		switch {
		case sameNumber(a, b), interp.SameMMA(a, b) && interp.Sets(a) == interp.Sets(b):
			s.of.Value = a
		case sameMMA(a, b): // only threads of one part can use it
			s.of.Value = &interp.Traced{Of: eitherMMA{anyMMA(a)}}
		case !s.of.Result && !(isNumber(a) && isNumber(b)):
			s.of.Value = nil // some threads do not set it
		case s.isFloat:
			s.of.Value = j.t.value(list[1])
		case s.carrier == dtype.S32:
			s.of.Value = j.t.truth(condition(list[0].NotEqual(j.t.k.Number(dtype.S32, 0))))
		case s.carrier != dtype.S64:
			s.of.Value = j.t.value(list[0])
		default:
			s.of.Value = s.integer(j.t, list[0])
		}
	}
}

// integer returns an integer after both parts.
func (s *slot) integer(t *Tracer, x kernel.Value) interp.Value {
	if s.isValue {
		typ := elementTypes[s.ctype]
		if typ == 0 {
			typ = dtype.S32
		}
		return t.value(x.Convert(typ))
	}
	i := index{x.Index(symbolic.Facts{Min: s.least, Max: s.most}), s.ctype}
	if t.python {
		i.typ = interp.CNone
	}
	if !i.fits() {
		t.abort(wraps())
	}
	return i.value(nil)
}
