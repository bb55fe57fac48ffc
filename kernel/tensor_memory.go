package kernel

import (
	"fmt"
	"runtime"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/address"
	"girih/internal/machine/lower"
	"girih/ptx"
	"girih/symbolic"
	"girih/tmem"
)

// This file defines tensor memory: its allocation, and tensors in it. It has 128 lanes and 512 columns of 32 bits for
// each block; an address has the lane in the bits 31-16 and the column in the bits 15-0, so that both are strides. The
// tensors have the layouts of package tmem, in elements, as CuTe prints them.

// blackwell is the first target with tensor memory.
var blackwell = lower.Target{Chip: "sm_100a", Version: ptx.Version{Major: 8, Minor: 6}}

// A tensorMemory records how a kernel uses tensor memory.
type tensorMemory struct {
	group int64               // the blocks that share each instruction, 1 or 2; 0 if none has been stated
	all   []*allocation       // in the order of the trace
	words map[uint32]ptx.Name // the instruction descriptors that registers hold
}

// A cells is what a root in tensor memory has in addition.
type cells struct {
	columns int64 // from its first to its last one
	placed  bool  // it has an address
	apart   bool  // each element has a column, though it is narrower
}

// A TmemAllocator allocates columns of tensor memory: CUTLASS's TMEM::Allocator1Sm and Allocator2Sm. One warp executes
// Allocate, ReleaseAllocationLock and Free, the same warp each time; for a pair of blocks, one warp of each block. The
// methods of the zero TmemAllocator fail as the methods of the zero [Barrier] do.
type TmemAllocator struct {
	_ [0]func() // it cannot be compared
	k *K
	*allocation
}

// An allocation is what a TmemAllocator with a kernel has.
type allocation struct {
	columns int64
	slot    Tensor // the word of shared memory that tcgen05.alloc writes
	base    Index  // the address of the columns
	read    bool   // base is known
	taken   bool   // Allocate was called
	freed   bool
	pcs     [24]uintptr // of Allocate
}

// TmemAllocator returns an allocator of columns, a power of two from 32 to 512, that takes 4 bytes of shared memory.
// ctas is 1, or 2 if the instructions of the kernel are shared by pairs of blocks (2-SM), which [K.Cluster] states
// before. It fails with [cute.CodeExtent] for other numbers, [cute.CodeLimit] if all allocators together have more than
// 512 columns, and [cute.CodeMode] if another instruction has another number of blocks.
func (k *K) TmemAllocator(columns, ctas int64) TmemAllocator {
	const op = "tmem_allocator"
	if columns < tmem.LeastAllocation || columns > tmem.Columns || columns&(columns-1) != 0 {
		k.advise("take 32, 64, 128, 256 or 512").refuse(op, cute.CodeExtent,
			"tcgen05.alloc takes a power of two of columns, from %d to %d, found %d", tmem.LeastAllocation, tmem.Columns, columns)
	}
	k.shareTmem(op, ctas)
	sum := columns
	for _, a := range k.tmem.all {
		sum += a.columns
	}
	if sum > tmem.Columns {
		k.advise("allocate once, and give each tensor its column").refuse(op, cute.CodeLimit,
			"a block has %d columns of tensor memory, and its allocators take %d: one would wait without end", tmem.Columns, sum)
	}
	if k.err != nil {
		return TmemAllocator{}
	}
	word := &root{k: k, name: "tmem", space: Shared, elem: dtype.U32, pointer: k.sharedPiece("tmem", 4, 4)}
	a := &allocation{columns: columns, slot: k.under(word, cute.MustParse("1:0"))}
	k.tmem.all = append(k.tmem.all, a)
	return TmemAllocator{k: k, allocation: a}
}

// shareTmem states how many blocks share the instructions on tensor memory: the same number for all of a kernel (PTX
// ISA 9.7.16.7.1).
func (k *K) shareTmem(op string, ctas int64) {
	switch {
	case ctas != 1 && ctas != 2:
		k.refuse(op, cute.CodeExtent, "expected 1 or 2 blocks that share an instruction, found %d", ctas)
	case k.tmem.group != 0 && k.tmem.group != ctas:
		k.refuse(op, cute.CodeMode, "all tcgen05 instructions of a kernel have one cta_group: expected %d, found %d",
			k.tmem.group, ctas)
	case ctas == 2 && k.cluster[0]%2 != 0 || ctas == 2 && k.cluster[0] == 0:
		k.advise("say k.Cluster(2, 1, 1) before").refuse(op, cute.CodeMode,
			"two neighbours along x of a cluster are a pair, and the cluster has %v blocks", k.cluster)
	}
	k.tmem.group = ctas
	k.require(blackwell)
}

// group returns the modifier of instructions with the number of blocks that share them.
func (k *K) group(before, after string) ptx.Op {
	return ptx.Op(fmt.Sprintf("tcgen05.%s.cta_group::%d%s", before, max(k.tmem.group, 1), after))
}

// kernel returns the kernel of the allocator, and refuses the zero TmemAllocator and another kernel's.
func (a TmemAllocator) kernel(op string) *K {
	if a.k == nil {
		none(op, anAllocator)
	}
	a.k.owns(op, anAllocator, a.k)
	return a.k
}

// oneWarp is kernel, and refuses code that more than one warp may execute.
func (a TmemAllocator) oneWarp(op string) *K {
	k := a.kernel(op)
	k.together(op)
	if n := k.warps(); n > 1 {
		k.advise("put it under k.If(k.WarpIdx().Less(kernel.Int(1)), ...)").refuse(op, cute.CodeMode,
			"one warp executes it, and here %d warps may", n)
	}
	return k
}

// warps returns how many warps may execute what is traced now.
func (k *K) warps() (n int) {
	who := k.executes(k.around)
	for first := 0; first < len(who); first += WarpSize {
		for _, c := range who[first:min(first+WarpSize, len(who))] {
			if c != never {
				n++
				break
			}
		}
	}
	return n
}

// Allocate allocates the columns: allocate. It waits until they are free. [K.Sync] must follow before
// [TmemAllocator.RetrievePtr]. It fails with [cute.CodeMode] if nothing ensures that one warp executes it, or if it was
// called before.
func (a TmemAllocator) Allocate() {
	const op = "tmem_allocate"
	k := a.oneWarp(op)
	if k.err != nil {
		return
	}
	if a.taken {
		k.refuse(op, cute.CodeMode, "the %d columns were allocated before", a.columns)
		return
	}
	a.taken = true
	runtime.Callers(2, a.pcs[:])
	k.emit(k.group("alloc", ".sync.aligned.shared::cta.b32"), k.place(a.slot.root.pointer, 32), ptx.Int(a.columns))
}

// ReleaseAllocationLock lets other blocks of the multiprocessor allocate: release_allocation_lock,
// relinquish_alloc_permit. This block allocates nothing after it. It fails as [TmemAllocator.Allocate] does.
func (a TmemAllocator) ReleaseAllocationLock() {
	if k := a.oneWarp("release_allocation_lock"); k.err == nil {
		k.emit(k.group("relinquish_alloc_permit", ".sync.aligned"))
	}
}

// RetrievePtr reads the address of the columns from shared memory: retrieve_ptr. All threads that use the columns
// execute it, after a barrier that follows [TmemAllocator.Allocate]. It fails with [cute.CodeMode] if Allocate was not
// called before.
func (a TmemAllocator) RetrievePtr() {
	const op = "retrieve_ptr"
	k := a.kernel(op)
	if !a.taken {
		k.refuse(op, cute.CodeMode, "the columns were not allocated: Allocate and a barrier come before")
	}
	if k.err != nil {
		return
	}
	f := symbolic.Facts{Max: tmem.Columns - tmem.LeastAllocation, Div: tmem.LeastAllocation}
	a.base, a.read = k.Load(a.slot, Int(0)).Index(f), true
}

// Free deallocates the columns: free. All accesses to them must have completed: a barrier follows the last
// [K.FenceViewAsyncTmemLoad], and for a pair a barrier of the cluster. It fails as [TmemAllocator.Allocate] does, and
// with [cute.CodeMode] before [TmemAllocator.RetrievePtr]. A kernel that allocates columns and does not free them is
// refused.
func (a TmemAllocator) Free() {
	const op = "tmem_free"
	k := a.oneWarp(op)
	base, ok := a.address(op)
	if !ok {
		return
	}
	r, err := k.c.Value(base, 32)
	k.fail(err)
	k.emit(k.group("dealloc", ".sync.aligned.b32"), r, ptx.Int(a.columns))
	a.freed = true
}

// address returns the address of the columns, and refuses it before it is known.
func (a TmemAllocator) address(op string) (address.Expr, bool) {
	k := a.k
	if k.err == nil && !a.read {
		k.refuse(op, cute.CodeMode, "the address of the columns is not known: RetrievePtr comes before")
	}
	if k.err != nil {
		return address.Expr{}, false
	}
	return k.expr(a.base), true
}

// Tensor returns a tensor that [ThrMMA.MakeFragmentC] made, at a column of the allocation: tCtAcc.data() = base +
// column. It fails with [cute.CodeExtent] if the tensor leaves the allocated columns, [cute.CodeMode] before
// [TmemAllocator.RetrievePtr], and [cute.CodeType] for a tensor in other memory or with an address.
func (a TmemAllocator) Tensor(fragment Tensor, column int64) Tensor {
	const op = "make_tensor"
	k := a.kernel(op)
	base, ok := a.address(op)
	if !ok || !k.has(op, fragment) {
		return fragment
	}
	c := fragment.root.cells
	switch {
	case c == nil || c.placed:
		k.advise("take what MakeFragmentC returns for an MMA of tensor memory").refuse(op, cute.CodeType,
			"expected a tensor of tensor memory without an address, found %v", fragment)
	case column < 0 || column+c.columns > a.columns:
		k.refuse(op, cute.CodeExtent, "%s has %d columns from column %d on, and %d are allocated", fragment.root.name,
			c.columns, column, a.columns)
	}
	if k.err != nil {
		return fragment
	}
	r := *fragment.root
	r.pointer, r.cells = k.s.Plus(base, column), &cells{c.columns, true, c.apart}
	out := fragment.apart()
	out.root, out.home = &r, innermost(fragment.home, a.base.home())
	return out
}

// inTensorMemory returns a tensor in tensor memory without an address.
func (k *K) inTensorMemory(name string, r *root, t tmem.Tensor, err error) Tensor {
	if err != nil {
		k.fail(err)
		return Tensor{}
	}
	l, err := t.Layout()
	k.fail(err)
	r.k, r.name, r.space, r.pointer, r.cells = k, name, TensorMemory, k.s.Const(0), &cells{columns: t.Columns()}
	return k.under(r, l)
}

// tmemAddress returns a register with the address of an element of a tensor in tensor memory.
func (k *K) tmemAddress(op string, t Tensor, offset int64) ptx.Operand {
	if c := t.root.cells; c == nil || !c.placed {
		k.advise("use what TmemAllocator.Tensor returns").refuse(op, cute.CodeMode, "%v has no address", t)
		return nil
	}
	x := k.s.Scale(k.s.Plus(t.origin[0], offset), int64(t.root.bits()))
	x = k.s.Add(t.root.pointer, k.s.Div(x, tmem.ColumnBits))
	r, err := k.c.Value(x, 32)
	k.fail(err)
	at := ptx.Addr{Base: r}
	k.addresses = append(k.addresses, reason{at, x, k.loops, t.root})
	return at
}

// leaks refuses columns that were allocated and not freed: they would be missing until the context ends.
func (k *K) leaks() {
	for _, a := range k.tmem.all {
		if a.taken && !a.freed && k.err == nil {
			k.failAt(&cute.Error{
				Code: cute.CodeMode, Op: "tmem_allocate",
				Msg:  fmt.Sprintf("the %d columns of tensor memory are not freed: a block frees what it allocates", a.columns),
				Hint: "end with TmemAllocator.Free, in the warp that allocated",
			}, placesOf(a.pcs[:]))
		}
	}
}

// Tcgen05BeforeThreadSync orders the thread's earlier operations on tensor memory before a barrier that follows:
// tcgen05.fence::before_thread_sync.
func (k *K) Tcgen05BeforeThreadSync() { k.tmemFence("tcgen05.fence::before_thread_sync") }

// Tcgen05AfterThreadSync orders the thread's later operations on tensor memory after a barrier before it:
// tcgen05.fence::after_thread_sync.
func (k *K) Tcgen05AfterThreadSync() { k.tmemFence("tcgen05.fence::after_thread_sync") }

// FenceViewAsyncTmemLoad waits until the thread's loads from tensor memory have completed: fence_view_async_tmem_load,
// tcgen05.wait::ld. All threads of a warp execute it.
func (k *K) FenceViewAsyncTmemLoad() {
	k.together("fence_view_async_tmem_load")
	k.tmemFence("tcgen05.wait::ld.sync.aligned")
}

// FenceViewAsyncTmemStore waits until the thread's stores to tensor memory have completed:
// fence_view_async_tmem_store, tcgen05.wait::st. All threads of a warp execute it.
func (k *K) FenceViewAsyncTmemStore() {
	k.together("fence_view_async_tmem_store")
	k.tmemFence("tcgen05.wait::st.sync.aligned")
}

func (k *K) tmemFence(o ptx.Op) {
	k.emit(o)
	k.require(blackwell)
}
