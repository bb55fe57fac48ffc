package kernel

import (
	"fmt"
	"runtime"

	"girih/cute"
	"girih/ptx"
)

// This file refuses what was not made by the kernel that is being traced: zero values, and numbers and tensors of
// another kernel. Registers and expressions of two kernels have nothing in common but their names.

// A thing is a kind of what belongs to a kernel, and the methods that make it.
type thing struct{ what, by string }

var (
	aValue     = thing{"value", "Load, Number or Scalar"}
	aTensor    = thing{"tensor", "Global, Shared or MakeFragment"}
	aCondition = thing{"condition", "Less"}
	aBarrier   = thing{"barrier", "Barriers.At"}
	barrierRow = thing{"array of barriers", "K.Barriers"}
	anAtomic   = thing{"AtomicRef", "K.AtomicRef"}
	aPipeline  = thing{"pipeline", "a method of K such as PipelineTmaAsync"}
	aSequence  = thing{"sequence barrier", "K.OrderedSequenceBarrier"}
	aTmaAtom   = thing{"TMA copy", "MakeTmaAtom"}
	aThrMMA    = thing{"ThrMMA", "K.ThrMMA"}
	aThrCopy   = thing{"ThrCopy", "K.ThrCopy"}
	aLayout    = thing{"layout", "package cute"}
	aTiled     = thing{"tiled MMA or copy", "atom.MakeTiledMMA or MakeTiledCopy"}

	anAllocator = thing{"allocator of tensor memory", "K.TmemAllocator"}
)

// live reports whether k is being traced.
func (k *K) live() bool { return k != nil && k.tracing }

// anyLive returns the first kernel that is being traced, or nil.
func anyLive(ks ...*K) *K {
	for _, k := range ks {
		if k.live() {
			return k
		}
	}
	return nil
}

// foreign refuses what belongs to another kernel, or to none: to a K that is no kernel if it was made of [Open], or of
// arithmetic that has no result.
func (k *K) foreign(op string, x thing, of *K) {
	switch {
	case of == nil:
		k.advise("take what %s returns", x.by).refuse(op, cute.CodeType, "the %s is none", x.what)
		return
	case of == Open.k():
		k.advise("give a number, except to Slice and LocalTile").refuse("index", cute.CodeRank,
			"expected a number, found kernel.Open, which leaves a mode open")
		return
	case of.s == nil:
		k.err = of.err
		k.leave()
		return
	}
	k.advise("make it in this kernel: each Trace has its own").refuse(op, cute.CodeMode, "the %s is of another kernel, %s",
		x.what, of.name)
}

// noFunction refuses a nil function in the place of a body.
func (k *K) noFunction(op string) { k.refuse(op, cute.CodeType, "the function is none") }

// owns reports whether a thing is of this kernel, and refuses a thing of another one.
func (k *K) owns(op string, x thing, of *K) bool {
	if k.ready() && of != k {
		k.foreign(op, x, of)
	}
	return k.err == nil
}

// takes reports whether values can be used here, and refuses others: zero Values, values of another kernel, and values
// of a loop or condition that has ended.
func (k *K) takes(op string, vs ...Value) bool {
	for _, v := range vs {
		if !k.owns(op, aValue, v.k) || !k.within(op, "value", v.reg) {
			return false
		}
	}
	return k.ready()
}

// user returns the kernel that is being traced if one of the values is of it, and otherwise nil. It refuses values that
// cannot be used there.
func user(op string, vs ...Value) *K {
	for _, v := range vs {
		if v.k.live() && v.k.takes(op, vs...) {
			return v.k
		}
	}
	return nil
}

// has reports whether tensors can be used here, and refuses others: the zero Tensor, tensors of another kernel, and
// fragments of a loop or condition that has ended.
func (k *K) has(op string, ts ...Tensor) bool {
	for _, t := range ts {
		var of *K
		if t.root != nil {
			of = t.root.k
		}
		if !k.owns(op, aTensor, of) {
			return false
		}
		if words := t.root.storage().words; len(words) > 0 && !k.within(op, "fragment", words[0]) ||
			!k.lasts(op, "tensor", t.home, "make it in each body") {
			return false
		}
	}
	return k.ready()
}

// meets reports whether a condition can be used here, and refuses others. A condition without a kernel is known.
func (k *K) meets(op string, c Cond) bool {
	if c.k != nil && !k.owns(op, aCondition, c.k) {
		return false
	}
	if !k.lasts(op, "condition", c.home, "make it in each body") {
		return false
	}
	for _, p := range c.holds() {
		if reg, ok := p.(ptx.Name); ok && !k.within(op, "condition", reg) {
			return false
		}
	}
	return k.ready()
}

// none ends the trace because a method was called on a zero value. The zero value has no kernel, so outside of a trace
// it panics.
func none(op string, x thing) {
	panic(failureOf(&cute.Error{
		Code: cute.CodeType, Op: op, Msg: "the " + x.what + " is none", Hint: "take what " + x.by + " returns",
	}))
}

// ready reports whether the trace goes on: there is no mistake so far. If the trace of k is over, the call comes from
// another trace and would do nothing there: ready ends that trace. Outside of a trace it panics.
func (k *K) ready() bool {
	if !k.over {
		return k.err == nil
	}
	panic(failureOf(&cute.Error{
		Code: cute.CodeMode, Op: "trace", Msg: fmt.Sprintf("the trace of %s is over", k.name),
		Hint: "call methods of the K that Trace passes, and only in the function that it traces",
	}))
}

// failureOf returns the panic value for an error, with the stack of the caller's caller.
func failureOf(err error) failure {
	f := failure{err: err, pcs: new([24]uintptr)}
	runtime.Callers(3, f.pcs[:])
	return f
}

// A maker is the kernel and the body in which a thing was made.
type maker struct {
	k    *K
	home *region // see scope.go
}

// divider returns the kernel in which a thing divides a tensor among threads. It refuses the thing, or the tensor, of
// another kernel, and returns nil if neither kernel is being traced.
func divider(op string, x thing, by maker, t Tensor) *K {
	var other *K
	if t.root != nil {
		other = t.root.k
	}
	k := anyLive(by.k, other)
	if k != nil && k.owns(op, x, by.k) && k.lasts(op, x.what, by.home, "make it in each body") {
		k.has(op, t)
	}
	return k
}
