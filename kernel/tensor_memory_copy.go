package kernel

import (
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/ptx"
	"girih/tmem"
)

// This file copies between tensor memory and registers: tcgen05.ld and tcgen05.st.

// MakeTmemCopy returns the copy of a tensor in tensor memory to or from registers by 128 threads: make_tmem_copy.
// Thread t of the copy is a thread of a warp w of the block with w mod 4 = t div 32, which reaches the lanes from 32·(w
// mod 4) on. The name is CuTe's, such as SM100_TMEM_LOAD_32dp32b32x; "load" and "store" take the first of 32dp32b,
// 16dp256b and 16dp64b, with up to 32 registers, that moves exactly the tensor.
//
// It fails with [cute.CodeName] for other names, [cute.CodeType] for a tensor in other memory, and the errors of
// [tmem.Access.TiledCopyOf], such as [cute.CodeNotInvertible] for an instruction that reaches a place outside the
// tensor.
func (k *K) MakeTmemCopy(name string, t Tensor) (out atom.TiledCopy) {
	const op = "make_tmem_copy"
	k.heard()
	if !k.has(op, t) {
		return out
	}
	if t.root.space != TensorMemory {
		k.refuse(op, cute.CodeType, "expected a tensor in tensor memory, found %v", t)
		return out
	}
	l, ok := k.layoutOf(op, t)
	if !ok {
		return out
	}
	bits := int64(t.root.bits())
	var err error
	if name != "load" && name != "store" {
		var c atom.Copy
		c, err = atom.FindCopy(name)
		k.fail(err)
		var a tmem.Access
		a, err = tmem.AccessOf(c)
		k.fail(err)
		if out, err = a.TiledCopyOf(l, bits); a.Shape == "16x32bx2" {
			k.refuse(op, cute.CodeName, "%s has two addresses, which kernels do not write", name)
		}
		k.fail(err)
		return out
	}
	a := tmem.Access{Store: name == "store", Packed: bits == 16 && t.root.cells.apart}
	for _, a.Shape = range []string{"32x32b", "16x256b", "16x64b"} {
		for a.Repeat = 32; a.Repeat > 0; a.Repeat /= 2 {
			if a.Registers() > 32 {
				continue
			}
			if out, err = a.TiledCopyOf(l, bits); err != nil {
				continue
			}
			if _, err = out.ThrfrgS(l); err == nil { // the tensor is a number of tiles
				return out
			}
		}
	}
	k.fail(err)
	return out
}

// copyTmem emits tcgen05.ld or tcgen05.st.
func (k *K) copyTmem(c *atom.CopyAtom, src, dst Tensor) {
	const op = "copy"
	if k.err != nil || !k.has(op, src, dst) {
		return
	}
	load := c.From.Space == atom.TensorMemory
	memory, registers, all, own := dst, src, c.NumValDst(), c.NumValSrc()
	if load {
		memory, registers, all, own = src, dst, own, all
	}
	if memory.root.space != TensorMemory || registers.root.space != Registers ||
		registers.root.bits() != c.Type.Bits() || memory.root.bits() != c.Type.Bits() {
		k.refuse(op, cute.CodeType, "%s moves %v between tensor memory and registers, found %v of %v and %v of %v", c.Name,
			c.Type, src.root.space, src.root.elem, dst.root.space, dst.root.elem)
		return
	}
	l, _ := k.layoutOf(op, memory)
	s := side{registers.root, k.elements(op, registers)}
	n := int64(len(s.elements)) / own
	if n*own != int64(len(s.elements)) || n*all != l.Size() {
		k.advise("partition both with one copy: PartitionS and PartitionD").refuse(op, cute.CodeNotCongruent,
			"%s moves %d values of a warp and %d of a thread, found %d and %d", c.Name, all, own, l.Size(), len(s.elements))
		return
	}
	k.together(op)
	k.reachesLanes(c.Name, memory)
	opcode, _, _ := strings.Cut(c.Text, " ")
	for i := range n {
		offset, err := l.At(i * all)
		k.fail(err)
		part := side{s.root, s.elements[i*own:][:own]}
		at, regs := k.tmemAddress(op, memory, offset), k.values(part, 32)
		if !load {
			k.emit(ptx.Op(opcode), at, regs)
			continue
		}
		k.emit(ptx.Op(opcode), regs, at)
		k.keep(part, 32, regs)
	}
	k.need(c.Operation)
}

// reachesLanes refuses a warp that does not reach the lanes of its part: warp w of a block reaches the lanes from
// 32·(w mod 4). Parts whose lanes depend on more than the thread are left to the simulator.
func (k *K) reachesLanes(name string, t Tensor) {
	if k.err != nil {
		return
	}
	who := k.executes(k.around)
	for first := 0; first < len(who); first += WarpSize {
		if who[first] == never {
			continue
		}
		x, err := t.origin[0].At(k.numbersOf(first))
		if err != nil {
			return
		}
		warp := int64(first / WarpSize)
		if lane := x * int64(t.root.bits()) / tmem.ColumnBits >> 16; lane/tmem.WarpLanes != warp%4 {
			k.advise("take the thread k.ThreadIdx().Mod(128), or k.WarpgroupThreadIdx()").refuse("copy", cute.CodeMode,
				"%s reaches the lanes %d to %d in warp %d, and its part begins in lane %d", name, warp%4*tmem.WarpLanes,
				warp%4*tmem.WarpLanes+31, warp, lane)
			return
		}
	}
}
