package tiled

import (
	"girih/atom"
	"girih/cute"
	"girih/tensor"
)

// Gemm executes the instructions of all threads of a tiled MMA, C += A·Bᵀ: cute::gemm(tiled_mma, A, B, C). Each operand
// is an undivided tensor, (M,K), (N,K) and (M,N); or the parts of all threads, (Thr,V,RestM,RestK) and so on
// ([PartitionA], [PartitionFragmentC], ...), so that each instruction has the registers of its own threads. For an MMA
// of one thread, all three may be one thread's parts.
//
// The values along K are added in the order in which the threads execute them: instruction after instruction in the
// order of RestK, and within an instruction as [Arithmetic] says. All of A, B and C is read before C is written.
//
// An operand that the instruction reads from registers may also be in shared memory: it is loaded first, as by
// cute::gemm. Operands in global memory are refused, and so are accumulators that are not in the instruction's memory.
// Tensors without a memory space ([tensor.Tensor.In]) may be any operand.
//
// It returns [cute.CodeRank] and [cute.CodeNotCongruent] for operands that do not match the MMA, with the shapes;
// [cute.CodeNotDivisible] if the tile does not divide a tensor; [cute.CodeType] for elements of another type, for a
// memory that the instruction does not support, for one thread's part if an instruction belongs to several threads, and
// for instructions with more operands than A, B and C; [cute.CodeNotInjective] if two results would be written to one
// place, or if two registers that hold one element of an instruction differ; [cute.CodeMode] for padded tensors; and
// [cute.CodeLimit] above 2^33 products or 2^26 elements.
func Gemm[A, B, C any](m atom.TiledMMA, a tensor.Tensor[A], b tensor.Tensor[B], c tensor.Tensor[C]) error {
	for _, err := range []error{present(opGemm, a), present(opGemm, b), present(opGemm, c)} {
		if err != nil {
			return err
		}
	}
	g := product[A, B, C]{mma: m}
	if err := g.judge(a, b, c); err != nil {
		return err
	}
	if err := g.divide(a, b, c); err != nil {
		return err
	}
	return g.run()
}

const opGemm = "gemm"

// maxProducts is the largest number of products of one call.
const maxProducts = 1 << 33

// A product is the operands of one call as matrices.
type product[A, B, C any] struct {
	mma atom.TiledMMA
	a   matrix[A]
	b   matrix[B]
	c   matrix[C]
}

// divide turns the operands into matrices, and refuses operands that do not match.
func (g *product[A, B, C]) divide(a tensor.Tensor[A], b tensor.Tensor[B], c tensor.Tensor[C]) error {
	var err error
	if g.a, err = newMatrix(g.mma, atom.OperandA, a); err != nil {
		return err
	}
	if g.b, err = newMatrix(g.mma, atom.OperandB, b); err != nil {
		return err
	}
	if g.c, err = newMatrix(g.mma, atom.OperandC, c); err != nil {
		return err
	}
	if err := (grids{&g.a.grid, &g.b.grid, &g.c.grid}).check(); err != nil {
		return err
	}
	if err := g.a.agrees(g.mma.Atom(), atom.OperandA); err != nil {
		return err
	}
	return g.b.agrees(g.mma.Atom(), atom.OperandB)
}

// judge refuses instructions, and types and memories of operands, before anything is divided.
func (g *product[A, B, C]) judge(a tensor.Tensor[A], b tensor.Tensor[B], c tensor.Tensor[C]) error {
	m := g.mma.Atom()
	switch {
	case g.mma.Size() <= 1 && m.Name == "":
		return refuse(opGemm, cute.CodeType, "expected a tiled MMA that MakeTiledMMA returned, found the zero TiledMMA")
	case m.Scale != nil:
		return refuse(opGemm, cute.CodeType, "%s has scale factors as operands, and gemm takes only A, B and C", m.Name)
	case m.Sparse != nil:
		return refuse(opGemm, cute.CodeType, "%s has the metadata of a sparse A as operand, and gemm takes only A, B and C",
			m.Name)
	}
	if err := suits(m, atom.OperandA, a); err != nil {
		return err
	}
	if err := suits(m, atom.OperandB, b); err != nil {
		return err
	}
	if err := suits(m, atom.OperandC, c); err != nil {
		return err
	}
	one := 0
	for _, rank := range []int{a.Rank(), b.Rank(), c.Rank()} {
		if rank == 3 {
			one++
		}
	}
	if one > 0 && one < 3 {
		return advise("PartitionA, PartitionB and PartitionC return the parts of the same threads",
			refuse(opGemm, cute.CodeNotCongruent,
				"one thread's part, with 3 modes, is combined with other operands: A is %v, B %v and C %v",
				a.Shape(), b.Shape(), c.Shape()))
	}
	if n := m.Threads(); one > 0 && n > 1 {
		return advise("give it what all threads have: PartitionA, PartitionB and PartitionC of the tiled MMA itself",
			refuse(opGemm, cute.CodeType, "%s is executed by %d threads together, and A %v is what one has", m.Name, n, a.Shape()))
	}
	return nil
}

// suits refuses an operand that has other elements, is not in the instruction's memory, or is padded.
func suits[T any](m atom.MMA, o atom.Operand, t tensor.Tensor[T]) error {
	if want := m.Types.Of(o); !holds(t, want) {
		return advise("the tensor is one of Go's "+goName(want)+", or packed codes of "+want.Type.String(),
			refuse(opGemm, cute.CodeType, "%s multiplies with %v as %v, found elements of %s in %v", m.Name, want, o,
				elementText(t), t))
	}
	found, want := t.Space(), m.Space(o)
	switch {
	case found == want, found == atom.Anywhere:
	case found == atom.SharedMemory && want == atom.Registers && o != atom.OperandC: // it is loaded first
	default:
		hint := "copy it to shared memory first"
		switch {
		case o == atom.OperandC:
			hint = "accumulate in MakeFragmentC, and copy that with Axpby or Copy"
		case want == atom.Registers:
			hint = "copy it to MakeFragment" + o.String() + " first, or to shared memory"
		}
		return advise(hint, refuse(opGemm, cute.CodeType, "%s has %v in %v, and %v is in %v", m.Name, o, want, t, found))
	}
	if t.Padded() {
		return advise("copy it with CopyIf to a tensor of whole tiles that was cleared",
			refuse(opGemm, cute.CodeMode, "%v is padded: some coordinates of %v have no element", o, t))
	}
	if n := t.Size(); n > maxListed {
		return advise("multiply a tile at a time",
			refuse(opGemm, cute.CodeLimit, "%v has %d elements, more than %d", o, n, int64(maxListed)))
	}
	return nil
}
