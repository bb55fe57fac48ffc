package kernel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
	"girih/internal/machine/lower"
	"girih/ptx"
)

// GemmTiled executes the instructions of a tiled MMA: gemm(tiled_mma, a, b, c) with c += a·bᵀ. Its operands come from
// [ThrMMA]: (MMA,MMA_M,MMA_K), (MMA,MMA_N,MMA_K) and (MMA,MMA_M,MMA_N); if a and b have two modes, MMA_K is 1. All
// operands are in registers, except that an instruction of single threads also takes a and b from memory, and loads
// them first. A wgmma also takes descriptors; it needs [K.WarpgroupArrive] before it, and [K.WarpgroupCommitBatch] and
// [K.WarpgroupWait] after it. A tcgen05.mma takes descriptors, and c is in tensor memory; one thread executes it, for a
// pair of blocks a thread of the even block, and [Barrier.UmmaArrive] says when it has completed.
//
// It fails with [cute.CodeRank], [cute.CodeNotCongruent] for shapes that do not match, [cute.CodeType] for elements of
// a type or in a memory other than the instruction's, [cute.CodeNotRepresentable] for registers that match no
// instruction, and the errors of package atom about what PTX lacks.
func (k *K) GemmTiled(m atom.TiledMMA, a, b, c Tensor) {
	defer k.does(&emit.Step{Op: "gemm_tiled", Of: of(a, b, c), MMA: &m}).end()
	n, ok := k.tiledShape(&a, &b, &c)
	if !ok {
		return
	}
	if isUMMA(m.Atom()) {
		k.gemmUMMA(m, n, [3]Tensor{a, b, c})
		return
	}
	rows, columns, depth := n[0], n[1], n[2]
	a, b = k.apartFrom(c, a), k.apartFrom(c, b)
	in := newInstruction(k, m.Atom())
	if c.root.space == Registers {
		k.again("gemm", side{c.root, k.elements("gemm", c)})
	}
	defer k.stand()()
	if lower.IsWarpgroup(in.mma) {
		k.startWgmma(c.root)
	}
	defer k.begin(in.mma.Name, madeOfMMA(m, a, b, c))()
	for i := range depth {
		in.first = i == 0
		from := make([]lower.Operands, rows) // by row of A
		for r := range rows {
			at := k.Slice(a, Open, Int(r), Int(i))
			from[r] = lower.Operands{
				A: in.registers(atom.OperandA, at), Metadata: in.metadata(at), ScaleA: in.factor(atom.OperandA, at),
				Selector: in.selector,
			}
		}
		for n := range columns {
			at := k.Slice(b, Open, Int(n), Int(i))
			y, factor := in.registers(atom.OperandB, at), in.factor(atom.OperandB, at)
			for r := range rows {
				from[r].B, from[r].ScaleB = y, factor
				in.emit(k.Slice(c, Open, Int(r), Int(n)), from[r])
			}
		}
	}
}

// tiledShape returns the numbers of instructions along M, N and K. If a and b have two modes, it adds a mode K of
// extent 1. It refuses operands that do not match.
func (k *K) tiledShape(a, b, c *Tensor) (n [3]int64, ok bool) {
	const op = "gemm"
	if !k.has(op, *a, *b, *c) {
		return n, false
	}
	var ls [3]cute.Layout
	for i, t := range []*Tensor{a, b, c} {
		if i < 2 && len(t.modes) == 2 {
			*t = t.withK()
		}
		if ls[i], ok = k.layoutOf(op, *t); !ok {
			return n, false
		}
		if ls[i].Rank() != 3 {
			k.refuse(op, cute.CodeRank, "expected (MMA,M,K), (MMA,N,K) and (MMA,M,N), found %v", *t)
			return n, false
		}
	}
	size := func(i, j int) int64 { return ls[i].Modes()[j].Size() }
	n = [3]int64{size(2, 1), size(2, 2), size(0, 2)}
	if size(0, 1) != n[0] || size(1, 1) != n[1] || size(1, 2) != n[2] {
		k.advise("partition all three with one ThrMMA").refuse(op, cute.CodeNotCongruent,
			"expected (MMA,M,K), (MMA,N,K) and (MMA,M,N), found the shapes %v, %v and %v",
			ls[0].Shape(), ls[1].Shape(), ls[2].Shape())
		return n, false
	}
	if n[0]*n[1]*n[2] > MaxElements {
		k.advise("multiply one k at a time under k.For, or take more threads").refuse(op, cute.CodeLimit,
			"a thread has %d·%d·%d instructions, which are unrolled: at most %d", n[0], n[1], n[2], MaxElements)
		return n, false
	}
	return n, true
}

// withK returns an operand with a mode K of extent 1, and its factors and metadata with that mode.
func (t Tensor) withK() Tensor {
	t = t.apart()
	t.modes = append(slices.Clip(t.modes), mode{layout: cute.Layout{}})
	if t.factors != nil && len(t.factors.modes) == 2 {
		f := t.factors.withK()
		t.factors = &f
	}
	if t.zip != nil && len(t.zip.e.modes) == 2 {
		t.zip = &zipped{t.zip.e.withK(), t.zip.selector}
	}
	return t
}

// An instruction is an MMA that is being emitted.
type instruction struct {
	k        *K
	mma      atom.MMA
	selector int64
	first    bool // along MMA_K
}

func newInstruction(k *K, m atom.MMA) *instruction { return &instruction{k: k, mma: m} }

// accepts refuses elements of a type that an operand cannot have. It accepts raw bits as any type of the same width,
// and f32 as tf32; an element of a sparse A has a share of the bits.
func (in *instruction) accepts(o atom.Operand, s side, f lower.Fragment) bool {
	e, _ := operand(in.mma, o)
	want, r := f.Values, s.root
	if o == atom.OperandA && in.mma.Sparse != nil {
		want *= max(e.Sparsity, 1)
	}
	same := container(e) == e && r.elem == e.Type && max(r.parts, 1) == e.Parts ||
		r.elem.Kind() == dtype.Raw && r.bits() == e.Bits() || r.elem == dtype.F32 && e.Type == dtype.TF32
	if !same || len(s.elements) != want {
		in.k.refuse("gemm", cute.CodeType, "%v of %s is %d values %v, found %d of %v", o, in.mma.Name, want, e,
			len(s.elements), r.elem)
	}
	return in.k.err == nil
}

// registers returns the registers that hold the values of one instruction.
func (in *instruction) registers(o atom.Operand, t Tensor) ptx.Vec {
	regs, _, _ := in.operand(o, t)
	return regs
}

// operand returns the registers of the values of one instruction, the values that each register holds, and these
// values.
func (in *instruction) operand(o atom.Operand, t Tensor) (regs ptx.Vec, f lower.Fragment, s side) {
	k := in.k
	if k.err != nil {
		return nil, f, s
	}
	if t.root != nil && t.root.space == Descriptors {
		return in.descriptor(o, t), f, s
	}
	f, err := lower.FragmentOf(in.mma, o)
	if err != nil {
		k.fail(err)
		return nil, f, s
	}
	s = side{t.root, k.elements("gemm", t)}
	if k.err != nil || !in.accepts(o, s, f) {
		return nil, f, s
	}
	if t.root.space != Registers {
		if s = in.load(o, s); k.err != nil {
			return nil, f, s
		}
	}
	if lower.IsWarpgroup(in.mma) {
		k.inOrder(s)
	}
	regs = k.values(s, f.Register)
	if strings.HasPrefix(in.mma.Text, "fma.rn.f32x2 ") && f.Register == 32 && k.err == nil { // one register for both
		return ptx.Vec{k.let(ptx.B64, "mov.b64", ptx.Vec{regs[0], regs[0]})}, f, s
	}
	return regs, f, s
}

// descriptor returns the descriptor of an operand in shared memory.
func (in *instruction) descriptor(o atom.Operand, t Tensor) ptx.Vec {
	k := in.k
	if m := t.root.matrix; m.mma != in.mma.Name || m.which != o {
		k.refuse("gemm", cute.CodeType, "expected %v of %s, found descriptors of %v of %s", o, in.mma.Name, m.which, m.mma)
		return nil
	}
	k.reaches("gemm", t)
	return ptx.Vec{k.descriptorOf(t)}
}

// load loads elements in memory into new registers. Only instructions of single threads need it, for A and B.
func (in *instruction) load(o atom.Operand, s side) side {
	k := in.k
	if in.mma.Threads() != 1 || o == atom.OperandC {
		k.repair("copy it to a fragment first", &cute.Error{
			Code: cute.CodeType, Op: "gemm",
			Msg: fmt.Sprintf("%v of %s is in registers, found %v", o, in.mma.Name, s.root.space),
		})
		return s
	}
	k.narrow = nil
	out := side{&root{k: k, space: Registers, elem: s.root.elem, parts: s.root.parts, count: len(s.elements)}, nil}
	for i, e := range s.elements {
		if !e.cond.always() {
			k.outside("gemm", s, i)
			return out
		}
		out.elements = append(out.elements, element{base: k.s.Const(0), off: int64(i), cond: k.sure})
	}
	if s.root.bits() < 32 {
		typ, per := out.root.register()
		for range (len(s.elements) + per - 1) / per {
			w := k.b.Reg(typ)
			out.root.words = append(out.root.words, w)
			k.emit("mov.b32", w, ptx.Int(0))
		}
		k.move(s, out, k.vectors(s, out))
		return out
	}
	for i := range s.elements {
		out.root.words = append(out.root.words, k.load(s, vector{1, []int{i}}, Cond{k: k})...)
	}
	return out
}

// emit emits the instruction, which adds to c.
func (in *instruction) emit(c Tensor, o lower.Operands) {
	k := in.k
	acc, f, s := in.operand(atom.OperandC, c)
	if k.err != nil {
		return
	}
	if t := in.mma.Types; in.mma.Shape == [3]int64{1, 1, 1} && t.A == t.C && t.B == t.C {
		if fma := fmaOf(t.C.Type); fma != "" {
			k.emit(fma, acc[0], o.A[0], o.B[0], in.addend(acc, f, &o)[0])
			return
		}
	}
	o.D, o.C = acc, in.addend(acc, f, &o)
	k.collect(func() error { return lower.MMA(k.b, in.mma, o) })
	if k.err == nil {
		k.keep(s, f.Register, acc)
	}
	k.need(in.mma.Operation)
}

// collect appends the instructions that package lower emits.
func (k *K) collect(f func() error) {
	var err error
	for _, st := range k.b.Collect(func() { err = f() }) {
		k.add(st)
	}
	k.fail(err)
}

// need raises the module's target to a chip that has the operation.
func (k *K) need(o atom.Operation) {
	t, err := lower.TargetFor(o, "")
	k.fail(err)
	k.require(t)
}

// require raises the module's target to a chip and a version of PTX.
//
//go:noinline
func (k *K) require(t lower.Target) {
	if newer(t.Chip, k.target.Chip) {
		k.target.Chip = t.Chip
	}
	if v, now := t.Version, k.target.Version; v.Major > now.Major || v.Major == now.Major && v.Minor > now.Minor {
		k.target.Version = v
	}
}

// newer reports whether chip a, such as sm_90a, is newer than b. A chip with instructions of its own is newer than the
// plain one.
func newer(a, b string) bool {
	number := func(chip string) int {
		n, _ := strconv.Atoi(strings.TrimRight(strings.TrimPrefix(chip, "sm_"), "af"))
		return n
	}
	return number(a) > number(b) || number(a) == number(b) && len(a) > len(b)
}

// CopyTiled executes the instructions of a tiled copy: copy(tiled_copy, src, dst), for operands that [ThrCopy] makes.
// Atoms that copy single values or choose their own width are executed by [K.Copy]. ldmatrix and stmatrix move the
// values of a warp. cp.async only starts the copy, and [K.CpAsyncWait] waits for it. A copy named ZFILL writes zeros
// for elements outside of a tensor with run-time extents.
//
// It fails with [cute.CodeNotCongruent] if the numbers of elements differ, [cute.CodeType] for elements of another type
// or in memory other than the instruction's, [cute.CodeNotRepresentable] if the values that the instruction finds at
// one address are not contiguous or not aligned, and the errors of [K.Copy].
func (k *K) CopyTiled(c atom.TiledCopy, src, dst Tensor) {
	defer k.does(&emit.Step{Op: "copy_tiled", Of: of(src, dst), Copy: &c}).end()
	const op = "copy"
	defer k.stand()()
	at := c.Atom()
	if !k.byThreads(at.Copy) {
		k.copyTmem(&at, src, dst)
		return
	}
	both := k.sides
	if at.NumValSrc() != at.NumValDst() { // threads exchange values with other threads
		both = k.bothSides
	}
	a, b, ok := both(op, src, dst)
	if !ok {
		return
	}
	k.narrow, k.atom, k.sizes, k.partial = nil, at.Name, map[[2]ptx.Operand]ptx.Name{}, map[[2]address.Expr]ptx.Operand{}
	defer func() { k.atom = "" }()
	if at.Type.Bits() != a.root.bits() {
		k.advise("find the atom of elements %s", a.root.elem.CPP()).refuse(op, cute.CodeType,
			"the copy moves %v, found %v", at.Type, a.root.elem)
		return
	}
	if at.Kind == atom.UniversalCopy {
		if at.From.Unit >= 8 { // automatic copies have units of one bit
			k.limit = int(at.From.Unit)
			defer func() { k.limit = 0 }()
		}
		k.Copy(src, dst)
		return
	}
	given, got := int(at.NumValSrc()), int(at.NumValDst())
	if given == 0 || got == 0 || len(a.elements)%given != 0 || len(b.elements)%got != 0 ||
		len(a.elements)/given != len(b.elements)/got {
		k.advise("partition both with the tiled copy: PartitionS and PartitionD, or RetileD").refuse(
			op, cute.CodeNotCongruent, "%s reads %d and writes %d values of a thread, found %d and %d", at.Name,
			given, got, len(a.elements), len(b.elements))
		return
	}
	for i := range len(a.elements) / given {
		into := side{b.root, b.elements[i*got:][:got]}
		from := k.copySide(at, at.From, side{a.root, a.elements[i*given:][:given]})
		to := k.copySide(at, at.To, into)
		if k.err != nil {
			return
		}
		k.collect(func() error { return lower.Copy(k.b, at.Copy, to, from) })
		if to.Space == ptx.Reg {
			k.keep(into, 32, to.Operands)
		}
	}
	k.need(at.Operation)
}

// byThreads refuses copies that are not executed by threads, which CopyTiled does not emit. It returns false also for
// copies between tensor memory and registers: see [K.copyTmem].
func (k *K) byThreads(c atom.Copy) bool {
	const op = "copy"
	k.ours(c.Operation)
	instead := func(format string, what string) {
		k.repair(what, &cute.Error{Code: cute.CodeType, Op: op, Msg: fmt.Sprintf(format, c.Name)})
	}
	switch has := func(s string) bool { return strings.Contains(c.Text, s) }; {
	case k.err != nil:
	case c.From.Space == atom.SharedMemory && c.To.Space == atom.TensorMemory:
		k.refuse(op, cute.CodeType, "%s copies to tensor memory by one thread, which kernels do not have", c.Name)
	case c.Kind == atom.TensorCopy && has("im2col"):
		k.refuse(op, cute.CodeType, "%s walks pixels: kernels make tensor maps of tiles, and none of im2col", c.Name)
	case c.Kind == atom.TensorCopy && (has("gather4") || has("scatter4") || has("cta_group::2")):
		k.refuse(op, cute.CodeType, "%s is a copy of sm_100a for four rows or pairs of blocks, which is not written", c.Name)
	case c.Kind == atom.TensorCopy:
		instead("%s is a copy of the engine, which one thread begins for a tensor map",
			"use MakeTmaAtom and CopyTma, or PrefetchTma, and TmaAtom.Add for sums")
	case c.Kind == atom.BulkCopy:
		instead("%s is a copy of the engine, which one thread begins", "use CopyBulk or PrefetchBulk")
	}
	return k.err == nil && c.Kind != atom.TMEMCopy
}

// copySide returns the operand of one side of a copy: its registers, or the address at which all its elements are.
func (k *K) copySide(c atom.CopyAtom, want atom.CopySide, s side) lower.Side {
	if k.err != nil {
		return lower.Side{}
	}
	space := [...]atom.Space{Global: atom.GlobalMemory, Shared: atom.SharedMemory, Registers: atom.Registers}[s.root.space]
	if want.Space != space {
		k.advise("take an atom that moves from and to where the tensors are").refuse("copy", cute.CodeType,
			"%s moves from %v to %v, found %v", c.Name, c.From.Space, c.To.Space, s.root.space)
		return lower.Side{}
	}
	if space == atom.Registers && s.root.bits() == 64 { // instructions move registers of 32 bits
		if c.To.Space == space && c.From.Space != space {
			return lower.Side{Operands: k.b.Regs(ptx.B32, 2*len(s.elements)), Space: ptx.Reg}
		}
		return lower.Side{Operands: k.halves(s), Space: ptx.Reg}
	}
	if space == atom.Registers {
		return lower.Side{Operands: k.values(s, 32), Space: ptx.Reg}
	}
	if !k.contiguous(c, s) || !k.isAligned(c, want, s) {
		return lower.Side{}
	}
	out := lower.Side{
		Operands: ptx.Vec{k.address(s.root, k.at(s.elements[0]))}, Space: ptx.Space(s.root.space.String()),
	}
	if s.fillsZeros(c) {
		out.Operands = append(out.Operands, k.bytesInside(c, s))
	}
	return out
}

// fillsZeros reports whether a copy writes zeros for elements of s that are outside.
func (s side) fillsZeros(c atom.CopyAtom) bool {
	return s.root.space == Global && strings.Contains(c.Name, "_ZFILL")
}

// contiguous refuses elements in memory that are not contiguous, and elements that may be outside unless the copy fills
// them with zeros.
func (k *K) contiguous(c atom.CopyAtom, s side) bool {
	first, fills := s.elements[0], s.fillsZeros(c)
	for i, e := range s.elements {
		if !fills && !e.cond.always() {
			k.outside("copy", s, i)
			return false
		}
		if !e.follows(first, int64(i)*s.root.step()) {
			k.repair(fmt.Sprintf("let %d neighbours of %s lie side by side: a stride of 1, rows of a multiple of %d, %s",
				len(s.elements), s.root.name, len(s.elements), "a swizzle that does not part them"), &cute.Error{
				Code: cute.CodeNotRepresentable, Op: "copy",
				Msg: fmt.Sprintf("%s takes %d elements of %s at one address, and element %d is at %v where the first is at %v",
					c.Name, len(s.elements), s.root.name, i, k.at(e), k.at(first)),
			})
			return false
		}
	}
	return true
}

// isAligned refuses elements in memory whose address may not be aligned for the instruction.
func (k *K) isAligned(c atom.CopyAtom, want atom.CopySide, s side) bool {
	align := want.Align / 8
	if s.root.fine() {
		align = want.Align
	}
	first := s.elements[0]
	if first.divisible(align) {
		return true
	}
	o := obstacle{elements: int(max(align/s.root.step(), 1)), in: s.root}
	k.repair(o.declare(k.at(first))+", or take a narrower atom", &cute.Error{
		Code: cute.CodeNotRepresentable, Op: "copy",
		Msg: fmt.Sprintf("%s takes addresses at multiples of %d bytes, and %s may be at %v", c.Name, want.Align/8,
			s.root.name, k.at(first)),
	})
	return false
}

// bytesInside returns how many bytes a zero-filling copy must read: of the elements inside, which are the first ones.
func (k *K) bytesInside(c atom.CopyAtom, s side) ptx.Operand {
	bits := s.root.bits()
	all := ptx.Operand(ptx.Int(len(s.elements) * bits / 8))
	cond := *s.elements[0].cond
	if !k.alike(s, leading(len(s.elements))) {
		at := k.inRow(s)
		if at < 0 || bits < 8 {
			k.repair("state that the extent is a multiple: Div of its facts; or copy fewer elements at once", &cute.Error{
				Code: cute.CodeMode, Op: "copy",
				Msg: fmt.Sprintf("%s reads %d elements of %s, and those inside may not be the first ones", c.Name, len(s.elements),
					s.root.name),
			})
			return all
		}
		less := cond.less()[at]
		if all = k.partial[less]; all == nil {
			k.goesBeyond("CopyTiled of vectors that are in part outside")
			inside := k.index(less[1]).Sub(k.index(less[0])).Max(Int(0)).Min(Int(int64(len(s.elements))))
			all = inside.Mul(Int(int64(bits / 8))).Value(dtype.U32).reg
			k.partial[less] = all
		}
		cond.terms = &terms{append(slices.Clip(cond.less()[:at]), cond.less()[at+1:]...), cond.holds()}
	}
	switch p, ok := k.predicate(cond).(ptx.Name); {
	case cond.never:
		return ptx.Int(0)
	case ok:
		key := [2]ptx.Operand{p, all}
		if _, known := k.sizes[key]; !known {
			k.sizes[key] = k.let(ptx.B32, "selp.b32", all, ptx.Int(0), p)
		}
		return k.sizes[key]
	}
	return all
}

// inRow returns the number of the comparison that says whether elements are inside along the mode in which they follow
// each other, or -1 if their conditions differ in anything else.
func (k *K) inRow(s side) int {
	first, at := s.elements[0].cond, -1
	for i, e := range s.elements[1:] {
		if len(e.cond.less()) != len(first.less()) || e.cond.never != first.never ||
			!slices.Equal(e.cond.holds(), first.holds()) {
			return -1
		}
		for j, l := range e.cond.less() {
			m := first.less()[j]
			if l == m {
				continue
			}
			d, known := k.s.Sub(l[0], m[0]).Int64()
			if !known || d != int64(i)+1 || l[1] != m[1] || at >= 0 && at != j {
				return -1
			}
			at = j
		}
	}
	return at
}

// CpAsyncFence groups the cp.async copies that the thread has started since the last group: cp_async_fence.
func (k *K) CpAsyncFence() {
	defer k.op("cp_async_fence", 0).end()
	k.emit("cp.async.commit_group")
}

// CpAsyncWait waits until at most n groups of the thread are pending: cp_async_wait<n>. It fails with [cute.CodeExtent]
// for a negative number.
func (k *K) CpAsyncWait(n int64) {
	defer k.op("cp_async_wait", n).end()
	if n < 0 {
		k.advise("wait for 0: of a pipeline of n stages n-2, which has at least 2").refuse(
			"cp_async_wait", cute.CodeExtent, "expected at least 0 groups, found %d", n)
		return
	}
	k.emit("cp.async.wait_group", ptx.Int(n))
}
