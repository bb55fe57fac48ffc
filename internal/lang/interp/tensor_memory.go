package interp

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
	"girih/tmem"
)

// This file has the words of C++ for tensor memory, which only a [Tracer] has: its allocators, the addresses of tensors
// in it, and their copies to registers.

// tmemAllocators maps the classes in cute::TMEM that allocate tensor memory to the number of blocks that share each
// instruction on it.
var tmemAllocators = map[string]int64{"Allocator1Sm": 1, "Allocator2Sm": 2}

// tmemConstants are the constants of these classes, in columns.
var tmemConstants = map[string]uint64{
	"Sm100TmemCapacityColumns": tmem.Columns, "ColumnsPerAllocationSlice": tmem.LeastAllocation,
}

// A tmemAllocator is an object of one of these classes.
type tmemAllocator struct{ blocks int64 }

// TypeName returns the name of its type in errors.
func (tmemAllocator) TypeName() string { return "allocator of tensor memory" }

// IsForeign marks the type.
func (tmemAllocator) IsForeign() {}

// isUnit reports whether a type has one value: an operation of the TMA, or an allocator.
func isUnit(name string) bool { return tmaOps[name] || tmemAllocators[name] > 0 }

// unit returns the value of such a type.
func unit(t TypeValue) Value {
	if n := tmemAllocators[t.Name]; n > 0 {
		return tmemAllocator{n}
	}
	return t
}

// umma are the functions on barriers at which tcgen05.mma arrives, of cutlass::arch, and the fences of tensor memory.
var umma = program.Words(`umma_arrive umma_arrive_2x1SM umma_arrive_multicast umma_arrive_multicast_2x1SM
	fence_view_async_tmem_load fence_view_async_tmem_store`)

func init() {
	memoryRows["make_tmem_copy"] = makeTmemCopy
	for name := range umma {
		memoryRows[name] = func(r *runner, _ *arguments, _ dtype.Type) (Value, error) { return nil, r.notInThreads(name) }
	}
}

// notInThreads refuses an operation on tensor memory in a program that is run thread by thread.
func (r *runner) notInThreads(name string) error {
	e := errorf(cute.CodeNotRepresentable, "%s of tensor memory is not run thread by thread", name)
	e.hint = "girih follow makes a kernel of the program, and runs that"
	return e
}

// inTensorMemory returns a tensor in tensor memory. It has no elements here: only a [Tracer] has them.
func (r *runner) inTensorMemory(t dtype.Type, l cute.Inner) (Value, error) {
	p := nullAddress(t)
	p.window = p.in(atom.TensorMemory)
	return r.tensorOn(p.window, 0, l)
}

// makeTmemCopy implements make_tmem_copy(operation, tensor), with the type of the elements of the tensor.
func makeTmemCopy(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	if len(c.pos) != 2 {
		return nil, errNoMemory
	}
	a, ok := c.pos[1].(Algebra)
	if !ok || !a.isTensor() {
		return nil, errNoMemory
	}
	if a.space != atom.TensorMemory {
		return nil, errorf(cute.CodeType, "expected a tensor in tensor memory, found %s", r.describe(a))
	}
	l, err := r.callValues("layout", a)
	if err != nil {
		return nil, err
	}
	return r.callValues("make_tmem_copy", c.pos[0], l, Str(a.typ.String()))
}

// tmemMethod calls a method of an allocator: allocate(columns, &word), release_allocation_lock() or free(base,
// columns).
func (r *runner) tmemMethod(a tmemAllocator, name string, x *program.Call) (Value, error) {
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, err
	}
	if !r.traces() {
		return nil, r.notInThreads(name)
	}
	if name == "allocate" && len(c.pos) == 2 {
		if c.pos[1], err = r.sharedPointer(c.pos[1], "a uint32_t"); err != nil {
			return nil, err
		}
	}
	c.pos = append([]Value{cInt(uint64(a.blocks), CIntType)}, c.pos...)
	none := func([]Value) (Value, error) { return nil, r.notFollowed(name) }
	return r.tracerCall(tracedCall{name: "tmem_" + name, at: x, run: none}, c)
}

// wordOf returns the value of a field of a structure in shared memory, which is its address, or the tracer's number if
// the word has the address of columns of tensor memory.
func (r *runner) wordOf(v Value, at program.Node, err error) (Value, error) {
	p, ok := v.(Address)
	if !ok || err != nil || !r.traces() || !isShared(p) || p.typ != dtype.U32 {
		return v, err
	}
	none := func([]Value) (Value, error) { return v, nil }
	return r.tracerCall(tracedCall{name: "tmem_word", at: at, run: none}, &arguments{pos: []Value{v}})
}

// dataOf returns tensor.data() as a variable: an assignment gives a tensor in tensor memory its address.
func (r *runner) dataOf(fn *program.Attr) (*cell, error) {
	if fn.Name != "data" || !r.traces() {
		return nil, nil
	}
	of, err := r.variableOf(fn.X)
	if err != nil || of == nil {
		return nil, err
	}
	t, ok := of.v.(*Traced)
	if s, isTensor := StorageOf(t.shadow()); !ok || !isTensor || s.Space != atom.TensorMemory {
		return nil, nil
	}
	return &cell{put: func(v Value) error {
		none := func([]Value) (Value, error) { return nil, r.notFollowed("data") }
		placed, err := r.tracerCall(tracedCall{name: "tmem_place", at: fn, run: none}, &arguments{pos: []Value{t, v}})
		if err == nil {
			of.v = placed
		}
		return err
	}}, nil
}

// shadow returns the shadow of a value, or nil.
func (v *Traced) shadow() Value {
	if v == nil {
		return nil
	}
	return v.Shadow
}
