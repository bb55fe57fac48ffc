package kernel

import (
	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/internal/machine/lower"
	"girih/ptx"
	"girih/tmem"
)

// This file has the factors of block-scaled tcgen05.mma, which are in tensor memory: a byte for 16 or 32 elements along
// K. They are copied there from shared memory, in blocks of 128 rows by 4 factors.

// scaleFragment returns the tensor in tensor memory for the factors of a tile, (row,k,copy).
func (t ThrMMA) scaleFragment(o atom.Operand, part Tensor) Tensor {
	k, m := t.k, t.mma.Atom()
	in, err := descriptor.InstructionOf(m)
	k.fail(err)
	l, ok := k.layoutOf("make_fragment", part)
	if !ok {
		return Tensor{}
	}
	sizes := l.AppendModeSizes(nil)
	if part.Elem() != m.Scale.Type || len(sizes) != 2 || sizes[0]%128 != 0 {
		k.refuse("make_fragment", cute.CodeType, "the factors of %s are %v of (row,k), a multiple of 128 rows, found %v",
			m.Name, m.Scale.Type, part)
		return Tensor{}
	}
	of, err := tmem.ScaleFactors{Instruction: in, Operand: o, Vector: m.Scale.Vector}.Tensor(sizes[0], sizes[1])
	return k.inTensorMemory("tCtSF"+o.String(), &root{elem: m.Scale.Type}, of, err)
}

// CopyUtccp copies the factors of a tile from shared memory, (row,k) in bytes, to the tensor that
// [ThrMMA.MakeFragmentSFA] made: copy(make_utccp_copy(SM100_UTCCP_4x32dp128bit), s, t), tcgen05.cp. Products that the
// thread starts after it wait for it. One thread executes it; for a pair of blocks it copies in both. It fails with
// [cute.CodeType] for other tensors, [cute.CodeNotRepresentable] unless 128 rows by 4 factors are a block of 512 bytes,
// as [tmem.ScaleFactors.SharedLayout] has them, and [cute.CodeMode] if nothing ensures that one thread executes it.
func (k *K) CopyUtccp(src, dst Tensor) {
	const op = "utccp"
	k.heard()
	if !k.has(op, src, dst) {
		return
	}
	from, ok := k.layoutOf(op, src)
	to, known := k.layoutOf(op, dst)
	if !ok || !known {
		return
	}
	if src.root.space != Shared || dst.root.space != TensorMemory || src.root.bits() != 8 || dst.root.bits() != 8 ||
		from.Rank() != 2 || to.Rank() != 3 {
		k.refuse(op, cute.CodeType, "expected factors (row,k) in shared memory and (row,k,copy) in tensor memory, found %v and %v",
			src, dst)
		return
	}
	k.alone(op)
	rows, columns := from.Modes()[0].Size(), from.Modes()[1].Size()
	vector := cute.Coalesce(from.Modes()[1])
	each, _ := vector.Leaf(0) // the elements that share a factor
	bits := descriptor.Matrix{Format: descriptor.SM100, Leading: 16, Stride: 128}.Bits()
	at := func(l cute.Layout, coord ...int64) int64 {
		x, err := l.Eval(cute.Ints(coord...))
		k.fail(err)
		n, _ := x.Int64()
		return n
	}
	for row := int64(0); row < rows && k.err == nil; row += 128 {
		for along := int64(0); along < columns; along += 4 * each {
			first := at(from, row, along)
			for i := range int64(512) { // factor i mod 4 of row i div 4
				r, f := i/4, i%4
				if at(from, row+r, along+f*each)-first != 16*(r%32)+4*(r/32)+f {
					k.refuse(op, cute.CodeNotRepresentable, "factor %d of row %d of %s is not where a block has it: %v",
						f, row+r, src.root.name, from)
					return
				}
			}
			d := k.tmemAddress(op, dst, at(to, row, along, 0))
			place := k.at(k.placer(src).element([]int64{first}))
			k.emit(k.group("cp", ".32x128b.warpx4"), d, k.describe(src.root, place, bits))
		}
	}
}

// scales returns the operands with the factors of A and B of one instruction, and sets their IDs in its descriptor: for
// the number of the instruction along M, N and K.
func (in *instruction) scales(of [2]*Tensor, at [3]int64, d *descriptor.Instruction) (out []ptx.Operand) {
	k := in.k
	for i, f := range of {
		switch scaled := in.mma.Scale != nil; {
		case !scaled && f == nil:
			return nil
		case !scaled, f == nil, f.root.space != TensorMemory, f.root.elem != in.mma.Scale.Type:
			k.advise("zip A and B with the tensors of MakeFragmentSFA and MakeFragmentSFB: k.ZipSF").refuse("gemm", cute.CodeType,
				"%s is without its factors in tensor memory", in.mma.Name)
			return nil
		}
		l, _ := k.layoutOf("gemm", *f)
		x, err := l.Eval(cute.Ints(at[i]*in.mma.Shape[i], at[2]*in.mma.Shape[2], 0))
		k.fail(err)
		offset, _ := x.Int64()
		out = append(out, k.tmemAddress("gemm", *f, offset/4*4))
		*[]*int{&d.ScaleA, &d.ScaleB}[i] = int(offset % 4)
	}
	k.require(lower.Target{Chip: "sm_100a", Version: ptx.Version{Major: 8, Minor: 8}}) // .block16 and .block32
	return out
}
