package probe

import (
	"fmt"
	"strings"

	"girih/ptx"
)

// Sizes of the data of the kernels.
const (
	TileBytes   = 32 << 10 // the part of shared memory that contains all addresses
	GlobalBytes = 1 << 20  // the size of global memory
	Warps       = 8        // warps of the kernel that repeats the access
	Unroll      = 8        // accesses per round of that kernel
)

// barrier is the place of the mbarrier of a bulk copy, after the tile.
const barrier = TileBytes

// versions are the versions of PTX with the instructions of each architecture.
var versions = map[int]ptx.Version{
	70: {Major: 7, Minor: 4}, 75: {Major: 7, Minor: 4}, 80: {Major: 7, Minor: 4}, 90: {Major: 8, Minor: 4},
}

// OnceKernel returns the name of the kernel that executes the instruction once.
func (o Op) OnceKernel() string { return "once_" + o.symbol() }

// LoopKernel returns the name of the kernel that repeats.
func (o Op) LoopKernel() string { return "loop_" + o.symbol() }

func (o Op) symbol() string { return strings.NewReplacer(".", "_", "::", "_").Replace(o.Name) }

// Blocks returns the number of blocks of a launch, which are one cluster.
func (o Op) Blocks() int {
	if o.Space == Remote {
		return 2
	}
	return 1
}

// Repeats reports whether [Op.Module] has the second kernel; a bulk copy does not have it.
func (o Op) Repeats() bool { return !o.Bulk() }

// Module returns the kernels of o, for its first architecture; the driver compiles them for later ones.
//
//	once_NAME(.b8 addr[128], .u64 data, .u32 zero)                       a block of 32 threads
//	loop_NAME(.b8 addr[128], .u64 data, .u32 zero, .u32 n, .u64 clocks)  a block of 256
//
// addr has the 32 addresses as 32-bit integers, and data is [GlobalBytes] of global memory. zero is 0, which the
// compiler must not know. The second kernel writes to clocks the clocks of 8·n accesses of each of 8 warps.
func (o Op) Module() (*ptx.Module, error) {
	m := &ptx.Module{Version: versions[o.Arch], Target: []string{fmt.Sprintf("sm_%d", o.Arch)}, AddressSize: 64}
	once, err := o.once()
	if err != nil {
		return nil, err
	}
	m.Decls = append(m.Decls, once)
	if o.Repeats() {
		loop, err := o.loop()
		if err != nil {
			return nil, err
		}
		m.Decls = append(m.Decls, loop)
	}
	return m, nil
}

// A writer writes a kernel of an Op.
type writer struct {
	*ptx.Builder
	op                 Op
	addr, data, zero   ptx.Name // parameters
	thread, lane, mask ptx.Name // registers; mask is the parameter zero
	tile, base         ptx.Name // registers: addresses of shared and global memory
	at                 ptx.Name // register: the varying address
	other              ptx.Name // register: the address of the other side of a copy
}

func (o Op) writer(name string) *writer {
	w := &writer{Builder: ptx.NewKernel(ptx.Name(name)), op: o}
	w.addr = w.Declare(&ptx.Var{Space: ptx.Param, Align: 4, Type: ptx.B8, Name: "addr", Dims: []int64{128}})
	w.data = w.Param(ptx.U64, "data")
	w.zero = w.Param(ptx.U32, "zero")
	if o.Space != Global || o.Code.Name() == "cp" {
		w.Declare(&ptx.Var{Space: ptx.Shared, Align: 1024, Type: ptx.B8, Name: "tile", Dims: []int64{TileBytes + 16}})
	}
	if o.Space == Remote {
		w.Direct("reqnctapercluster", 2, 1, 1)
	}
	return w
}

// begin reads the parameters and the address of the lane. It returns the predicate of the lanes that take part.
func (w *writer) begin() (active ptx.Name) {
	w.thread = w.Let(ptx.U32, "mov.u32", ptx.Name("%tid.x"))
	w.lane = w.Let(ptx.U32, "and.b32", w.thread, ptx.Int(31))
	w.base = w.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: w.data})
	w.mask = w.Let(ptx.U32, "ld.param.u32", ptx.Addr{Base: w.zero})
	from := w.Let(ptx.U64, "mov.u64", w.addr)
	w.Emit("mad.wide.u32", from, w.lane, ptx.Int(4), from)
	given := w.Let(ptx.U32, "ld.param.u32", ptx.Addr{Base: from})
	active = w.Let(ptx.Pred, "setp.ne.u32", given, ptx.Int(1<<32-1))
	isCopy := w.op.Code.Name() == "cp"
	if w.op.Space != Global || isCopy {
		w.tile = w.Let(ptx.U32, "mov.u32", ptx.Name("tile"))
	}
	contiguous := w.Let(ptx.U32, "mul.lo.u32", w.lane, ptx.Int(w.op.Bytes)) // the address of the other side of a copy
	shared, global := given, contiguous
	if w.op.Space == Global {
		shared, global = contiguous, given
	}
	if w.op.Space != Global || isCopy {
		w.at = w.Let(ptx.U32, "add.u32", shared, w.tile)
	}
	if w.op.Space == Remote {
		w.Emit("mapa.shared::cluster.u32", w.at, w.at, ptx.Int(1))
	}
	if w.op.Space == Global || isCopy {
		w.other = w.Let(ptx.U64, "cvt.u64.u32", global)
		w.Emit("add.u64", w.other, w.other, w.base)
	}
	if w.op.Space == Global {
		w.at, w.other = w.other, w.at
	}
	return active
}

// access writes the instruction and returns a register with its result, or "".
func (w *writer) access() ptx.Name {
	code, at := w.op.Code, ptx.Addr{Base: w.at}
	typ := code.Type()
	switch code.Name() {
	case "ld", "ldmatrix":
		n := max(code.Vec(), w.op.Matrices())
		if n == 1 && w.op.Matrices() == 0 {
			return w.Let(ptx.B32, code, at)
		}
		v := w.Regs(ptx.B32, n)
		w.Emit(code, v, at)
		return w.fold(v)
	case "st", "stmatrix":
		n := max(code.Vec(), w.op.Matrices())
		if n == 1 && w.op.Matrices() == 0 {
			w.Emit(code, at, w.lane)
			return ""
		}
		w.Emit(code, at, w.values(n))
		return ""
	case "atom":
		return w.atom(at, typ)
	case "red":
		w.Emit(code, at, w.operand(typ))
		return ""
	}
	shared, global := at, ptx.Addr{Base: w.other}
	if w.op.Space == Global {
		shared, global = global, at
	}
	w.Emit(code, shared, global, ptx.Int(w.op.Bytes))
	return ""
}

// values returns n registers that a store may write; each contains the number of the lane.
func (w *writer) values(n int) ptx.Vec {
	v := make(ptx.Vec, n)
	for i := range v {
		v[i] = w.lane
	}
	return v
}

// fold returns the exclusive or of registers of 32 bits, so that none of them is dead.
func (w *writer) fold(v ptx.Vec) ptx.Name {
	sum := v[0].(ptx.Name)
	for _, x := range v[1:] {
		sum = w.Let(ptx.B32, "xor.b32", sum, x)
	}
	return sum
}

// operand returns a value of a type that differs from lane to lane, or a vector of such values. With equal values, one
// lane could add for all lanes.
func (w *writer) operand(typ ptx.Type) ptx.Operand {
	if n := w.op.Code.Vec(); n > 1 {
		return w.values(n)
	}
	switch typ.Bits() {
	case 16:
		return w.Let(ptx.B16, "cvt.u16.u32", w.lane)
	case 64:
		return w.Let(ptx.B64, "cvt.u64.u32", w.lane)
	case 128:
		x := w.Let(ptx.B64, "cvt.u64.u32", w.lane)
		return w.Let(ptx.B128, "mov.b128", ptx.Vec{x, x})
	}
	return w.lane
}

// atom writes an atomic operation that returns the old value.
func (w *writer) atom(at ptx.Addr, typ ptx.Type) ptx.Name {
	code := w.op.Code
	operands := []ptx.Operand{at, w.operand(typ)}
	if code.Has("cas") {
		operands = append(operands, w.operand(typ))
	}
	if n := code.Vec(); n > 1 {
		v := w.Regs(ptx.B32, n)
		w.Emit(code, append([]ptx.Operand{v}, operands...)...)
		return w.fold(v)
	}
	got := w.Let(typ, code, operands...)
	switch typ.Bits() {
	case 16:
		return w.Let(ptx.B32, "cvt.u32.u16", got)
	case 64:
		return w.half(got)
	case 128:
		v := w.Regs(ptx.B64, 2)
		w.Emit("mov.b128", v, got)
		return w.half(w.Let(ptx.B64, "xor.b64", v...))
	}
	return got
}

// half folds 64 bits to 32.
func (w *writer) half(x ptx.Name) ptx.Name {
	v := w.Regs(ptx.B32, 2)
	w.Emit("mov.b64", v, x)
	return w.fold(v)
}

// use keeps the compiler from removing a value: the kernel stores the value if it equals a number that it never equals.
// The compiler must not be able to infer that, as it could from a byte being less than 256.
func (w *writer) use(x ptx.Name) {
	never := w.Let(ptx.U32, "xor.b32", w.mask, ptx.Int(0x9e3779b9))
	w.EmitIf(w.Let(ptx.Pred, "setp.eq.u32", x, never), "st.global.u32", ptx.Addr{Base: w.base}, x)
}

// only writes body for the lanes that take part. PTX requires all lanes to move a matrix. The second block of a cluster
// takes no part.
func (w *writer) only(active ptx.Name, body func()) {
	if w.op.Matrices() > 0 {
		body()
		return
	}
	if w.op.Space == Remote {
		rank := w.Let(ptx.U32, "mov.u32", ptx.Name("%cluster_ctarank"))
		w.Emit("setp.eq.and.u32", active, rank, ptx.Int(0), active)
	}
	w.If(active, body)
}

// meet waits for the other block of a cluster.
func (w *writer) meet() {
	if w.op.Space == Remote {
		w.Emit("barrier.cluster.arrive")
		w.Emit("barrier.cluster.wait")
	}
}

func (w *writer) end() (*ptx.Func, error) {
	w.meet()
	w.Emit("ret")
	return w.Func()
}

// once writes the kernel that executes the instruction once.
func (o Op) once() (*ptx.Func, error) {
	w := o.writer(o.OnceKernel())
	if o.Bulk() {
		w.bulk()
		return w.end()
	}
	active := w.begin()
	w.meet()
	w.only(active, func() {
		if x := w.access(); x != "" {
			w.use(x)
		}
	})
	if o.Code.Name() == "cp" {
		w.Emit("cp.async.wait_all")
	}
	return w.end()
}

// bulk writes a copy of addr[1] bytes between the places addr[0] and addr[2], and waits for it. For 0 bytes nothing is
// copied, and the counters show the rest of the kernel. Between two blocks, the first copies and the second waits.
func (w *writer) bulk() {
	w.thread = w.Let(ptx.U32, "mov.u32", ptx.Name("%tid.x"))
	given := func(i int64) ptx.Name { return w.Let(ptx.U32, "ld.param.u32", ptx.Addr{Base: w.addr, Offset: 4 * i}) }
	w.tile = w.Let(ptx.U32, "mov.u32", ptx.Name("tile"))
	first, bytes, second := w.Let(ptx.U32, "add.u32", given(0), w.tile), given(1), given(2)
	some := w.Let(ptx.Pred, "setp.ne.u32", bytes, ptx.Int(0))
	done := ptx.Addr{Base: w.Let(ptx.U32, "add.u32", w.tile, ptx.Int(barrier))}
	one := w.Let(ptx.Pred, "setp.eq.u32", w.thread, ptx.Int(0)) // true in the thread that copies
	waits := one
	if w.op.Space == Remote {
		rank := w.Let(ptx.U32, "mov.u32", ptx.Name("%cluster_ctarank"))
		waits = w.Let(ptx.Pred, "setp.eq.and.u32", rank, ptx.Int(1), one)
		one = w.Let(ptx.Pred, "setp.eq.and.u32", rank, ptx.Int(0), one)
	}
	if w.op.Code.Has("bulk_group") {
		w.If(one, func() {
			w.EmitIf(some, w.op.Code, ptx.Addr{Base: w.global(second)}, ptx.Addr{Base: first}, bytes)
			w.Emit("cp.async.bulk.commit_group")
			w.Emit("cp.async.bulk.wait_group", ptx.Int(0))
		})
		return
	}
	w.If(waits, func() {
		w.Emit("mbarrier.init.shared.b64", done, ptx.Int(1))
		w.Emit("fence.mbarrier_init.release.cluster")
		w.Emit("fence.proxy.async.shared::cta")
		w.Emit("mbarrier.arrive.expect_tx.shared.b64", ptx.Sink, done, bytes)
	})
	w.meet()
	w.If(one, func() {
		at, from, signal := ptx.Addr{Base: first}, ptx.Addr{}, done
		if w.op.Space == Remote {
			from = ptx.Addr{Base: w.Let(ptx.U32, "add.u32", second, w.tile)}
			at = ptx.Addr{Base: w.Let(ptx.U32, "mapa.shared::cluster.u32", first, ptx.Int(1))}
			signal = ptx.Addr{Base: w.Let(ptx.U32, "mapa.shared::cluster.u32", done.Base, ptx.Int(1))}
		} else {
			from = ptx.Addr{Base: w.global(second)}
		}
		w.EmitIf(some, w.op.Code, at, from, bytes, signal)
	})
	w.If(waits, func() {
		w.While(func() ptx.Operand {
			return ptx.Not(w.Let(ptx.Pred, "mbarrier.try_wait.parity.shared.b64", done, ptx.Int(0), ptx.Int(1000000)))
		}, func() {})
	})
}

// global returns the address at an offset of global memory.
func (w *writer) global(offset ptx.Name) ptx.Name {
	at := w.Let(ptx.U64, "cvt.u64.u32", offset)
	w.Emit("add.u64", at, at, w.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: w.data}))
	return at
}

// loop writes the kernel that repeats the instruction. Each access adds zero to the address, so that the compiler keeps
// all of them.
func (o Op) loop() (*ptx.Func, error) {
	w := o.writer(o.LoopKernel())
	n, clocks := w.Param(ptx.U32, "n"), w.Param(ptx.U64, "clocks")
	active := w.begin()
	rounds := w.Let(ptx.U32, "ld.param.u32", ptx.Addr{Base: n})
	zero, step := w.mask, ptx.Op("add.u32")
	if o.Space == Global {
		zero, step = w.Let(ptx.U64, "cvt.u64.u32", w.mask), "add.u64"
	}
	sum := w.Let(ptx.B32, "mov.b32", ptx.Int(0))
	w.meet()
	w.Emit("barrier.sync", ptx.Int(0))
	start := w.Let(ptx.U64, "mov.u64", ptx.Name("%clock64"))
	w.only(active, func() {
		reads := false
		w.For(ptx.Range{Type: ptx.U32, From: ptx.Int(0), To: rounds, Step: 1}, func(ptx.Name) {
			for range Unroll {
				if x := w.access(); x != "" {
					w.Emit("xor.b32", sum, sum, x)
					reads = true
				}
				w.Emit(step, w.at, w.at, zero)
			}
		})
		if reads {
			w.use(sum)
		}
	})
	if o.Code.Name() == "cp" {
		w.Emit("cp.async.wait_all")
	}
	w.Emit("barrier.sync", ptx.Int(0))
	took := w.Let(ptx.U64, "mov.u64", ptx.Name("%clock64"))
	w.Emit("sub.u64", took, took, start)
	first := w.Let(ptx.Pred, "setp.eq.u32", w.thread, ptx.Int(0))
	if o.Space == Remote {
		w.Emit("setp.eq.and.u32", first, w.Let(ptx.U32, "mov.u32", ptx.Name("%cluster_ctarank")), ptx.Int(0), first)
	}
	w.If(first, func() {
		w.Emit("st.global.u64", ptx.Addr{Base: w.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: clocks})}, took)
	})
	return w.end()
}
