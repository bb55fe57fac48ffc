package interp

import (
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file finds the types that expressions of C++ name, and converts values to them.

// narrow lists types of numbers whose arithmetic is not supported.
var narrow = program.Words(`half_t bfloat16_t tfloat32_t float_e4m3_t float_e5m2_t half __half nv_bfloat16 __nv_bfloat16 uint128_t uint4_t
	int4_t uint2_t int2_t uint1_t int1_t`)

// vectors lists the types that contain elements of a single type.
var vectors = program.Words("vector array host_vector device_vector initializer_list ArrayEngine array_aligned")

// resolve returns the type that an expression names. It returns the zero type for auto, and for types that only the
// algebra knows.
func (r *runner) resolve(x program.Expr) (TypeValue, error) {
	switch x := x.(type) {
	case *program.Name:
		if v, ok := r.inType(x); ok {
			t, _ := v.(TypeValue)
			return t, nil
		}
		if c := r.find(x); c != nil {
			if t, ok := c.v.(TypeValue); ok {
				return t, nil
			}
			return TypeValue{}, nil
		}
		return namedType(x.Name), nil
	case *program.Unary:
		elem, err := r.resolve(x.X)
		if x.Op == "*" {
			return TypeValue{Name: "pointer", Elem: &elem}, err
		}
		return elem, err
	case *program.TypeOf:
		if err := r.checkDecltype(x); err != nil {
			return TypeValue{}, err
		}
		return r.typeOf(x.X)
	case *program.Attr:
		v, err := r.value(x)
		t, _ := v.(TypeValue)
		return t, err
	case *program.Template:
		return r.templateType(x)
	}
	return TypeValue{}, nil
}

// inType returns the member T::N of a type that the program declares; ok is false for other names.
func (r *runner) inType(x *program.Name) (v Value, ok bool) {
	if x.Path == "" {
		return nil, false
	}
	owner := &program.Name{Span: x.Span, Name: x.Path}
	if at := strings.LastIndex(x.Path, "::"); at > 0 {
		owner.Path, owner.Name = x.Path[:at], x.Path[at+2:]
	}
	of, ok := r.inType(owner)
	if c := r.find(owner); !ok && c != nil {
		of = c.v
	}
	if v, ok := r.memberOfMMA(of, x.Name); ok {
		return v, true
	}
	t, _ := of.(TypeValue)
	if barrierTypes[owner.Name] && of == nil {
		t.Name = owner.Name
	}
	if tmemAllocators[owner.Name] > 0 && of == nil || tmemAllocators[t.Name] > 0 {
		n, ok := tmemConstants[x.Name]
		return cInt(n, CIntType), ok
	}
	if t.Struct == nil {
		return barrierMember(t, x.Name)
	}
	v, err := t.Struct.member(x.Name)
	return v, err == nil
}

// mmaMembers maps the types in CuTe's TiledMMA to the operations of the algebra that return their values.
var mmaMembers = map[string]string{
	"AtomThrID": "thr_id", "AtomShape_MNK": "shape_mnk", "ThrLayoutVMNK": "thr_layout_vmnk",
}

// memberOfMMA returns the value of a type in CuTe's TiledMMA, such as typename TiledMMA::AtomThrID{}; ok is false for
// other values and names.
func (r *runner) memberOfMMA(of Value, name string) (v Value, ok bool) {
	operation := mmaMembers[name]
	if _, _, isMMA := mmaOf(of); operation == "" || !isMMA {
		return nil, false
	}
	v, err := r.callValues(operation, of)
	return v, err == nil
}

// namedType returns the type with a name that the program does not bind.
func namedType(name string) TypeValue {
	if t, ok := cTypeOf(name); ok {
		return TypeValue{Name: cppTypeName(t), C: t}
	}
	if v := cudaVectors[name]; v != nil {
		return v.typ
	}
	switch name {
	case "cudaError_t", "cudaError":
		return TypeValue{Name: "int", C: CIntType}
	}
	if narrow[name] || barrierTypes[name] || isUnit(name) || name == "long double" || name == "void" || name == "string" {
		return TypeValue{Name: name}
	}
	return TypeValue{}
}

// templateType returns the type X<ARGS>: a vector, an alias, or a type of the program.
func (r *runner) templateType(x *program.Template) (TypeValue, error) {
	name, ok := x.X.(*program.Name)
	if !ok {
		return TypeValue{}, nil
	}
	if vectors[name.Name] && len(x.Args) > 0 {
		elem, err := r.resolve(x.Args[0])
		t := TypeValue{Name: name.Name, Elem: &elem}
		if sized := name.Name[0] == 'a' || name.Name[0] == 'A'; sized && len(x.Args) > 1 && err == nil {
			t.Size, err = r.count(x.Args[1])
		}
		return t, err
	}
	c := r.find(name)
	if c == nil {
		return r.standardType(name.Name, x.Args)
	}
	if a, ok := c.v.(*alias); ok {
		return r.aliasType(a, x)
	}
	t, _ := c.v.(TypeValue)
	if t.Struct != nil {
		return r.specialisation(t.Struct, x)
	}
	return t, nil
}

// standardType returns the type function<R(ARGS)>. For numeric_limits<T> it returns T.
func (r *runner) standardType(name string, args []program.Expr) (TypeValue, error) {
	if len(args) != 1 {
		return TypeValue{}, nil
	}
	of, isCall := args[0].(*program.Call)
	switch {
	case name == "PipelineState":
		n, err := r.count(args[0])
		return TypeValue{Name: name, Size: n}, err
	case name == "numeric_limits":
		return r.resolve(args[0])
	case name == "function" && isCall:
		result, err := r.resolve(of.Fn)
		return TypeValue{Name: "function", Elem: &result}, err
	}
	return TypeValue{}, nil
}

// count evaluates the number of elements of an array.
func (r *runner) count(x program.Expr) (int64, error) {
	v, err := r.value(x)
	if err != nil {
		return 0, err
	}
	n, ok := integerOf(v)
	if !ok || n < 0 {
		return 0, r.at(x, errorf(cute.CodeType, "expected the number of elements, found %s", r.describe(v)))
	}
	return n, nil
}

// toType converts a number, or an integer of the algebra, to a type of numbers.
func (r *runner) toType(v Value, t CType) (Value, error) {
	if t == CNone {
		return v, nil
	}
	switch a := v.(type) {
	case *Traced:
		return r.convertTraced(a, t)
	case Algebra:
		n, ok := integerOf(a)
		if !ok {
			return v, nil // a run-time integer
		}
		v = CInt{Bits: uint64(n), Type: CLong}
	case Element:
		v = CFloat{F: a.F, Single: true}
		if t == CNone {
			return a, nil
		}
	case Pointer, None, Str:
		if t == CBool {
			b, err := cppTruth(v)
			return cBools[b], err
		}
	}
	if typeOfNumber(v) == CNone {
		return nil, errorf(cute.CodeType, "expected a value of type %s, found %s", cppTypeName(t), cppDescribe(v))
	}
	n, err := cppConvert(v, t)
	if i, ok := n.(CInt); ok {
		i.Static = false
		return i, err
	}
	return n, err
}

// fit converts a value to a type, as an initialisation does.
func (r *runner) fit(v Value, t TypeValue) (Value, error) {
	if list, ok := v.(Tuple); ok {
		return r.fitList(list, t)
	}
	switch {
	case narrow[t.Name]:
		if e, ok := elementTypeOf(t); ok && !isAlgebra(v) {
			return r.toElement(e, v)
		}
	case t.Name == "long double" && typeOfNumber(v) != CNone:
		return nil, errorf(cute.CodeType, "the arithmetic of %s is not run: use float", t.Name)
	case t.C != CNone:
		return r.toType(v, t.C)
	case t.Name == "pointer" && r.given != nil:
		return r.givenPointer(decay(v))
	case t.Name == "pointer":
		return decay(v), nil
	case t.Name == "function":
		if f, ok := v.(*Func); ok {
			f = f.clone()
			g := *f
			g.result = t.Elem
			return &g, nil
		}
	case t.Name == "string":
		text, err := r.cppText(v)
		return Str(text), err
	}
	return copyOf(decay(v)), nil
}

// fitList is fit for values in braces.
func (r *runner) fitList(list Tuple, t TypeValue) (Value, error) {
	switch {
	case t.Struct != nil:
		return r.object(t.Struct, list)
	case vectors[t.Name]:
		return r.vectorOf(t, list)
	case t == (TypeValue{}):
		return list, nil
	case len(list) == 0:
		return r.zero(t), nil
	case len(list) == 1:
		return r.fit(list[0], t)
	}
	return nil, errorf(cute.CodeRank, "expected one value of type %s, found %d", t.Name, len(list))
}

// zero returns the value of T{}, or nil if it is not known.
func (r *runner) zero(t TypeValue) Value {
	switch {
	case t.C.isInteger():
		return CInt{Type: t.C}
	case t.C != CNone:
		return cFloat(0, t.C)
	case t.Name == "pointer":
		return None{}
	case t.Name == "string":
		return Str("")
	case isUnit(t.Name):
		return unit(t)
	case narrow[t.Name]:
		if elem, ok := elementTypeOf(t); ok {
			return Element{Type: elem}
		}
	case t.Name == "PipelineState" && t.Struct == nil:
		if v, err := r.pipelineState(t.Size, nil); err == nil {
			return v
		}
	case t.Struct != nil:
		o, err := r.object(t.Struct, Tuple{})
		if err == nil {
			return o
		}
	case vectors[t.Name]:
		v, err := r.vectorOf(t, nil)
		if err == nil {
			return v
		}
	}
	return nil
}

// vectorOf returns a vector or a std::array of the given values. The remaining elements of a std::array are zero.
func (r *runner) vectorOf(t TypeValue, list Tuple) (Value, error) {
	n := max(int64(len(list)), t.Size)
	if t.Size > 0 && n > t.Size {
		return nil, errorf(cute.CodeRank, "expected at most %d values, found %d", t.Size, n)
	}
	a, err := r.newArray(*t.Elem, n)
	if err != nil {
		return nil, err
	}
	a.Vector = true
	for i, c := range a.Cells {
		c.v = r.zero(*t.Elem)
		if i < len(list) {
			if c.v, err = r.fit(list[i], *t.Elem); err != nil {
				return nil, err
			}
		}
	}
	return a, nil
}

// vector returns values as a vector with elements of a type of numbers.
func (r *runner) vector(t CType, list Tuple) Value {
	v, err := r.vectorOf(TypeValue{Name: "vector", Elem: &TypeValue{Name: cppTypeName(t), C: t}}, list)
	if err != nil {
		return list
	}
	return v
}

// maxElements limits the elements of an array.
const maxElements = 1 << 20

// newArray returns an array without values.
func (r *runner) newArray(elem TypeValue, n int64) (*Array, error) {
	if n < 0 || n > maxElements {
		e := errorf(cute.CodeLimit, "an array has at most %d elements, found %d", maxElements, n)
		if f, ok := r.globals.names["main"]; ok && len(r.Args) == 0 {
			if of, isFunc := f.v.(*Func); isFunc && len(of.Def.Params) > 0 {
				e.hint = "if the program reads its sizes from its arguments, write smaller ones: girih run FILE -- 128 128 64"
			}
		}
		return nil, e
	}
	if err := r.hold(int(n) * python.ValueBytes); err != nil {
		return nil, err
	}
	a := &Array{Type: elem.C, Cells: make([]*cell, n)}
	if narrow[elem.Name] {
		a.elem, _ = elementTypeOf(elem)
	}
	for i := range a.Cells {
		a.Cells[i] = &cell{typ: elem.C, elem: a.elem, in: a, at: i}
	}
	return a, nil
}

// An alias is an alias template, template <class T> using NAME = TYPE.
type alias struct {
	def   *program.Using
	scope *scope
}

// aliasType returns the type that an alias template denotes for the given arguments.
func (r *runner) aliasType(a *alias, x *program.Template) (TypeValue, error) {
	s := &scope{names: make(map[string]*cell), outer: a.scope}
	if err := r.bindTemplate(a.def.Params, x.Args, s); err != nil {
		return TypeValue{}, err
	}
	outer := r.scope
	r.scope = s
	t, err := r.resolve(a.def.Type)
	r.scope = outer
	return t, err
}

// using runs using NAME = TYPE.
func (r *runner) using(st *program.Using) error {
	if st.Params != nil {
		r.declare(st.Name, &cell{v: &alias{st, r.scope}})
		return nil
	}
	v, err := r.typeNamed(st.Type)
	if err != nil {
		return err
	}
	r.declare(st.Name, &cell{v: v})
	return nil
}

// typeNamed returns a type as a value: a type of numbers, a type of the program, or, for a type of CuTe, the value that
// it denotes.
func (r *runner) typeNamed(x program.Expr) (Value, error) {
	t, err := r.resolve(x)
	if err != nil {
		return nil, err
	}
	if t != (TypeValue{}) {
		return t, nil
	}
	if of, ok := x.(*program.TypeOf); ok && of.X != nil {
		if c := r.sample(of.X); c != nil && isTMA(c.v) {
			return c.v, nil
		}
	}
	if tree, ok := r.typeTree(x); ok {
		return r.solve(tree, x)
	}
	if name, ok := x.(*program.Name); ok {
		if v, err := r.lookupValue(name.Name); v != nil && err == nil {
			return v, nil
		}
	}
	if template, ok := x.(*program.Template); ok && namesInstruction(template) {
		return r.instructionType(template)
	}
	if v, err := r.readPasted(x, errorf(cute.CodeName, "%s is not bound", r.src[x.Pos():x.End()])); err == nil {
		return v, nil
	}
	return TypeValue{Name: strings.Join(strings.Fields(r.src[x.Pos():x.End()]), " ")}, nil
}
