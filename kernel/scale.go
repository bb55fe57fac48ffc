package kernel

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/ptx"
)

// This file defines the factors of block-scaled instructions: a matrix SFA (M,K/V), and SFB (N,K/V), with one factor
// for V consecutive elements along K, as in the PTX ISA (9.7.14.3, Block scaling for mma.sync).

// ZipSF returns a fragment of A or B together with the registers of its factors, which [ThrMMA.MakeFragmentSFA] or
// [ThrMMA.MakeFragmentSFB] returned, for [K.GemmTiled]: make_zip_tensor(a, sfa). Each thread from which an instruction
// reads factors has loaded its own, so the instruction's byte-id and thread-id are 0.
func (k *K) ZipSF(t, factors Tensor) Tensor {
	k.goesBeyond("ZipSF")
	if !k.has("zip", t, factors) {
		return t
	}
	t = t.apart()
	t.factors = &factors
	return t
}

// PartitionSFA returns the thread's part of the factors of A, a tensor (M,K/V,...): (MMA,MMA_M,MMA_K,...). It fails
// with [cute.CodeType] for an instruction without factors in registers, or factors of another type, and the errors of
// [ThrMMA.PartitionA].
func (t ThrMMA) PartitionSFA(x Tensor) Tensor { return t.partitionSF(atom.OperandA, x) }

// PartitionSFB is [ThrMMA.PartitionSFA] for B, a tensor (N,K/V,...).
func (t ThrMMA) PartitionSFB(x Tensor) Tensor { return t.partitionSF(atom.OperandB, x) }

func (t ThrMMA) partitionSF(o atom.Operand, x Tensor) Tensor {
	k := t.owner("partition", x)
	if k == nil || k.err != nil {
		return x
	}
	a := t.mma.Atom()
	switch {
	case a.Scale == nil || a.Scale.From != atom.Registers:
		k.refuse("partition", cute.CodeType, "%s has no factors in registers", a.Name)
		return x
	case x.Elem() != a.Scale.Type:
		k.refuse("partition", cute.CodeType, "the factors of %s are %v, found %v", a.Name, a.Scale.Type, x.Elem())
		return x
	}
	m, err := besideMMA(t.mma, o, beside{a.Scale.A, a.Scale.B, 1, a.Scale.Vector})
	if err != nil {
		k.fail(err)
		return x
	}
	return t.with(m).partition(o, x)
}

// MakeFragmentSFA returns registers for the result of [ThrMMA.PartitionSFA]. For a tcgen05.mma, whose factors are in
// tensor memory, it takes the factors of a tile in shared memory, (row,k), and returns a tensor for
// [TmemAllocator.Tensor] and [K.CopyUtccp], (row,k,copy), with the errors of [tmem.ScaleFactors.Tensor].
func (t ThrMMA) MakeFragmentSFA(part Tensor) Tensor { return t.fragmentSF(atom.OperandA, part) }

// MakeFragmentSFB returns registers for the result of [ThrMMA.PartitionSFB].
func (t ThrMMA) MakeFragmentSFB(part Tensor) Tensor { return t.fragmentSF(atom.OperandB, part) }

func (t ThrMMA) fragmentSF(o atom.Operand, part Tensor) Tensor {
	k := t.owner("make_fragment", part)
	if k == nil {
		return part
	}
	if s := t.mma.Atom().Scale; s != nil && s.From == atom.TensorMemory {
		return t.scaleFragment(o, part)
	}
	return k.label(k.compact(part, atom.Element{Type: part.Elem(), Parts: 1}), "tCrSF")
}

// factor returns the register with the factors of one instruction, or nil without factors.
func (in *instruction) factor(o atom.Operand, t Tensor) ptx.Operand {
	k, scale := in.k, in.mma.Scale
	switch {
	case k.err != nil || scale == nil && t.factors == nil:
		return nil
	case scale == nil || t.factors == nil:
		k.repair(fmt.Sprintf("zip %v with its factors: k.ZipSF(a, factors)", o), &cute.Error{
			Code: cute.CodeType, Op: "gemm",
			Msg: fmt.Sprintf("factors go with a block-scaled instruction and with no other, found %s", in.mma.Name),
		})
		return nil
	}
	s := side{t.factors.root, k.elements("gemm", *t.factors)}
	want := int(in.mma.Shape[2] / scale.Vector)
	if k.err == nil && (s.root.space != Registers || s.root.elem != scale.Type || len(s.elements) != want) {
		k.refuse("gemm", cute.CodeType, "%v of %s has %d factors %v in registers, found %d of %v in %v", o, in.mma.Name, want,
			scale.Type, len(s.elements), s.root.elem, s.root.space)
	}
	if k.err != nil {
		return nil
	}
	if regs := k.values(s, 32); len(regs) == 1 {
		return regs[0]
	}
	return nil
}

// A beside is a companion operand of A or B, distributed over threads in the same way. It contains num values for den
// elements along K.
type beside struct {
	a, b     cute.Layout
	num, den int64
}

// besideMMA returns a tiled MMA in which the companion operand replaces the operand.
func besideMMA(m atom.TiledMMA, o atom.Operand, x beside) (atom.TiledMMA, error) {
	a := m.Atom()
	rows, tv, to := a.Shape[0], x.a, &a.A
	if o == atom.OperandB {
		rows, tv, to = a.Shape[1], x.b, &a.B
	}
	s, d, err := x.leaves(rows, tv.Shape(), tv.Stride())
	if err != nil {
		return m, err
	}
	if *to, err = cute.New(s, d); err != nil {
		return m, err
	}
	shape := m.TileShape()[2]
	along := cute.Tiler(cute.Keep)
	if shape != a.Shape[2]*m.AtomLayoutMNK().Modes()[2].Size() {
		along = cute.Int(x.count(shape))
	}
	a.Shape[2] = x.count(a.Shape[2])
	perm := m.PermutationMNK()
	return atom.MakeTiledMMA(a, m.AtomLayoutMNK(), cute.MakeTile(perm[0], perm[1], along))
}

// count returns how many values of the companion belong to n elements along K.
func (x beside) count(n int64) int64 { return n * x.num / x.den }

// leaves changes the leaves that step along K: those whose strides are at least the number of rows.
func (x beside) leaves(rows int64, shape, stride cute.Tuple) (s, d cute.Tuple, err error) {
	if !shape.IsInt() {
		var ss, ds []cute.Tuple
		strides := stride.Modes()
		for i, y := range shape.Modes() {
			if s, d, err = x.leaves(rows, y, strides[i]); err != nil {
				return s, d, err
			}
			ss, ds = append(ss, s), append(ds, d)
		}
		if s, err = cute.MakeTuple(ss...); err == nil {
			d, err = cute.MakeTuple(ds...)
		}
		return s, d, err
	}
	n, _ := shape.Int64()
	switch y, _ := stride.Int64(); {
	case y == rows:
		return cute.Int(x.count(n)), stride, nil
	case y > rows:
		return shape, cute.Int(x.count(y)), nil
	}
	return shape, stride, nil
}

// container returns the element type of the fragments of an operand. It is raw bits if the registers do not hold plain
// numbers of the type, but halves of held elements of a sparse A, or bytes that contain narrower numbers.
func container(e atom.Element) atom.Element {
	if e.Sparsity > 1 || e.Bits() != e.Type.Bits()*e.Parts {
		return atom.Element{Type: raw(e.Bits()), Parts: 1}
	}
	return e
}

// raw returns the type of raw bits of a width, 0 if there is none.
func raw(bits int) dtype.Type {
	for _, t := range []dtype.Type{dtype.B2, dtype.B4, dtype.B8, dtype.B16, dtype.B32} {
		if t.Bits() == bits {
			return t
		}
	}
	return 0
}
