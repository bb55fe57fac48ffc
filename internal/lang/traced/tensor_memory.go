package traced

import (
	"girih/atom"
	"girih/cute"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file has tcgen05: the columns that a kernel allocates in tensor memory, tensors there, and the barriers at which
// products arrive. CuTe's functions let one thread of the warp start each instruction.

// A columns is what one call of allocate has: columns of tensor memory, whose address it writes to a word of shared
// memory.
type columns struct {
	word  interp.Storage // the word
	of    kernel.TmemAllocator
	count int64
}

// A column is a number of the program that is the address of a column.
type column struct {
	of *columns
	at int64 // the number of columns after the first one
}

// addTensorMemory adds the words of this file to the functions.
func addTensorMemory(functions map[string]function) {
	functions["tmem_allocate"], functions["tmem_free"] = (*Tracer).allocateColumns, (*Tracer).freeColumns
	functions["tmem_release_allocation_lock"] = (*Tracer).releaseLock
	functions["tmem_word"] = (*Tracer).word
	functions["tmem_place"] = (*Tracer).placeInTmem
	functions["fence_view_async_tmem_load"] = simple((*kernel.K).FenceViewAsyncTmemLoad)
	functions["fence_view_async_tmem_store"] = simple((*kernel.K).FenceViewAsyncTmemStore)
	for _, name := range []string{"umma_arrive", "umma_arrive_2x1SM", "umma_arrive_multicast", "umma_arrive_multicast_2x1SM"} {
		functions[name] = (*Tracer).ummaArrive
	}
	functions["make_tmem_copy"] = func(_ *Tracer, c *interp.TracedCall) (interp.Value, error) { return shadow(c) }
}

// allocateColumns implements allocate(columns, &word) of an allocator for a number of blocks, the first argument.
func (t *Tracer) allocateColumns(c *interp.TracedCall) (interp.Value, error) {
	blocks, count, word, ok := int64(0), int64(0), interp.Storage{}, false
	if len(c.Args) == 3 {
		blocks, _ = interp.Integer(c.Args[0])
		count, ok = interp.Integer(c.Args[1])
		word, _ = interp.StorageOf(c.Args[2])
	}
	if !ok || word.ID == nil || word.Type.Bits() != 32 {
		return nil, unknown(c)
	}
	of := &columns{word: word, of: t.k.TmemAllocator(count, blocks), count: count}
	t.columns = append(t.columns, of)
	of.of.Allocate()
	return interp.None{}, nil
}

// columnsAt returns the columns whose address is in the word at a pointer, or nil.
func (t *Tracer) columnsAt(v interp.Value) *columns {
	s, ok := interp.StorageOf(v)
	if !ok {
		return nil
	}
	for _, of := range t.columns {
		if of.word.ID == s.ID && of.word.Start == s.Start && of.word.Type == s.Type {
			return of
		}
	}
	return nil
}

// word returns the number in a word of shared memory if it is the address of columns, and otherwise the pointer to it.
func (t *Tracer) word(c *interp.TracedCall) (interp.Value, error) {
	if of := t.columnsAt(c.Args[0]); of != nil {
		return t.retrieve(of), nil
	}
	return c.Args[0], nil
}

// retrieve reads the address of columns.
func (t *Tracer) retrieve(of *columns) interp.Value {
	of.of.RetrievePtr()
	return column{of: of}.value()
}

func (c column) value() interp.Value {
	return &interp.Traced{Of: c, Shadow: interp.CInt{Bits: uint64(c.at), Type: interp.CUInt}, Type: interp.CUInt}
}

// columnOf returns the address that a value is.
func columnOf(v interp.Value) (c column, ok bool) {
	if x, isTraced := v.(*interp.Traced); isTraced {
		c, ok = x.Of.(column)
	}
	return c, ok
}

// columnsOperator adds a number of columns to the address of a column.
func (t *Tracer) columnsOperator(op string, args []interp.Value) (v interp.Value, ok bool, err error) {
	if op != "+" || len(args) != 2 {
		return nil, false, nil
	}
	for i, x := range args {
		if c, isColumn := columnOf(x); isColumn {
			n, isInt := interp.Integer(args[1-i])
			c.at += n
			return c.value(), isInt, nil
		}
	}
	return nil, false, nil
}

// freeColumns implements free(base, columns).
func (t *Tracer) freeColumns(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 3 {
		return nil, unknown(c)
	}
	base, ok := columnOf(c.Args[1])
	n, isInt := interp.Integer(c.Args[2])
	if !ok || !isInt {
		return nil, unknown(c)
	}
	if base.at != 0 || n != base.of.count {
		return nil, refuse(cute.CodeMode, "free what allocate was given",
			"%d columns were allocated, and %d are freed from column %d on", base.of.count, n, base.at)
	}
	base.of.of.Free()
	return interp.None{}, nil
}

// releaseLock implements release_allocation_lock().
func (t *Tracer) releaseLock(c *interp.TracedCall) (interp.Value, error) {
	if len(t.columns) == 0 {
		return nil, refuse(cute.CodeMode, "call allocate before", "release_allocation_lock of a kernel that allocates nothing")
	}
	t.columns[0].of.ReleaseAllocationLock()
	return interp.None{}, nil
}

// accumulator implements make_fragment_C(part) of a tcgen05.mma: a tensor in tensor memory without an address.
func (t *Tracer) accumulator(c *interp.TracedCall, shadow interp.Value) (interp.Value, error) {
	if len(c.Args) != 2 || c.Name != "make_fragment_C" {
		return nil, unknown(c)
	}
	of, isTensor := t.of(c.Args[1])
	thr, ok := t.thrMMA(c.Args[0])
	if !ok || !isTensor {
		return nil, unknown(c)
	}
	s, _ := interp.StorageOf(shadow)
	made := &tensor{t: thr.MakeFragmentC(of.t), made: true, storage: s, space: atom.TensorMemory, names: new(string)}
	return t.agree(c.Name, &interp.Traced{Of: made, Shadow: shadow})
}

// placeInTmem implements tensor.data() = base: it returns the tensor at the address.
func (t *Tracer) placeInTmem(c *interp.TracedCall) (interp.Value, error) {
	of, ok := t.of(c.Args[0])
	at, isColumn := columnOf(c.Args[1])
	if !ok || !isColumn {
		return nil, refuse(cute.CodeNotRepresentable, "assign the word that allocate wrote, or this word plus a number of columns",
			"this address of a tensor in tensor memory is not followed")
	}
	own := *of
	own.t = at.of.of.Tensor(of.t, at.at)
	shadow, _ := interp.ShadowOf(c.Args[0])
	return &interp.Traced{Of: &own, Shadow: shadow}, nil
}

// byOne lets one thread of each warp start what f makes, as CuTe's functions for tcgen05 do.
func (t *Tracer) byOne(f func()) { t.k.If(t.k.ElectOne(), f) }

// ummaArrive implements umma_arrive(barrier), and umma_arrive_multicast(barrier, mask).
func (t *Tracer) ummaArrive(c *interp.TracedCall) (interp.Value, error) {
	b, err := t.barrierOf(c)
	if err != nil {
		return nil, err
	}
	switch len(c.Args) {
	case 1:
		t.byOne(b.UmmaArrive)
	case 2:
		mask, err := maskOf(c.Args[1])
		if err != nil {
			return nil, err
		}
		t.byOne(func() { b.UmmaArriveMulticast(mask) })
	default:
		return nil, unknown(c)
	}
	return interp.None{}, nil
}
