package gemm

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// This file writes the kernel of Ampere, which every later card runs, too: all threads of a block copy tiles of A and B
// into a ring of stages with cp.async, read them with ldmatrix and multiply them with mma.sync. While one stage is
// multiplied, the copies of the next ones are under way. Within a stage, while 16 columns of A and B are multiplied,
// the next 16 are read into registers.
// Of other types than f16 and bf16, the blocks of columns have 32 bytes, too.
//
// A cp.async moves 16, 8 or 4 bytes of a row. Rows that begin at odd elements are loaded and stored element by element:
// loaded before the first product of a stage, and stored before the last one.

// A loaded operand is A or B in a kernel.
type loaded struct {
	operand
	bytes int64          // that a load moves
	load  atom.TiledCopy // from global to shared memory
	read  atom.TiledCopy // from shared memory to registers
	from  kernel.Tensor  // (CPY,CPY_M,CPY_K,k)
	to    kernel.Tensor  // (CPY,CPY_M,CPY_K,PIPE)

	matrices, fragment, retiled kernel.Tensor
}

// An ampere is a kernel while it is traced. It has the extents, the sums of blocks that share K, the epilogue and the
// output of [hopper].
type ampere struct {
	hopper
	sides  [2]*loaded
	thread kernel.Index
}

// traceAmpere writes the kernel.
func (p *Plan) traceAmpere(name string) (*kernel.Kernel, error) {
	c, w := &p.choice, &p.work
	h := &ampere{hopper: hopper{p: p}}
	for i, x := range []*matrix{&w.a, &w.b} {
		h.sides[i] = &loaded{operand: operand{matrix: x, rows: c.Tile[i]}, bytes: c.Loads[i]}
	}
	return kernel.Trace(name, 32*c.warps(), func(k *kernel.K) {
		h.k, h.thread = k, k.ThreadIdx()
		if w.weights {
			h.weightLayouts()
		} else {
			h.layouts()
		}
		k.MinBlocksPerMultiprocessor(c.Resident)
		h.declare()
		at := h.raster(h.count.first)
		if w.weights {
			h.write(at, h.declareWeights().multiply(at))
			return
		}
		h.partition(at)
		h.write(at, h.multiply())
	})
}

// layouts finds the tiled MMA, the copies, and the layouts of the tiles in shared memory. It is called while the kernel
// is traced, so that Must returns errors to the caller of Trace.
func (h *ampere) layouts() {
	c, in := &h.p.choice, h.p.work.in
	m, n := c.Warps[0], c.Warps[1]
	warps := cute.MustParse(fmt.Sprintf("(%d,%d,1):(1,%[1]d,0)", m, n))
	tiled := func(m, n int64) atom.TiledMMA {
		return kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA(c.MMA)), warps, cute.Ints(m, n, depth(in))))
	}
	h.mma = tiled(16*m, 16*n) // ldmatrix reads 16 rows of A and of B for a warp
	h.outputLayouts(kernel.Must(atom.FindMMA(c.MMA)))
	for i, o := range h.sides {
		find := func(name string) atom.CopyAtom { return kernel.Must(atom.FindCopyAtom(name, o.typ.CPP())) }
		name := "SM75_U32x4_LDSM_N"
		if o.major == atom.MNMajor {
			name = "SM75_U16x8_LDSM_T"
		}
		read := atom.MakeTiledCopyA
		if i == 1 {
			read = atom.MakeTiledCopyB
		}
		o.read = kernel.Must(read(find(name), h.mma))
		s := kernel.Must(descriptor.SelectSS.Select(o.major, o.typ, [2]int64{o.rows, c.Tile[2]}, 1))
		o.shared = kernel.Must(s.Atom.TileToShape(cute.Ints(o.rows, c.Tile[2], c.Stages), cute.Tuple{}))
		// Neighbouring threads copy neighbours along the contiguous mode.
		each, threads := o.bytes*8/int64(in.Bits()), 32*c.warps()
		across, thr, val := min(c.Tile[2]/each, threads), "(%[1]d,%[2]d):(%[2]d,1)", "(1,%d):(0,1)"
		if o.major == atom.MNMajor {
			across, thr, val = min(o.rows/each, threads), "(%[2]d,%[1]d):(1,%[2]d)", "(%d,1):(1,0)"
		}
		o.load = kernel.Must(atom.MakeTiledCopy(find(copyNames[o.bytes]),
			cute.MustParse(fmt.Sprintf(thr, threads/across, across)), cute.MustParse(fmt.Sprintf(val, each))))
	}
}

// outputLayouts finds the pieces of D for an instruction.
func (h *ampere) outputLayouts(one atom.MMA) {
	c := &h.p.choice
	m, n := c.Warps[0], c.Warps[1]
	h.d.typ, h.d.rows, h.d.columns = h.p.work.out, 16*m, 8*n
	if c.Split == 1 {
		h.d.columns *= min(c.Tile[1]/h.d.columns, 4) // a piece has up to 16 sums of a thread
	}
	warps := cute.MustParse(fmt.Sprintf("(%d,%d,1):(1,%[1]d,0)", m, n))
	h.d.mma = kernel.Must(atom.MakeTiledMMA(one, warps, cute.Ints(h.d.rows, h.d.columns, depth(h.p.work.in))))
}

// copyNames are the copies from global memory by the bytes that they move.
var copyNames = [...]string{
	16: "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", 8: "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint64_t>",
	4: "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint32_t>", 2: "UniversalCopy<uint16_t>", 1: "UniversalCopy<uint8_t>",
}

// declare declares the parameters.
func (h *ampere) declare() {
	k, c, w := h.k, &h.p.choice, &h.p.work
	multiples := h.p.multiples()
	if w.weights {
		multiples = h.p.weightMultiples()
	}
	h.extents(multiples)
	h.parts()
	for i, o := range h.sides {
		k.AssumedAlign(o.bytes, func() {
			columns := h.z
			if w.weights && i == 1 {
				columns = h.z.Div(2)
			}
			per := o.bytes * 8 / int64(o.typ.Bits())
			shape, strides := o.modes(k, per, [3]kernel.Index{[]kernel.Index{h.m, h.n}[i], columns, h.l})
			o.global = k.Global(o.name, o.typ, shape, strides...)
		})
		elem := o.typ
		if w.weights && i == 1 {
			elem = dtype.U4
			o.global = k.Recast(o.global, elem)
		}
		o.stages = k.Shared("s"+o.name, elem, o.shared)
	}
	h.d.declare(&h.hopper)
	h.finish = finish{k: k, e: &h.p.problem.Epilogue, p: &h.p.problem, w: w, m: h.m, n: h.n, z: h.z, l: h.l}
	h.finish.declare(w.rowUnit(), c)
	if c.Split > 1 {
		h.declareSplit()
	}
}

// partition gives each thread its part of the copies and of the products.
func (h *ampere) partition(at place) {
	k, c, all := h.k, &h.p.choice, kernel.Open
	thr := k.ThrMMA(h.mma, h.thread)
	for i, o := range h.sides {
		tiles := k.LocalTile(o.of(k, o.global, at.batch), kernel.Shape(o.rows, c.Tile[2]),
			[]kernel.Index{at.row, at.column}[i], all)
		copies, reads := k.ThrCopy(o.load, h.thread), k.ThrCopy(o.read, h.thread)
		o.from, o.to = copies.PartitionS(tiles), copies.PartitionD(o.stages)
		first := k.Slice(o.stages, all, all, kernel.Int(0))
		if i == 0 {
			o.fragment = thr.MakeFragmentA(thr.PartitionA(first)) // (MMA,MMA_M,MMA_K)
		} else {
			o.fragment = thr.MakeFragmentB(thr.PartitionB(first))
		}
		o.matrices, o.retiled = reads.PartitionS(o.stages), reads.RetileD(o.fragment)
	}
}

// fetch starts the copies of a step to a stage. It loads elements that cp.async cannot move, and returns what stores
// them.
func (h *ampere) fetch(step, stage kernel.Index) (stores []func()) {
	k, all := h.k, kernel.Open
	for _, o := range h.sides {
		from, to := k.Slice(o.from, all, all, all, step), k.Slice(o.to, all, all, all, stage)
		if o.bytes >= 4 {
			k.CopyTiled(o.load, from, to)
			continue
		}
		elements := k.MakeFragmentLike(to, o.global.Elem())
		k.CopyZfill(from, elements)
		stores = append(stores, func() { k.Copy(elements, to) })
	}
	return stores
}

// read reads a block of columns of a stage into registers.
func (h *ampere) read(block int64, stage kernel.Index) {
	k, all, b := h.k, kernel.Open, kernel.Int(block)
	for _, o := range h.sides {
		k.CopyTiled(o.read, k.Slice(o.matrices, all, all, b, stage), k.Slice(o.retiled, all, all, b))
	}
}

// arrive waits until the next stage has come for all threads, and all have read the stage before.
func (h *ampere) arrive() {
	h.k.CpAsyncWait(h.p.choice.Stages - 2)
	h.k.Sync()
}

// multiply returns the sums of the block's steps.
func (h *ampere) multiply() kernel.Tensor {
	k, c, t := h.k, &h.p.choice, &h.count
	sums := k.MakeFragment(h.p.work.sums(), c.fragment())
	k.Clear(sums)
	for i := range c.Stages - 1 {
		for _, store := range h.fetch(t.from.Add(kernel.Int(i)), kernel.Int(i)) { // after the last step, this copies zeros
			store()
		}
		k.CpAsyncFence()
	}
	h.arrive()
	h.read(0, kernel.Int(0))
	first := []kernel.Value{k.ValueOf(kernel.Int(0), dtype.U32)}
	k.ForCarryAll(t.from, t.to, first, func(i kernel.Index, v []kernel.Value) []kernel.Value {
		next := h.step(i.Add(kernel.Int(c.Stages-1)), v[0].Index(symbolic.Facts{Max: c.Stages - 1}), sums)
		return []kernel.Value{k.ValueOf(next, dtype.U32)}
	})
	return sums
}

// step multiplies a stage, while the copies of another step start, and returns the next stage. While one block of
// columns is multiplied, the next one is read; after the last one, the first block of the next stage.
func (h *ampere) step(another, stage kernel.Index, sums kernel.Tensor) (next kernel.Index) {
	k, c, all := h.k, &h.p.choice, kernel.Open
	blocks := c.Tile[2] / depth(h.p.work.in)
	next = stage.Add(kernel.Int(1)).Mod(c.Stages)
	stores := h.fetch(another, stage.Add(kernel.Int(c.Stages-1)).Mod(c.Stages))
	for block := range blocks {
		if block < blocks-1 {
			h.read(block+1, stage)
		} else {
			for _, store := range stores {
				store()
			}
			k.CpAsyncFence()
			h.arrive()
			h.read(0, next) // after the last step, the registers are not used
		}
		b := kernel.Int(block)
		k.GemmTiled(h.mma, k.Slice(h.sides[0].fragment, all, all, b), k.Slice(h.sides[1].fragment, all, all, b), sums)
	}
	return next
}

// write writes a tile from the registers.
func (h *ampere) write(at place, sums kernel.Tensor) {
	h.finish.place = at
	if h.p.choice.Split > 1 {
		h.share(at, sums)
		return
	}
	t := tile{thread: h.thread, sums: sums, place: at}
	h.d.write(&h.hopper, &t, h.finish.load(h.d.piece(&h.hopper, &t, 0), &h.p.choice, nil))
}

// share adds the sums of the blocks that share K: each block writes its sums to the workspace, and the last one to do
// so adds them in the order of K, so that the result is the same in each run.
func (h *ampere) share(at place, sums kernel.Tensor) {
	k, c, zero := h.k, &h.p.choice, kernel.Int(0)
	h.partial(h.thread, sums, at)
	number := func(n int64) kernel.Value { return k.Number(h.p.work.sums(), float64(n)) }
	ticket := k.Shared("ticket", h.p.work.sums(), cute.MustParse("1:1"))
	k.Sync()
	k.If(h.thread.Equal(zero), func() {
		// The number of blocks that were here, after the sums of the tile; the last block makes it 0 for the next launch.
		at := h.part(at, zero, zero, kernel.Int(c.Split))
		count := k.AtomicRef(kernel.ScopeDevice, at, zero)
		before := count.FetchAdd(number(1), kernel.AcqRel)
		k.Store(before, ticket, zero)
		k.If(number(c.Split-1).LessEqual(before), func() {
			count.Store(number(0), kernel.Relaxed)
		})
	})
	k.Sync()
	k.If(number(c.Split-1).LessEqual(k.Load(ticket, zero)), func() { h.reduce(h.thread, zero, 1) })
}
