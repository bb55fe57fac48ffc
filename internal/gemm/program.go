package gemm

import (
	"fmt"

	"girih"
	"girih/atom"
	"girih/banks"
	"girih/internal/lower"
	"girih/ptx"
)

// A Program is a kernel as PTX, for matrices of any size. A block of Threads threads computes a tile of D, so that the
// grid is what Blocks says. The parameters are, in this order:
//
//	a, b, c, d     .u64   addresses in global memory; c = 0 stands for a C of zeros
//	m, n, k        .u32   extents of the problem, at most 2^30
//	lda, ldb, ldd  .u64   elements from one row to the next: of A and B, and of C and D, N contiguous
//
// A is M by K and B is N by K, K contiguous. Elements of less than 8 bits are packed, the first one lowest, and a row
// begins with a byte: lda and ldb are multiples of the elements of a byte, and what is left of the last byte of a row
// is zero. Of a sparse A there is what [Compress] returns, with lda still in elements of A, and two more parameters say
// where:
//
//	e, lde         .u64   address of the metadata, and the bytes from one row of it to the next
//
// Where addresses and rows are aligned to the vectors of the kernel's loads, and a vector lies within the row, it is
// loaded as a whole, and element by element otherwise.
type Program struct {
	Module *ptx.Module
	// Name is that of the kernel in the module.
	Name string
	// Threads are those of a block.
	Threads int
	// SharedBytes is the shared memory of a block. The module declares it; nothing is added at the launch.
	SharedBytes int64

	tile [3]int64
}

// Blocks returns the grid for a problem: x blocks along M, and along N y times z, since a grid has at most 65535 blocks
// in y. z is 1 up to there; the few blocks that y·z may be more than are needed write nothing.
func (p Program) Blocks(m, n int64) (x, y, z int64) {
	along := tiles(n, p.tile[1])
	z = tiles(along, maxGridY)
	return tiles(m, p.tile[0]), tiles(along, max(z, 1)), z
}

// maxGridY is the most blocks of a grid in y (CUDA C++ Programming Guide, Compute Capabilities).
const maxGridY = 1<<16 - 1

// MaxShared is the most bytes of shared memory that a [Program] declares: what every card gives a block without being
// asked.
const MaxShared = 48 << 10

// MaxThreads is the most threads of a block.
const MaxThreads = 1024

// Program writes the kernel for a chip, "sm_90", or for the first one that has its instructions if that is "". Copies
// and layouts are those of the kernel: what they give is tabulated and written as arithmetic on the number of the
// thread. It returns the errors of [Kernel.Run] about the kernel; [girih.CodeType] for instructions that the chip lacks
// or that are none of PTX, and copies that are none of single threads or ldmatrix; [girih.CodeLimit] for more than
// [MaxShared] bytes or [MaxThreads] threads; [girih.CodeNotRepresentable] if a copy of several elements finds them
// apart in memory, or if wgmma cannot read the layout of shared memory.
func (k Kernel) Program(chip string) (Program, error) {
	target, err := banks.ParseTarget("sm90") // what is counted is not asked for here
	if err != nil {
		return Program{}, err
	}
	r, err := newRun(&k, target)
	if err != nil {
		return Program{}, err
	}
	g, err := newGenerator(r, chip)
	if err != nil {
		return Program{}, err
	}
	if err := g.kernel(); err != nil {
		return Program{}, err
	}
	f, err := g.Func()
	if err != nil {
		return Program{}, err
	}
	return Program{
		Module: g.target.Module(append(g.tables, f)...), Name: g.name,
		Threads: int(k.MMA.Size()), SharedBytes: g.sharedBytes, tile: k.Tile,
	}, nil
}

// A generator writes a kernel.
type generator struct {
	writer
	r           *run
	mma         atom.MMA
	target      lower.Target
	sharedBytes int64
	a, b        *stager
	metadata    *metadata  // of a sparse A
	acc         []ptx.Name // registers of the accumulators
}

func newGenerator(r *run, chip string) (*generator, error) {
	mma := r.k.MMA.Atom()
	g := &generator{r: r, mma: mma}
	if n := r.k.MMA.Size(); n > MaxThreads {
		return nil, refuse(girih.CodeLimit,
			"%d threads are more than the %d that a block can have: use fewer atoms", n, MaxThreads)
	}
	if mma.Name == "SM61_DP2A" {
		return nil, refuse(girih.CodeType,
			"%s has 16 bits for an element of B in CuTe's traits, and dp2a takes bytes of it", mma.Name)
	}
	if mma.Types.C != mma.Types.D {
		return nil, refuse(girih.CodeType,
			"%s takes C of %v and gives D of %v, and the kernel accumulates in place",
			mma.Name, mma.Types.C, mma.Types.D)
	}
	var err error
	if g.target, err = lower.TargetFor(mma.Operation, chip); err != nil {
		return nil, err
	}
	for _, m := range []*mover{r.a, r.b} {
		if n := m.side.load.Size(); n != r.k.MMA.Size() {
			return nil, refuse(girih.CodeRank, "%d threads load %s, and the kernel has %d", n, m.name, r.k.MMA.Size())
		}
		if m.regs == nil {
			continue
		}
		t, err := lower.TargetFor(m.side.read.Atom().Operation, g.target.Chip)
		if err != nil {
			return nil, err
		}
		if v, now := t.Version, &g.target.Version; v.Major > now.Major || v.Major == now.Major && v.Minor > now.Minor {
			*now = v
		}
	}
	g.name = "gemm_" + lower.Symbol(mma.Name)
	g.Builder = ptx.NewKernel(ptx.Name(g.name))
	return g, nil
}

func refuse(code girih.Code, format string, args ...any) *girih.Error {
	return &girih.Error{Code: code, Op: "gemm", Msg: fmt.Sprintf(format, args...)}
}

// A matrix is a parameter for one: where it is, and the bytes of a row.
type matrix struct {
	address, rowBytes ptx.Name
}

// at writes the address of an element of size bytes.
func (g *generator) at(m matrix, row, column ptx.Name, size int) ptx.Name {
	wide := g.Let(ptx.U64, "cvt.u64.u32", row)
	at := g.Let(ptx.U64, "mad.lo.u64", wide, m.rowBytes, m.address)
	g.Emit("mad.wide.u32", at, column, ptx.Int(size), at)
	return at
}

// kernel writes all of it.
func (g *generator) kernel() error {
	load := func(t ptx.Type, p ptx.Name) ptx.Name { return g.Let(t, ptx.Op("ld.param."+t), ptx.Addr{Base: p}) }
	var addresses [4]ptx.Name
	for i, name := range []ptx.Name{"a", "b", "c", "d"} {
		g.Declare(&ptx.Var{Space: ptx.Param, Type: ptx.U64, Name: name})
		addresses[i] = load(ptx.U64, name)
		g.Emit("cvta.to.global.u64", addresses[i], addresses[i])
	}
	var extents [3]ptx.Name
	for i, name := range []ptx.Name{"m", "n", "k"} {
		extents[i] = load(ptx.U32, g.Param(ptx.U32, name))
	}
	var rows [3]ptx.Name
	types := g.mma.Types
	for i, t := range []atom.Element{types.A, types.B, types.D} {
		rows[i] = load(ptx.U64, g.Param(ptx.U64, []ptx.Name{"lda", "ldb", "ldd"}[i]))
		g.Emit("mul.lo.u64", rows[i], rows[i], ptx.Int(t.Bits()))
		g.Emit("shr.u64", rows[i], rows[i], ptx.Int(3))
	}
	g.Direct("reqntid", g.r.k.MMA.Size())
	special := func(name ptx.Name) ptx.Name { return g.Let(ptx.U32, "mov.u32", name) }
	g.thread = special("%tid.x")
	m0, n0 := special("%ctaid.x"), special("%ctaid.z") // the corner of the tile, see Blocks
	g.Emit("mul.lo.u32", m0, m0, ptx.Int(g.r.k.Tile[0]))
	g.Emit("mad.lo.u32", n0, n0, special("%nctaid.y"), special("%ctaid.y"))
	g.Emit("mul.lo.u32", n0, n0, ptx.Int(g.r.k.Tile[1]))
	g.a = &stager{generator: g, m: g.r.a, global: matrix{addresses[0], rows[0]}, first: m0, rows: extents[0]}
	g.b = &stager{generator: g, m: g.r.b, global: matrix{addresses[1], rows[1]}, first: n0, rows: extents[1]}
	for _, s := range []*stager{g.a, g.b} {
		if err := s.plan(extents[2]); err != nil {
			return err
		}
	}
	if g.mma.Sparse != nil {
		if err := g.planMetadata(m0, extents[0], extents[2]); err != nil {
			return err
		}
	}
	if g.sharedBytes > MaxShared {
		return refuse(girih.CodeLimit,
			"tiles of %v take %d bytes of shared memory, and a block gets %d: take a smaller tile",
			g.r.k.Tile, g.sharedBytes, MaxShared)
	}
	out, err := g.newResult(m0, n0, extents[0], extents[1])
	if err != nil {
		return err
	}
	given := g.Let(ptx.Pred, "setp.ne.u64", addresses[2], ptx.Int(0))
	g.If(given, func() { out.load(matrix{addresses[2], rows[2]}) })

	tiles := ptx.Range{Type: ptx.U32, From: ptx.Int(0), To: extents[2], Step: g.r.k.Tile[2]}
	g.For(tiles, func(k0 ptx.Name) {
		g.a.fetch(k0)
		g.b.fetch(k0)
		g.Emit("bar.sync", ptx.Int(0)) // the tiles before are read
		g.a.store()
		g.b.store()
		if lower.IsWarpgroup(g.mma) {
			lower.FenceShared(g.Builder)
		}
		g.Emit("bar.sync", ptx.Int(0))
		if err == nil {
			err = g.multiply(k0)
		}
	})
	if err != nil {
		return err
	}
	out.store(matrix{addresses[3], rows[2]})
	g.Emit("ret")
	return nil
}

// multiply writes the instructions for a tile that is in shared memory, the one at column k0.
func (g *generator) multiply(k0 ptx.Name) error {
	a, err := g.a.operands()
	if err != nil {
		return err
	}
	b, err := g.b.operands()
	if err != nil {
		return err
	}
	metadata := make([]ptx.Operand, len(a))
	if g.metadata != nil {
		g.metadata.load(k0, metadata)
	}
	group := lower.IsWarpgroup(g.mma)
	if group {
		lower.Fence(g.Builder)
	}
	r := g.r
	n := len(g.acc) / (r.c.restX * r.c.restY)
	for k := range r.a.frags.restY {
		for y := range r.c.restY {
			for x := range r.c.restX {
				acc := names(g.acc[n*(x+r.c.restX*y):][:n])
				err := lower.MMA(g.Builder, g.mma, lower.Operands{
					D: acc, C: acc, A: a[x+r.a.frags.restX*k], B: b[y+r.b.frags.restX*k],
					Metadata: metadata[x+r.a.frags.restX*k],
				})
				if err != nil {
					return err
				}
			}
		}
	}
	if group {
		lower.Commit(g.Builder)
		lower.Wait(g.Builder, 0)
	}
	return nil
}

func names(xs []ptx.Name) ptx.Vec {
	v := make(ptx.Vec, len(xs))
	for i, x := range xs {
		v[i] = x
	}
	return v
}
