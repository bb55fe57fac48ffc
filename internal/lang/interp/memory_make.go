package interp

import (
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/tensor"
)

// This file makes tensors with storage, and pointers to storage.

// An Address is a pointer into a memory: it points to element At of its window.
type Address struct {
	*window
	At int64
}

// A memoryRow implements a function of CuTe for tensors with storage. If its arguments have no storage, it returns
// errNoMemory, and the operation of the algebra with the same name is called instead. t is the type among the template
// arguments, or 0.
type memoryRow func(r *runner, c *arguments, t dtype.Type) (Value, error)

// errNoMemory says that no argument has storage.
var errNoMemory = errorf(cute.CodeType, "expected a tensor with storage")

// memoryRows lists the functions of CuTe on tensors with storage.
var memoryRows map[string]memoryRow

func init() {
	memoryRows = map[string]memoryRow{
		"make_tensor": makeTensor, "make_rmem_tensor": makeRegisters, "make_fragment": makeRegisters,
		"make_tensor_like": makeTensorLike, "make_fragment_like": makeLike, "make_rmem_tensor_like": makeLike,
		"make_gmem_ptr": pointerIn(atom.GlobalMemory), "make_smem_ptr": pointerIn(atom.SharedMemory),
		"make_rmem_ptr": pointerIn(atom.Registers), "raw_pointer_cast": pointerIn(atom.Anywhere),
		"make_ptr":          makePtr,
		"counting_iterator": countingIterator, "recast": recastTensor, "recast_tensor": recastTensor,
		"clear": clearTensor, "fill": fillTensor, "copy": copyTensor, "copy_if": copyTensorIf, "basic_copy": copyTensor,
		"autovec_copy": copyTensor, "copy_vec": copyTensor, "copy_aligned": copyTensor,
		"cooperative_copy": cooperativeCopy, "cooperative_fill": fillTensor, "cooperative_clear": clearTensor,
		"as_position_independent_swizzle_tensor": sameTensor,
		"axpby":                                  axpby, "transform": transform,
		"gemm": gemmTensors, "from_dlpack": fromDLPack,
	}
	memoryRows["retile_S"], memoryRows["retile_D"] = retile("retile_S"), retile("retile_D")
	for name := range kernelRows {
		memoryRows[name] = cppKernelRow(name)
	}
	for _, o := range []string{"A", "B", "C"} {
		memoryRows["make_fragment_"+o] = fragment("make_fragment_"+o, o)
		memoryRows["partition_fragment_"+o] = fragment("partition_fragment_"+o, o)
	}
}

// memoryRow returns a function on tensors with storage, or nil.
func (r *runner) memoryRow(name string) memoryRow {
	f := memoryRows[name]
	if f == nil && r.given != nil && r.given.elem != 0 {
		f = givenRows[name]
	}
	return f
}

// callMemory calls a function on tensors with storage; ok is false if the operation of the algebra should be called
// instead.
func (r *runner) callMemory(name string, x *program.Call, template []program.Expr) (v Value, ok bool, err error) {
	if r.traces() {
		if v, ok, err := r.callTraced(name, x, template); ok {
			return v, ok, err
		}
	}
	f := r.memoryRow(name)
	if f == nil || r.lang == program.Notation {
		return nil, false, nil
	}
	if fn, ok := x.Fn.(*program.Name); ok && name == "transform" && strings.HasSuffix(fn.Path, "lazy") {
		v, err = r.lazyTransform(x)
		return v, true, err
	}
	c, err := r.evaluateArguments(x)
	if err != nil {
		// An operand without a value may be valid in the algebra, such as the pointer of a tensor without storage.
		isPointer := strings.HasPrefix(name, "make_") && strings.HasSuffix(name, "mem_ptr")
		return nil, !isOperation(name) && !isPointer, err
	}
	t := dtype.Type(0)
	for _, a := range template {
		if t, ok = r.elementType(a); ok {
			break
		}
	}
	r.passNull(name, x, c, t)
	used := r.use(name, x, c)
	v, err = f(r, c, t)
	used(err)
	if err == errNoMemory { //nolint:errorlint // it is not wrapped
		if isOperation(name) {
			return nil, false, nil
		}
		return nil, true, errorf(cute.CodeType, "%s needs tensors with storage: make_tensor of an array, or of a pointer "+
			"that has a value", name)
	}
	return v, true, r.at(x, err)
}

// passNull sets the element type of a null pointer that is the first argument of make_tensor, make_smem_ptr or a
// similar function: make_smem_ptr((float*)nullptr), make_gmem_ptr<half_t>(nullptr), make_tensor(p, layout).
func (r *runner) passNull(name string, x *program.Call, c *arguments, t dtype.Type) {
	isPointer := strings.HasPrefix(name, "make_") && strings.HasSuffix(name, "mem_ptr")
	if r.lang != program.Cpp || len(c.pos) == 0 || len(x.Args) == 0 || name != "make_tensor" && !isPointer {
		return
	}
	n, isInt := c.pos[0].(CInt)
	if _, isNull := c.pos[0].(None); !isNull && (!isInt || n.Bits != 0) {
		return
	}
	elem := r.pointedTo(x.Args[0].X)
	if elem == 0 && isPointer {
		elem = t
	}
	if elem != 0 {
		c.pos[0] = nullAddress(elem)
	}
}

// pointedTo returns the type to which the pointer in a cast or a variable points, or 0.
func (r *runner) pointedTo(x program.Expr) dtype.Type {
	var of *TypeValue
	switch x := x.(type) {
	case *program.Cast:
		if t, err := r.resolve(x.Type); err == nil {
			of = t.Elem
		}
	case *program.Name:
		if c, _ := r.lookup(x.Name); c != nil {
			of = c.to
		}
	}
	if of == nil {
		return 0
	}
	t, _ := elementTypeOf(*of)
	return t
}

// elementType returns the element type that a type expression denotes; ok is false if it denotes none.
func (r *runner) elementType(x program.Expr) (dtype.Type, bool) {
	if n, ok := x.(*program.Name); ok {
		if v, _ := r.lookupValue(n.Name); v != nil {
			return elementTypeOf(v)
		}
		if t, ok := cTypeOf(n.Name); ok {
			return cElements[t], true
		}
		t, err := dtype.Parse(n.Name)
		return t, err == nil
	}
	if _, isType := x.(*program.Number); isType {
		return 0, false
	}
	if t, ok := x.(*program.Template); ok && nameOf(t.X) == "uint_byte_t" && len(t.Args) == 1 {
		n, err := r.count(t.Args[0])
		if err != nil {
			return 0, false
		}
		elem, err := dtype.Parse("b" + itoa(8*n))
		return elem, err == nil
	}
	v, err := r.value(x)
	if err != nil {
		return 0, false
	}
	return elementTypeOf(v)
}

// elementTypeOf returns the element type that a value denotes, such as cutlass.Float16, torch.float32 or half_t.
func elementTypeOf(v Value) (dtype.Type, bool) {
	t, ok := v.(TypeValue)
	if !ok {
		return 0, false
	}
	if t.C != CNone {
		return cElements[t.C], true
	}
	switch t.Name {
	case "float":
		return dtype.F64, true // Python's float
	case "int":
		return dtype.S64, true
	case "bool":
		return dtype.U1, true
	}
	typ, err := dtype.Parse(t.Name)
	return typ, err == nil
}

// withNumbers returns a value of the algebra with numbers in place of its run-time integers.
func withNumbers(a Algebra) eval.Value {
	if a.Form != nil {
		return a.Form
	}
	return a.Value
}

// callValues calls an operation of the algebra with the given values.
func (r *runner) callValues(name string, args ...Value) (Value, error) {
	at := program.Span{}
	trees, err := r.trees(args, at)
	if err != nil {
		return nil, err
	}
	return r.solve(callTree(name, spanOf(at), trees), at)
}

// layoutOf returns the layout that arguments state: a layout, a shape, or a shape and a stride.
func (r *runner) layoutOf(args []Value) (cute.Inner, error) {
	if len(args) == 0 || len(args) > 2 {
		return nil, errorf(cute.CodeRank, "expected a layout, or a shape and a stride, found %d arguments", len(args))
	}
	if len(args) == 1 {
		if a, ok := args[0].(Algebra); ok {
			switch l := withNumbers(a).(type) {
			case eval.Layout:
				return l.Layout, nil
			case eval.Composed:
				return l.Composed, nil
			case eval.Tensor:
				return l.Domain(), nil
			}
		}
	}
	v, err := r.callValues("make_layout", args...)
	if err != nil {
		return nil, err
	}
	a, err := r.asAlgebra(v)
	if err != nil {
		return nil, err
	}
	if l, ok := withNumbers(a).(eval.Layout); ok {
		return l.Layout, nil
	}
	return nil, errorf(cute.CodeType, "expected a layout with known integers, found %s", r.describe(v))
}

// makeTensor implements make_tensor(ptr, layout), and make_tensor<T>(layout), which owns its elements.
func makeTensor(r *runner, c *arguments, t dtype.Type) (Value, error) {
	if t != 0 {
		l, err := r.layoutOf(c.pos)
		if err != nil {
			return nil, err
		}
		return r.allocatedIn(atom.Registers, t, l)
	}
	if len(c.pos) < 2 {
		return nil, errNoMemory
	}
	p, ok, err := r.addressOf(c.pos[0])
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errNoMemory
	}
	l, err := r.layoutOf(c.pos[1:])
	if err != nil {
		return nil, err
	}
	if _, err := tensor.Places(p.elements(), p.At, l); err != nil {
		return nil, err
	}
	a, err := r.tensorOn(p.window, p.At, l)
	if err != nil || !r.atTrace() {
		return r.likeLayout(a, c.pos[1:]), err
	}
	v, err := r.callValues("make_layout", c.pos[1:]...)
	if of, ok := c.pos[1].(Algebra); ok && of.Value.Kind() == eval.KindLayout {
		v, err = of, nil
	}
	if err == nil {
		a.setLate(v)
	}
	return a, nil
}

// allocatedIn returns a tensor with a new memory in a memory space.
func (r *runner) allocatedIn(s atom.Space, t dtype.Type, l cute.Inner) (Value, error) {
	a, err := r.allocate(t, l)
	if err != nil {
		return nil, err
	}
	a.space = s
	return a, nil
}

// makeRegisters implements make_rmem_tensor(layout, dtype) of the CuTe DSL.
func makeRegisters(r *runner, c *arguments, t dtype.Type) (Value, error) {
	layout := c.pos
	if by := c.take("dtype"); by != nil {
		t, _ = elementTypeOf(by)
	} else if n := len(c.pos) - 1; n > 0 {
		if u, ok := elementTypeOf(c.pos[n]); ok {
			t, layout = u, c.pos[:n]
		}
	}
	if t == 0 {
		return nil, errorf(cute.CodeType, "expected a type of elements after the layout, such as cutlass.Float32")
	}
	l, err := r.layoutOf(layout)
	if err != nil {
		return nil, err
	}
	return r.allocatedIn(atom.Registers, t, l)
}

// makeLike implements make_fragment_like(x), make_fragment_like<T>(x) and make_fragment_like(x, dtype), which return
// registers for a tensor.
func makeLike(r *runner, c *arguments, t dtype.Type) (Value, error) {
	if by := c.take("dtype"); by != nil {
		t, _ = elementTypeOf(by)
	}
	if len(c.pos) == 2 {
		t, _ = elementTypeOf(c.pos[1])
	}
	if len(c.pos) == 0 {
		return nil, errNoMemory
	}
	a, ok := c.pos[0].(Algebra)
	if !ok || t == 0 && !a.isTensor() {
		return r.likeWithoutStorage(c, tensor.FragmentLayout)
	}
	if t == 0 {
		t = a.typ
	}
	l, err := r.layoutOf([]Value{a})
	if err != nil {
		return nil, err
	}
	domain, ok := l.(cute.Layout)
	if !ok {
		domain = l.(cute.Composed).Layout()
	}
	if domain, err = tensor.FragmentLayout(domain); err != nil {
		return nil, err
	}
	return r.allocatedIn(atom.Registers, t, domain)
}

// makeTensorLike implements make_tensor_like(x): the result is compact, and its modes have the order of the strides of
// x.
func makeTensorLike(r *runner, c *arguments, t dtype.Type) (Value, error) {
	a, err := c.storage(0)
	if err != nil {
		return r.likeWithoutStorage(c, cute.MakeLayoutLike)
	}
	if t == 0 {
		t = a.typ
	}
	l, err := cute.MakeLayoutLike(a.view().Domain())
	if err != nil {
		return nil, err
	}
	return r.allocatedIn(atom.Registers, t, l)
}

// likeWithoutStorage implements make_tensor_like for a tensor without storage. The result has no storage either.
func (r *runner) likeWithoutStorage(c *arguments, like func(l cute.Layout) (cute.Layout, error)) (Value, error) {
	if len(c.pos) == 0 {
		return nil, errNoMemory
	}
	a, ok := c.pos[0].(Algebra)
	if !ok {
		return nil, errNoMemory
	}
	t, ok := withNumbers(a).(eval.Tensor)
	if !ok {
		return nil, errNoMemory
	}
	l, err := like(t.Domain())
	if err != nil {
		return nil, err
	}
	r.Env.Bind(" value", eval.Layout{Layout: l})
	bound, _ := r.Env.Take(" value")
	return r.callValues("make_tensor", Int(0), Algebra{Result: eval.Result{Value: eval.Layout{Layout: l}}, bound: bound})
}

// pointerIn returns the implementation of make_gmem_ptr or a similar function.
func pointerIn(s atom.Space) memoryRow {
	return func(r *runner, c *arguments, t dtype.Type) (Value, error) {
		if len(c.pos) != 1 {
			return nil, errNoMemory
		}
		p, ok, err := r.addressOf(c.pos[0])
		if !ok || err != nil {
			if err == nil && isAlgebra(c.pos[0]) {
				return c.pos[0], nil // a counting iterator, or a pointer with an unknown value
			}
			return nil, orNoMemory(err)
		}
		if s != atom.Anywhere {
			p.window = p.in(s)
		}
		if t != 0 && t != p.typ {
			return p.as(t)
		}
		return p, nil
	}
}

func orNoMemory(err error) error {
	if err == nil {
		return errNoMemory
	}
	return err
}

// countingIterator implements counting_iterator<int>(n). The elements of a tensor with this iterator are n and the
// following integers.
func countingIterator(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	switch len(c.pos) {
	case 0:
		return CInt{Type: CIntType}, nil
	case 1:
		if _, ok := integerOf(c.pos[0]); ok {
			return c.pos[0], nil
		}
	}
	return nil, errorf(cute.CodeType, "expected the first integer of a counting iterator")
}

// as returns the same pointer as a pointer to elements of another type.
func (p Address) as(t dtype.Type) (Value, error) {
	bits, to := p.At*int64(p.typ.Bits()), int64(t.Bits())
	if to == 0 || to > 64 || bits%to != 0 {
		return nil, errorf(cute.CodeNotDivisible, "the element %d of %v does not begin an element of %v", p.At, p.typ, t)
	}
	if p.array != nil {
		return nil, errorf(cute.CodeType, "an array of %v is not read as elements of %v", p.typ, t)
	}
	return Address{&window{memory: p.memory, typ: t, align: min(p.align, 0)}, bits / to}, nil
}

// addressOf converts a pointer, an array or a tensor to a pointer into a memory; ok is false for any other value.
func (r *runner) addressOf(v Value) (p Address, ok bool, err error) {
	switch v := v.(type) {
	case Address:
		return v, true, nil
	case *vectorPointer:
		return r.addressOf(v.base)
	case Algebra:
		if !v.isTensor() {
			return p, false, nil
		}
		return Address{v.window, v.view().Start()}, true, nil
	case *Array:
		w, err := r.windowOf(v)
		return Address{w, 0}, err == nil, err
	case Pointer:
		w, err := r.windowOf(v.Of)
		return Address{w, v.At}, err == nil, err
	}
	return p, false, nil
}

// recastTensor implements recast<T>(t), which returns the same bits as elements of another type.
func recastTensor(r *runner, c *arguments, t dtype.Type) (Value, error) {
	if len(c.pos) == 2 {
		t, _ = elementTypeOf(c.pos[1])
	}
	if by := c.take("dtype"); by != nil {
		t, _ = elementTypeOf(by)
	}
	if len(c.pos) == 0 || t == 0 {
		return nil, errNoMemory
	}
	a, ok := c.pos[0].(Algebra)
	if !ok || !a.isTensor() {
		return nil, errNoMemory
	}
	if a.array != nil {
		return nil, errorf(cute.CodeType, "an array of %v is not read as elements of %v", a.typ, t)
	}
	codes, err := tensor.PackedOver(a.view(), a.typ, a.data)
	if err != nil {
		return nil, err
	}
	if codes, err = tensor.RecastPacked(codes, t); err != nil {
		return nil, err
	}
	made, err := r.tensorOn(&window{memory: a.memory, typ: t}, codes.Start(), codes.Layout())
	made.mixed = a.mixed
	return made, err
}

// sameTensor implements as_position_independent_swizzle_tensor(t). It returns t, because here the swizzle of a layout
// permutes elements independently of the address of the memory.
func sameTensor(_ *runner, c *arguments, _ dtype.Type) (Value, error) { return c.storage(0) }

// makePtr implements make_ptr(type, address, space) of the CuTe DSL for the data_ptr() of an array.
func makePtr(_ *runner, c *arguments, _ dtype.Type) (Value, error) {
	if len(c.pos) < 2 {
		return nil, errNoMemory
	}
	p, isAddress := c.pos[1].(Address)
	t, isType := elementTypeOf(c.pos[0])
	if !isAddress || !isType {
		return nil, errNoMemory
	}
	return p.as(t)
}
