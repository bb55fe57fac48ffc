package gemm

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/lower"
	"girih/kernel"
	"girih/symbolic"
)

// This file traces the kernel that multiplies with any instruction, in CuTe's terms.

// Facts are the known properties of the problems for which a kernel is traced. The zero Facts hold for all problems.
type Facts struct {
	// Div divides M, N and K. A divisor of K widens the loads; multiples of the tile need no conditions.
	Div [3]int64
	// Wide says that the tiles along N are numbered by the grid's x, which can be much larger than y.
	Wide bool
}

// FactsOf returns the facts about a problem of a given size: the tile if it divides an extent, or the number of
// elements in 16 bytes along K.
func (k Kernel) FactsOf(m, n, kk int64) Facts {
	f := Facts{Div: [3]int64{1, 1, 1}, Wide: n/k.Tile[1] > m/k.Tile[0]}
	for i, x := range [3]int64{m, n, kk} {
		if x%k.Tile[i] == 0 {
			f.Div[i] = k.Tile[i]
		}
	}
	for f.Div[2] < 128 && kk%(2*f.Div[2]) == 0 {
		f.Div[2] *= 2
	}
	return f
}

// along returns the known divisor of an operand's rows.
func (f Facts) along(s side) int64 {
	if f.Div[2]%s.unit == 0 {
		return f.Div[2]
	}
	return s.unit
}

const (
	maxExtent = 1 << 28   // the largest extent of a matrix
	maxGridY  = 1<<16 - 1 // the largest y of a grid (CUDA C++ Programming Guide, Compute Capabilities)
)

// Trace returns the kernel as package kernel traces it. Its parameters are
//
//	m, n, k        extents of the problem
//	lda, ldb, ldd  elements from one row to the next: of A, of B, and of C and D
//	beta           1 to add C, 0 to ignore it
//	A, B           (m,k) and (n,k), K contiguous: rows of whole bytes, and of whole groups of a sparse A, zero after k
//	C, D           (m,n), N contiguous; for GaussComplex the three products one after the other
//	E              the metadata of a sparse A, from [Compress]
//	SFA, SFB       for block-scaled instructions: (m,k/V) and (n,k/V), one after the other along K, rounded up
//
// as [Kernel.Launch] makes them. The errors are the errors of package kernel, and [cute.CodeLimit] for atoms along K.
func (k Kernel) Trace(f Facts) (*kernel.Kernel, error) {
	for i := range f.Div {
		f.Div[i] = max(f.Div[i], 1)
	}
	mma := k.MMA.Atom()
	if err := k.checkTile(); err != nil {
		return nil, err
	}
	if err := k.checkAlongK(); err != nil {
		return nil, err
	}
	if mma.Types.C != mma.Types.D {
		return nil, refuse(cute.CodeType, "%s takes C of %v and gives D of %v, and the kernel accumulates in place",
			mma.Name, mma.Types.C, mma.Types.D)
	}
	if _, err := lower.TargetFor(mma.Operation, ""); err != nil {
		return nil, err
	}
	if s := mma.Space(atom.OperandC); s != atom.Registers {
		e := refuse(cute.CodeType, "%s has C in %v, and the kernel accumulates in registers", mma.Name, s)
		e.Hint = "girih kernel umma_sm100"
		return nil, e
	}
	if k.MajorA != atom.KMajor || k.MajorB != atom.KMajor {
		return nil, refuse(cute.CodeLimit, "kernels for a card have K contiguous in A and B")
	}
	if n := k.Threads(); n != k.MMA.Size() {
		e := refuse(cute.CodeLimit, "%d of %d threads multiply, and kernels for a card need all", k.MMA.Size(), n)
		e.Hint = "take atoms that fill the warps, such as (2,2,1)"
		return nil, e
	}
	return kernel.Trace("gemm_"+lower.Symbol(mma.Name), k.MMA.Size(), func(c *kernel.K) {
		(&program{K: c, k: &k, f: f, mma: mma}).write()
	})
}

// A program is the kernel during its trace.
type program struct {
	*kernel.K
	k     *Kernel
	f     Facts
	mma   atom.MMA
	tid   kernel.Index
	thr   kernel.ThrMMA
	depth kernel.Index // K of the problem
}

// A way brings an operand to the instructions: fetch loads the thread's part of a tile, given its number along K; store
// writes it to shared memory; and read reads the operand from there, once all threads have stored. An operand that
// needs no shared memory is only fetched.
type way struct {
	fetch       func(tile kernel.Index)
	store, read func()
	frag        kernel.Tensor // (MMA,MMA_M,MMA_K)
}

func (p *program) write() {
	f, tile := p.f, p.k.Tile
	extent := func(i int) symbolic.Facts {
		most := int64(maxExtent)
		if i == 1 && !f.Wide || i == 0 && f.Wide {
			most = min(most, maxGridY*tile[i])
		}
		return symbolic.Facts{Min: 1, Max: most, Div: f.Div[i]}
	}
	m, n := p.Int("m", extent(0)), p.Int("n", extent(1))
	p.depth = p.Int("k", extent(2))
	sides := p.k.sides()
	distance := func(name string, div int64) kernel.Index {
		return p.Int(name, symbolic.Facts{Min: 1, Max: maxExtent, Div: div})
	}
	lda, ldb := distance("lda", f.along(sides[0])), distance("ldb", f.along(sides[1]))
	ldd := distance("ldd", f.Div[1])
	beta := p.Int("beta", symbolic.Facts{Max: 1})
	x, y := 0, 1
	if f.Wide {
		x, y = 1, 0
		p.Grid(n.CeilDiv(tile[1]), m.CeilDiv(tile[0]))
	} else {
		p.Grid(m.CeilDiv(tile[0]), n.CeilDiv(tile[1]))
	}
	row, column := p.BlockIdx(x), p.BlockIdx(y)
	p.tid = p.ThreadIdx()
	p.thr = p.ThrMMA(p.k.MMA, p.tid)
	a := p.operand(sides[0], matrix{kernel.Modes(m, p.depth), lda, kernel.Modes(row)})
	b := p.operand(sides[1], matrix{kernel.Modes(n, p.depth), ldb, kernel.Modes(column)})
	out := matrix{kernel.Modes(m, n), ldd, kernel.Modes(row, column)}
	c, d := p.result("C", out), p.result("D", out)
	ways := []way{a, b}
	if p.mma.Sparse != nil {
		e := p.metadata(m, row)
		a.frag, ways = p.Zip(a.frag, e.frag, 0), append(ways, e)
	}
	if p.mma.Scale != nil {
		sa, sb := p.factors(atom.OperandA, m, row), p.factors(atom.OperandB, n, column)
		a.frag, b.frag = p.ZipSF(a.frag, sa.frag), p.ZipSF(b.frag, sb.frag)
		ways = append(ways, sa, sb)
	}
	acc := p.thr.MakeFragmentC(c[0])
	zero := kernel.Int(0)
	p.IfElse(zero.Less(beta), func() { p.sums(acc, func(i int, sums kernel.Tensor) { p.CopyZfill(c[i], sums) }) },
		func() { p.Clear(acc) })
	p.multiply(acc, a, b, ways)
	p.sums(acc, func(i int, sums kernel.Tensor) { p.CopyIf(sums, d[i]) })
}

// multiply adds the products of all tiles along K to acc. The ways are a, b and everything else fetched for each tile.
func (p *program) multiply(acc kernel.Tensor, a, b way, ways []way) {
	group := lower.IsWarpgroup(p.mma)
	zero := kernel.Int(0)
	p.For(zero, p.depth.CeilDiv(p.k.Tile[2]), func(i kernel.Index) {
		for _, x := range ways {
			x.fetch(i)
		}
		p.Sync() // the previous tiles are read
		a.store()
		b.store()
		if group {
			p.FenceProxyAsync()
		}
		p.Sync()
		a.read()
		b.read()
		if group {
			p.WarpgroupArrive()
		}
		p.GemmTiled(p.k.MMA, a.frag, b.frag, acc)
		if group {
			p.WarpgroupCommitBatch()
			p.WarpgroupWait(0)
		}
	})
}

// A matrix is a matrix in global memory: its extents, the distance between rows in elements, and the place of the
// block's tile.
type matrix struct {
	extents  []kernel.Index
	distance kernel.Index
	block    []kernel.Index
}

// operand returns the way of A or B: from global to shared memory, and from there to registers.
func (p *program) operand(s side, m matrix) way {
	all, one := kernel.Open, kernel.Int(1)
	columns, parts := m.extents[1], kernel.Int(s.parts)
	if p.f.Div[2]%s.unit != 0 {
		columns = columns.CeilDiv(s.unit).Mul(kernel.Int(s.unit))
	}
	g := p.Global(s.name, s.elem, kernel.Modes(m.extents[0], columns.Mul(parts)), m.distance.Mul(parts), one)
	tiles := p.LocalTile(g, kernel.Shape(s.rows, s.columns), m.block[0], all) // (BM,BK,k)
	tile := p.Shared("s"+s.name, s.elem, *s.shared)
	cp := p.ThrCopy(*s.load, p.tid)
	from, to := cp.PartitionS(tiles), cp.PartitionD(tile) // (CPY,CPY_M,CPY_K,k), (CPY,CPY_M,CPY_K)
	moved := p.MakeFragmentLike(to, s.elem)
	out := way{
		fetch: func(i kernel.Index) { p.CopyZfill(p.Slice(from, all, all, all, i), moved) },
		store: func() { p.Copy(moved, to) },
		read:  func() {},
	}
	if s.parts == 2 {
		tile = p.Complex(tile)
	}
	partition, fragment := p.thr.PartitionA, p.thr.MakeFragmentA
	if s.operand == atom.OperandB {
		partition, fragment = p.thr.PartitionB, p.thr.MakeFragmentB
	}
	held := partition(tile)
	out.frag = fragment(held)
	switch read := *s.read; {
	case s.from == atom.SharedMemory:
	case read.Atom().Kind == atom.MatrixCopy:
		ld := p.ThrCopy(read, p.tid)
		src, dst := ld.PartitionS(tile), ld.RetileD(out.frag)
		out.read = func() { p.CopyTiled(read, src, dst) }
	default:
		out.read = func() { p.Copy(held, out.frag) }
	}
	return out
}

// result returns the thread's part of C or D: one partition, or one for each of three products.
func (p *program) result(name string, m matrix) []kernel.Tensor {
	e, one, n := p.mma.Types.C, kernel.Int(1), int64(1)
	columns, parts := m.extents[1], kernel.Int(int64(e.Parts))
	modes, strides := kernel.Modes(m.extents[0], columns.Mul(parts)), kernel.Modes(m.distance.Mul(parts), one)
	if e.Parts == 3 {
		n, modes, strides = 3, kernel.Modes(m.extents[0], columns, parts), kernel.Modes(strides[0], parts, one)
	}
	g := p.Global(name, e.Type, modes, strides...)
	if e.Parts == 2 {
		g = p.Complex(g)
	}
	var out []kernel.Tensor
	for i := range n {
		x := g
		if n > 1 {
			x = p.Slice(g, kernel.Open, kernel.Open, kernel.Int(i))
		}
		out = append(out, p.thr.PartitionC(p.LocalTile(x, kernel.Shape(p.k.Tile[0], p.k.Tile[1]), m.block...)))
	}
	return out
}

// sums calls f with the accumulators, or with the accumulators of each of the three products.
func (p *program) sums(acc kernel.Tensor, f func(i int, sums kernel.Tensor)) {
	if p.mma.Types.C.Parts != 3 {
		f(0, acc)
		return
	}
	shape := kernel.Must(p.k.MMA.PartitionShape(atom.OperandC, cute.Ints(p.k.Tile[0], p.k.Tile[1])))
	l := kernel.Must(cute.LayoutLeft(shape))
	three := kernel.Must(cute.New(cute.Int(l.Size()), cute.Int(3)))
	l = kernel.Must(cute.Composition(three, l))
	for i := range int64(3) {
		f(int(i), p.View(p.Recast(acc, dtype.F64), kernel.Int(i), l))
	}
}

// noGroup is the metadata of eight groups without elements: any valid metadata will do for zeros.
const noGroup = 0x44444444

// metadata returns the way of the metadata of a sparse A, which need no shared memory.
func (p *program) metadata(m, block kernel.Index) way {
	of, all := p.mma.Sparse.Of, kernel.Open
	columns := p.depth.CeilDiv(8 * of).Mul(kernel.Int(32)) // bits: 4 for each group, whole words
	g := p.Global("E", dtype.B1, kernel.Modes(m, columns), columns, kernel.Int(1))
	tiles := p.LocalTile(g, kernel.Shape(p.k.Tile[0], p.k.Tile[2]*4/of), block, all)
	from := p.thr.PartitionE(tiles) // (MMA,MMA_M,MMA_K,k)
	out := way{frag: p.thr.MakeFragmentE(from)}
	out.fetch = func(i kernel.Index) {
		p.Fill(p.Recast(out.frag, dtype.U32), noGroup)
		p.CopyIf(p.Slice(from, all, all, all, i), out.frag)
	}
	return out
}

// factors returns how the kernel gets the scale factors of A or B: from global memory, without shared memory.
func (p *program) factors(o atom.Operand, extent, block kernel.Index) way {
	v, all := p.mma.Scale.Vector, kernel.Open
	name, rows, partition, fragment := "SFA", p.k.Tile[0], p.thr.PartitionSFA, p.thr.MakeFragmentSFA
	if o == atom.OperandB {
		name, rows, partition, fragment = "SFB", p.k.Tile[1], p.thr.PartitionSFB, p.thr.MakeFragmentSFB
	}
	columns := p.depth.CeilDiv(v)
	g := p.Global(name, p.mma.Scale.Type, kernel.Modes(extent, columns), columns, kernel.Int(1))
	from := partition(p.LocalTile(g, kernel.Shape(rows, p.k.Tile[2]/v), block, all))
	out := way{frag: fragment(from)}
	out.fetch = func(i kernel.Index) { p.CopyZfill(p.Slice(from, all, all, all, i), out.frag) }
	return out
}
