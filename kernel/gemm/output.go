package gemm

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
)

// This file writes D: a team converts its sums piece by piece, stores a piece to shared memory, and the TMA writes it
// to D while the team converts the next piece. A D that the TMA cannot write is written from the registers.

// buffers is the number of pieces of a team in shared memory: one is written by the team, and one is read by the TMA.
const buffers = 2

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
}

// layouts chooses the pieces: the rows of a team, and up to 128 bytes of them.
func (d *output) layouts(h *hopper) error {
	p, c := h.p, &h.p.choice
	_, warpgroups := c.teams()
	d.typ, d.rows = p.work.out, 64*warpgroups
	if c.Direct {
		d.columns, d.mma = c.Tile[1], h.mma
		return nil
	}
	d.columns = c.piece(d.typ.Bits())
	op, err := atom.FindMMA(mmaName(d.columns, p.work.in, atom.KMajor, atom.KMajor))
	if err != nil {
		return err
	}
	if d.mma, err = atom.MakeTiledMMA(op, cute.MustParse(fmt.Sprintf("(%d,1,1):(1,0,0)", warpgroups)), nil); err != nil {
		return err
	}
	s, err := descriptor.SelectSS.Select(atom.KMajor, d.typ, [2]int64{d.rows, d.columns}, 1)
	if err != nil {
		return err
	}
	teams, _ := c.teams()
	if d.shared, err = s.Atom.TileToShape(cute.Ints(d.rows, d.columns, buffers*teams), cute.Tuple{}); err != nil {
		return err
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

// mmaName returns the name of the wgmma with n columns and sums of f32.
func mmaName(n int64, t dtype.Type, a, b atom.Major) string {
	return fmt.Sprintf("SM90_64x%dx16_F32%[2]s%[2]s_SS<%v,%v>", n, strings.ToUpper(t.String()), a, b)
}

// rowUnit returns the number of elements of D in 16 bytes: the TMA writes rows of multiples of them.
func (p *Plan) rowUnit() int64 { return 128 / int64(p.work.out.Bits()) }

// declare declares D, and its tiles.
func (d *output) declare(h *hopper) {
	k, zero, all := h.k, kernel.Int(0), kernel.Open
	d.k = k
	w := &h.p.work
	per := int64(1)
	if !h.p.choice.Direct {
		per = h.p.rowUnit()
	}
	ld := k.Int("ldD", extent(per))
	strides := []kernel.Index{ld, kernel.Int(1)}
	if w.across() {
		strides = []kernel.Index{kernel.Int(1), ld}
	}
	if h.p.choice.Direct {
		d.global = k.Global("D", d.typ, kernel.Modes(h.m, h.n), strides...)
		return
	}
	d.global = k.TmaTensor("D", d.typ, kernel.Modes(h.m, h.n), strides...)
	d.stages = k.Shared("sD", d.typ, d.shared)
	d.tma = k.MakeTmaAtom(d.global, k.Slice(d.stages, all, all, zero), kernel.Shape(d.rows, d.columns), 1)
}

// A tile is a tile of D whose sums are complete.
type tile struct {
	team        int64
	thread      kernel.Index // of the team
	sums        kernel.Tensor
	row, column kernel.Index // in tiles
}

// write writes a tile.
func (d *output) write(h *hopper, x tile) {
	k, t, p := h.k, h.p.choice.Tile, part{mma: d.mma, thread: x.thread}
	if h.p.choice.Direct {
		p.count, p.row, p.column = h.fragment().Size(), x.row.Mul(kernel.Int(t[0])), x.column.Mul(kernel.Int(t[1]))
		to := k.ThrMMA(d.mma, x.thread).PartitionC(k.LocalTile(d.global, kernel.Shape(t[0], t[1]), x.row, x.column))
		k.CopyIf(d.round(h, h.finish.part(p, x.sums), h.fragment()), to)
		return
	}
	under := cute.MustParse(fmt.Sprintf("((2,2,%d),1,1):((1,2,4),0,0)", d.columns/8))
	down, across := t[0]/d.rows, t[1]/d.columns
	for i := range down * across {
		// A group of the TMA may read the other buffer. The first piece of a tile has the buffer of the last one if
		// their number is odd.
		running, all := int64(1), kernel.Open
		if i == 0 && down*across%2 == 1 {
			running = 0
		}
		at := k.Slice(d.stages, all, all, kernel.Int(x.team*buffers+i%buffers))
		d.alone(h, x.team, func() { k.TmaStoreWait(running) })
		d.meet(h, x.team)
		row := x.row.Mul(kernel.Int(down)).Add(kernel.Int(i / across))
		column := x.column.Mul(kernel.Int(across)).Add(kernel.Int(i % across))
		p.offset, p.count = i/across*t[1]/2+i%across*d.columns/2, d.columns/2
		p.row, p.column = row.Mul(kernel.Int(d.rows)), column.Mul(kernel.Int(d.columns))
		d.stage(x.thread, d.round(h, h.finish.part(p, x.sums), under), at)
		k.TmaStoreFence()
		d.meet(h, x.team)
		d.alone(h, x.team, func() {
			piece := k.LocalTile(d.global, kernel.Shape(d.rows, d.columns), row, column)
			g, s := k.TmaPartition(d.tma, kernel.Int(0), at, piece)
			k.CopyTma(d.tma, s, g)
			k.TmaStoreArrive()
		})
	}
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
	if d.typ == dtype.F32 {
		return from
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
	if !h.p.choice.Direct {
		d.alone(h, team, func() { h.k.TmaStoreWait(0) })
	}
}
