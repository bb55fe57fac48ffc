package traced

import (
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/interp"
	"girih/kernel"
	"girih/symbolic"
)

// This file has CUDA's atomic functions, and elements whose place another element says, as in bins[data[i]].

// An atomicRow is an atomic function: with the number before as its result, and without a result if there is such an
// instruction. They are relaxed, and the scope is the GPU.
type atomicRow struct {
	fetch func(a kernel.AtomicRef, v kernel.Value, o kernel.MemoryOrder) kernel.Value
	only  func(a kernel.AtomicRef, v kernel.Value, o kernel.MemoryOrder)
	types []dtype.Type // that CUDA has
}

var (
	bits32  = []dtype.Type{dtype.S32, dtype.U32, dtype.U64}
	ordered = []dtype.Type{dtype.S32, dtype.U32, dtype.S64, dtype.U64}
	added   = []dtype.Type{dtype.S32, dtype.U32, dtype.U64, dtype.F32, dtype.F64, dtype.F16, dtype.BF16}
	modular = []dtype.Type{dtype.U32}
	swapped = []dtype.Type{dtype.S32, dtype.U32, dtype.U64, dtype.F32}
)

var atomicRows = map[string]atomicRow{
	"atomicAdd":  {kernel.AtomicRef.FetchAdd, kernel.AtomicRef.Add, added},
	"atomicMin":  {kernel.AtomicRef.FetchMin, kernel.AtomicRef.Min, ordered},
	"atomicMax":  {kernel.AtomicRef.FetchMax, kernel.AtomicRef.Max, ordered},
	"atomicAnd":  {kernel.AtomicRef.FetchAnd, kernel.AtomicRef.And, bits32},
	"atomicOr":   {kernel.AtomicRef.FetchOr, kernel.AtomicRef.Or, bits32},
	"atomicXor":  {kernel.AtomicRef.FetchXor, kernel.AtomicRef.Xor, bits32},
	"atomicExch": {kernel.AtomicRef.Exchange, nil, swapped},
	"atomicInc":  {kernel.AtomicRef.FetchInc, nil, modular},
	"atomicDec":  {kernel.AtomicRef.FetchDec, nil, modular},
}

// atomicFunctions returns the functions of the rows.
func atomicFunctions() map[string]function {
	out := map[string]function{"atomicCAS": (*Tracer).compareAndSwap, "atomicSub": (*Tracer).atomicSub}
	for name, row := range atomicRows {
		out[name] = func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
			a, list, err := t.atomicOf(c, 1, row.types)
			if err != nil {
				return nil, err
			}
			return t.atomically(c, row, a, list[0])
		}
	}
	return out
}

// atomically runs an atomic function.
func (t *Tracer) atomically(c *interp.TracedCall, row atomicRow, a kernel.AtomicRef, v kernel.Value) (
	interp.Value, error,
) {
	if c.Unused && row.only != nil {
		row.only(a, v, kernel.Relaxed)
		return interp.None{}, nil
	}
	return t.value(row.fetch(a, v, kernel.Relaxed)), nil
}

// atomicSub implements atomicSub(p, v), which PTX writes as an addition of -v.
func (t *Tracer) atomicSub(c *interp.TracedCall) (interp.Value, error) {
	a, list, err := t.atomicOf(c, 1, bits32[:2])
	if err != nil {
		return nil, err
	}
	return t.atomically(c, atomicRows["atomicAdd"], a, t.k.Number(list[0].Type(), 0).Sub(list[0]))
}

// compareAndSwap implements atomicCAS(p, compare, v).
func (t *Tracer) compareAndSwap(c *interp.TracedCall) (interp.Value, error) {
	a, list, err := t.atomicOf(c, 2, bits32)
	if err != nil {
		return nil, err
	}
	return t.value(a.CompareExchange(list[0], list[1], kernel.Relaxed)), nil
}

// atomicOf returns the element to which the first argument of an atomic function points, and its n numbers.
func (t *Tracer) atomicOf(c *interp.TracedCall, n int, types []dtype.Type) (
	a kernel.AtomicRef, list []kernel.Value, err error,
) {
	if len(c.Args) != n+1 {
		return a, nil, unknown(c)
	}
	memory, start, ok := interp.PointerOf(c.Args[0])
	if !ok {
		return a, nil, refuse(cute.CodeNotRepresentable, "give it the address of an element in global or shared memory",
			"%s of this pointer is not followed", c.Name)
	}
	of, first, ok := t.flat(memory)
	if !ok {
		return a, nil, unknown(c)
	}
	at, ok := t.spot(of, start, spot{first, 1})
	if !ok {
		return a, nil, unknown(c)
	}
	known := false
	for _, typ := range types {
		known = known || typ == of.Elem()
	}
	for _, v := range c.Args[1:] {
		x, ok := t.number(v, of.Elem())
		if known = known && ok; known {
			list = append(list, x)
		}
	}
	if !known {
		return a, nil, refuse(cute.CodeType, "give it a pointer to one of these types",
			"expected an element of a type of %v for %s, found %v", types, c.Name, of.Elem())
	}
	return t.k.AtomicRef(kernel.ScopeDevice, of, at.Add(kernel.Int(first))), list, nil
}

// A spot is n elements of a memory that begins at the element first of a flat tensor.
type spot struct{ first, n int64 }

// spot returns the number of the first of n elements of a flat tensor. If an element says it, as in bins[data[i]], the
// elements are taken to be in the tensor, and the number to be a multiple of n: the simulator reports any other
// number.
func (t *Tracer) spot(of kernel.Tensor, v interp.Value, s spot) (kernel.Index, bool) {
	if i, ok := indexOf(v); ok {
		if off, known := i.Add(kernel.Int(s.first)).Mod(s.n).Int64(); s.n == 1 || known && off == 0 {
			return i.Index, true
		}
	}
	x, ok := t.wholeNumber(v)
	size := of.Layout().Size()
	if !ok || size < s.n {
		return kernel.Index{}, false
	}
	x = x.Convert(dtype.S64).Add(t.k.Number(dtype.S64, float64(s.first)))
	f := symbolic.Facts{Div: s.n, Max: (size - s.n) / s.n * s.n}
	return x.Index(f).Sub(kernel.Int(s.first)), true
}

// wholeNumber returns an integer that differs from thread to thread as an element.
func (t *Tracer) wholeNumber(v interp.Value) (kernel.Value, bool) {
	if i, ok := indexOf(v); ok {
		return t.k.ValueOf(i.Index, dtype.S64), true
	}
	x, ok := elementOf(v)
	return x, ok && x.Type().Kind() != dtype.Float
}

// spots is spot for the coordinate of one element.
func (t *Tracer) spots(of kernel.Tensor, list []interp.Value, first int64) ([]kernel.Index, bool) {
	if at, ok := coordinates(list); ok || len(list) != 1 || of.Rank() != 1 {
		return at, ok
	}
	i, ok := t.spot(of, list[0], spot{first, 1})
	return []kernel.Index{i}, ok
}
