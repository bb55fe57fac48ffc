package gemm

import (
	"fmt"
	"math"

	"girih/atom"
	"girih/internal/ints"
	"girih/symbolic"
)

// This file finds the configurations of the kernel of Ampere, and predicts them.

// warpTiles are the tiles of a block and the warps that share it, along M and N.
var warpTiles = []struct{ m, n, down, across int64 }{
	{256, 128, 4, 2},
	{128, 256, 2, 4},
	{128, 128, 2, 2},
	{128, 128, 2, 4},
	{128, 64, 2, 2},
	{64, 128, 2, 2},
	{64, 64, 2, 2},
	{128, 32, 4, 1},
	{32, 128, 1, 4},
	{64, 32, 2, 2},
	{32, 64, 2, 2},
	{64, 16, 4, 1},
	{16, 64, 1, 4},
}

// tma reports whether the kernel is the kernel of Hopper.
func (c *Choice) tma() bool { return c.Loads == [2]int64{} }

// warps returns the warps of a block.
func (c *Choice) warps() int64 {
	if c.tma() {
		return 4*c.Warpgroups + 4
	}
	return c.Warps[0] * c.Warps[1]
}

// vector returns how many bytes of the contiguous mode of a matrix an access may move: the largest power of two up to
// 16 that divides the address, the leading dimension and the stride of products.
func (x *matrix) vector() int64 {
	all := x.align | (x.ld|x.batch)*int64(x.typ.Bits())/8 | 16
	return all & -all
}

// multiples returns what is known of M, N and K: what divides them, up to the elements of an access. Vectors at the
// ends of rows are then whole.
func (p *Plan) multiples() [3]symbolic.Facts {
	w := &p.work
	out := [3]symbolic.Facts{extent(1), extent(w.rowUnit()), extent(1)}
	for i, x := range []*matrix{&w.a, &w.b} {
		mode := i // that is contiguous
		if x.major == atom.KMajor {
			mode = 2
		}
		all := []int64{w.m, w.n, w.k}[mode] | x.vector()*8/int64(x.typ.Bits())
		out[mode].Div = max(out[mode].Div, all&-all)
	}
	return out
}

// warpCandidates returns the configurations of the kernel of Ampere that fit on the card.
func (p *Plan) warpCandidates(w *work, o *Options) (out []Choice) {
	if o.Roles == "ping-pong" || o.Cluster > 1 || w.promoted || w.groups > 0 || !w.majorsRead() {
		return nil
	}
	if !w.math.majors && p.card.hopper() {
		return nil // not measured there
	}
	name, block := warpName(w.math, &w.a, &w.b), depth(w.in)
	for _, s := range warpTiles {
		for _, deep := range []int64{2 * block, 4 * block} {
			for stages := int64(2); stages <= 4; stages++ {
				c := Choice{
					MMA: name, Warpgroups: s.down * s.across / 4, Tile: [3]int64{s.m, s.n, deep}, Stages: stages, Cluster: 1,
					Exchanged: w.exchanged, Direct: true, Loads: [2]int64{w.a.vector(), w.b.vector()},
					Warps: [2]int64{s.down, s.across},
				}
				if o.allows(&c) && c.warpLegal(w) && c.warpFit(p, w) {
					out = append(out, p.warpSplits(c, w, o)...)
				}
			}
		}
	}
	return out
}

// allows reports whether options have the tile, warps and stages of a choice.
func (o *Options) allows(c *Choice) bool {
	return (o.Tile[0] == 0 || o.Tile == c.Tile) && (o.Warpgroups == 0 || o.Warpgroups == c.Warpgroups) &&
		(o.Stages == 0 || o.Stages == c.Stages)
}

// warpLegal reports whether the copies of a tile have something to do for each thread, and registers for it.
func (c *Choice) warpLegal(w *work) bool {
	if w.n > c.mostColumns() || !selects(&w.a, c.Tile[0], c.Tile[2]) || !selects(&w.b, c.Tile[1], c.Tile[2]) {
		return false
	}
	threads, held := 32*c.warps(), c.singles()
	for i, x := range []*matrix{&w.a, &w.b} {
		line := x.run(c.Tile[i], c.Tile[2]) // the tile's contiguous mode
		across := min(line/max(c.Loads[i]*8/int64(w.in.Bits()), 1), threads)
		if other := c.Tile[i] * c.Tile[2] / line; across == 0 || other%(threads/across) != 0 {
			return false
		}
	}
	return held == 0 || c.Tile[2] == 2*depth(w.in) && c.Tile[0]*c.Tile[1]/threads+held <= 144
}

// singles returns how many elements a thread has between their load and their store, which cp.async would not need.
func (c *Choice) singles() (elements int64) {
	for i, bytes := range c.Loads {
		if bytes < 4 {
			elements += c.Tile[i] * c.Tile[2] / (32 * c.warps())
		}
	}
	return elements
}

// warpFit sets how many blocks a multiprocessor has, and reports whether it has one.
func (c *Choice) warpFit(p *Plan, w *work) bool {
	const kept = 1 << 10 // bytes of shared memory that the card keeps for each block
	shared := c.stage(w)*c.Stages + reserve
	threads := 32 * c.warps()
	rows, columns, sums := c.Tile[0]/c.Warps[0], c.Tile[1]/c.Warps[1], c.Tile[0]*c.Tile[1]/threads
	registers := min(sums+max((rows+columns)/2, p.inputRegisters(c, w, rows/8, columns))+56, 255)
	switch least := min(c.Loads[0], c.Loads[1]); {
	case least == 1:
		registers = min(sums+3*c.singles(), 255) // ptxas 13.0 keeps their places, too
	case least < 4:
		registers += 8 // elements between their load and their store
	case sums == 128 && w.rowUnit() == 1:
		return false // ptxas 13.0 spills the places of single elements
	}
	if w.weights { // of a step: W and V, and A
		registers = min(sums+10*c.Tile[1]/32+c.Tile[0]+64, 255)
	}
	c.Resident = min((p.card.Shared+kept)/(shared+kept), (1<<16)/(threads*ints.RoundUp(registers, 8)), 8)
	return shared <= p.card.Shared && c.Resident > 0
}

// warpSplits returns a choice for one block of a tile, and for more that share K.
func (p *Plan) warpSplits(c Choice, w *work, o *Options) (out []Choice) {
	steps := ints.CeilDiv(w.k, c.Tile[2])
	for _, split := range []int64{1, 2, 3, 4, 6, 8} {
		x := c
		x.Split, x.Blocks = split, c.tiles(w)*split
		switch {
		case o.Split > 0 && o.Split != split, split > steps, w.l > 0 && x.Blocks > maxTiles/8:
		case split > 1 && o.Split == 0 && (x.Blocks > 2*p.card.SMs*c.Resident || steps/split < 4):
		default:
			x.Group = p.raster(&x, w, o)
			out = append(out, x)
		}
	}
	return out
}

// A warpModel has the constants of the prediction for the kernel of Ampere, in cycles.
type warpModel struct {
	latency    float64 // from a cp.async until its bytes are read
	arrival    float64 // bytes of one stage that arrive in a cycle
	issue      float64 // of a step of a block: barriers, addresses, the loop
	alone      float64 // of a step of a block without others: what ldmatrix and the barrier take
	chain      float64 // of the products of a step of such a block: one waits for the other
	copying    float64 // of a multiprocessor, for 32 loads by cp.async
	element    float64 // of a multiprocessor, for 32 elements that are loaded and stored
	converting float64 // of a multiprocessor, to convert a weight of 4 bits
	store      float64 // for 128 bytes of D
	single     float64 // the same for single elements
	ticket     float64 // of blocks that share K, until the last one begins to add
	turn       float64 // of the last block, to add four elements of a thread
}

// fittedWarps are the constants on an H200, by [TestFit], too.
var fittedWarps = warpModel{
	latency:    532,
	arrival:    37.4,
	issue:      45,
	alone:      301,
	chain:      0.934,
	copying:    3.45,
	element:    7.23,
	converting: 0.02,
	store:      11.3,
	single:     19.6,
	ticket:     4560,
	turn:       306,
}

// warpStep predicts a step of a block at a clock: how long a multiprocessor is busy with it, or the block alone, which
// shares the multiprocessor with others.
func (p *Plan) warpStep(c *Choice, w *work, f *Prediction, hz float64) {
	bytes, m := int64(w.in.Bits()/8), &p.model.warps
	f.Wavefronts = c.warps() * (c.Tile[0]/c.Warps[0] + c.Tile[1]/c.Warps[1]) * c.Tile[2] * bytes / 128
	stage, loads, tensor := float64(c.stage(w)), 0.0, p.tensor(c, w)
	for i, v := range c.Loads {
		per := m.copying
		if v < 4 {
			per = m.element
		}
		loads += float64(c.Tile[i]*c.Tile[2]*bytes/v) / 32 * per
	}
	if w.weights {
		loads = float64(c.stage(w)/16)/32*m.copying + float64(c.Tile[1]*c.Tile[2])*m.converting
	}
	together := min(float64(c.Resident), math.Ceil(f.Waves)) // blocks that a multiprocessor has at one time
	f.Start, f.Bound, f.Cycles = m.latency+stage/m.arrival, "tensor cores", tensor+m.issue/float64(c.Resident)
	f.slowest("shared memory", float64(f.Wavefronts)+stage/128+loads)
	f.slowest("L2", stage*float64(min(p.card.SMs, c.Blocks))/(p.card.Cache*1e9)*hz)
	f.slowest("latency", max(f.Start/float64(c.Stages-1), m.chain*tensor+m.alone+loads/2)/together)
	f.Cache = stage * float64(f.Steps*f.Tiles*c.Split)
}

// explainWarps gives the reasons that only a kernel of Ampere has.
func (p *Plan) explainWarps() []Reason {
	c := &p.choice
	v, other := c.Loads, ""
	if p.card.hopper() {
		other = p.against("wgmma after copies", (*Choice).tma)
	}
	loads := Reason{"loads", fmt.Sprintf("%d and %d bytes", v[0], v[1]), "what divides the rows of A and B, with cp.async"}
	if v[0] == v[1] {
		loads.Value = fmt.Sprintf("%d bytes", v[0])
	}
	if min(v[0], v[1]) < 4 {
		loads.Why += "; elements of odd rows pass through registers"
	}
	if p.work.weights {
		return []Reason{
			{"instruction", "mma.sync 16x8x16", "weights become numbers of A's type in registers, with factors of 128 columns"},
			loads,
			{"warps", "1x4", fmt.Sprintf("a block converts each weight once; a multiprocessor has %d blocks", c.Resident)},
		}
	}
	return []Reason{
		{"instruction", fmt.Sprintf("mma.sync 16x8x%d", depth(p.work.in)), p.majors() + ", read by ldmatrix without conflicts" + other},
		loads,
		{"warps", fmt.Sprintf("%dx%d", c.Warps[0], c.Warps[1]), fmt.Sprintf("a warp has %dx%d; a multiprocessor has %d blocks",
			c.Tile[0]/c.Warps[0], c.Tile[1]/c.Warps[1], c.Resident)},
	}
}
