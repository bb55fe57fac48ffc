package interp

import (
	"maps"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
)

// This file has the vector types of CUDA, such as float4 and half2, and pointers to them. A value of such a type is an
// object with the fields x, y, z and w. A pointer to vectors, as in reinterpret_cast<float4*>(p), is the pointer to
// numbers that it was cast from. A vector is several of these numbers, which one access reads or writes.
//
//	float4 v = reinterpret_cast<float4*>(&A[8])[1];   // A[12], A[13], A[14], A[15]
//
// The numbers may have another type, as in a float4 that is eight halves. Such a vector is moved as a whole; its fields
// are not known.

// A cudaVector is a vector type.
type cudaVector struct {
	typ  TypeValue
	elem TypeValue
	of   dtype.Type // the type of the fields
	n    int64
}

// cudaVectors are the vector types by their names.
var cudaVectors = makeCudaVectors()

func makeCudaVectors() map[string]*cudaVector {
	out := make(map[string]*cudaVector)
	add := func(name, elem string, n int) {
		def := &program.Declare{Type: &program.Name{Name: elem}}
		for _, f := range []string{"x", "y", "z", "w"}[:n] {
			def.Names = append(def.Names, program.Declarator{Name: f})
		}
		v := &cudaVector{elem: TypeValue{Name: elem}, n: int64(n)}
		v.elem.C, _ = cTypeOf(elem)
		v.of, _ = elementTypeOf(v.elem)
		s := &StructType{Def: &program.Struct{Name: name, Body: []program.Stmt{def}}}
		v.typ = TypeValue{Name: name, Struct: s}
		out[name] = v
	}
	for short, elem := range map[string]string{
		"float": "float", "double": "double", "char": "signed char", "uchar": "unsigned char", "short": "short",
		"ushort": "unsigned short", "int": "int", "uint": "unsigned int", "long": "long", "ulong": "unsigned long",
		"longlong": "long long", "ulonglong": "unsigned long long",
	} {
		for n := 1; n <= 4; n++ {
			add(short+itoa(int64(n)), elem, n)
		}
	}
	for _, name := range []string{"half2", "__half2"} {
		add(name, "half", 2)
	}
	for _, name := range []string{"nv_bfloat162", "__nv_bfloat162"} {
		add(name, "__nv_bfloat16", 2)
	}
	return out
}

// cudaVectorOf returns the vector type that a type is, or nil.
func cudaVectorOf(t *StructType) *cudaVector {
	if t == nil {
		return nil
	}
	if v := cudaVectors[t.Def.Name]; v != nil && v.typ.Struct == t {
		return v
	}
	return nil
}

// align returns the alignment of a vector in bits.
func (v *cudaVector) align() int64 {
	if v.n == 3 {
		return int64(v.of.Bits())
	}
	return min(v.n*int64(v.of.Bits()), 128)
}

// A vectorPointer is a pointer to vectors: the pointer to the first number, and how many numbers a vector has.
type vectorPointer struct {
	base Value // an Address, a *tracedAddress or a Pointer to an array of numbers
	of   *cudaVector
	elem dtype.Type // of the numbers in memory
	n    int64
}

// castVector casts a pointer to a pointer to vectors, and back; ok is false for other casts.
func (r *runner) castVector(v Value, t TypeValue) (out Value, ok bool, err error) {
	if t.Name != "pointer" {
		return nil, false, nil
	}
	of := cudaVectorOf(t.Elem.Struct)
	p, isVector := v.(*vectorPointer)
	switch {
	case of == nil && !isVector:
		return nil, false, nil
	case of == nil:
		out, err = r.castBack(p, *t.Elem)
		return out, true, err
	case isVector:
		v = p.base
	}
	if isPointerTo(v, of) {
		return v, true, nil
	}
	elem, ok := pointedElement(v)
	if a, isAddress := v.(Address); isAddress && elem.Bits() == 8 && of.of.Bits() > 8 { // as the type they contain
		if v, err = a.as(of.of); err != nil {
			return nil, true, err
		}
		elem = of.of
	}
	bits := of.n * int64(of.of.Bits())
	if !ok || bits%int64(elem.Bits()) != 0 {
		return nil, true, errorf(cute.CodeType, "expected a pointer to numbers for %s*, found %s", of.typ.Name, cppDescribe(v))
	}
	return &vectorPointer{decay(v), of, elem, bits / int64(elem.Bits())}, true, nil
}

// isPointerTo reports whether a value is null, or the pointer to a variable of a vector type.
func isPointerTo(v Value, of *cudaVector) bool {
	if _, isNull := v.(None); isNull {
		return true
	}
	p, ok := decay(v).(Pointer)
	if !ok || p.At < 0 || p.At >= int64(len(p.Of.Cells)) {
		return false
	}
	o, ok := p.Of.Cells[p.At].v.(*Object)
	return ok && o.Type == of.typ.Struct
}

// castBack casts a pointer to vectors to a pointer to numbers.
func (r *runner) castBack(p *vectorPointer, t TypeValue) (Value, error) {
	if elem, ok := elementTypeOf(t); ok && elem == p.elem {
		return p.base, nil
	}
	if a, isAddress := p.base.(Address); isAddress {
		return r.castAddress(a, t)
	}
	return nil, errorf(cute.CodeType, "a pointer to %s, which are numbers %v, is not run as one to %s", p.of.typ.Name,
		p.elem, t.Name)
}

// pointedElement returns the type of the numbers to which a pointer points; ok is false for other values.
func pointedElement(v Value) (dtype.Type, bool) {
	switch v := decay(v).(type) {
	case Address:
		return v.typ, true
	case *tracedAddress:
		return v.memory.typ, len(v.extents) <= 1
	case Pointer:
		if v.Of.elem != 0 {
			return v.Of.elem, true
		}
		t := cElements[v.Of.Type]
		return t, t != 0 && v.Of.Type != CNone
	}
	return 0, false
}

// vectorPointerBinary computes P + I, I + P and P - I for a pointer to vectors.
func (r *runner) vectorPointerBinary(op string, a, b Value) (v Value, ok bool, err error) {
	p, isP := a.(*vectorPointer)
	if q, isQ := b.(*vectorPointer); isQ && !isP && op == "+" {
		p, isP = q, true
		b = a
	}
	if !isP || op != "+" && op != "-" {
		return nil, false, nil
	}
	by, err := r.combine("*", b, cInt(uint64(p.n), CIntType), nowhere)
	if err != nil {
		return nil, true, err
	}
	q := *p
	q.base, err = r.combine(op, p.base, by, nowhere)
	return &q, true, err
}

// vectorPlace returns p[i] as a variable.
func (r *runner) vectorPlace(p *vectorPointer, i Value, at program.Node) (*cell, error) {
	v, _, err := r.vectorPointerBinary("+", p, i)
	if err != nil {
		return nil, err
	}
	q := v.(*vectorPointer) // as vectorPointerBinary returns
	c := &cell{v: None{}}
	c.used = func() (err error) {
		c.v, err = r.loadPacked(q, at)
		return err
	}
	c.put = func(v Value) error { return r.storePacked(q, v, at) }
	return c, nil
}

// number returns number k of the vector to which a pointer points, as a variable.
func (p *vectorPointer) number(r *runner, k int64, at program.Node) (*cell, error) {
	v, err := r.combine("+", p.base, cInt(uint64(k), CIntType), at)
	if err != nil {
		return nil, err
	}
	return r.pointee(v, at)
}

// inMemory returns the memory to which a pointer points, and the number to which it points; ok is false for arrays of a
// thread.
func (p *vectorPointer) inMemory() (memory Address, start Value, ok bool) {
	t, ok := pointerOf(p.base)
	if !ok {
		return Address{}, nil, false
	}
	return t.memory, t.start, true
}

// isAligned returns an error if a vector does not begin at a multiple of its size.
func (p *vectorPointer) isAligned() error {
	a, ok := p.base.(Address)
	if !ok {
		return nil
	}
	at := a.At * int64(a.typ.Bits())
	if by := p.of.align(); at%by != 0 {
		e := errorf(cute.CodeNotDivisible, "expected a %s at a multiple of %d bytes, found it at byte %d",
			p.of.typ.Name, by/8, at/8)
		e.hint = "let the index of its first number be a multiple of " + itoa(by/int64(a.typ.Bits()))
		return e
	}
	return nil
}

// loadPacked reads the vector to which a pointer points.
func (r *runner) loadPacked(p *vectorPointer, at program.Node) (Value, error) {
	var list Tuple
	if memory, start, ok := p.inMemory(); ok && r.traces() {
		x := tracedCall{name: "load_vector", at: at, run: r.noAccess}
		v, err := r.tracerCall(x, &arguments{pos: []Value{memory, start, Int(p.n)}})
		if err != nil {
			return nil, err
		}
		list, _ = v.(Tuple)
	} else {
		if err := p.isAligned(); err != nil {
			return nil, err
		}
		for k := range p.n {
			c, err := p.number(r, k, at)
			if err != nil {
				return nil, err
			}
			v, err := r.load(c, nowhereIn(at))
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
	}
	if p.elem == p.of.of {
		return r.object(p.of.typ.Struct, list)
	}
	return &Object{Type: p.of.typ.Struct, raw: list, rawType: p.elem}, nil
}

func (r *runner) noAccess([]Value) (Value, error) { return nil, r.notFollowed("this access") }

// nowhereIn returns the place of a node for errors of load, whose text names it.
func nowhereIn(at program.Node) program.Node {
	if at == nil {
		return nowhere
	}
	return at
}

// storePacked assigns to the vector to which a pointer points.
func (r *runner) storePacked(p *vectorPointer, v Value, at program.Node) error {
	list, err := r.numbersOf(p, v)
	if err != nil {
		return err
	}
	if memory, start, ok := p.inMemory(); ok && r.traces() {
		x := tracedCall{name: "store_vector", at: at, run: r.noAccess}
		_, err := r.tracerCall(x, &arguments{pos: append([]Value{memory, start}, list...)})
		return err
	}
	if err := p.isAligned(); err != nil {
		return err
	}
	for k, v := range list {
		c, err := p.number(r, int64(k), at)
		if err == nil {
			err = r.assignTo(c, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// numbersOf returns the numbers of a vector as they are in the memory to which a pointer points.
func (r *runner) numbersOf(p *vectorPointer, v Value) ([]Value, error) {
	o, ok := v.(*Object)
	switch {
	case !ok || o.Type != p.of.typ.Struct:
		return nil, errorf(cute.CodeType, "expected a %s, found %s", p.of.typ.Name, cppDescribe(v))
	case o.raw != nil && o.rawType == p.elem:
		return o.raw, nil
	case o.raw == nil && p.of.of == p.elem:
		list := o.values()
		for i, v := range list {
			if v == nil {
				return nil, errorf(cute.CodeName, "the field %s of a %s is read before a value is assigned to it: undefined in C++",
					o.names[i], p.of.typ.Name)
			}
		}
		return list, nil
	case o.raw == nil && isZeroVector(o):
		list := make([]Value, p.n)
		for i := range list {
			list[i] = cInt(0, CIntType)
		}
		return list, nil
	}
	from := o.rawType
	if o.raw == nil {
		from = p.of.of
	}
	return nil, errorf(cute.CodeType, "a %s of numbers %v is not stored as numbers %v", p.of.typ.Name, from, p.elem)
}

// isZeroVector reports whether all bits of a vector are known to be 0.
func isZeroVector(o *Object) bool {
	for _, v := range o.values() {
		switch v := v.(type) {
		case CInt:
			if v.Bits != 0 {
				return false
			}
		case CFloat:
			if v.F != 0 || 1/v.F < 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// vectorField returns the field of p[i], *p or p->x as a variable, without an access to the other fields; ok is false
// if an expression is no such field.
func (r *runner) vectorField(x *program.Attr) (c *cell, ok bool, err error) {
	base, index := vectorBase(x.X)
	if r.lang != program.Cpp || len(x.Name) != 1 || !r.pointsToVectors(base) {
		return nil, false, nil
	}
	v, err := r.value(base)
	i := Value(cInt(0, CIntType))
	if err == nil && index != nil {
		i, err = r.value(index)
	}
	if err == nil {
		c, err = r.fieldAt(v, i, x)
	}
	return c, true, r.at(x, err)
}

// vectorBase returns the pointer and the index of p[i], *p and p->x; the index may be nil.
func vectorBase(x program.Expr) (base, index program.Expr) {
	switch y := x.(type) {
	case *program.Index:
		if len(y.Args) == 1 {
			return y.X, y.Args[0]
		}
	case *program.Unary:
		if y.Op == "*" {
			return y.X, nil
		}
	}
	return x, nil
}

// fieldAt returns a field of v[i] as a variable, where v is a pointer to vectors or to a variable.
func (r *runner) fieldAt(v, i Value, x *program.Attr) (*cell, error) {
	p, isVector := v.(*vectorPointer)
	if !isVector {
		c, _, err := elementAt(v, i)
		if err != nil {
			return nil, err
		}
		if o, isObject := c.v.(*Object); isObject && o.raw == nil {
			return o.fields[x.Name], nil
		}
		return nil, errorf(cute.CodeType, "the field %s is not known", x.Name)
	}
	k := int64(strings.Index("xyzw", x.Name))
	if k < 0 || k >= p.of.n || p.elem != p.of.of {
		return nil, errorf(cute.CodeType, "the field %s of a %s in memory of numbers %v is not known", x.Name, p.of.typ.Name,
			p.elem)
	}
	w, _, err := r.vectorPointerBinary("+", p, i)
	if err != nil {
		return nil, err
	}
	return w.(*vectorPointer).number(r, k, x) // as vectorPointerBinary returns
}

// pointsToVectors reports whether an expression is a pointer to vectors: a variable, a cast, or a sum of these.
func (r *runner) pointsToVectors(x program.Expr) bool {
	switch x := x.(type) {
	case *program.Name:
		if c := r.find(x); c != nil {
			_, ok := c.v.(*vectorPointer)
			return ok
		}
	case *program.Cast:
		if t, err := r.resolve(x.Type); err == nil && t.Name == "pointer" {
			return cudaVectorOf(t.Elem.Struct) != nil
		}
	case *program.Binary:
		return r.pointsToVectors(x.X) || r.pointsToVectors(x.Y)
	}
	return false
}

// setVector assigns a vector to a variable that is one, field by field: conditions carry the fields. ok is false for
// other values.
func setVector(c *cell, v Value) bool {
	to, isVector := c.v.(*Object)
	from, ok := v.(*Object)
	if !isVector || !ok || cudaVectorOf(to.Type) == nil || from.Type != to.Type || from.raw != nil || to.raw != nil {
		return false
	}
	values := make(map[string]Value)
	for name, f := range from.fields {
		values[name] = f.v
	}
	for name := range maps.Keys(to.fields) {
		to.fields[name].v = values[name]
	}
	return true
}

// makeVector returns make_NAME, the function that makes a vector, or nil.
func makeVector(name string) Value {
	short, ok := strings.CutPrefix(name, "make_")
	if of := cudaVectors[map[string]string{"bfloat162": "__nv_bfloat162"}[short]]; ok && of != nil {
		return of.maker(name)
	}
	if of := cudaVectors[short]; ok && of != nil {
		return of.maker(name)
	}
	return nil
}

// maker returns a function that makes a vector of its fields.
func (v *cudaVector) maker(name string) Value {
	return &Builtin{Name: name, Call: func(r *runner, c *arguments) (Value, error) {
		if int64(len(c.pos)) != v.n {
			return nil, errorf(cute.CodeRank, "expected %d numbers for %s, found %d", v.n, name, len(c.pos))
		}
		return r.object(v.typ.Struct, c.pos)
	}}
}

// toElement converts a number to a type such as half.
func (r *runner) toElement(t dtype.Type, v Value) (Value, error) {
	if _, traced := v.(*Traced); traced && r.tracing != nil {
		to := tracedCall{name: "to", at: r.here, run: r.noAccess}
		return r.tracerCall(to, &arguments{pos: []Value{v, TypeValue{Name: t.CPP()}}})
	}
	return r.elementFrom(t, &arguments{pos: []Value{v}})
}

// memberOfType evaluates T::name for a type, and the field of a vector in memory; ok is false for other attributes.
func (r *runner) memberOfType(x *program.Attr) (v Value, ok bool, err error) {
	if v, ok, err := r.valueOfType(x); ok {
		return v, true, err
	}
	c, ok, err := r.vectorField(x)
	if !ok || err != nil {
		return nil, ok, err
	}
	v, err = r.load(c, x)
	return v, true, err
}
