package kernel

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/ptx"
)

// This file defines the metadata of a sparse A: a matrix E of bits, (M,K bits), K contiguous, with 4 bits for each
// group of elements of A, as in the PTX ISA (9.7.14.6, Sparse matrix storage). K bits of a row cover K elements of A if
// 2 of 4 elements are held, 2·K elements if 1 of 2 is held, and K/2 elements for pairs of 4-bit elements.

// A zipped is the metadata that belongs to another tensor.
type zipped struct {
	e        Tensor
	selector int64
}

// Zip returns a sparse A, as fragments or descriptors, together with the registers of its metadata, which
// [ThrMMA.MakeFragmentE] returned, for [K.GemmTiled]: make_zip_tensor(a, e). The selector, sp-sel of the PTX ISA, says
// which of four threads, or which pair of them, has the metadata for all; if each thread has loaded its own, any
// selector will do. It fails with [cute.CodeExtent] unless the selector is between 0 and 3.
func (k *K) Zip(a, e Tensor, selector int64) Tensor {
	k.goesBeyond("Zip")
	if selector < 0 || selector > 3 {
		k.refuse("zip", cute.CodeExtent, "expected a selector from 0 to 3, found %d", selector)
	}
	if !k.has("zip", a, e) {
		return a
	}
	a = a.apart()
	a.zip = &zipped{e, selector}
	return a
}

// PartitionE returns the thread's part of the metadata of a sparse A, a tensor (M,K bits,...) of bits: (MMA,MMA_M,
// MMA_K,...). It fails with [cute.CodeType] for an instruction that is not sparse, or elements that are not bits, and
// the errors of [ThrMMA.PartitionA].
func (t ThrMMA) PartitionE(x Tensor) Tensor {
	k := t.owner("partition", x)
	if k == nil || k.err != nil {
		return x
	}
	if x.Elem() != dtype.B1 {
		k.refuse("partition", cute.CodeType, "metadata are bits, found %v", x.Elem())
		return x
	}
	a := t.mma.Atom()
	if a.Sparse == nil || a.Sparse.From != atom.Registers {
		k.refuse("partition", cute.CodeType, "%s has no metadata in registers", a.Name)
		return x
	}
	m, err := besideMMA(t.mma, atom.OperandA, beside{a: a.Sparse.E, num: 4, den: a.Sparse.Of})
	if err != nil {
		k.fail(err)
		return x
	}
	return t.with(m).PartitionA(x)
}

// MakeFragmentE returns registers for the result of [ThrMMA.PartitionE].
func (t ThrMMA) MakeFragmentE(part Tensor) Tensor {
	k := t.owner("make_fragment", part)
	if k == nil {
		return part
	}
	return k.label(k.compact(part, atom.Element{Type: dtype.B1, Parts: 1}), "tCrE")
}

// metadata returns the register with the metadata of one instruction, or nil without metadata.
func (in *instruction) metadata(a Tensor) ptx.Operand {
	k := in.k
	switch {
	case k.err != nil || in.mma.Sparse == nil && a.zip == nil:
		return nil
	case in.mma.Sparse == nil || a.zip == nil:
		k.repair("zip A with its metadata: k.Zip(a, e, 0)", &cute.Error{
			Code: cute.CodeType, Op: "gemm", Msg: fmt.Sprintf("metadata go with a sparse instruction and with no other, found %s",
				in.mma.Name),
		})
		return nil
	}
	e := a.zip.e
	s := side{e.root, k.elements("gemm", e)}
	if k.err != nil {
		return nil
	}
	if e.root.space != Registers || e.root.bits()*len(s.elements) != 32 {
		k.refuse("gemm", cute.CodeType, "the metadata of an instruction are a register of 32 bits, found %d elements of %v in %v",
			len(s.elements), e.root.elem, e.root.space)
		return nil
	}
	in.selector = a.zip.selector
	if regs := k.values(s, 32); len(regs) == 1 {
		return regs[0]
	}
	return nil
}
