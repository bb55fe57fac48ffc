package gemm

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/ints"
	"girih/kernel"
	"girih/symbolic"
)

// This file writes the kernel of Hopper: a warp copies tiles of A and B with the TMA into a ring of stages, and one or
// two teams of warpgroups multiply them with wgmma. The blocks are persistent: each takes one tile of D after another,
// so the copies for the next tile run while the teams write this one.
//
//	Cooperative   one team of two warpgroups; each has half of the rows of a tile
//	Ping-pong     two teams of one warpgroup, which take the tiles in turn: one multiplies while the other writes

// An operand is A or B in a kernel.
type operand struct {
	*matrix
	rows   int64 // of a tile
	shared cute.Composed
	global kernel.Tensor
	stages kernel.Tensor // (rows,BK,PIPE)
	tma    kernel.TmaAtom
}

// A hopper is a kernel while it is traced.
type hopper struct {
	k       *kernel.K
	p       *Plan
	mma     atom.TiledMMA // of a team
	a, b    operand
	d       output
	m, n, z kernel.Index  // z is the extent of K
	l       kernel.Index  // how many products or groups there are, if B has a third mode
	sizes   kernel.Tensor // of the groups
	count   counts
	pipe    kernel.PipelineTmaAsync
	turns   kernel.Barriers // of ping-pong: one for each team
	sums    kernel.Tensor   // of blocks that share K
	finish  finish
}

// counts are the numbers of tiles, and the block's place among the blocks.
type counts struct {
	rows, columns, steps kernel.Index // a row is the rows of a cluster
	tiles                kernel.Index // of a product
	first, step, all     kernel.Index // of the cluster's tiles
	rank                 kernel.Index // of the block in its cluster
	from, to             kernel.Index // the steps of this block
}

// trace writes the kernel.
func (p *Plan) traceHopper(name string) (*kernel.Kernel, error) {
	c := &p.choice
	h := &hopper{p: p}
	if err := h.layouts(); err != nil {
		return nil, err
	}
	return kernel.Trace(name, 128*(c.Warpgroups+1), func(k *kernel.K) {
		h.k = k
		k.MinBlocksPerMultiprocessor(1)
		if n := max(c.Cluster, c.Split); n > 1 {
			k.Cluster(n, 1, 1)
		}
		h.declare()
		h.begin()
		teams, warpgroups := c.teams()
		group := k.WarpgroupIdx()
		role := h.produce
		for t := teams - 1; t >= 0; t-- {
			other := role
			role = func() {
				k.IfElse(group.Less(kernel.Int((t+1)*warpgroups)), func() {
					if c.Registers[0] > 0 {
						k.WarpgroupRegAlloc(c.Registers[0])
					}
					h.consume(t, group.Sub(kernel.Int(t*warpgroups)))
				}, other)
			}
		}
		role()
		if c.Cluster > 1 {
			k.ClusterSync() // the other blocks may still release stages of this block
		}
	})
}

// layouts finds the tiled MMA, and the layouts of the tiles in shared memory.
func (h *hopper) layouts() (err error) {
	p, c := h.p, &h.p.choice
	h.a = operand{matrix: &p.work.a, rows: c.Tile[0]}
	h.b = operand{matrix: &p.work.b, rows: c.Tile[1]}
	op, err := atom.FindMMA(c.MMA)
	if err != nil {
		return err
	}
	_, warpgroups := c.teams()
	if h.mma, err = atom.MakeTiledMMA(op, cute.MustParse(fmt.Sprintf("(%d,1,1):(1,0,0)", warpgroups)), nil); err != nil {
		return err
	}
	for _, o := range []*operand{&h.a, &h.b} {
		s, err := descriptor.SelectSS.Select(o.major, o.typ, [2]int64{o.rows, c.Tile[2]}, 1)
		if err != nil {
			return err
		}
		// Atoms follow each other along the mode that is not contiguous, so that a box of the TMA has many of them.
		order := cute.Ints(0, 1, 2)
		if o.major == atom.MNMajor {
			order = cute.Ints(1, 0, 2)
		}
		if o.shared, err = s.Atom.TileToShape(cute.Ints(o.rows, c.Tile[2], c.Stages), order); err != nil {
			return err
		}
	}
	return h.d.layouts(h)
}

// extent are the facts of an extent.
func extent(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: MaxExtent, Div: div} }

// declare declares the parameters.
func (h *hopper) declare() {
	k, c, w := h.k, &h.p.choice, &h.p.work
	h.extents([3]symbolic.Facts{extent(1), extent(w.rowUnit()), {
		Min: (c.Split-1)*c.Tile[2] + 1, // a step for each part at least
		Max: w.math.mostColumns(w.a.typ, w.b.typ, h.p.problem.Scale),
	}})
	n := &h.count
	if n.rank = k.BlockRankInCluster(); c.Split > 1 {
		h.parts()
	} else {
		blocks := k.Int("blocks", symbolic.Facts{Min: c.Cluster, Max: 1 << 12, Div: c.Cluster})
		k.Grid(blocks)
		n.first, n.step = k.BlockIdx(0).Div(c.Cluster), blocks.Div(c.Cluster)
	}
	per := 128 / int64(w.in.Bits())
	load := func(o *operand, rows kernel.Index) {
		shape, strides := o.modes(k, per, [3]kernel.Index{rows, h.z, h.l})
		o.global = k.TmaTensor(o.name, o.typ, shape, strides...)
	}
	load(&h.a, h.m)
	load(&h.b, h.n)
	h.d.declare(h)
	h.finish = finish{k: k, e: &h.p.problem.Epilogue, p: &h.p.problem, w: w, m: h.m, n: h.n, z: h.z, l: h.l}
	h.finish.declare(h.p.work.rowUnit(), c)
	h.d.declareFetch(h)
	for _, o := range []*operand{&h.a, &h.b} {
		o.stages = k.Shared("s"+o.name, o.typ, o.shared)
		multicast := int64(1)
		if o == &h.b {
			multicast = c.Cluster
		}
		stage := k.Slice(o.stages, kernel.Open, kernel.Open, kernel.Int(0))
		o.tma = k.MakeTmaAtom(o.global, stage, kernel.Shape(o.rows, c.Tile[2]), multicast)
	}
	if c.Split > 1 {
		h.declareSplit()
	}
}

// extents declares the extents, and counts the tiles.
func (h *hopper) extents(facts [3]symbolic.Facts) {
	k, c, n := h.k, &h.p.choice, &h.count
	facts[1].Max = c.mostColumns()
	h.m, h.n, h.z = k.Int("m", facts[0]), k.Int("n", facts[1]), k.Int("k", facts[2])
	n.rows, n.columns, n.steps = h.m.CeilDiv(c.Tile[0]*c.Cluster), h.n.CeilDiv(c.Tile[1]), h.z.CeilDiv(c.Tile[2])
	n.tiles = n.rows.Mul(n.columns)
	if n.all = n.tiles; h.p.work.l > 0 {
		h.l = k.Int("l", extent(1))
		n.all = k.Stated(symbolic.Facts{Min: 1, Max: maxTiles}, n.tiles, h.l)
	}
	if h.p.work.groups > 0 {
		h.declareGroups()
	}
	n.from, n.to = kernel.Int(0), n.steps
}

// parts gives each block a part of the steps of one tile.
func (h *hopper) parts() {
	k, c, n := h.k, &h.p.choice, &h.count
	blocks := n.all.Mul(kernel.Int(c.Split))
	if h.p.work.l > 0 { // a number of the launch, whose limit the algebra knows
		blocks = k.Int("blocks", symbolic.Facts{Min: c.Split, Max: maxTiles, Div: c.Split})
	}
	k.Grid(blocks)
	n.first = k.BlockIdx(0).Div(c.Split).Min(n.all.Sub(kernel.Int(1)))
	if !c.tma() {
		// The bounds are for the algebra, which would otherwise multiply out what the remainder is.
		n.rank = k.BlockIdx(0).Mod(c.Split).Max(kernel.Int(0)).Min(kernel.Int(c.Split - 1))
	}
	if c.Split > 1 {
		n.from = n.steps.Mul(n.rank).Div(c.Split)
		n.to = n.steps.Mul(n.rank.Add(kernel.Int(1))).Div(c.Split)
	}
}

// begin makes the barriers.
func (h *hopper) begin() {
	k, c := h.k, &h.p.choice
	_, warpgroups := c.teams()
	h.pipe = k.PipelineTmaAsync("pipe", kernel.PipelineParams{
		Stages: c.Stages, Bytes: h.a.tma.Bytes() + h.b.tma.Bytes(), Consumers: 128 * warpgroups, Shared: c.Cluster > 1,
	})
	h.d.beginFetch(h)
	if c.PingPong {
		h.turns = k.Barriers("turns", 2)
		k.If(k.ThreadIdx().Less(kernel.Int(1)), func() {
			h.turns.At(kernel.Int(0)).Init(128)
			h.turns.At(kernel.Int(1)).Init(128)
			k.FenceBarrierInit()
		})
	}
	k.ClusterSync()
}

// each executes f for the tiles of the block from number first on, every step-th: with how many came before, the place
// of the tile, and the number of its first stage modulo two rounds of the ring.
func (h *hopper) each(first, step int64, f func(i kernel.Index, at place, base kernel.Index)) {
	k, c, n := h.k, &h.p.choice, &h.count
	if c.Split > 1 {
		f(kernel.Int(0), h.raster(n.first), kernel.Int(0))
		return
	}
	all := n.all
	if h.p.work.groups > 0 {
		_, all = h.search(kernel.Int(0))
	}
	from, by := n.first.Add(n.step.Mul(kernel.Int(first))), n.step.Mul(kernel.Int(step))
	times, _ := all.Sub(from).Add(by).Sub(kernel.Int(1)).Max(kernel.Int(0)).DivMod(by)
	two, steps := 2*c.Stages, n.steps.Mod(2*c.Stages)
	most := c.most(&h.p.work)
	number := func(i kernel.Index) kernel.Value { return k.ValueOf(i, dtype.U32) }
	start := []kernel.Value{number(from), number(steps.Mul(kernel.Int(first)).Mod(two))}
	k.ForCarryAll(kernel.Int(0), times, start, func(i kernel.Index, v []kernel.Value) []kernel.Value {
		tile, base := v[0].Index(symbolic.Facts{Max: most - 1}), v[1].Index(symbolic.Facts{Max: two - 1})
		at := h.raster(tile)
		at.row = at.row.Mul(kernel.Int(c.Cluster)).Add(n.rank)
		f(i, at, base)
		next := base.Add(steps.Mul(kernel.Int(step))).Mod(two)
		return []kernel.Value{v[0].Add(number(by)), number(next)}
	})
}

// most returns the largest number of tiles of a cluster.
func (c *Choice) most(w *work) int64 {
	if w.l+w.groups > 0 {
		return maxTiles + 1
	}
	return ints.CeilDiv(MaxExtent, c.Tile[0]*c.Cluster) * ints.CeilDiv(c.mostColumns(), c.Tile[1])
}

// mostColumns returns the most columns of D, so that the numbers of tiles have 31 bits.
func (c *Choice) mostColumns() int64 { return min(MaxExtent, c.Tile[1]<<13) }

// raster returns the tile of a number: one product after another, in each of them groups of rows, and in each group one
// column after another.
func (h *hopper) raster(i kernel.Index) (at place) {
	if h.p.work.groups > 0 {
		at, _ = h.search(i)
		return at
	}
	n, group := &h.count, h.p.choice.Group
	var row, column kernel.Index
	// The minima bound the coordinates for the algebra.
	bounded := func() place {
		one := kernel.Int(1)
		at.row, at.column = row.Min(n.rows.Sub(one)), column.Min(n.columns.Sub(one))
		return at
	}
	if h.p.work.l > 0 {
		at.batch, i = i.DivMod(n.tiles)
		at.batch = at.batch.Min(h.l.Sub(kernel.Int(1)))
	}
	at.number = i
	if group == 1 {
		row, column = i.DivMod(n.columns)
		return bounded()
	}
	g, rest := i.DivMod(n.columns.Mul(kernel.Int(group)))
	first := g.Mul(kernel.Int(group))
	some := n.rows.Sub(first).Min(kernel.Int(group)).Max(kernel.Int(1))
	column, row = rest.DivMod(some)
	row = first.Add(row)
	return bounded()
}

// produce is the role of the copying warp. All of its threads look for the tiles of groups.
func (h *hopper) produce() {
	k, c := h.k, &h.p.choice
	if c.Registers[1] > 0 {
		k.WarpgroupRegDealloc(c.Registers[1])
	}
	k.If(k.WarpIdx().Less(kernel.Int(4*c.Warpgroups+1)), func() {
		if h.p.work.groups > 0 {
			h.each(0, 1, func(i kernel.Index, at place, base kernel.Index) {
				k.If(k.ElectOne(), func() { h.copyTile(i, at, base) })
			})
			return
		}
		k.If(k.ElectOne(), func() { h.each(0, 1, h.copyTile) })
	})
	if c.Split > 1 {
		k.ClusterSync()
	}
}

// copyTile copies the steps of the block's tile number i to the stages from number base on.
func (h *hopper) copyTile(i kernel.Index, at place, base kernel.Index) {
	k, c, part := h.k, &h.p.choice, kernel.Int(0)
	tiles := func(o *operand, row, part kernel.Index) (g, s kernel.Tensor) {
		global := o.of(k, o.global, at.batch)
		if o == &h.a {
			global = h.p.work.rowsFrom(k, global, at.from)
		}
		tile := k.LocalTile(global, kernel.Shape(o.rows, c.Tile[2]), row, kernel.Open)
		return k.TmaPartition(o.tma, part, o.stages, tile)
	}
	if c.Cluster > 1 {
		part = h.count.rank
	}
	tAgA, tAsA := tiles(&h.a, at.row, kernel.Int(0))
	tBgB, tBsB := tiles(&h.b, at.column, part)
	k.For(h.count.from, h.count.to, func(i kernel.Index) {
		state := h.pipe.ProducerState(base.Add(i).Sub(h.count.from))
		h.pipe.ProducerAcquire(state)
		full := h.pipe.ProducerGetBarrier(state)
		k.CopyTma(h.a.tma.With(full), k.Slice(tAgA, kernel.Open, i), k.Slice(tAsA, kernel.Open, state.Index()))
		k.CopyTma(h.b.tma.With(full), k.Slice(tBgB, kernel.Open, i), k.Slice(tBsB, kernel.Open, state.Index()))
		h.pipe.ProducerCommit(state)
	})
	h.d.request(h, i, &tile{place: at})
}

// A team is what a team of warpgroups multiplies with.
type team struct {
	number     int64
	thread     kernel.Index  // of the team
	tCrA, tCrB kernel.Tensor // (MMA,MMA_M,MMA_K,PIPE)
	sums       kernel.Tensor
}

// consume is the role of a team; group is the number of the warpgroup in it.
func (h *hopper) consume(number int64, group kernel.Index) {
	k, c := h.k, &h.p.choice
	thread := group.Mul(kernel.Int(128)).Add(k.WarpgroupThreadIdx())
	if _, warpgroups := c.teams(); warpgroups == 1 {
		thread = k.WarpgroupThreadIdx()
	}
	thr := k.ThrMMA(h.mma, thread)
	x := team{
		number: number, thread: thread, sums: k.MakeFragment(h.p.work.sums(), h.p.choice.fragment()),
		tCrA: thr.MakeFragmentA(thr.PartitionA(h.a.stages)), tCrB: thr.MakeFragmentB(thr.PartitionB(h.b.stages)),
	}
	teams, _ := c.teams()
	h.each(number, teams, func(turn kernel.Index, at place, base kernel.Index) {
		h.turn(number, turn)
		t := tile{turn.Mul(kernel.Int(teams)).Add(kernel.Int(number)), number, thread, x.sums, at}
		var in []kernel.Tensor
		load := func() {
			if h.finish.place = at; c.Split == 1 {
				in = h.finish.load(h.d.piece(h, &t, 0), c, nil)
			}
		}
		if h.p.work.promoted {
			h.promote(&x, at, base)
			load()
		} else {
			h.accumulate(&x, base, load)
		}
		if c.Split > 1 {
			h.partial(thread, x.sums, at)
			return
		}
		h.d.write(h, &t, in)
	})
	if c.Split > 1 {
		// The roles meet in their own code: after it, no thread could have more registers than one that copies.
		k.ClusterSync()
		h.reduce(thread, h.count.rank, c.Split)
		return
	}
	h.d.end(h, number)
}

// multiply starts the products of a stage, after which the sums are the products, or are increased by them.
func (h *hopper) multiply(x *team, number kernel.Index, adds kernel.Cond, sums kernel.Tensor) {
	k, all, state := h.k, kernel.Open, h.pipe.ConsumerState(number)
	h.pipe.ConsumerWait(state)
	k.WarpgroupArrive()
	k.Accumulate(adds, func() {
		k.GemmTiled(h.mma, k.Slice(x.tCrA, all, all, all, state.Index()), k.Slice(x.tCrB, all, all, all, state.Index()), sums)
	})
	k.WarpgroupCommitBatch()
}

// accumulate leaves the sums of a tile in the tensor cores. The stages of the tile begin with number base. Meanwhile is
// executed while the last products are added.
func (h *hopper) accumulate(x *team, base kernel.Index, meanwhile func()) {
	k, zero, one := h.k, kernel.Int(0), kernel.Int(1)
	steps := h.count.to.Sub(h.count.from)
	release := func(i kernel.Index) { h.pipe.ConsumerRelease(h.pipe.ConsumerState(base.Add(i).Sub(one))) }
	h.multiply(x, base, zero.Less(zero), x.sums)
	k.For(one, steps, func(i kernel.Index) {
		h.multiply(x, base.Add(i), zero.Less(one), x.sums)
		k.WarpgroupWait(1) // waits for the previous step, whose stage is then free
		release(i)
	})
	h.pass(x.number)
	meanwhile()
	k.WarpgroupWait(0)
	if h.p.choice.Split == 1 {
		release(steps)
	}
}

// turn waits until the other team has started its last product, and pass tells the other team. The first team begins
// without waiting.
func (h *hopper) turn(team int64, i kernel.Index) {
	if h.p.choice.PingPong {
		// Team 0 waits for the pass of team 1 before its tiles 2, 4, ...: the phases 0, 1, ... of its barrier.
		phase := i.Add(kernel.Int(1 - team)).Mod(2)
		h.turns.At(kernel.Int(team)).Wait(phase)
	}
}

func (h *hopper) pass(team int64) {
	if h.p.choice.PingPong {
		h.turns.At(kernel.Int(1 - team)).Arrive()
	}
}

// fragment returns the layout of a thread's sums of a tile.
func (c *Choice) fragment() cute.Layout {
	t := c.Tile
	if !c.tma() {
		m, n := t[0]/(16*c.Warps[0]), t[1]/(8*c.Warps[1])
		return cute.MustParse(fmt.Sprintf("((2,2),%d,%d):((1,2),%d,4)", m, n, 4*n))
	}
	_, warpgroups := c.teams()
	return cute.MustParse(fmt.Sprintf("((2,2,%d),%d,1):((1,2,4),%d,0)", t[1]/8, t[0]/(64*warpgroups), t[1]/2))
}
