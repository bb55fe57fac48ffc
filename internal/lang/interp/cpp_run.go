package interp

import (
	"math"
	"strings"

	"girih/internal/lang/python"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file evaluates the expressions of C++ about types: casts, T{...}, T(...), members and the choice C ? A : B.

// commonWith converts the value of a branch of C ? A : B to the type that both branches have.
func (r *runner) commonWith(v Value, other program.Expr) (Value, error) {
	x, isTraced := v.(*Traced)
	t := TypeOfNumber(v)
	if _, isAlgebra := v.(Algebra); isAlgebra || t == CNone {
		return v, nil
	}
	o, err := r.typeOf(other)
	if err != nil || o.C == CNone {
		return v, err
	}
	if isTraced {
		return r.convertTraced(x, cppChoice(t, o.C))
	}
	return cppConvert(v, cppChoice(t, o.C))
}

// cast evaluates (T)x, T(x) and static_cast<T>(x).
func (r *runner) cast(x *program.Cast) (Value, error) {
	v, err := r.value(x.X)
	if err != nil {
		return nil, err
	}
	t, err := r.resolve(x.Type)
	if err != nil {
		return nil, err
	}
	if t.Name == "void" {
		return None{}, nil
	}
	if v, ok, err := r.castVector(v, t); ok {
		return v, err
	}
	if p, ok := decay(v).(Pointer); ok && t.Name == "pointer" && t.Elem.C != CNone && t.Elem.C != p.Of.Type {
		return nil, errorf(cute.CodeType, "a pointer to %s is not run as one to %s",
			cppTypeName(p.Of.Type), cppTypeName(t.Elem.C))
	}
	if p, ok := v.(Address); ok && t.Name == "pointer" {
		return r.castAddress(p, *t.Elem)
	}
	if t == (TypeValue{}) {
		return r.castTo(x, v)
	}
	return r.fit(v, t)
}

// castTo casts to a type that only the algebra knows. The value must already have this type.
func (r *runner) castTo(x *program.Cast, v Value) (Value, error) {
	if typeOfNumber(v) == CNone {
		return v, nil
	}
	return nil, errorf(cute.CodeName, "%s is not a type of numbers here", r.src[x.Type.Pos():x.Type.End()])
}

// objectTree returns the expression for T{}, where T is the type of a layout or an instruction.
func (r *runner) objectTree(x program.Expr) (tree syntax.Expr, ok bool) {
	if tree, ok = r.typeTree(x); ok {
		return tree, true
	}
	tree, ok = r.instruction(x)
	if _, isName := tree.(*syntax.Text); ok && isName {
		tree = callTree("mma", spanOf(x), []syntax.Expr{tree})
	}
	return tree, ok
}

// make evaluates T{...} and {...}.
func (r *runner) make(x *program.Make) (Value, error) {
	if x.Type == nil {
		list, err := r.list(x.Elems)
		return Tuple(list), err
	}
	t, err := r.resolve(x.Type)
	if err != nil {
		return nil, err
	}
	if t != (TypeValue{}) && t.Name != "void" {
		list, err := r.list(x.Elems)
		if err != nil {
			return nil, err
		}
		return r.makeFrom(t, list)
	}
	if v, ok, err := r.libraryType(x.Type); ok {
		return v, err
	}
	if name, ok := x.Type.(*program.Name); ok && name.Name == "dim3" {
		list, err := r.list(x.Elems)
		if err != nil {
			return nil, err
		}
		return dim3(list)
	}
	if len(x.Elems) > 0 {
		return r.call(callOf(x))
	}
	if tree, ok := r.objectTree(x.Type); ok {
		return r.solve(tree, x)
	}
	v, err := r.value(x.Type)
	if err != nil {
		return r.orPasted(x, err)
	}
	return v, nil
}

// callOf rewrites T{A, B} as T(A, B).
func callOf(x *program.Make) *program.Call {
	c := &program.Call{Span: x.Span, Fn: x.Type}
	for _, e := range x.Elems {
		c.Args = append(c.Args, program.Arg{X: e})
	}
	return c
}

// typeValue evaluates a type where a value is expected.
func (r *runner) typeValue(x program.Expr) (Value, error) {
	if t, ok := x.(*program.Template); ok {
		if v, ok, err := r.traitValue(t); ok {
			return v, err
		}
		if name, ok := t.X.(*program.Name); ok && r.find(name) != nil {
			if f, ok := r.find(name).v.(*Func); ok { // a function with template arguments
				return r.withArguments(f, t.Args)
			}
		}
	}
	return r.typeNamed(x)
}

// A trait is a template of the standard library that is a truth value for types of numbers.
type trait struct {
	types int // the number of its arguments
	holds func(r *runner, t []TypeValue) (bool, error)
}

var traits = map[string]trait{
	"is_same_v":     {2, func(r *runner, t []TypeValue) (bool, error) { return r.sameType(t[0], t[1]) }},
	"is_integral_v": {1, func(_ *runner, t []TypeValue) (bool, error) { return t[0].C.isInteger(), nil }},
	"is_floating_point_v": {1, func(_ *runner, t []TypeValue) (bool, error) {
		return t[0].C == CSingle || t[0].C == CDouble, nil
	}},
}

// sameType reports whether two types are the same. A number of half has CUTLASS's name of the type here, half_t, also
// in programs that use CUDA's; it is not said whether the two are the same where a program has both.
func (r *runner) sameType(a, b TypeValue) (bool, error) {
	if a.Elem != nil && b.Elem != nil {
		x, y := *a.Elem, *b.Elem
		a.Elem, b.Elem = nil, nil
		same, err := r.sameType(x, y)
		return same && a == b, err
	}
	x, isX := elementTypeOf(a)
	y, isY := elementTypeOf(b)
	switch {
	case a == b:
		return true, nil
	case !isX || !isY || x != y || !narrow[a.Name] || !narrow[b.Name]:
		return false, nil
	case a.Name != x.CPP() && b.Name != x.CPP(), !strings.Contains(r.src, x.CPP()):
		return true, nil
	}
	return false, errorf(cute.CodeType, "whether %s and %s are one type is not known in a program that has both",
		a.Name, b.Name)
}

// traitValue evaluates templates such as is_same_v<A, B> and cosize_v<L>; ok is false for other templates.
func (r *runner) traitValue(x *program.Template) (v Value, ok bool, err error) {
	if of, isValue := strings.CutSuffix(nameOf(x.X), "_v"); isValue && isOperation(of) && len(x.Args) == 1 {
		v, err := r.templateValue(x.Args[0])
		if err == nil {
			v, err = r.callValues(of, v)
		}
		return v, true, err
	}
	name, ok := x.X.(*program.Name)
	if !ok {
		return nil, false, nil
	}
	t, ok := traits[name.Name]
	if !ok {
		return nil, false, nil
	}
	types, err := r.numberTypes(x.Args)
	if err != nil {
		return nil, true, err
	}
	if len(types) != t.types {
		return nil, true, errorf(cute.CodeRank, "expected %d types for %s, found %d", t.types, name.Name, len(types))
	}
	holds, err := t.holds(r, types)
	return cBools[holds], true, err
}

// numberTypes evaluates the arguments of a template, which are types of numbers.
func (r *runner) numberTypes(args []program.Expr) ([]TypeValue, error) {
	var types []TypeValue
	for _, a := range args {
		t, err := r.resolve(a)
		if err == nil && t == (TypeValue{}) {
			err = r.at(a, errorf(cute.CodeType, "%s is not a type of numbers", r.src[a.Pos():a.End()]))
		}
		if err != nil {
			return nil, err
		}
		types = append(types, t)
	}
	return types, nil
}

// construct makes a value T(...) of a type.
func (r *runner) construct(t TypeValue, x *program.Call) (Value, error) {
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, err
	}
	return r.convertTo(t, c)
}

// pythonValue evaluates T(x), where T is a type of Python, an exception or an element type.
func (r *runner) pythonValue(t TypeValue, c *arguments) (Value, error) {
	if e, ok := elementTypeOf(t); ok && !pythonTypes[t.Name] {
		return r.elementFrom(e, c)
	}
	if len(c.pos) == 1 && t.Name == "str" && isObject(c.pos[0]) {
		text, err := r.str(c.pos[0])
		return Str(text), err
	}
	if t.Name == "type" {
		return r.pythonType(c)
	}
	return r.callLibrary(t.Name, c)
}

// convertTo makes a value of a type from arguments.
func (r *runner) convertTo(t TypeValue, c *arguments) (Value, error) {
	if r.lang != program.Cpp {
		return r.pythonValue(t, c)
	}
	switch {
	case t.Name == "PipelineState" && t.Struct == nil:
		return r.pipelineState(t.Size, c.pos)
	case len(c.pos) == 0:
		if v := r.zero(t); v != nil {
			return v, nil
		}
	case t.Struct != nil:
		if o, ok := c.pos[0].(*Object); ok && len(c.pos) == 1 {
			return copyOf(o), nil
		}
		return r.object(t.Struct, c.pos)
	case vectors[t.Name]:
		return r.fillVector(t, c.pos)
	case len(c.pos) == 1:
		return r.fit(c.pos[0], t)
	}
	return nil, errorf(cute.CodeRank, "expected one value for %s, found %d", t.Name, len(c.pos))
}

// cppMember evaluates X.name for an object, and T::name for a type.
func (r *runner) cppMember(of Value, x *program.Attr) (Value, error) {
	switch v := of.(type) {
	case Pointer:
		c, err := v.cell()
		if err != nil {
			return nil, err
		}
		return r.cppMember(c.v, x)
	case *Object:
		if c := v.fields[x.Name]; c != nil {
			return r.load(c, x)
		}
		if v.Type != nil {
			return v.Type.member(x.Name)
		}
	case TypeValue:
		if v.Struct != nil {
			return v.Struct.member(x.Name)
		}
		if t, ok := x.X.(*program.Template); ok && x.Name == "value" && nameOf(t.X) == "is_static" && len(t.Args) == 1 {
			return r.isStatic(t.Args[0])
		}
		if v.Name == "numeric_limits" || v.C != CNone {
			return Method{X: v, Name: x.Name}, nil
		}
	case *Array:
		return Method{X: v, Name: x.Name}, nil
	}
	return nil, errorf(cute.CodeName, "%s has no member %s", cppDescribe(of), x.Name)
}

// cppMethod calls X.name(args).
func (r *runner) cppMethod(of Value, name string, c *arguments) (Value, error) {
	switch v := of.(type) {
	case clock:
		return r.clockMethod(name)
	case *Array:
		return r.arrayMethod(v, name, c)
	case Pointer:
		if v.At >= 0 && v.At < int64(len(v.Of.Cells)) {
			return r.cppMethod(v.Of.Cells[v.At].v, name, c)
		}
	case TypeValue:
		if len(c.pos) == 0 && v.C != CNone {
			return limitOf(v.C, name)
		}
	}
	return nil, errorf(cute.CodeName, "%s has no method %s", cppDescribe(of), name)
}

// floatLimits contains the members of std::numeric_limits for float and double.
var floatLimits = map[string][2]float64{
	"max": {math.MaxFloat32, math.MaxFloat64}, "lowest": {-math.MaxFloat32, -math.MaxFloat64},
	"min": {0x1p-126, 0x1p-1022}, "denorm_min": {0x1p-149, 0x1p-1074}, "epsilon": {0x1p-23, 0x1p-52},
	"infinity": {math.Inf(1), math.Inf(1)}, "quiet_NaN": {python.NaN(1), python.NaN(1)}, "round_error": {0.5, 0.5},
}

// limitOf evaluates std::numeric_limits<T>::NAME().
func limitOf(t CType, name string) (Value, error) {
	info := ctypes[t]
	if f, ok := floatLimits[name]; ok && (t == CSingle || t == CDouble) {
		return cFloat(f[t-CSingle], t), nil
	}
	switch {
	case t == CBool || name != "max" && name != "min" && name != "lowest":
	case t == CSingle || t == CDouble:
	case name == "max" && info.signed:
		return cInt(1<<(info.bits-1)-1, t), nil
	case name == "max":
		return cInt(math.MaxUint64, t), nil
	case info.signed:
		return cInt(1<<(info.bits-1), t), nil
	default:
		return cInt(0, t), nil
	}
	return nil, errorf(cute.CodeName, "%s::%s is not run", info.name, name)
}

// arrayMethod calls a method of a vector.
func (r *runner) arrayMethod(a *Array, name string, c *arguments) (Value, error) {
	switch {
	case !a.Vector:
	case len(c.pos) == 0:
		if f := vectorMethods[name]; f != nil {
			return f(a)
		}
	case name == "push_back" || name == "emplace_back":
		if len(a.Cells) >= maxElements {
			return nil, errorf(cute.CodeLimit, "an array has at most %d elements", maxElements)
		}
		v, err := r.toType(copyOf(c.pos[0]), a.Type)
		a.Cells = append(a.Cells, &cell{v: v, typ: a.Type})
		return None{}, err
	case name == "at":
		e, err := a.element(c.pos[0])
		if err != nil {
			return nil, err
		}
		return e.v, nil
	}
	return nil, errorf(cute.CodeName, "%s has no method %s with %d arguments", cppDescribe(a), name, len(c.pos))
}

// vectorMethods are the methods without arguments of std::vector and std::array.
var vectorMethods = map[string]func(a *Array) (Value, error){
	"size":  func(a *Array) (Value, error) { return cInt(uint64(len(a.Cells)), CULong), nil },
	"empty": func(a *Array) (Value, error) { return cBools[len(a.Cells) == 0], nil },
	"data":  func(a *Array) (Value, error) { return Pointer{Of: a}, nil },
	"begin": func(a *Array) (Value, error) { return Pointer{Of: a}, nil },
	"end":   func(a *Array) (Value, error) { return Pointer{Of: a, At: int64(len(a.Cells))}, nil },
	"front": func(a *Array) (Value, error) { return a.end(0) },
	"back":  func(a *Array) (Value, error) { return a.end(len(a.Cells) - 1) },
	"pop_back": func(a *Array) (Value, error) {
		_, err := a.end(0)
		a.Cells = a.Cells[:max(0, len(a.Cells)-1)]
		return None{}, err
	},
	"clear": func(a *Array) (Value, error) {
		a.Cells = nil
		return None{}, nil
	},
}

// end returns the element with the index i of a vector. The vector must have this element.
func (a *Array) end(i int) (Value, error) {
	if len(a.Cells) == 0 {
		return nil, errorf(cute.CodeCodomain, "the vector is empty: undefined in C++")
	}
	return a.Cells[i].v, nil
}
