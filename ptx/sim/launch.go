package sim

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"girih/ptx"
)

// DefaultSteps is how many instructions a run may have where its Launch does not say, counted once for a warp.
const DefaultSteps = 1 << 30

// Launch says how a kernel is started.
type Launch struct {
	Entry   string // the kernel; "" for the only one
	Grid    Dim    // in blocks
	Block   Dim    // in threads
	Cluster Dim    // in blocks; zero for what the kernel requires, or no clusters
	Shared  int    // dynamic shared memory, in bytes
	Args    []Arg  // one for each parameter
	Steps   int64  // instructions that the run may have, counted once for a warp; 0 for DefaultSteps
	Events  int    // that are recorded at most, see [Event]; 0 for none
	Seed    uint64 // of the order of warps, blocks and completions; 0 for the fixed one

	Findings int      // that are told while the run goes on; 0 where it ends with the first one
	Ignore   []Ignore // findings that it passes over

	// Keep is asked before a run keeps so many more bytes, beside its Memory, and told with a negative number when it
	// does no longer; its error ends the run. nil for no limit.
	Keep func(bytes int64) error

	// NonPortable allows clusters of 9 to 16 blocks, as cudaFuncAttributeNonPortableClusterSizeAllowed does.
	NonPortable bool
}

// Arg is the argument of one parameter of a kernel.
type Arg struct{ bytes []byte }

// Pointer returns the address of byte offset of b as an argument.
func Pointer(b *Buffer, offset int64) Arg { return U64(b.Address() + uint64(offset)) }

// U32 returns an argument of 4 bytes.
func U32(v uint32) Arg { return Arg{binary.LittleEndian.AppendUint32(nil, v)} }

// U64 returns an argument of 8 bytes.
func U64(v uint64) Arg { return Arg{binary.LittleEndian.AppendUint64(nil, v)} }

// F32 returns an argument of 4 bytes.
func F32(v float32) Arg { return U32(math.Float32bits(v)) }

// F64 returns an argument of 8 bytes.
func F64(v float64) Arg { return U64(math.Float64bits(v)) }

// Bytes returns an argument that is the bytes of a structure.
func Bytes(b []byte) Arg { return Arg{slices.Clone(b)} }

// Result is what a run did, up to its end or to what ended it.
type Result struct {
	Entry        string      // the kernel
	Instructions int64       // counted once for a warp
	Lanes        int64       // instructions times the threads that executed them
	Traffic      Traffic     // of all instructions
	Lines        []LineCount // by line
	Output       []byte      // of vprintf
	Findings     []*Finding  // as many as the launch says
	More         int         // beyond those
	Last         *Finding    // that ended the run, one of Findings or beyond them; nil for none
	Ignored      []*Finding  // that the launch passes over
	Ended        bool        // the kernel ran to its end
	Notes        []Note      // what is no fault: barriers that threads which have exited never reach
	Events       []Event     // in their order, as many as the launch allows
	Missed       int64       // events beyond those
}

// LineCount says how often the instructions of one line of PTX were executed.
type LineCount struct {
	Line    int
	Op      ptx.Op
	Source  string // as a [Finding] has it
	Warps   int64  // counted once for a warp
	Lanes   int64  // counted once for each thread that executed it
	Traffic Traffic
}

// grid is a run.
type grid struct {
	program    *Program
	kernel     *kernel
	memory     *Memory
	params     segment
	dim        Dim
	block      Dim
	cluster    Dim
	inClusters Dim  // dim, in clusters
	explicit   bool // clusters were asked for
	dynamic    int
	counts     [][]executions
	output     []byte
	steps      int64
	limit      int64
	given      int64 // the limit of the launch

	active    []*cluster
	time      uint32       // of clocks
	ops       []*operation // in flight, by number
	free      []uint32     // numbers of ops that nobody has
	common    uint64       // address of the workspace of the grid, 0 for none yet
	points    int          // words that order
	releases  int          // to such words of global memory
	progress  int64        // what may have let somebody go on
	polls     int64        // instructions by which one may find out that somebody else has
	idle      int          // turns in a row without progress
	watch     bool         // whether to look for paths that are where they were before
	tensors   map[[mapBytes]byte]*tensorObject
	trace     *trace    // nil for none
	doubt     *Finding  // what a thread read that nobody had written then
	workers   []*worker // of matrices, by plan
	proxied   uint32    // time of the last fence.proxy.async of any thread
	tally     *tally    // nil where the first finding ends the run
	void      segment   // see warp.nowhere
	notes     []Note
	suspected *Finding // what an operation writes that somebody has read
	seeded    bool     // the order is drawn
	random    uint64   // state of that
	store
}

// Run runs a kernel to its end, in one order of its warps that is always the same. A fault of the kernel is an error
// of type *[Finding], with all that happened before it in the result; a fault of the launch is an *[Error]:
// [CodeEntry], [CodeLaunch], [CodeArgument], [CodeStopped] if ctx ended, [CodeMemory] if Keep of the launch refused.
func (p *Program) Run(ctx context.Context, m *Memory, l Launch) (*Result, error) {
	if l.Entry == "" {
		if names := p.Kernels(); len(names) == 1 {
			l.Entry = names[0]
		}
	}
	k, err := p.kernel(l.Entry)
	if err != nil {
		return nil, err
	}
	g := &grid{
		trace: newTrace(l.Events), program: p, kernel: k, memory: m, dynamic: l.Shared, limit: l.Steps,
		seeded: l.Seed != 0, random: l.Seed,
	}
	if g.limit <= 0 {
		g.limit = DefaultSteps
	}
	g.given, g.tally = g.limit, newTally(l)
	if err := g.check(l); err != nil {
		return nil, err
	}
	for _, f := range k.list {
		g.counts = append(g.counts, make([]executions, len(f.code)))
	}
	g.store = store{ctx: ctx, ask: l.Keep}
	defer g.giveBack(m)
	for _, s := range m.segs {
		s.lines, s.store = nil, &g.store
	}
	err = g.settle(g.run())
	if f, ok := err.(*Finding); ok {
		g.trace.found(g, f)
	}
	res := g.result()
	return res, g.tally.finish(res, err, l.Seed)
}

// check holds a launch to what a GPU and the kernel demand, and lays the arguments out.
func (g *grid) check(l Launch) error {
	if g.memory == nil || g.memory.program != g.program {
		return errorf(CodeLaunch, "expected a Memory of this program")
	}
	g.dim, g.block = one(l.Grid), one(l.Block)
	for _, d := range []struct {
		name string
		v, m Dim
		n    int64
	}{{"grid", g.dim, Dim{1<<31 - 1, 65535, 65535}, 1 << 40}, {"block", g.block, Dim{1024, 1024, 64}, 1024}} {
		v := d.v
		if v.X < 0 || v.Y < 0 || v.Z < 0 || v.X > d.m.X || v.Y > d.m.Y || v.Z > d.m.Z ||
			int64(v.X)*int64(v.Y)*int64(v.Z) > d.n {
			return errorf(CodeLaunch, "a %s of %v, and it may be %v, %d in all", d.name, v, d.m, d.n)
		}
	}
	if err := g.directives(); err != nil {
		return err
	}
	if err := g.clusters(l); err != nil {
		return err
	}
	k := g.kernel
	if n := int64(k.dynamic) - sharedStart + int64(l.Shared); l.Shared < 0 || n > MaxShared {
		return errorf(CodeLaunch, "%d bytes of shared memory, %d of them dynamic, and a block may have %d",
			n, l.Shared, MaxShared)
	}
	if len(l.Args) != len(k.params) {
		return errorf(CodeArgument, "%s has %d parameters, found %d arguments", k.decl.Name, len(k.params), len(l.Args))
	}
	g.params = segment{data: make([]byte, k.size), name: "the parameters", readOnly: true}
	for i, p := range k.params {
		if size := int(p.decl.Size()); len(l.Args[i].bytes) != size {
			return errorf(CodeArgument, "parameter %d, %s, has %d bytes, found an argument of %d",
				i, p.decl.Name, size, len(l.Args[i].bytes))
		}
		copy(g.params.data[p.offset:], l.Args[i].bytes)
	}
	return nil
}

// directives holds the block to .reqntid and .maxntid.
func (g *grid) directives() error {
	if d, ok := g.kernel.decl.Directive("reqntid"); ok {
		if want := dimOf(d.Args); want != g.block {
			return errorf(CodeLaunch, "a block of %v, and the kernel requires %v", g.block, want)
		}
	}
	if d, ok := g.kernel.decl.Directive("maxntid"); ok {
		if most := dimOf(d.Args); g.block.count() > most.count() {
			return errorf(CodeLaunch, "a block of %v, and the kernel allows %d threads", g.block, most.count())
		}
	}
	return nil
}

func dimOf(args []int64) Dim {
	d := Dim{1, 1, 1}
	for i, at := range []*int{&d.X, &d.Y, &d.Z} {
		if i < len(args) {
			*at = int(args[i])
		}
	}
	return d
}

// one puts 1 for what is left out.
func one(d Dim) Dim {
	for _, at := range []*int{&d.X, &d.Y, &d.Z} {
		if *at == 0 {
			*at = 1
		}
	}
	return d
}

// result adds up what was counted.
func (g *grid) result() *Result {
	r := &Result{Entry: string(g.kernel.decl.Name), Output: g.output, Notes: g.notes}
	if g.trace != nil {
		r.Events, r.Missed = g.trace.sorted(), g.trace.missed
	}
	var loc *ptx.Loc
	source := ""
	for i, f := range g.kernel.list {
		for j, c := range g.counts[i] {
			if c.warps == 0 || f.code[j].src == nil {
				continue
			}
			r.Instructions += c.warps
			r.Lanes += c.lanes
			r.Traffic.Add(c.traffic)
			in := &f.code[j]
			if in.loc != loc {
				loc, source = in.loc, g.program.source(in.loc)
			}
			r.Lines = append(r.Lines, LineCount{int(in.src.Pos.Line), in.src.Op, source, c.warps, c.lanes, c.traffic})
		}
	}
	slices.SortStableFunc(r.Lines, func(a, b LineCount) int { return a.Line - b.Line })
	return r
}
