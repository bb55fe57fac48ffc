package interp

import (
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements @cute.struct of the CuTe DSL, which declares a type in shared memory, and utils.SmemAllocator,
// which allocates it.

// A dslStruct is a class with the decorator @cute.struct. Its fields have offsets in bytes, as in C.
type dslStruct struct {
	name        string
	fields      []dslField
	size, align int64
}

// A dslField is a field of such a class: elements of a type (cute.struct.MemRange[T, N] or T), or another struct.
type dslField struct {
	name      string
	elem      dtype.Type
	of        *dslStruct // nil if the field consists of elements
	n         int64      // the number of elements
	array     bool       // MemRange
	at, align int64
}

// TypeName returns the name of the type in Python.
func (*dslStruct) TypeName() string { return "struct" }

// TypeName returns the name of the type in Python.
func (dslField) TypeName() string { return "struct" }

// structMember is cute.struct.MemRange[T, N] or cute.struct.Align[T, N].
func (r *runner) structMember(kind string, x *program.Index) (Value, error) {
	v, err := r.index(x)
	if err != nil {
		return nil, err
	}
	list, ok := v.(Tuple)
	if !ok || len(list) != 2 {
		return nil, errorf(cute.CodeRank, "expected cute.struct.%s[TYPE, NUMBER]", kind)
	}
	n, ok := integerOf(list[1])
	if !ok || n < 0 || n > maxShared {
		return nil, errorf(cute.CodeType, "expected a number up to %d in cute.struct.%s, found %s", maxShared, kind,
			r.describe(list[1]))
	}
	f, err := r.memberType(list[0])
	switch {
	case err != nil:
		return nil, err
	case kind == "MemRange":
		f.n, f.array = n, true
	case n&(n-1) != 0 || n == 0:
		return nil, errorf(cute.CodeType, "expected a power of two as an alignment, found %d", n)
	default:
		f.align = max(f.align, n)
	}
	return f, nil
}

// memberType returns a field with the given type.
func (r *runner) memberType(v Value) (dslField, error) {
	switch v := v.(type) {
	case dslField:
		return v, nil
	case *dslStruct:
		return dslField{of: v, n: 1, align: v.align}, nil
	}
	elem, ok := elementTypeOf(v)
	if !ok || elem.Bits() > 64 {
		return dslField{}, errorf(cute.CodeType, "expected a type of elements in cute.struct, found %s", r.describe(v))
	}
	return dslField{elem: elem, n: 1, align: max(1, int64(elem.Bits())/8)}, nil
}

func (f dslField) bytes() int64 {
	if f.of != nil {
		return f.of.size
	}
	return (f.n*int64(f.elem.Bits()) + 7) / 8
}

// structOf makes the struct for a class, from the types of its fields.
func (r *runner) structOf(st *program.Class) (*dslStruct, error) {
	t := &dslStruct{name: st.Name, align: 1}
	for _, line := range st.Body {
		a, ok := line.(*program.Assign)
		if !ok || a.Type == nil {
			continue
		}
		v, err := r.value(a.Type)
		if err != nil {
			return nil, err
		}
		f, err := r.memberType(v)
		if err != nil {
			return nil, r.at(a.Type, err)
		}
		name, _ := a.Targets[0].(*program.Name)
		f.name = name.Name
		f.at = (t.size + f.align - 1) / f.align * f.align
		t.size, t.align = f.at+f.bytes(), max(t.align, f.align)
		if t.size > maxShared {
			return nil, r.at(a, errorf(cute.CodeLimit, "a struct has at most %d bytes", maxShared))
		}
		t.fields = append(t.fields, f)
	}
	t.size = (t.size + t.align - 1) / t.align * t.align
	return t, nil
}

// A structValue is a struct in memory, or an array or an element within it.
type structValue struct {
	dslField
	start Address // the address of the first byte
}

// TypeName returns the name of the type in Python.
func (structValue) TypeName() string { return "struct" }

// field returns a field of a struct in memory.
func (s structValue) field(name string) (v structValue, ok bool) {
	if s.of == nil {
		return v, false
	}
	for _, f := range s.of.fields {
		if f.name == name {
			return structValue{f, Address{s.start.window, s.start.At + f.at}}, true
		}
	}
	return v, false
}

// structAttribute returns an attribute of a struct in memory.
func (r *runner) structAttribute(s structValue, name string) (Value, error) {
	if f, ok := s.field(name); ok {
		return f, nil
	}
	switch {
	case name == "ptr" && s.of == nil:
		return s.start.as(s.elem)
	case name == "size" && s.array:
		return Int(s.n), nil
	}
	return nil, python.Raise("AttributeError", "'%s' object has no attribute '%s'", "struct", name)
}

// structMethod calls a method of a struct type or of a struct in memory; ok is false for any other value.
func (r *runner) structMethod(of Value, name string, c *arguments) (v Value, ok bool, err error) {
	switch s := of.(type) {
	case *dslStruct:
		switch name {
		case "size_in_bytes", "__sizeof__":
			return Int(s.size), true, nil
		case "__alignof__":
			return Int(s.align), true, nil
		}
	case dslField:
		if name == "size_in_bytes" {
			return Int(s.bytes()), true, nil
		}
	case structValue:
		switch {
		case name == "data_ptr" && s.array:
			v, err = s.start.as(s.elem)
			return v, true, err
		case name == "get_tensor" && s.array:
			v, err = r.structTensor(s, c)
			return v, true, err
		}
	}
	return nil, false, nil
}

// structTensor implements get_tensor(layout, swizzle=None, dtype=None) of an array in memory.
func (r *runner) structTensor(s structValue, c *arguments) (Value, error) {
	list, err := c.argumentsNamed("layout", "swizzle", "dtype")
	if err != nil {
		return nil, err
	}
	elem := s.elem
	if list[2] != nil {
		t, ok := elementTypeOf(list[2])
		if !ok {
			return nil, errorf(cute.CodeType, "expected a type of elements, found %s", r.describe(list[2]))
		}
		elem = t
	}
	layout := list[0]
	if list[1] != nil {
		if layout, err = r.callValues("make_composed_layout", list[1], Int(0), layout); err != nil {
			return nil, err
		}
	}
	l, err := r.layoutOf([]Value{layout})
	if err != nil {
		return nil, err
	}
	p, err := s.start.as(elem)
	if err != nil {
		return nil, err
	}
	at := p.(Address) //nolint:forcetypeassert // as returns one
	return r.tensorOn(at.window, at.At, l)
}

// argumentsNamed returns the arguments of the named parameters. The first is required. An argument that is None or
// missing is nil.
func (c *arguments) argumentsNamed(names ...string) ([]Value, error) {
	list := make([]Value, len(names))
	for i, name := range names {
		v := c.take(name)
		if v == nil && i < len(c.pos) {
			v = c.pos[i]
		}
		if v != (None{}) {
			list[i] = v
		}
	}
	if list[0] == nil || len(c.pos) > len(names) || len(c.keys) > 0 {
		return nil, errorf(cute.CodeRank, "expected the arguments %s", strings.Join(names, ", "))
	}
	return list, nil
}

// structElement returns the variable for an element of an array in memory, or for a scalar.
func (r *runner) structElement(s structValue, i Value) (*cell, error) {
	n, ok := integerOf(i)
	if !ok || n < 0 || n >= s.n || s.of != nil {
		return nil, errorf(cute.CodeCodomain, "expected an index from 0 to %d, found %s", s.n-1, r.describe(i))
	}
	p, err := s.start.as(s.elem)
	if err != nil {
		return nil, err
	}
	return r.elementAtAddress(p.(Address), i) //nolint:forcetypeassert // as returns one
}

// setStruct runs X.NAME = V, where X is a struct in memory.
func (r *runner) setStruct(s structValue, name string, v Value) error {
	f, ok := s.field(name)
	if !ok || f.array || f.of != nil {
		return python.Raise("AttributeError", "'struct' object has no scalar '%s'", name)
	}
	c, err := r.structElement(f, Int(0))
	if err != nil {
		return err
	}
	return r.assignTo(c, v)
}

// A smemAllocator is a cutlass.utils.SmemAllocator. It allocates shared memory, which is the same for all threads of a
// block.
type smemAllocator struct{}

// allocateShared calls a method of a smemAllocator.
func (r *runner) allocateShared(name string, c *arguments) (Value, error) {
	if r.kernel == nil {
		return nil, errorf(cute.CodeName, "shared memory is allocated in a kernel only: launch one")
	}
	args := make([]Value, 2)
	for i, names := range [][]string{{"element_type", "size_or_type"}, {"layout", "num_elems"}} {
		for _, n := range names {
			if v := c.take(n); v != nil {
				args[i] = v
			}
		}
		if args[i] == nil && len(c.pos) > 0 {
			args[i], c.pos = c.pos[0], c.pos[1:]
		}
	}
	swizzle := c.take("swizzle")
	align, _ := integerOf(c.take("byte_alignment"))
	if len(c.pos) > 0 {
		align, _ = integerOf(c.pos[0])
	}
	if len(c.pos) > 1 && name == "allocate_tensor" {
		swizzle = c.pos[1]
	}
	if args[0] == nil || args[1] == nil && name != "allocate" {
		return nil, errorf(cute.CodeRank, "expected allocate(TYPE), allocate_array(TYPE, N) or allocate_tensor(TYPE, LAYOUT)")
	}
	k := r.kernel
	k.now.started++
	key := k.now.started
	if v, ok := k.shared[key]; ok {
		return v, nil
	}
	args = append(args, swizzle, Int(align))
	v, err := r.newShared(name, args)
	if err == nil {
		k.shared[key] = v
	}
	return v, err
}

// newShared allocates the memory for a call that allocateShared handles.
func (r *runner) newShared(name string, args []Value) (Value, error) {
	swizzle := args[2]
	alignment, _ := integerOf(args[3])
	if n, ok := integerOf(args[0]); ok && name == "allocate" {
		return r.sharedBytes(n)
	}
	f, err := r.memberType(args[0])
	if err != nil {
		return nil, err
	}
	if name == "allocate_array" {
		n, ok := integerOf(args[1])
		if !ok || n < 0 || n > maxShared {
			return nil, errorf(cute.CodeType, "expected a number of elements, found %s", r.describe(args[1]))
		}
		f.n, f.array = n, true
	}
	if name == "allocate_tensor" {
		l, err := r.layoutOf([]Value{args[1]})
		if err != nil {
			return nil, err
		}
		a, err := r.allocate(f.elem, l)
		if err != nil {
			return nil, err
		}
		w := a.in(atom.SharedMemory)
		w.align = alignment
		if w.private = false; swizzle == nil || swizzle == (None{}) {
			a.window = w
			return a, nil
		}
		f.array = true
		return r.structTensor(structValue{f, Address{w, 0}}, &arguments{pos: []Value{args[1], swizzle}})
	}
	start, err := r.sharedBytes(f.bytes())
	if err != nil {
		return nil, err
	}
	if f.of != nil {
		return structValue{f, start}, nil
	}
	return start.as(f.elem)
}

// sharedBytes allocates bytes of shared memory.
func (r *runner) sharedBytes(n int64) (Address, error) {
	if n < 0 || n > maxShared {
		return Address{}, errorf(cute.CodeLimit, "a block has at most %d bytes of shared memory, found %d", maxShared, n)
	}
	w, err := r.newMemory(dtype.U8, n)
	if err != nil {
		return Address{}, err
	}
	w = w.in(atom.SharedMemory)
	w.align = -1
	return Address{w, 0}, nil
}
