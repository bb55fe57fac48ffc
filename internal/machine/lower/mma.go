package lower

import (
	"girih/atom"
	"girih/cute"
	"girih/ptx"
)

// Operands are the operands of an MMA: each has the registers that [FragmentOf] describes, or one register with a
// descriptor of a matrix in shared memory.
type Operands struct {
	// D and C are the same registers if the instruction accumulates in place, as wgmma does; D is not read then.
	D, A, B, C ptx.Vec
	// Metadata is the metadata of a sparse operation, a 32-bit register. Selector says which of four threads, or for
	// wgmma which pair of threads, provides it.
	Metadata ptx.Operand
	Selector int64
	// ScaleA and ScaleB are the factors of a block-scaled operation, a 32-bit register each. Every thread from which
	// the instruction reads has the factors of its row in the lowest bytes.
	ScaleA, ScaleB ptx.Operand
	// Accumulate is a predicate for wgmma: false means D = A·B. nil means true.
	Accumulate ptx.Operand
	// NegateA and NegateB multiply by -1, for wgmma on floats.
	NegateA, NegateB bool
}

// MMA emits one instruction, or the instructions of an operation on complex numbers, see [Steps]. wgmma needs [Fence]
// before it, and [Commit] and [Wait] after it. It returns [cute.CodeExtent] for a wrong number of registers, and
// [cute.CodeType] for an operation that is not an instruction of PTX, or that uses tensor memory.
func MMA(b *ptx.Builder, m atom.MMA, o Operands) error {
	if m.CFrom != atom.Registers || m.AFrom == atom.TensorMemory || m.Scale != nil && m.Scale.From != atom.Registers {
		return fail(cute.CodeType, "%s has operands in tensor memory, which is not lowered: it needs tcgen05.alloc",
			m.Name)
	}
	if steps, err := Steps(m); err != nil || steps != nil {
		if err != nil {
			return err
		}
		return emitSteps(b, m, steps, o)
	}
	groups := []ptx.Vec{o.D, o.A, o.B, o.C}
	if IsWarpgroup(m) {
		groups = []ptx.Vec{o.C, o.A, o.B}
	}
	selector := ptx.Int(o.Selector)
	words := map[string]ptx.Operand{}
	if m.Sparse != nil {
		words["sp-sel"], words["0x0"] = selector, selector
		if o.Metadata == nil {
			return fail(cute.CodeExtent, "%s is sparse and needs metadata", m.Name)
		}
		groups = append(groups, ptx.Vec{o.Metadata})
	}
	if m.Scale != nil {
		if o.ScaleA == nil || o.ScaleB == nil {
			return fail(cute.CodeExtent, "%s is block-scaled and needs factors of A and of B", m.Name)
		}
		groups = append(groups, ptx.Vec{o.ScaleA}, ptx.Vec{o.ScaleB})
		zero := b.Let(ptx.U16, "mov.u16", ptx.Int(0)) // the lowest byte, of the first thread that has the factors
		words["byte-id-a, thread-id-a"], words["byte-id-b, thread-id-b"] = ptx.Vec{zero, zero}, ptx.Vec{zero, zero}
	}
	if IsWarpgroup(m) {
		scale := o.Accumulate
		if scale == nil {
			scale = b.Let(ptx.Pred, "setp.eq.u32", b.Let(ptx.U32, "mov.u32", ptx.Int(0)), ptx.Int(0))
		}
		words["scale-d"] = scale
		words["imm-scale-a"], words["imm-scale-b"] = o.signs()
		words["imm-trans-a"], words["imm-trans-b"] = ptx.Int(m.AMajor), ptx.Int(m.BMajor)
	}
	return emit(b, m.Operation, groups, words)
}

// signs returns the factors of A and B: 1 or -1.
func (o Operands) signs() (a, b ptx.Int) {
	a, b = 1, 1
	if o.NegateA {
		a = -1
	}
	if o.NegateB {
		b = -1
	}
	return a, b
}

// IsWarpgroup reports whether the operation is a wgmma, which runs asynchronously to the threads that start it.
func IsWarpgroup(m atom.MMA) bool { return m.Threads() == 128 && m.BFrom == atom.SharedMemory }

// Fence orders the registers of wgmma after earlier writes to them; it must precede the first wgmma.
func Fence(b *ptx.Builder) { b.Emit("wgmma.fence.sync.aligned") }

// Commit groups the wgmma that were emitted since the last group.
func Commit(b *ptx.Builder) { b.Emit("wgmma.commit_group.sync.aligned") }

// Wait waits until at most the given number of wgmma groups are pending.
func Wait(b *ptx.Builder, groups int64) {
	b.Emit("wgmma.wait_group.sync.aligned", ptx.Int(groups))
}

// FenceShared makes writes to shared memory visible to wgmma and bulk copies. If other threads wrote, a barrier must
// follow.
func FenceShared(b *ptx.Builder) { b.Emit("fence.proxy.async.shared::cta") }
