package gemm

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
)

// This file writes D: a team converts its sums piece by piece, stores a piece to shared memory, and the TMA writes it
// to D while the team converts the next piece. If the TMA cannot write D, the team writes the piece itself: each warp
// writes neighbours in a row, whatever its address is. A D whose rows are the columns of the tile is written from the
// registers, which have neighbours in D.

// buffers returns the number of pieces of a team in shared memory. One is written by the team while another one is read
// by the TMA. A team of ping-pong has a whole tile of up to 4 pieces: the TMA reads them late, after the tiles of A and
// B that were asked for before, and waiting for it would delay the team's next product. A matrix that is fetched has
// the places of the whole tile. A team that writes the rows itself has two.
func (c *Choice) buffers(w *work) int64 {
	_, warpgroups := c.teams()
	all := c.Tile[0] * c.Tile[1] / (64 * warpgroups * c.piece(w.out.Bits()))
	switch {
	case c.fetches(w):
		return all
	case c.PingPong && !c.Staged:
		return min(all, 4)
	}
	return 2
}

// fetches reports whether the TMA brings an input of the epilogue to the places of D in shared memory: it comes while
// the products are added, and needs no registers.
func (c *Choice) fetches(w *work) bool {
	return w.fetched >= 0 && !c.Direct && !c.Staged && !w.exchanged
}

// whenRead executes body if the input that is fetched is read: C is not if beta is 0.
func (d *output) whenRead(h *hopper, body func()) {
	if h.finish.e.all()[h.p.work.fetched].Name == "C" {
		d.k.If(h.finish.reads(), body)
		return
	}
	body()
}

// An output is D in a kernel.
type output struct {
	k             *kernel.K
	typ           dtype.Type
	rows, columns int64         // of a piece
	mma           atom.TiledMMA // whose C is a piece
	shared        cute.Composed // (rows,columns,pieces)
	store         *atom.TiledCopy
	global        kernel.Tensor
	stages        kernel.Tensor
	tma           kernel.TmaAtom
	rowCopy       rowCopy        // of the threads that write rows
	fetch         kernel.TmaAtom // of the input that is fetched
	fetched       kernel.PipelineTmaAsync
}

// layouts chooses the pieces: the rows of a team, and up to 128 bytes of them.
func (d *output) layouts(h *hopper) error {
	p, c := h.p, &h.p.choice
	_, warpgroups := c.teams()
	d.typ, d.rows, d.columns = p.work.out, 64*warpgroups, c.piece(p.work.out.Bits())
	op, err := atom.FindMMA(pieceName(d.columns))
	if err != nil {
		return err
	}
	if d.mma, err = atom.MakeTiledMMA(op, cute.MustParse(fmt.Sprintf("(%d,1,1):(1,0,0)", warpgroups)), nil); err != nil {
		return err
	}
	if c.Direct {
		return nil
	}
	s, err := descriptor.SelectSS.Select(atom.KMajor, d.typ, [2]int64{d.rows, d.columns}, 1)
	if err != nil {
		return err
	}
	teams, _ := c.teams()
	if d.shared, err = s.Atom.TileToShape(cute.Ints(d.rows, d.columns, c.buffers(&p.work)*teams), cute.Tuple{}); err != nil {
		return err
	}
	if c.Staged {
		if d.rowCopy, err = newRowCopy(c.storeUnit(&p.work), d.columns, 128*warpgroups, d.typ); err != nil {
			return err
		}
	}
	if d.typ.Bits() != 16 {
		return nil
	}
	name := "SM90_U32x4_STSM_N"
	if d.columns%16 != 0 {
		name = "SM90_U32x2_STSM_N"
	}
	a, err := atom.FindCopyAtom(name, d.typ.String())
	if err != nil {
		return err
	}
	store, err := atom.MakeTiledCopyC(a, d.mma)
	d.store = &store
	return err
}

// A rowCopy is the copy of a piece by threads: across of them have neighbours in a row, and down rows are copied at a
// time.
type rowCopy struct {
	atom.TiledCopy
	down, across int64
}

// newRowCopy returns the copy of a number of threads that move unit elements at a time.
func newRowCopy(unit, columns, threads int64, t dtype.Type) (out rowCopy, err error) {
	a, err := atom.FindCopyAtom(fmt.Sprintf("UniversalCopy<uint%d_t>", unit*int64(t.Bits())), t.CPP())
	if err != nil {
		return out, err
	}
	out.across = min(columns/unit, 32)
	out.down = threads / out.across
	thr := cute.MustParse(fmt.Sprintf("(%d,%d):(%[2]d,1)", out.down, out.across))
	out.TiledCopy, err = atom.MakeTiledCopy(a, thr, cute.MustParse(fmt.Sprintf("(1,%d):(0,1)", unit)))
	return out, err
}

// rowUnit returns how many elements of D divide its address, its rows and their distance, up to 16 bytes: the TMA needs
// all of them, and stores from registers are as wide.
func (w *work) rowUnit() int64 {
	size := int64(w.out.Bits() / 8)
	unit := min(16, w.d.align) / size
	for w.across() && unit > 1 || w.n%unit != 0 || w.d.ld%unit != 0 || w.d.batch%unit != 0 {
		unit /= 2
	}
	return unit
}

// declare declares D, and its tiles.
func (d *output) declare(h *hopper) {
	k, zero, all := h.k, kernel.Int(0), kernel.Open
	d.k = k
	w := &h.p.work
	shape, strides := w.d.modes(k, w.rowUnit(), [3]kernel.Index{h.m, h.n, h.l})
	if h.p.choice.Direct {
		d.global = k.Global("D", d.typ, shape, strides...)
		return
	}
	d.stages = k.Shared("sD", d.typ, d.shared)
	if h.p.choice.Staged {
		d.global = k.Global("D", d.typ, shape, strides...)
		return
	}
	d.global = k.TmaTensor("D", d.typ, shape, strides...)
	d.tma = k.MakeTmaAtom(d.global, k.Slice(d.stages, all, all, zero), kernel.Shape(d.rows, d.columns), 1)
}

// product returns the D of the product to which the tile that is finished belongs.
func (d *output) product(h *hopper) kernel.Tensor {
	return h.p.work.rowsFrom(h.k, h.p.work.d.of(h.k, d.global, h.finish.batch), h.finish.from)
}

// declareFetch declares the input that the TMA fetches.
func (d *output) declareFetch(h *hopper) {
	k, all := d.k, kernel.Open
	if c := &h.p.choice; c.fetches(&h.p.work) {
		in := h.finish.in[h.p.work.fetched].Tensor
		d.fetch = k.MakeTmaAtom(in, k.Slice(d.stages, all, all, kernel.Int(0)), kernel.Shape(d.rows, d.columns), 1)
	}
}

// beginFetch makes the pipeline of the tiles that are fetched: a stage is the places of a team.
func (d *output) beginFetch(h *hopper) {
	if c := &h.p.choice; c.fetches(&h.p.work) {
		teams, warpgroups := c.teams()
		d.fetched = d.k.PipelineTmaAsync("fetched", kernel.PipelineParams{
			Stages: teams, Bytes: c.Tile[0] * c.Tile[1] * int64(d.typ.Bits()) / 8, Consumers: 128 * warpgroups,
		})
	}
}

// request fetches the input for tile i of the block.
func (d *output) request(h *hopper, i kernel.Index, x *tile) {
	k, c := d.k, &h.p.choice
	if !c.fetches(&h.p.work) {
		return
	}
	d.whenRead(h, func() {
		state := d.fetched.ProducerState(i)
		d.fetched.ProducerAcquire(state)
		full := d.fetched.ProducerGetBarrier(state)
		down, across := d.pieces(h)
		from := h.finish.in[h.p.work.fetched].of(k, x.batch)
		for j := range down * across {
			p := d.piece(h, x, j)
			at := k.Slice(d.stages, kernel.Open, kernel.Open, state.Index().Mul(kernel.Int(down*across)).Add(kernel.Int(j)))
			g, s := k.TmaPartition(d.fetch, kernel.Int(0), at,
				k.LocalTile(from, kernel.Shape(d.rows, d.columns), p.row, p.column))
			k.CopyTma(d.fetch.With(full), g, s)
		}
		d.fetched.ProducerCommit(state)
	})
}

// A tile is a tile of D whose sums are complete.
type tile struct {
	number kernel.Index // among the tiles of the block
	team   int64
	thread kernel.Index // of the team
	sums   kernel.Tensor
	place
}

// pieces returns the number of pieces of a tile along both modes.
func (d *output) pieces(h *hopper) (down, across int64) {
	t := &h.p.choice.Tile
	return t[0] / d.rows, t[1] / d.columns
}

// piece returns the piece number i of a tile. Pieces of the same columns follow each other.
func (d *output) piece(h *hopper, x *tile, i int64) *part {
	down, across := d.pieces(h)
	row, column := i%down, i/down
	return &part{
		team: x.team, mma: d.mma, thread: x.thread, offset: (row*across + column) * d.rows * d.columns / d.mma.Size(),
		row:    x.row.Mul(kernel.Int(down)).Add(kernel.Int(row)),
		column: x.column.Mul(kernel.Int(across)).Add(kernel.Int(column)),
		below:  row > 0,
	}
}

// write writes a tile; in are the inputs of its first piece. The inputs of the next piece are on their way while a
// piece is converted.
func (d *output) write(h *hopper, x *tile, in []kernel.Tensor) {
	down, across := d.pieces(h)
	all, fetches := down*across, h.p.choice.fetches(&h.p.work)
	if fetches {
		d.whenRead(h, func() { d.fetched.ConsumerWait(d.fetched.ConsumerState(x.number)) })
	}
	for i := range all {
		p := d.piece(h, x, i)
		var next []kernel.Tensor
		if i+1 < all {
			next = h.finish.load(d.piece(h, x, i+1), &h.p.choice, in)
		}
		if fetches {
			d.whenRead(h, func() {
				d.k.Copy(d.k.ThrMMA(d.mma, x.thread).PartitionC(d.buffer(h, x.team, i)), in[h.p.work.fetched])
			})
		}
		elements := d.round(h, h.finish.part(p, in, x.sums), p.fragment())
		if in = next; h.p.choice.Direct {
			h.k.CopyIf(elements, p.of(h.k, d.product(h)))
			continue
		}
		d.free(h, x.team, i, all)
		d.send(h, p, elements, d.buffer(h, x.team, i%h.p.choice.buffers(&h.p.work)))
	}
	if fetches {
		d.alone(h, x.team, func() { h.k.TmaStoreWait(0) })
		d.meet(h, x.team)
		d.whenRead(h, func() { d.fetched.ConsumerRelease(d.fetched.ConsumerState(x.number)) })
	}
}

// buffer returns a buffer of a team.
func (d *output) buffer(h *hopper, team, i int64) kernel.Tensor {
	return d.k.Slice(d.stages, kernel.Open, kernel.Open, kernel.Int(team*h.p.choice.buffers(&h.p.work)+i))
}

// free waits until the TMA has read what the buffer of a piece had before.
func (d *output) free(h *hopper, team, i, all int64) {
	buffers := h.p.choice.buffers(&h.p.work)
	running := buffers - 1 // groups of the TMA, which read the other buffers
	switch {
	case h.p.choice.Staged:
		if i == 0 && all%2 == 1 { // otherwise the last piece was in the other buffer
			d.meet(h, team)
		}
		return
	case h.p.choice.fetches(&h.p.work):
		d.meet(h, team) // all threads have read the input there
		return
	case buffers == all && i > 0:
		return // before the first piece all were free
	case buffers == all:
		running = 0
	case i < buffers: // the groups after the last one of this buffer in the tile before
		running = i + (all-1-i)%buffers
	}
	d.alone(h, team, func() { h.k.TmaStoreWait(running) })
	d.meet(h, team)
}

// send stores a piece to a buffer of its team and writes it to D.
func (d *output) send(h *hopper, p *part, elements, at kernel.Tensor) {
	k, team := h.k, p.team
	d.stage(p.thread, elements, at)
	if h.p.choice.Staged {
		d.meet(h, team)
		d.writeRows(h, p, at)
		return
	}
	k.TmaStoreFence()
	d.meet(h, team)
	d.alone(h, team, func() {
		piece := k.LocalTile(d.product(h), kernel.Shape(d.rows, d.columns), p.row, p.column)
		g, s := k.TmaPartition(d.tma, kernel.Int(0), at, piece)
		k.CopyTma(d.tma, s, g)
		k.TmaStoreArrive()
	})
}

// writeRows writes a piece from its buffer.
func (d *output) writeRows(h *hopper, p *part, at kernel.Tensor) {
	k, cp := h.k, h.k.ThrCopy(d.rowCopy.TiledCopy, p.thread)
	from := cp.PartitionS(at)
	to := cp.PartitionD(k.LocalTile(d.product(h), kernel.Shape(d.rows, d.columns), p.row, p.column))
	all := kernel.Open
	row := p.row.Mul(kernel.Int(d.rows)).Add(p.thread.Div(d.rowCopy.across)) // in the group
	// A loop of the kernel has few addresses: otherwise the compiler keeps the offsets of all rows in registers.
	together := min(4, d.rows/d.rowCopy.down)
	k.For(kernel.Int(0), kernel.Int(d.rows/d.rowCopy.down/together), func(i kernel.Index) {
		for j := range together {
			i := i.Mul(kernel.Int(together)).Add(kernel.Int(j))
			some := k.Slice(from, all, i, all)
			elements := k.MakeFragmentLike(some, d.typ)
			k.Copy(some, elements)
			var has kernel.Cond
			if h.p.work.groups > 0 {
				has = row.Add(i.Mul(kernel.Int(d.rowCopy.down))).Less(h.finish.size)
			}
			k.CopyWhere(has, elements, k.Slice(to, all, i, all))
		}
	})
}

// stage stores a piece to shared memory.
func (d *output) stage(thread kernel.Index, piece, at kernel.Tensor) {
	if d.store == nil {
		d.k.Copy(piece, d.k.ThrMMA(d.mma, thread).PartitionC(at))
		return
	}
	cp := d.k.ThrCopy(*d.store, thread)
	d.k.CopyTiled(*d.store, cp.RetileS(piece), cp.PartitionD(at))
}

// round returns elements as elements of D, under a layout.
func (d *output) round(h *hopper, elements kernel.Tensor, layout cute.Layout) kernel.Tensor {
	k := h.k
	from := k.View(elements, kernel.Int(0), layout)
	if d.typ.Bits() == 32 {
		return from // as the sums
	}
	out := k.MakeFragment(d.typ, layout)
	k.Convert(from, out)
	return out
}

// alone executes f in one thread of the team, always the same.
func (d *output) alone(h *hopper, team int64, f func()) {
	_, warpgroups := h.p.choice.teams()
	h.k.If(h.k.WarpIdx().Equal(kernel.Int(4*team*warpgroups)), func() { h.k.If(h.k.ElectOne(), f) })
}

// meet waits for all threads of the team.
func (d *output) meet(h *hopper, team int64) {
	_, warpgroups := h.p.choice.teams()
	h.k.NamedBarrierSync(128*warpgroups, 1+team)
}

// end waits until the TMA has read the last pieces of a team.
func (d *output) end(h *hopper, team int64) {
	if c := &h.p.choice; !c.Direct && !c.Staged {
		d.alone(h, team, func() { h.k.TmaStoreWait(0) })
	}
}
