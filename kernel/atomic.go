package kernel

import (
	"maps"
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/lower"
	"girih/ptx"
)

// This file defines atomic operations on single elements, as libcu++ has them: atom if the old number is used, red if
// it is not. An operation is a row of atomics.

// atomics are the operations: for each type of elements, how PTX writes it.
var atomics = map[string]map[dtype.Type]ptx.Op{
	"add": {
		dtype.U32: "u32", dtype.S32: "s32", dtype.U64: "u64", dtype.S64: "u64", dtype.F32: "f32", dtype.F64: "f64",
		dtype.F16: "noftz.f16", dtype.BF16: "noftz.bf16",
	},
	"min": {dtype.U32: "u32", dtype.S32: "s32", dtype.U64: "u64", dtype.S64: "s64"},
	"max": {dtype.U32: "u32", dtype.S32: "s32", dtype.U64: "u64", dtype.S64: "s64"},
	"and": bitwise, "or": bitwise, "xor": bitwise, "exch": anyBits, "cas": anyBits,
	"inc": {dtype.U32: "u32"}, "dec": {dtype.U32: "u32"},
}

var (
	bitwise = map[dtype.Type]ptx.Op{
		dtype.B32: "b32", dtype.U32: "b32", dtype.S32: "b32", dtype.B64: "b64", dtype.U64: "b64", dtype.S64: "b64",
	}
	anyBits = with(bitwise, map[dtype.Type]ptx.Op{dtype.F32: "b32", dtype.F64: "b64"})
)

// with returns the rows of both tables.
func with(a, b map[dtype.Type]ptx.Op) map[dtype.Type]ptx.Op {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// An AtomicRef is an element on which atomic operations are done, by the threads of a scope: cuda::atomic_ref. The
// element has 32 or 64 bits, or is an f16 or bf16 that is added to. All methods return [cute.CodeType] for a value of
// another type than the element's, or if PTX does not have the operation for the type, and [cute.CodeMode] for an order
// that the operation does not have. With SeqCst, a fence.sc comes before the operation.
type AtomicRef struct {
	k     *K
	s     side
	scope Scope
}

// AtomicRef returns the element of t at a coordinate, for threads of the scope. It returns the errors of [K.Load],
// [cute.CodeMode] for a scope that is none, and [cute.CodeType] for a tensor in registers.
func (k *K) AtomicRef(s Scope, t Tensor, coord ...Index) AtomicRef {
	const op = "atomic_ref"
	e, ok := k.one(op, t, coord)
	if !ok || !k.scoped(op, s) {
		return AtomicRef{k: k}
	}
	if sp := t.root.space; sp != Global && sp != Shared {
		k.refuse(op, cute.CodeType, "expected an element of global or shared memory, found %v", t)
		return AtomicRef{k: k}
	}
	if t.root.bits() < 8 || t.root.parts > 1 {
		k.refuse(op, cute.CodeType, "expected elements of 8 to 64 bits, found %v", t)
		return AtomicRef{k: k}
	}
	return AtomicRef{k, e, s}
}

// emit writes an operation and returns its result, if it has one.
func (a AtomicRef) emit(name ptx.Op, result bool, strength ptx.Op, suffix ptx.Op, vs ...Value) Value {
	k, r := a.k, a.s.root
	var operands []ptx.Operand
	var reg ptx.Name
	if result {
		reg = k.b.Reg(valueType(r.elem))
		operands = append(operands, reg)
	}
	operands = append(operands, k.address(r, k.at(a.s.elements[0])))
	for _, v := range vs {
		operands = append(operands, v.reg)
	}
	k.emit(name+strength+ptx.Op("."+r.space.String())+"."+suffix, operands...)
	return k.valueOf(reg, r.elem)
}

// modify writes atom or red.
func (a AtomicRef) modify(op string, fetch bool, o MemoryOrder, vs ...Value) Value {
	k := a.k
	if k == nil || k.err != nil || a.s.root == nil {
		return vs[0].none("atomic_" + op)
	}
	typ := a.s.root.elem
	suffix := atomics[op][typ]
	for _, v := range vs {
		if v.typ != typ || suffix == "" {
			k.refuse("atomic_"+op, cute.CodeType, "expected elements and values of one type of %v, found %v and %v",
				slices.Sorted(maps.Keys(atomics[op])), typ, v.typ)
			return a.k.valueOf(ptx.Sink, typ)
		}
	}
	name, allowed, replaces := ptx.Op("atom"), []MemoryOrder{Relaxed, Acquire, Release, AcqRel}, Acquire
	if !fetch { // red forms no acquire pattern
		name, allowed, replaces = "red", []MemoryOrder{Relaxed, Release}, Relaxed
	}
	strength, ok := k.strength("atomic_"+op, o, a.scope, replaces, allowed...)
	if !ok {
		return a.k.valueOf(ptx.Sink, typ)
	}
	if typ == dtype.BF16 {
		k.require(lower.Target{Chip: "sm_90", Version: ptx.Version{Major: 7, Minor: 8}})
	}
	return a.emit(name, fetch, strength, ptx.Op(op+".")+suffix, vs...)
}

// none refuses the zero AtomicRef, and returns a value of the type of v.
func (v Value) none(op string) Value {
	if v.k != nil {
		v.k.refuse(op, cute.CodeType, "the AtomicRef is none: K.AtomicRef makes one")
	}
	return v
}

// FetchAdd adds v, and returns the number before: integers of 32 and 64 bits, f32, f64, f16 and bf16.
func (a AtomicRef) FetchAdd(v Value, o MemoryOrder) Value { return a.modify("add", true, o, v) }

// FetchMin stores the smaller number, and returns the number before: integers of 32 and 64 bits.
func (a AtomicRef) FetchMin(v Value, o MemoryOrder) Value { return a.modify("min", true, o, v) }

// FetchMax stores the larger number, and returns the number before: integers of 32 and 64 bits.
func (a AtomicRef) FetchMax(v Value, o MemoryOrder) Value { return a.modify("max", true, o, v) }

// FetchAnd stores the common bits, and returns the bits before: integers and bits of 32 and 64 bits.
func (a AtomicRef) FetchAnd(v Value, o MemoryOrder) Value { return a.modify("and", true, o, v) }

// FetchOr stores the bits of both, and returns the bits before: integers and bits of 32 and 64 bits.
func (a AtomicRef) FetchOr(v Value, o MemoryOrder) Value { return a.modify("or", true, o, v) }

// FetchXor flips the bits of v, and returns the bits before: integers and bits of 32 and 64 bits.
func (a AtomicRef) FetchXor(v Value, o MemoryOrder) Value { return a.modify("xor", true, o, v) }

// FetchInc adds 1, or stores 0 where the number is v or more, and returns the number before: u32. It is CUDA's
// atomicInc, with which the last of v+1 blocks also resets a counter.
func (a AtomicRef) FetchInc(v Value, o MemoryOrder) Value { return a.modify("inc", true, o, v) }

// FetchDec subtracts 1, or stores v where the number is 0 or more than v, and returns the number before: u32.
func (a AtomicRef) FetchDec(v Value, o MemoryOrder) Value { return a.modify("dec", true, o, v) }

// Exchange stores v, and returns the number before: 32 and 64 bits.
func (a AtomicRef) Exchange(v Value, o MemoryOrder) Value { return a.modify("exch", true, o, v) }

// CompareExchange stores desired if the element is expected, bit by bit, and returns the number before: 32 and 64 bits.
func (a AtomicRef) CompareExchange(expected, desired Value, o MemoryOrder) Value {
	return a.modify("cas", true, o, expected, desired)
}

// Add adds v, as FetchAdd does, and returns nothing: red. Its order is Relaxed, Release or SeqCst.
func (a AtomicRef) Add(v Value, o MemoryOrder) { a.modify("add", false, o, v) }

// Min stores the smaller number, as FetchMin does: red.
func (a AtomicRef) Min(v Value, o MemoryOrder) { a.modify("min", false, o, v) }

// Max stores the larger number, as FetchMax does: red.
func (a AtomicRef) Max(v Value, o MemoryOrder) { a.modify("max", false, o, v) }

// And stores the common bits, as FetchAnd does: red.
func (a AtomicRef) And(v Value, o MemoryOrder) { a.modify("and", false, o, v) }

// Or stores the bits of both, as FetchOr does: red.
func (a AtomicRef) Or(v Value, o MemoryOrder) { a.modify("or", false, o, v) }

// Xor flips the bits of v, as FetchXor does: red.
func (a AtomicRef) Xor(v Value, o MemoryOrder) { a.modify("xor", false, o, v) }

// Load returns the number of the element. The order is Relaxed, Acquire, SeqCst or Volatile.
func (a AtomicRef) Load(o MemoryOrder) Value {
	k := a.k
	if k == nil || k.err != nil || a.s.root == nil {
		return Value{}
	}
	strength, ok := k.strength("atomic_load", o, a.scope, Acquire, Relaxed, Acquire, Volatile)
	if !ok {
		return k.valueOf(ptx.Sink, a.s.root.elem)
	}
	suffix, _, _ := suffix(a.s.root, 1)
	return a.emit("ld", true, strength, suffix[1:])
}

// Store sets the number of the element. The order is Relaxed, Release, SeqCst or Volatile.
func (a AtomicRef) Store(v Value, o MemoryOrder) {
	k := a.k
	if k == nil || k.err != nil || a.s.root == nil {
		v.none("atomic_store")
		return
	}
	if v.typ != a.s.root.elem {
		k.refuse("atomic_store", cute.CodeType, "expected a value of type %v, found %v", a.s.root.elem, v.typ)
		return
	}
	strength, ok := k.strength("atomic_store", o, a.scope, Relaxed, Relaxed, Release, Volatile)
	if !ok {
		return
	}
	suffix, _, _ := suffix(a.s.root, 1)
	a.emit("st", false, strength, suffix[1:], v)
}

// LoadAcquire returns the element of t at a coordinate, and makes visible what the thread whose release stored it had
// seen: ld.acquire.gpu. Its errors are the errors of [K.AtomicRef].
func (k *K) LoadAcquire(t Tensor, coord ...Index) Value {
	return k.AtomicRef(ScopeDevice, t, coord...).Load(Acquire)
}

// StoreRelease sets the element of t at a coordinate, for threads that read it with acquire: st.release.gpu. Its errors
// are the errors of [K.AtomicRef] and [K.Store].
func (k *K) StoreRelease(v Value, t Tensor, coord ...Index) {
	k.AtomicRef(ScopeDevice, t, coord...).Store(v, Release)
}
