package interp

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
)

// This file implements shared memory whose size the launch decides, extern __shared__ T x[], and casts of pointers to
// it. All such variables of a block are the same memory.

// maxShared limits the shared memory of a block, in bytes, to the maximum of a GPU of compute capability 9.0.
const maxShared = 227 << 10

// dynamicShared returns the variable that extern __shared__ T NAME[] declares.
func (r *runner) dynamicShared(t TypeValue) (*cell, error) {
	elem, ok := elementTypeOf(t)
	if t.C == CNone && t.Name == "uint128_t" {
		elem, ok = dtype.B64, true
	}
	if !ok {
		return nil, errorf(cute.CodeType, "expected a type of numbers for the shared memory, found %s", t.Name)
	}
	k := r.kernel
	key := "extern"
	w, made := k.shared[key].(Address)
	if !made {
		bytes := int64(maxShared)
		if r.dynamic != nil {
			bytes = *r.dynamic
		}
		if bytes <= 0 || bytes > maxShared {
			e := errorf(cute.CodeLimit, "expected a launch with 1 to %d bytes of shared memory for extern __shared__, found %d",
				maxShared, bytes)
			e.hint = "state them: f<<<grid, block, bytes>>>(..)"
			return nil, e
		}
		of, err := r.newMemory(dtype.U8, bytes)
		if err != nil {
			return nil, err
		}
		w = Address{of.in(atom.SharedMemory), 0}
		k.shared[key] = w
	}
	v, err := w.as(elem)
	return &cell{v: v}, err
}

// castAddress casts a pointer to elements in a memory. The fields of a type that the program declares are at their
// places in the memory.
func (r *runner) castAddress(p Address, t TypeValue) (Value, error) {
	if elem, ok := elementTypeOf(t); ok {
		return p.as(elem)
	}
	if t.Struct == nil {
		return nil, errorf(cute.CodeType, "a pointer to %s is not run here", t.Name)
	}
	bytes, err := p.as(dtype.U8)
	if err != nil {
		return nil, err
	}
	start := bytes.(Address) // as always returns an Address
	o := &Object{Type: t.Struct, fields: make(map[string]*cell)}
	_, _, err = r.eachField(t, func(name string, elem dtype.Type, at int64) error {
		v, err := Address{start.window, start.At + at}.as(elem)
		o.names = append(o.names, name)
		o.fields[name] = &cell{v: v}
		return err
	})
	return Pointer{Of: &Array{Cells: []*cell{{v: o}}}}, err
}

// eachField calls f for each field of a type, with the type of its elements and its offset in bytes. It returns the
// size and the alignment of the type.
func (r *runner) eachField(
	t TypeValue, f func(name string, elem dtype.Type, at int64) error,
) (size, align int64, err error) {
	outer := r.scope
	if t.Struct.scope != nil {
		r.scope = t.Struct.scope
	}
	defer func() { r.scope = outer }()
	align = 1
	for _, st := range t.Struct.Def.Body {
		d, ok := st.(*program.Declare)
		if !ok || d.Const || d.Static {
			continue
		}
		of, err := r.resolve(d.Type)
		if err != nil {
			return 0, 0, err
		}
		for i := range d.Names {
			q := &d.Names[i]
			elem, n, by, err := r.fieldType(of, q)
			if err != nil {
				return 0, 0, err
			}
			size = (size + by - 1) / by * by
			if err := f(q.Name, elem, size); err != nil {
				return 0, 0, err
			}
			size += (n*int64(elem.Bits()) + 7) / 8
			align = max(align, by)
		}
	}
	return (size + align - 1) / align * align, align, nil
}

// fieldType returns the type of the elements of a field, their number and the alignment of the field in bytes.
func (r *runner) fieldType(t TypeValue, q *program.Declarator) (elem dtype.Type, n, align int64, err error) {
	n = 1
	of := t
	if vectors[t.Name] && t.Size > 0 {
		of, n = *t.Elem, t.Size
	}
	for _, d := range q.Dims {
		m, err := r.count(d)
		if err != nil {
			return 0, 0, 0, err
		}
		n *= m
	}
	elem, ok := elementTypeOf(of)
	if !ok && (of.Struct != nil || of.Name == "") {
		e := errorf(cute.CodeNotRepresentable, "the field %s of shared memory is a structure or a union, which is not run",
			q.Name)
		e.hint = "declare its members in the outer structure; memory that is used again needs a union, which is not followed"
		return 0, 0, 0, e
	}
	if !ok || elem.Bits() > 64 {
		return 0, 0, 0, errorf(cute.CodeType, "a field of the type %s is not run in shared memory", of.Name)
	}
	align = max(1, int64(elem.Bits())/8)
	if t.Name == "ArrayEngine" || t.Name == "array_aligned" {
		align = 16
	}
	return elem, n, align, nil
}

// sizeOfType returns the size of a type; text names it in an error.
func (r *runner) sizeOfType(t TypeValue, text string) (Value, error) {
	if t.Struct != nil && t.Struct.Def.Overlaid {
		return nil, errorf(cute.CodeType, "the size of %s is not known: it is a union, or derived from other types", text)
	}
	if t.Struct != nil {
		n, _, err := r.eachField(t, func(string, dtype.Type, int64) error { return nil })
		return cInt(uint64(max(n, 1)), CULong), err
	}
	if elem, ok := elementTypeOf(t); ok && t.C == CNone {
		return cInt(uint64(elem.Bits()+7)/8, CULong), nil
	}
	return t.sizeIn(text)
}
