package kernel

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
	"girih/internal/machine/lower"
)

// This file divides tensors among the threads of a tiled MMA or a tiled copy: CuTe's ThrMMA and ThrCopy.

// A ThrMMA is a thread of a tiled MMA, known when the kernel runs: tiled_mma.get_slice(thread).
type ThrMMA struct {
	_    [0]func() // it cannot be compared
	k    *K
	home *region
	*thrMMA
}

// A thrMMA is what a ThrMMA with a kernel has. A tiled MMA is large, and calls pass a ThrMMA.
type thrMMA struct {
	mma  atom.TiledMMA
	vmnk [4]address.Expr
	step emit.ID
}

// with returns t for another MMA of the same threads.
func (t ThrMMA) with(m atom.TiledMMA) ThrMMA {
	t.thrMMA = &thrMMA{m, t.vmnk, t.step}
	return t
}

// ThrMMA returns a thread of a tiled MMA. It fails with [cute.CodeExtent] if the thread's number may exceed the threads
// of the MMA, and [cute.CodeType] for an instruction of another vendor, or of tensor memory.
func (k *K) ThrMMA(m atom.TiledMMA, thread Index) ThrMMA {
	d := k.does(&emit.Step{Op: "thr_mma", MMA: &m, At: k.coords(thread)})
	defer d.end()
	t := ThrMMA{k: k, thrMMA: &thrMMA{mma: m, step: d.id}}
	k.ours(m.Atom().Operation)
	if isUMMA(m.Atom()) {
		k.checkUMMA(m)
	}
	x := k.expr(thread)
	if lo, hi := x.Range(); !k.among(x, m.Size()) {
		k.advise("make the block one of %d threads, or take %v.Mod(%d)", m.Size(), thread, m.Size()).refuse(
			"get_slice", cute.CodeExtent, "the MMA has %d threads, and %v is from %d to %d", m.Size(), thread, lo, hi)
	}
	t.home = innermost(thread.home(), k.decides(x, k.s.Const(m.Size()), address.Always))
	k.claim("get_slice", m.Size(), thread)
	for i, mode := range m.ThrLayoutVMNK().Modes() {
		if i == len(t.vmnk) || k.err != nil {
			break
		}
		// The coordinate of a thread in a mode with the strides of an injective layout: CuTe's get_flat_coord.
		sum, size := k.s.Const(0), int64(1)
		for _, l := range leavesOf(mode) {
			if d := l.stride; l.extent > 1 && len(d) > 0 && d[0] > 0 {
				own := k.s.Div(x, d[0])
				if !k.among(own, l.extent) {
					own = k.s.Mod(own, l.extent)
				}
				sum = k.s.Add(sum, k.s.Scale(own, size))
			}
			size *= l.extent
		}
		t.vmnk[i] = sum
	}
	for i := range t.vmnk {
		if t.vmnk[i] == (address.Expr{}) {
			t.vmnk[i] = k.s.Const(0)
		}
	}
	k.space()
	return t
}

// A claim is that the threads from 0 to size-1 take part. [K.complete] compares it with the numbers that were used.
type claim struct {
	op   string
	size int64
}

// claim records that one of size threads was used, if the block has fewer than size threads: some parts may have no
// thread.
func (k *K) claim(op string, size int64, thread Index) {
	if size <= k.threads || k.err != nil {
		return
	}
	_, hi := k.expr(thread).Range()
	c := claim{op, size}
	was, ok := k.claims[c]
	if !ok {
		was.pcs.keep(k, 3)
	}
	was.last = max(was.last, hi)
	k.claims[c] = was
}

// A claimed is the largest thread number, and the stack of the first use.
type claimed struct {
	last int64
	pcs  stack
}

// complete refuses a layout of more threads than were used: the parts of the unused threads would be missing. It also
// refuses more registers than the block has.
func (k *K) complete() {
	k.enoughRegisters()
	k.leaks()
	for c, was := range k.claims {
		if was.last < c.size-1 && k.err == nil {
			k.failAt(&cute.Error{
				Code: cute.CodeExtent, Op: c.op,
				Msg: fmt.Sprintf("the layout has %d threads, and the kernel asks for those from 0 to %d only: %s", c.size, was.last,
					"what the others have is left out"),
				Hint: fmt.Sprintf("take a layout of %d threads, or blocks of %d", k.threads, c.size),
			}, was.pcs.places())
		}
	}
}

// ours refuses operations that PTX does not have.
func (k *K) ours(o atom.Operation) {
	if o.Name == "" {
		k.foreign("get_slice", aTiled, nil)
	}
	_, err := lower.TargetFor(o, "")
	k.fail(err)
}

// PartitionA returns the thread's part of A, a tensor (M,K,...): (MMA,MMA_M,MMA_K,...). Modes with run-time extents are
// not partitioned: they follow as the last modes of the result. It has the errors of [atom.TiledMMA.Thrfrg], such as
// [cute.CodeNotDivisible].
func (t ThrMMA) PartitionA(x Tensor) Tensor { return t.partition(atom.OperandA, x) }

// PartitionB is [ThrMMA.PartitionA] for B, a tensor (N,K,...).
func (t ThrMMA) PartitionB(x Tensor) Tensor { return t.partition(atom.OperandB, x) }

// PartitionC is [ThrMMA.PartitionA] for C, a tensor (M,N,...).
func (t ThrMMA) PartitionC(x Tensor) Tensor { return t.partition(atom.OperandC, x) }

func (t ThrMMA) partition(o atom.Operand, x Tensor) (out Tensor) {
	k := t.owner("partition", x)
	if k == nil {
		return x
	}
	defer k.op("partition_"+o.String(), 0, t.step, x.id()).tensor(&out)
	if x.root.space == Shared && t.mma.Atom().Threads() == 2 {
		return t.ownPart(o, x)
	}
	all, ok := k.spread(x, func(l cute.Layout) (cute.Layout, error) { return t.mma.Thrfrg(o, l) })
	if !ok {
		return x
	}
	first, second := o.Axes()
	own := address.Nest(address.At(t.vmnk[0]), address.Nest(address.At(t.vmnk[first+1]), address.At(t.vmnk[second+1])))
	modes := all.Modes()[1].Modes() // (FrgV,(RestX,RestY,...))
	x = x.apart()
	x.home = innermost(x.home, t.home)
	return k.partOf(x, all.Modes()[0], own, append([]cute.Layout{modes[0]}, modes[1].Modes()...))
}

func (t ThrMMA) owner(op string, x Tensor) *K { return divider(op, aThrMMA, maker{t.k, t.home}, x) }

func (t ThrCopy) owner(op string, x Tensor) *K { return divider(op, aThrCopy, maker{t.k, t.home}, x) }

// operand returns the elements of an operand, and the memory from which the instruction reads them.
func operand(m atom.MMA, o atom.Operand) (atom.Element, atom.Space) {
	switch o {
	case atom.OperandA:
		return m.Types.A, m.AFrom
	case atom.OperandB:
		return m.Types.B, m.BFrom
	}
	return m.Types.C, m.CFrom
}

// spread applies f to the modes with known extents, and leaves out the modes with run-time extents.
func (k *K) spread(x Tensor, f func(cute.Layout) (cute.Layout, error)) (cute.Layout, bool) {
	known := Tensor{root: x.root, view: &view{origin: x.origin}}
	for _, m := range x.modes {
		if !m.open {
			known.modes = append(known.modes, m)
		}
	}
	l, ok := k.layoutOf("partition", known)
	if !ok {
		return l, false
	}
	out, err := f(l)
	k.fail(err)
	return out, k.err == nil
}

// partOf returns the part at a coordinate of the threads, as a tensor with the given modes followed by the modes of
// run-time extents.
func (k *K) partOf(x Tensor, threads cute.Layout, own address.Coord, modes []cute.Layout) Tensor {
	at, err := k.s.Layout(threads, own)
	k.fail(err)
	out := Tensor{root: x.root, view: x.at(k.offsetBy(slices.Clone(x.origin), at))}
	for _, l := range modes {
		out.modes = append(out.modes, mode{layout: l})
	}
	for _, m := range x.modes {
		if m.open {
			out.modes = append(out.modes, m)
		}
	}
	k.space()
	return out
}

// MakeFragmentA returns registers for the result of [ThrMMA.PartitionA], without its modes of run-time extents:
// compact, the values of an instruction first. For a wgmma that takes A from shared memory it returns the descriptors
// of the partition, (1,MMA_M,MMA_K,...); for a layout without descriptors it fails with [cute.CodeNotRepresentable]
// with the nearest layout that has them. For a tcgen05.mma that reads A from tensor memory it returns a tensor for
// [TmemAllocator.Tensor], to which a copy of [K.MakeTmemCopy] stores, and fails with [cute.CodeType] for elements below
// 8 bits, or for a pair of blocks with M 128. It fails with [cute.CodeType] if the instruction takes A from elsewhere.
// For a sparse A the elements are raw bits, half as wide as a held element. For kind::f8f6f4 they are bytes that hold
// narrower numbers, in the bits that the PTX ISA specifies.
func (t ThrMMA) MakeFragmentA(part Tensor) Tensor { return t.fragment(atom.OperandA, part) }

// MakeFragmentB is [ThrMMA.MakeFragmentA] for B.
func (t ThrMMA) MakeFragmentB(part Tensor) Tensor { return t.fragment(atom.OperandB, part) }

// MakeFragmentC is [ThrMMA.MakeFragmentA] for C, the accumulators.
func (t ThrMMA) MakeFragmentC(part Tensor) Tensor { return t.fragment(atom.OperandC, part) }

func (t ThrMMA) fragment(o atom.Operand, part Tensor) (out Tensor) {
	k := t.owner("make_fragment", part)
	if k == nil {
		return part
	}
	defer k.op("make_fragment_"+o.String(), 0, t.step, part.id()).tensor(&out)
	m := t.mma.Atom()
	e, from := operand(m, o)
	if from == atom.SharedMemory {
		return t.descriptors(o, part)
	}
	if from == atom.TensorMemory && isUMMA(m) {
		return t.tensorFragment(o, part)
	}
	if from != atom.Registers {
		k.refuse("make_fragment", cute.CodeType, "%v of %s is in %v, not in registers", o, m.Name, from)
		return Tensor{}
	}
	return k.label(k.compact(part, container(e)), "tCr"+o.String())
}

// compact returns registers in the shape of a part.
func (k *K) compact(part Tensor, e atom.Element) Tensor {
	l, ok := k.spread(part, func(l cute.Layout) (cute.Layout, error) { return cute.LayoutLeft(l.Shape()) })
	if !ok {
		return Tensor{}
	}
	return k.makeFragment(e.Type, e.Parts, l)
}

// A ThrCopy is a thread of a tiled copy, known when the kernel runs: tiled_copy.get_slice(thread).
type ThrCopy struct {
	_    [0]func() // it cannot be compared
	k    *K
	home *region
	*thrCopy
}

// A thrCopy is what a ThrCopy with a kernel has.
type thrCopy struct {
	copy   atom.TiledCopy
	thread address.Expr
	step   emit.ID
}

// ThrCopy returns a thread of a tiled copy. It fails with [cute.CodeExtent] if the thread's number may exceed the
// threads of the copy.
func (k *K) ThrCopy(c atom.TiledCopy, thread Index) ThrCopy {
	d := k.does(&emit.Step{Op: "thr_copy", Copy: &c, At: k.coords(thread)})
	defer d.end()
	t := ThrCopy{k: k, thrCopy: &thrCopy{c, k.expr(thread), d.id}}
	if c.Size() == 0 {
		k.foreign("get_slice", aTiled, nil)
	}
	if lo, hi := t.thread.Range(); !k.among(t.thread, c.Size()) {
		k.advise("make the block one of %d threads, or take a layout of %d", c.Size(), k.threads).refuse(
			"get_slice", cute.CodeExtent, "the copy has %d threads, and %v is from %d to %d", c.Size(), thread, lo, hi)
	}
	t.home = innermost(thread.home(), k.decides(t.thread, k.s.Const(c.Size()), address.Always))
	k.claim("get_slice", c.Size(), thread)
	return t
}

// PartitionS returns the part of a tensor that the thread reads: ((values of an instruction, instructions), rest of M,
// ...), followed by the modes with run-time extents. It has the errors of [atom.TiledCopy.ThrfrgS].
//
//go:noinline
func (t ThrCopy) PartitionS(x Tensor) Tensor { return t.partition("S", x, atom.TiledCopy.ThrfrgS) }

// PartitionD returns the part of a tensor that the thread writes, as [ThrCopy.PartitionS].
//
//go:noinline
func (t ThrCopy) PartitionD(x Tensor) Tensor { return t.partition("D", x, atom.TiledCopy.ThrfrgD) }

func (t ThrCopy) partition(
	side string, x Tensor, f func(atom.TiledCopy, cute.Layout) (cute.Layout, error),
) (out Tensor) {
	k := t.owner("partition", x)
	if k == nil {
		return x
	}
	defer k.op("partition_"+side, 0, t.step, x.id()).tensor(&out)
	all, ok := k.spread(x, func(l cute.Layout) (cute.Layout, error) { return f(t.copy, l) })
	if !ok {
		return x
	}
	modes := all.Modes() // (thread, values, rests)
	x = x.apart()
	x.home = innermost(x.home, t.home)
	return k.partOf(x, modes[0], address.At(t.thread), append([]cute.Layout{modes[1]}, modes[2].Modes()...))
}

// RetileS returns a fragment that was made for another partition, such as a [ThrMMA]'s, as this copy reads it:
// retile_S. It has the errors of [atom.ThrCopy.RetileS].
func (t ThrCopy) RetileS(fragment Tensor) Tensor {
	return t.retile("S", fragment, atom.ThrCopy.RetileS)
}

// RetileD is [ThrCopy.RetileS] for the side that this copy writes: retile_D.
func (t ThrCopy) RetileD(fragment Tensor) Tensor {
	return t.retile("D", fragment, atom.ThrCopy.RetileD)
}

func (t ThrCopy) retile(
	side string, fragment Tensor, f func(atom.ThrCopy, cute.Layout) (cute.Layout, error),
) (out Tensor) {
	k := t.owner("retile", fragment)
	if k == nil {
		return fragment
	}
	defer k.op("retile_"+side, 0, t.step, fragment.id()).tensor(&out)
	one, err := t.copy.Thread(0) // it is the same for every thread
	k.fail(err)
	l, ok := k.spread(fragment, func(l cute.Layout) (cute.Layout, error) { return f(one, l) })
	if !ok {
		return fragment
	}
	out = Tensor{root: fragment.root, view: &view{origin: fragment.origin, home: fragment.home}}
	for _, m := range l.Modes() {
		out.modes = append(out.modes, mode{layout: m})
	}
	return out
}
