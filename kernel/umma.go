package kernel

import (
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/tmem"
)

// This file multiplies with tcgen05.mma, CuTe's UMMA: one thread starts it for its block, or for a pair of blocks. C is
// in tensor memory, B is in shared memory, and A in shared memory (SS) or in tensor memory (TS).

// isUMMA reports whether the operation is a tcgen05.mma.
func isUMMA(m atom.MMA) bool { return m.CFrom == atom.TensorMemory }

// checkUMMA refuses tiled MMAs of several atoms, and of operations that kernels do not have.
func (k *K) checkUMMA(m atom.TiledMMA) {
	const op = "get_slice"
	switch a := m.Atom(); {
	case m.Size() != a.Threads():
		k.advise("repeat it along MMA_M and MMA_N: take the layout (1,1,1) of atoms").refuse(op, cute.CodeType,
			"the atom of a tiled MMA of tensor memory is one instruction for %d blocks, and %v has %d threads", a.Threads(),
			m.AtomLayoutMNK(), m.Size())
	case a.Sparse != nil, a.Types.A.Parts > 1:
		k.refuse(op, cute.CodeType, "%s is sparse or complex: kernels have the dense tcgen05.mma of real numbers", a.Name)
	default:
		k.shareTmem(op, a.Threads())
	}
}

// ownPart returns the part of one block of a tensor in its shared memory, (MMA,MMA_M,MMA_K,...): a pair of blocks
// divides the rows, and each block has its rows in its own memory.
func (t ThrMMA) ownPart(o atom.Operand, x Tensor) Tensor {
	k, m := t.k, t.mma.Atom()
	rows, columns := m.Extents(o)
	l, ok := k.spread(x, func(l cute.Layout) (cute.Layout, error) {
		return cute.TiledDivideExact(l, cute.Ints(rows/m.Threads(), columns))
	})
	if !ok {
		return x
	}
	out := Tensor{root: x.root, view: &view{origin: x.origin, home: innermost(x.home, t.home)}}
	for _, l := range l.Modes() {
		out.modes = append(out.modes, mode{layout: l})
	}
	for _, m := range x.modes {
		if m.open {
			out.modes = append(out.modes, m)
		}
	}
	return out
}

// tensorFragment returns the tensor in tensor memory for a part of C, (MMA,MMA_M,MMA_N,...), or for a part of an A that
// the instruction reads from there, (MMA,MMA_M,MMA_K,...).
func (t ThrMMA) tensorFragment(o atom.Operand, part Tensor) Tensor {
	k, m := t.k, t.mma.Atom()
	in, err := descriptor.InstructionOf(m)
	k.fail(err)
	l, ok := k.spread(part, func(l cute.Layout) (cute.Layout, error) { return l, nil })
	if !ok {
		return Tensor{}
	}
	sizes := l.AppendModeSizes(nil)
	if rows, columns := m.Extents(o); len(sizes) < 3 || sizes[0] != rows*columns/m.Threads() {
		k.advise("take what Partition%v returns", o).refuse("make_fragment", cute.CodeNotCongruent,
			"expected (MMA,MMA_M,MMA_%s) with %d elements of an instruction, found %v",
			map[bool]string{true: "N", false: "K"}[o == atom.OperandC], rows*columns/m.Threads(), l)
		return Tensor{}
	}
	elem := m.Types.C.Type
	if o == atom.OperandA {
		elem = m.Types.A.Type
		_, err = k.tensorOperand(m, in)
		k.fail(err)
	}
	of, err := tmem.Fragment(m, o, sizes[1:]...)
	out := k.inTensorMemory("tCt"+o.String(), &root{elem: elem}, of, err)
	if k.err == nil {
		out.root.cells.apart = o == atom.OperandC && out.root.bits() < tmem.ColumnBits
	}
	return out
}

// tensorOperand returns the A in tensor memory of one instruction. It refuses the forms whose elements are not where
// copies of registers put them.
func (k *K) tensorOperand(m atom.MMA, in descriptor.Instruction) (tmem.Tensor, error) {
	if bits := m.Types.A.Type.Bits(); bits < 8 {
		k.advise("convert A to 8 bits, or take the form that reads A from shared memory").refuse("make_fragment",
			cute.CodeType, "%s reads A with %d bits in bytes of tensor memory, which kernels do not write", m.Name, bits)
	}
	if in.M == 128 && in.CTAs() == 2 {
		k.advise("take M 256").refuse("make_fragment", cute.CodeType,
			"%s reads each row of A from two lanes, 64 lanes apart, which kernels do not write", m.Name)
	}
	return tmem.OperandA(in, m.Shape[2])
}

// gemmUMMA emits the instructions of a tiled MMA of tensor memory.
func (k *K) gemmUMMA(m atom.TiledMMA, n [3]int64, of [3]Tensor) {
	const op = "gemm"
	in, a, b, c := newInstruction(k, m.Atom()), of[0], of[1], of[2]
	k.checkUMMA(m)
	k.alone(op)
	if !in.takesUMMA(a, b, c) {
		return
	}
	defer k.begin(in.mma.Name, madeOfMMA(m, a, b, c))()
	describe, err := descriptor.InstructionOf(in.mma)
	k.fail(err)
	opcode, _, _ := strings.Cut(in.mma.Text, " ")
	factors := [2]*Tensor{a.factors, b.factors}
	a, b = a.apart(), b.apart()
	a.factors, b.factors = nil, nil
	part := func(t Tensor, row, column int64) Tensor { return k.Slice(t, Open, Int(row), Int(column)) }
	adds, scale := k.adds(), in.scaleD()
	for i := range n[2] {
		for at := range n[0] * n[1] { // rows first
			row, column := at%n[0], at/n[0]
			operands := []ptx.Operand{
				k.tmemAddress(op, part(c, row, column), 0), in.matrix(atom.OperandA, part(a, row, i)),
				in.matrix(atom.OperandB, part(b, column, i)),
			}
			scales := in.scales(factors, [3]int64{row, column, i}, &describe)
			operands = append(append(operands, k.instructionDescriptor(describe.Bits())), scales...)
			k.emit(ptx.Op(opcode), append(append(operands, adds), scale...)...)
		}
		adds = k.accumulate()
	}
	k.need(in.mma.Operation)
}

// takesUMMA refuses operands in other memory or of other types than the instruction's, and an A in tensor memory of
// another instruction.
func (in *instruction) takesUMMA(a, b, c Tensor) bool {
	const op = "gemm"
	k, m, from, found := in.k, in.mma, Descriptors, a.root.space == Descriptors
	if m.AFrom == atom.TensorMemory {
		t := m.Types.A.Type
		from, found = TensorMemory, a.root.space == TensorMemory && a.root.elem == t
	}
	if c.root.space != TensorMemory || !found || b.root.space != Descriptors || c.root.elem != m.Types.C.Type {
		k.advise("use what MakeFragmentA, MakeFragmentB and TmemAllocator.Tensor return").refuse(op, cute.CodeType,
			"%s takes %v of A in %v, descriptors of B, and %v of C in tensor memory, found %v, %v and %v", m.Name, m.Types.A.Type,
			from, m.Types.C.Type, a, b, c)
		return false
	}
	if from == Descriptors {
		return true
	}
	describe, err := descriptor.InstructionOf(m)
	k.fail(err)
	want, err := k.tensorOperand(m, describe)
	k.fail(err)
	if k.err != nil {
		return false
	}
	l, err := want.Layout()
	k.fail(err)
	if own := a.modes[0].layout; !cute.Coalesce(own).Equal(cute.Coalesce(l)) {
		k.advise("make it with MakeFragmentA of this MMA").refuse(op, cute.CodeNotRepresentable,
			"%s reads A at %v of tensor memory, found %v", m.Name, l, own)
	}
	return k.err == nil
}

// matrix returns the operand for A or B of one instruction: a descriptor, or an address in tensor memory.
func (in *instruction) matrix(o atom.Operand, t Tensor) ptx.Operand {
	if t.root.space == TensorMemory {
		return in.k.tmemAddress("gemm", t, 0)
	}
	if v := in.descriptor(o, t); v != nil {
		return v[0]
	}
	return nil
}

// scaleD returns the operand scale-input-d of an instruction that has one: C is multiplied by 2 to the power of minus
// this number, the last template argument of CuTe's atoms named SCALED.
func (in *instruction) scaleD() []ptx.Operand {
	if !strings.Contains(in.mma.Text, "scale-input-d") {
		return nil
	}
	name := strings.TrimSuffix(in.mma.Name, ">")
	n, err := strconv.ParseInt(name[strings.LastIndexByte(name, ',')+1:], 10, 64)
	in.k.fail(err)
	return []ptx.Operand{ptx.Int(n)}
}

// adds returns the predicate enable-input-d of the first instructions along K: see [K.Accumulate].
func (k *K) adds() ptx.Operand {
	yes, c := k.accumulate(), k.data.accumulate
	if c != nil && c.never {
		return ptx.Not(yes)
	}
	if c != nil {
		if p := k.predicate(*c); p != nil {
			return p
		}
	}
	return yes
}

// instructionDescriptor returns a register with an instruction descriptor.
func (k *K) instructionDescriptor(bits uint32) ptx.Name {
	r, ok := k.tmem.words[bits]
	if !ok {
		r = k.b.Reg(ptx.B32)
		k.c.Hoist(&ptx.Instr{Op: "mov.b32", Operands: []ptx.Operand{r, ptx.Int(bits)}})
		if k.tmem.words == nil {
			k.tmem.words = map[uint32]ptx.Name{}
		}
		k.tmem.words[bits] = r
	}
	return r
}

// UmmaArrive makes the tcgen05 operations that the thread has started arrive at the barrier when they have completed:
// umma_arrive, tcgen05.commit. One thread executes it, the thread that started them. It fails with [cute.CodeMode] if
// nothing ensures that only one thread executes it, or if the kernel has no tensor memory.
func (b Barrier) UmmaArrive() { b.commit("") }

// UmmaArriveMulticast is [Barrier.UmmaArrive] at the same barrier of several blocks of the cluster, one bit of the mask
// each: umma_arrive_multicast. It fails with [cute.CodeExtent] for blocks that the cluster does not have.
func (b Barrier) UmmaArriveMulticast(mask Index) {
	k := b.kernel("umma_arrive")
	if lo, hi := k.expr(mask).Range(); lo < 0 || hi >= 1<<k.clusterSize() {
		k.refuse("umma_arrive", cute.CodeExtent, "expected a mask of the %d blocks of the cluster, found %v, from %d to %d",
			k.clusterSize(), mask, lo, hi)
	}
	b.commit(".multicast::cluster", k.mask(k.value32(k.expr(mask))))
}

// mask returns a register of 16 bits with a mask of blocks.
func (k *K) mask(x ptx.Operand) ptx.Operand {
	return k.let(ptx.B16, "cvt.u16.u32", k.let(ptx.B32, "mov.b32", x))
}

func (b Barrier) commit(several string, mask ...ptx.Operand) {
	const op = "umma_arrive"
	k := b.kernel(op)
	if k.tmem.group == 0 {
		k.advise("make a TmemAllocator, or take a slice of an MMA of tensor memory, before").refuse(op, cute.CodeMode,
			"nothing says how many blocks share the instructions")
	}
	k.alone(op)
	o := k.group("commit", ".mbarrier::arrive::one.shared::cluster"+several+".b64")
	k.emit(o, append([]ptx.Operand{b.operand()}, mask...)...)
}

// pairLeader returns the rank of the even block of the pair.
func (k *K) pairLeader() address.Expr {
	x := k.expr(k.BlockRankInCluster())
	return k.s.Scale(k.s.Div(x, 2), 2)
}
