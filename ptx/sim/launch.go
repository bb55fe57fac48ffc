package sim

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"sort"

	"girih/internal/machine/chain"
	"girih/ptx"
)

// DefaultSteps is the limit of the instructions of a run, if its Launch sets none. An instruction that a warp executes
// counts once.
const DefaultSteps = 1 << 30

// Launch says how a kernel is started.
type Launch struct {
	Entry   string // the kernel; "" for the only one
	Grid    Dim    // the number of blocks
	Block   Dim    // the number of threads in a block
	Cluster Dim    // the number of blocks in a cluster; zero for the cluster that the kernel requires, or for no clusters
	Shared  int    // dynamic shared memory, in bytes

	// Registers is the number of registers per thread when the kernel begins, as ptxas -v reports it; 0 if only the
	// directives of the kernel state it.
	Registers int

	Args   []Arg  // one argument for each parameter
	Steps  int64  // the limit of instructions, counted once for a warp; 0 for DefaultSteps
	Events int    // the limit of recorded events, see [Event]; 0 for none
	Seed   uint64 // draws the order of warps, blocks and completions; 0 for the fixed order

	Findings int      // the limit of reported findings while the run goes on; 0 ends the run with the first one
	Ignore   []Ignore // findings that are ignored

	// Strict accepts only the orders that the PTX ISA guarantees: a fence of one thread before a barrier does not let
	// another thread publish its writes after the barrier; lanes meet only at bar.warp.sync and barriers; the async
	// proxy needs a fence after cp.async, and before it writes bytes that threads have read; an arrival at an mbarrier
	// of another block needs a scope. Findings of a lesser grade are then ordinary findings. See [Strictly].
	Strict bool

	// Keep is called before a run keeps more bytes in addition to its Memory, and with a negative number when the run
	// releases such bytes. An error of Keep ends the run. If Keep is nil, there is no limit.
	Keep func(bytes int64) error

	// Turn is how many instructions a warp executes before the next warp; 0 for 128.
	Turn int

	// Orders, if it is not nil, determines the order of the run, in place of Seed.
	Orders *Orders

	// Explain receives the events that order the conflicting accesses of the run, for package chain; nil if they are
	// not needed.
	Explain *chain.Log

	// Record, if it is not nil, receives where the bytes of the run come from and go to. The program must come from
	// [LoadRecorded].
	Record *Recording

	// NonPortable allows clusters of 9 to 16 blocks, as cudaFuncAttributeNonPortableClusterSizeAllowed does.
	NonPortable bool
}

// Arg is the argument of one parameter of a kernel.
type Arg struct{ bytes []byte }

// Pointer returns an argument that is the address of the byte of b at offset.
func Pointer(b *Buffer, offset int64) Arg { return U64(b.Address() + uint64(offset)) }

// U32 returns an argument of 4 bytes.
func U32(v uint32) Arg { return Arg{binary.LittleEndian.AppendUint32(nil, v)} }

// U64 returns an argument of 8 bytes.
func U64(v uint64) Arg { return Arg{binary.LittleEndian.AppendUint64(nil, v)} }

// Bytes returns an argument that is the bytes of a structure.
func Bytes(b []byte) Arg { return Arg{slices.Clone(b)} }

// A Result describes a run, up to its end or to the finding that ended it.
type Result struct {
	Entry        string      // the kernel
	Instructions int64       // each counted once per warp
	Lanes        int64       // the sum over the instructions of the threads that executed them
	Traffic      Traffic     // the sum over all instructions
	Lines        []LineCount // sorted by line
	Output       []byte      // the output of vprintf
	Findings     []*Finding  // the findings, at most as many as the launch allows
	More         int         // the number of findings beyond the limit
	Lesser       []*Finding  // findings of a lesser grade, which do not end a run: see [Grade]
	Last         *Finding    // the finding that ended the run, even if it is not in Findings; nil if there is none
	Ignored      []*Finding  // findings that the launch ignores
	Ended        bool        // the kernel ran to its end
	Notes        []Note      // remarks that are no faults, such as on barriers that exited threads never reach
	Events       []Event     // the events in order, at most as many as the launch allows
	Missed       int64       // the number of events beyond the limit
}

// LineCount says how often the instructions of one line of PTX were executed.
type LineCount struct {
	Line    int
	Op      ptx.Op
	Source  string // the source line, as in a [Finding]
	Warps   int64  // executions, counted once per warp
	Lanes   int64  // executions, counted for each thread
	Traffic Traffic
}

// grid is the state of a run.
type grid struct {
	program    *Program
	kernel     *kernel
	memory     *Memory
	quantum    int64 // instructions of one warp before the turn of the next warp
	params     segment
	dim        Dim
	block      Dim
	cluster    Dim
	inClusters Dim  // the size of the grid in clusters
	explicit   bool // the launch asks for clusters
	dynamic    int
	registers  int // per thread at launch; 0 if the launch does not state it
	counts     [][]executions
	output     []byte
	steps      int64
	limit      int64
	given      int64 // the limit of instructions in the launch

	sequence  func(i int) int // the number of the cluster that begins as number i; nil if all begin at once
	begun     int             // how many clusters have begun, or were taken over
	active    []*cluster
	spare     []*cluster   // ended clusters; new clusters use their memory
	time      uint32       // the current time of the clocks
	ops       []*operation // the operations in flight, by number
	free      []uint32     // numbers that no operation of ops has
	common    uint64       // the address of the workspace of the grid; 0 before the first use
	points    int          // the number of words that order accesses
	releases  int          // the number of releases at words of global memory that order accesses
	progress  int64        // counts events that may let a path go on
	polls     int64        // counts the instructions by which a thread may learn that another thread has made progress
	idle      int          // turns in a row without progress
	watch     bool         // whether to look for paths that are back where they were
	tensors   map[[mapBytes]byte]*tensorObject
	trace     *trace    // nil if events are not recorded
	doubt     *Finding  // the finding about a read of bytes that no thread has written yet
	workers   []*worker // the workers that multiply matrices, by plan
	products  map[tensorKey]*tensorProduct
	log       *byteLog // nil if the kernel does not need it
	tally     *tally   // nil if the first finding ends the run
	void      segment  // the memory that warp.nowhere returns
	notes     []Note
	strict    bool // Launch.Strict
	lesser    lesser
	orders    *Orders    // nil unless the launch has one
	explain   *explainer // nil for none
	suspected *Finding   // an operation that will write bytes that a thread has read
	recording *Recording // Launch.Record; nil for none
	seeded    bool       // the order is random
	random    uint64     // the state of the generator
	store
}

// Run runs a kernel to its end, in an order of its warps that the launch determines. A fault of the kernel is an error
// of type *[Finding]; the Result then describes the run up to the fault. A fault of the launch is an *[Error] with the
// code [CodeEntry], [CodeLaunch], [CodeArgument], [CodeStopped] if ctx ended, or [CodeMemory] if Keep returned an
// error.
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
		trace: newTrace(l.Events), program: p, kernel: k, memory: m, dynamic: l.Shared, registers: l.Registers, limit: l.Steps,
		quantum: int64(cmp.Or(max(l.Turn, 0), quantum)),
		seeded:  l.Seed != 0, random: l.Seed, strict: l.Strict, orders: l.Orders, recording: l.Record,
	}
	if g.limit <= 0 {
		g.limit = DefaultSteps
	}
	g.given, g.tally, g.log = g.limit, newTally(l), k.newByteLog()
	if err := g.check(l); err != nil {
		return nil, err
	}
	for _, f := range k.list {
		g.counts = append(g.counts, make([]executions, len(f.code)))
	}
	g.store = store{ctx: ctx, ask: l.Keep}
	g.explain = newExplainer(g, l.Explain)
	if err := g.newRecorder(l.Record); err != nil {
		return nil, err
	}
	defer g.giveBack(m)
	for _, s := range m.segs {
		s.lines, s.store, s.shadow = nil, &g.store, nil
	}
	run := g.run
	if l.Orders != nil {
		run = g.runOrder
	}
	err = g.settle(run())
	g.explain.finish()
	if f, ok := err.(*Finding); ok {
		g.trace.noteFinding(g, f)
	}
	res := g.result()
	return res, g.tally.finish(res, err, l.Seed)
}

// check checks a launch against the limits of a GPU and of the kernel, and lays out the arguments.
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
		v, least := d.v, Dim{}
		if !least.within(v) || !v.within(d.m) || int64(v.X)*int64(v.Y)*int64(v.Z) > d.n {
			return errorf(CodeLaunch, "a %s of %v, and it may be %v, %d in all", d.name, v, d.m, d.n)
		}
	}
	if err := g.directives(); err != nil {
		return err
	}
	if err := g.clusters(l); err != nil {
		return err
	}
	if n := int64(g.kernel.dynamic) - sharedStart + int64(l.Shared); l.Shared < 0 || n > MaxShared {
		return errorf(CodeLaunch, "%d bytes of shared memory, %d of them dynamic, and a block may have %d",
			n, l.Shared, MaxShared)
	}
	warps := (g.block.count() + lanes - 1) / lanes
	n := int(up(int64(l.Registers), 8)) * lanes * warps
	if l.Registers < 0 || l.Registers > mostRegisters || n > fileRegisters {
		return errorf(CodeLaunch, "%d registers of a thread, %d of a block of %d warps; expected at most %d and %d",
			l.Registers, n, warps, mostRegisters, fileRegisters)
	}
	return g.arguments(l.Args)
}

// arguments lays out the arguments of a launch as the parameters of the kernel.
func (g *grid) arguments(args []Arg) error {
	k := g.kernel
	if len(args) != len(k.params) {
		return errorf(CodeArgument, "%s has %d parameters, found %d arguments", k.decl.Name, len(k.params), len(args))
	}
	g.params = segment{data: make([]byte, k.size), name: "the parameters", readOnly: true}
	for i, p := range k.params {
		if size := int(p.decl.Size()); len(args[i].bytes) != size {
			return errorf(CodeArgument, "parameter %d, %s, has %d bytes, found an argument of %d",
				i, p.decl.Name, size, len(args[i].bytes))
		}
		copy(g.params.data[p.offset:], args[i].bytes)
	}
	return nil
}

// directives checks the block against .reqntid and .maxntid.
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

// one replaces extents of 0 by 1.
func one(d Dim) Dim {
	for _, at := range []*int{&d.X, &d.Y, &d.Z} {
		if *at == 0 {
			*at = 1
		}
	}
	return d
}

// result adds up the counts.
func (g *grid) result() *Result {
	r := &Result{Entry: string(g.kernel.decl.Name), Output: g.output, Notes: g.notes, Lesser: g.lesser.list}
	if g.trace != nil {
		r.Events, r.Missed = g.trace.byTime(), g.trace.missed
	}
	var loc *ptx.Loc
	source, executed := "", 0
	for _, counts := range g.counts {
		for _, c := range counts {
			if c.warps > 0 {
				executed++
			}
		}
	}
	r.Lines = make([]LineCount, 0, executed)
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
	if less := func(i, j int) bool { return r.Lines[i].Line < r.Lines[j].Line }; !sort.SliceIsSorted(r.Lines, less) {
		sort.SliceStable(r.Lines, less)
	}
	return r
}
