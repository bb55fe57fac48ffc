package kernel

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
	"girih/internal/machine/lower"
	"girih/ptx"
	"girih/symbolic"
)

// MaxThreads is the most threads of a block.
const MaxThreads = 1024

// MaxElements limits the elements of one operation of a thread, because the operation is unrolled.
const MaxElements = 4096

// MaxInstructions is the most instructions of a kernel.
const MaxInstructions = 1 << 18

// The levels at which symbols change. Those of loops follow.
const (
	levelParam = iota
	levelBlock
	levelThread
)

// K is a kernel while it is traced.
type K struct {
	name      string
	threads   int64
	s         *address.Space
	b         *ptx.Builder
	c         *address.Code
	err       *Error
	tracing   bool // mistakes leave the traced function
	over      bool // Trace has returned
	region    *region
	ended     []*region           // see scope.go
	bodies    []*region           // all of them
	first     map[ptx.Name]string // the parameters of registers that are loaded at the beginning: [K.Scalar]
	constants map[ptx.Name]uint64 // the bits of registers: [K.Number]
	factors   map[ptx.Name]string // predicates that such a parameter is not 0
	requests  []registerRequest
	homes     map[*address.Symbol]*region // where symbols were made, if in a region
	params    []Param
	arena     arena
	wgmma     groups
	tmem      tensorMemory
	cluster   [3]int64
	stores    int64  // the bulk copies to global memory so far
	passes    []pass // of pipelines
	minBlocks int64  // blocks per multiprocessor; 0 if not stated
	maps      []mapParam
	align     int64      // of addresses, in bytes: [K.AssumedAlign]
	declared  []declared // parameters, in the order in which the kernel names them
	single    int        // the number of enclosing conditions that hold for one thread
	special   map[ptx.Name]Index
	loops     int
	grid      []address.Expr
	numbers   []*address.Symbol
	blocks    bool // a block index was used
	addresses []reason
	inGrid    [][2]address.Expr // bounds of the block indices
	given     [][2]address.Expr // the same for loop counters and enclosing conditions
	around    []scope           // the enclosing loops and conditions
	whole     *scope            // the first of the scopes in which [K.together] found nothing to refuse
	perThread threadNumbers
	pending   []reason                        // addresses of the next instruction
	reasons   []reason                        // memory for the reasons of accesses
	conds     map[ptx.Name]*Cond              // the condition of each predicate
	narrow    *obstacle                       // why the vectors of the current copy are not wider
	atom      string                          // of the current copy
	limit     int                             // the widest accesses of the copy in bits; 0 for the widest of the memory
	sizes     map[[2]ptx.Operand]ptx.Name     // bytes that its instructions read, by the predicate and the most bytes
	partial   map[[2]address.Expr]ptx.Operand // bytes inside of vectors, by the comparison of their first element
	accesses  []transfer
	places    map[*ptx.Instr]*stack // the stacks of instructions that can be at fault
	here      *stack                // the stack of the current call, if it emits many instructions
	stated    Place                 // of the operations that follow, if it is stated: [K.At]
	fragments []fragment
	making    func(in *ptx.Instr) // records what the current call emits; nil outside of such calls
	made      []*made
	turns     []*turn // the loops
	placed    []Placed
	mbarriers []Placed
	pointers  []*address.Symbol // of tensors in global memory
	count     int               // of instructions
	claims    map[claim]claimed // layouts of more threads than the block has
	derived   []derived
	data      *data
	sure      *Cond             // the condition that is always true
	spot      placer            // the last one
	swizzled  map[int64]element // of the last placer

	formulas    map[address.Expr]*formula // of the numbers that a kernel has: see [K.index]
	conditions  []Cond                    // memory for the conditions of elements
	comparisons [][2]address.Expr
	target      lower.Target
	record      recorder
}

// A reason is an address operand with the expression from which it was made.
type reason struct {
	operand ptx.Addr
	x       address.Expr
	loops   int
	in      *root
}

// Explain returns the addresses of the kernel in the order of the accesses, one per line: the operand, the expression
// in bytes, and the number of loops around it.
func (k *Kernel) Explain() string {
	var b strings.Builder
	for _, r := range k.addresses {
		fmt.Fprintf(&b, "%-16v %v", r.operand, r.x)
		if r.loops > 0 {
			fmt.Fprintf(&b, "  (loop %d)", r.loops)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A Param is a parameter of a kernel: a number or the address of a tensor.
type Param struct {
	Name    string
	Pointer bool
	Map     bool           // the tensor is passed as a tensor map, 128 bytes: see [Kernel.TensorMap]
	Type    dtype.Type     // of the elements, or of the number
	Facts   symbolic.Facts // of a number; of an address, what divides it
}

// A Kernel is the result of a trace.
type Kernel struct {
	Name    string
	Params  []Param  // in the order of the launch: tensor maps have the places of their atoms; see [Kernel.Signature]
	Threads int64    // of a block
	Shared  int64    // bytes of shared memory
	Dynamic int64    // the part of Shared that the launch must provide: 0 if the module declares it
	Cluster [3]int64 // blocks of a cluster along x, y and z; zeros for a kernel without clusters
	Module  *ptx.Module

	grid      []address.Expr // set by [K.Grid]
	numbers   []*address.Symbol
	addresses []reason
	accesses  []transfer
	places    map[*ptx.Instr]*stack
	fragments []fragment
	made      []*made
	turns     []*turn // the loops
	placed    []Placed
	mbarriers []Placed
	pointers  []*address.Symbol // of tensors in global memory
	shared    *address.Symbol   // where shared memory begins, nil if there is none
	special   map[ptx.Name]*address.Symbol
	space     *address.Space
	mu        sync.Mutex // of the space
	derived   []derived
	data      *data
	maps      []mapParam
	declared  []declared
	steps     []emit.Step
	beyond    *beyond // why the steps are not the whole kernel
}

// Grid returns the number of blocks along x, y and z by the formulas of [K.Grid], for values of its integers by name.
// It returns [cute.CodeUnknown] for an integer without a value, [cute.CodeFact] for a value that contradicts its facts,
// [cute.CodeNotDivisible] for a grid that is not a multiple of the clusters, [cute.CodeLimit] for more than
// 65535 blocks along y or z, and [cute.CodeType] for a kernel without K.Grid.
func (k *Kernel) Grid(values map[string]int64) (blocks [3]int64, err error) {
	if len(k.grid) == 0 {
		return blocks, &cute.Error{Code: cute.CodeType, Op: "grid", Msg: k.Name + " does not say how many blocks it has"}
	}
	at := k.values(values)
	blocks = [3]int64{1, 1, 1}
	for i, x := range k.grid {
		if blocks[i], err = x.At(at); err != nil {
			return [3]int64{}, err
		}
	}
	return blocks, k.whole(blocks)
}

// GridText returns the formulas of [K.Grid], in which / rounds down; nil for a kernel without K.Grid.
func (k *Kernel) GridText() []string {
	var out []string
	for _, x := range k.grid {
		out = append(out, x.String())
	}
	return out
}

// Trace calls f once and returns the kernel that it describes, for one-dimensional blocks of the given number of
// threads. The error is an *[Error]. It has the codes of the operations, [cute.CodeExtent] for an impossible number
// of threads, [cute.CodeName] for a name that PTX or C++ refuse, and [cute.CodeLimit] above [MaxShared], [MaxElements]
// and [MaxInstructions].
func Trace(name string, threads int64, f func(k *K)) (*Kernel, error) {
	k := &K{
		name: name, threads: threads, s: address.New(), b: ptx.NewKernel(ptx.Name(name)), special: map[ptx.Name]Index{},
		conds: map[ptx.Name]*Cond{}, formulas: map[address.Expr]*formula{}, claims: map[claim]claimed{},
		places: map[*ptx.Instr]*stack{}, swizzled: map[int64]element{}, data: newData(),
		homes: map[*address.Symbol]*region{}, first: map[ptx.Name]string{}, factors: map[ptx.Name]string{},
		constants: map[ptx.Name]uint64{},
		target:    lower.Target{Chip: "sm_80", Version: ptx.Version{Major: 8}},
		record:    recorder{values: map[ptx.Name]emit.ID{}},
	}
	k.c, k.sure = address.NewCode(k.s, k.b, levelThread), &Cond{k: k}
	if threads < 1 || threads > MaxThreads {
		k.refuse("trace", cute.CodeExtent, "expected 1 to %d threads of a block, found %d", MaxThreads, threads)
	}
	if f == nil {
		k.noFunction("trace")
	}
	if k.checkKernelName(); k.err != nil {
		return nil, k.err
	}
	defer func() { k.over = true }()
	k.b.Direct("reqntid", threads)
	k.trace(f)
	k.complete()
	if k.err != nil {
		return nil, k.err
	}
	extern := k.declareShared()
	k.emit("ret")
	for _, st := range fuse(k.c.End().Stmts) {
		k.b.Add(st)
	}
	fn, err := k.b.Func()
	if err != nil {
		k.refuse("trace", cute.CodeType, "%v", err)
		return nil, k.err
	}
	out := &Kernel{
		Name: name, Params: k.params, Threads: threads, Shared: k.arena.used, grid: k.grid, numbers: k.numbers,
		addresses: k.addresses, accesses: k.accesses, places: k.places, fragments: k.fragments, made: k.made, placed: k.placed,
		mbarriers: k.mbarriers, turns: k.turns,
		pointers: k.pointers, shared: k.arena.base, special: k.symbols(), space: k.s,
		Cluster: k.cluster, maps: k.maps, derived: k.derived, data: k.data,
		declared: k.declared, steps: k.record.steps, beyond: k.record.beyond,
		Module: k.target.Module(append(extern, fn)...),
	}
	if len(extern) > 0 {
		out.Dynamic = out.Shared
	}
	return out, nil
}

// emit appends an instruction.
//
//go:noinline
func (k *K) emit(o ptx.Op, operands ...ptx.Operand) { k.add(&ptx.Instr{Op: o, Operands: operands}) }

// emitIf appends an instruction for the threads of a predicate; nil means all threads.
func (k *K) emitIf(p ptx.Operand, o ptx.Op, operands ...ptx.Operand) {
	in := &ptx.Instr{Op: o, Operands: operands}
	if n, ok := p.(ptx.Name); ok {
		in.Pred = n
	}
	k.add(in)
}

func (k *K) add(st ptx.Stmt) {
	k.ready()
	if k.count++; k.count > MaxInstructions {
		k.refuse("trace", cute.CodeLimit, "a kernel has at most %d instructions: use k.For for long loops", MaxInstructions)
		return
	}
	if in, ok := st.(*ptx.Instr); ok {
		k.heard()
		k.locate(in)
		k.note(in)
		if k.making != nil {
			k.making(in)
		}
	}
	k.c.Add(st)
}

// let appends an instruction whose result is a new register.
func (k *K) let(t ptx.Type, o ptx.Op, operands ...ptx.Operand) ptx.Name {
	r := k.b.Reg(t)
	all := make([]ptx.Operand, 1, 1+len(operands))
	all[0] = r
	k.add(&ptx.Instr{Op: o, Operands: append(all, operands...)})
	return r
}

// param declares a parameter and returns a register that is loaded with it at the beginning.
func (k *K) param(t ptx.Type, p Param) ptx.Name {
	k.checkName(p)
	k.params = append(k.params, p)
	if !p.Pointer {
		k.declared = append(k.declared, declared{name: p.Name})
	}
	r := k.b.Reg(t)
	k.c.Hoist(&ptx.Instr{
		Op: "ld.param." + ptx.Op(t), Operands: []ptx.Operand{r, ptx.Addr{Base: k.b.Param(t, ptx.Name(p.Name))}},
	})
	return r
}

// symbol returns a new symbol that a register holds.
func (k *K) symbol(name string, f symbolic.Facts, level int) *address.Symbol {
	sym, err := k.s.Symbol(name, f, level)
	if k.keepHome(sym); err != nil {
		k.fail(err)
		sym, _ = address.New().Symbol(name, symbolic.Facts{}, 0)
	}
	return sym
}

// Int returns a parameter that is a 32-bit integer: an extent or the distance of rows, with facts that bound it and say
// what divides it. The error is [cute.CodeFact] for facts that are unbounded, contradict each other, or exceed 31 bits.
func (k *K) Int(name string, f symbolic.Facts) Index {
	if f.Min < -1<<31 || f.Max >= 1<<31 {
		k.refuse("int", cute.CodeFact, "%s has 32 bits, and a range from %d to %d", name, f.Min, f.Max)
		f.Min, f.Max = 0, 1
	}
	sym := k.symbol(name, f, levelParam)
	k.c.DefineFirst(sym, k.param(ptx.U32, Param{Name: name, Type: dtype.S32, Facts: f}), 32)
	k.numbers = append(k.numbers, sym)
	return k.index(sym.Expr())
}

// ThreadIdx returns the number of the thread in its block.
func (k *K) ThreadIdx() Index {
	return k.specialRegister("%tid.x", symbolic.Facts{Max: k.threads - 1}, levelThread)
}

// Grid sets how many blocks the kernel has along x, y and z, for [Kernel.Grid]. It also bounds [K.BlockIdx], so it must
// come first. It fails with [cute.CodeRank] for more than three numbers, and [cute.CodeMode] after a use of K.BlockIdx,
// for a second call, and for numbers that the launch does not know.
func (k *K) Grid(blocks ...Index) {
	switch {
	case len(blocks) > 3:
		k.refuse("grid", cute.CodeRank, "a grid has three dimensions, found %d", len(blocks))
		return
	case len(k.grid) > 0:
		k.refuse("grid", cute.CodeMode, "the grid is stated already: %v", k.grid)
		return
	case k.blocks:
		k.refuse("grid", cute.CodeMode, "the grid is stated before BlockIdx is asked for")
		return
	}
	k.grid = nil
	for _, b := range blocks {
		k.grid = append(k.grid, k.atLaunch("grid", b))
	}
	k.space()
}

// atLaunch returns a number as an expression, and refuses a number that the launch does not know.
func (k *K) atLaunch(op string, i Index) address.Expr {
	x := k.expr(i)
	var later *address.Symbol
	x.Symbols(func(s *address.Symbol) {
		if !slices.Contains(k.numbers, s) {
			later = s
		}
	})
	if later != nil {
		k.advise("take constants and parameters: K.Int").refuse(op, cute.CodeMode,
			"expected a number that is known at the launch, found %v, with %s, which threads compute", i, later.Name())
	}
	return x
}

// BlockIdx returns the number of the block along x, y or z: 0, 1 or 2.
func (k *K) BlockIdx(dim int) Index {
	if dim < 0 || dim > 2 {
		k.refuse("block_idx", cute.CodeMode, "a grid has the dimensions 0, 1 and 2, found %d", dim)
		return Int(0)
	}
	k.blocks = true
	if dim < len(k.grid) {
		_, hi := k.grid[dim].Range()
		return k.specialRegister(ptx.Name(fmt.Sprintf("%%ctaid.%c", 'x'+dim)), symbolic.Facts{Max: max(hi-1, 0)}, levelBlock)
	}
	most := int64(1<<31 - 2) // CUDA C++ Programming Guide, Compute Capabilities: 2^31-1 blocks along x, 65535 otherwise
	if dim > 0 {
		most = 65534
	}
	return k.specialRegister(ptx.Name(fmt.Sprintf("%%ctaid.%c", 'x'+dim)), symbolic.Facts{Max: most}, levelBlock)
}

func (k *K) specialRegister(name ptx.Name, f symbolic.Facts, level int) Index {
	if x, ok := k.special[name]; ok {
		return x
	}
	sym := k.symbol(map[int]string{levelBlock: "block", levelThread: "thread"}[level]+"."+name.Part(), f, level)
	r := k.b.Reg(ptx.B32)
	k.c.Hoist(&ptx.Instr{Op: "mov.u32", Operands: []ptx.Operand{r, name}})
	k.c.DefineFirst(sym, r, 32)
	x := k.index(sym.Expr())
	k.special[name] = x
	if dim := int(name[len(name)-1] - 'x'); level == levelBlock && dim < len(k.grid) {
		k.inGrid = append(k.inGrid, [2]address.Expr{sym.Expr(), k.grid[dim]})
	}
	return x
}
