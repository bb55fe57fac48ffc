package gemm

import (
	"fmt"
	"sort"

	"girih/atom"
	"girih/cute"
	"girih/internal/ints"
)

// This file chooses: it predicts the time of every configuration that fits, and takes the fastest. There are some
// hundreds of them, and a prediction is arithmetic, so nothing is pruned by rules of thumb.

// reserve is the shared memory in bytes for barriers, and for the alignment of the tiles.
const reserve = 2048

// shapes are the tiles of teams: M of a warpgroup is a multiple of 64, and a thread has at most 128 sums.
var shapes = []struct {
	warpgroups int64
	pingPong   bool
	m, n       int64
}{
	{2, false, 128, 256},
	{2, false, 256, 128},
	{2, false, 128, 192},
	{2, false, 128, 128},
	{2, false, 256, 64},
	{2, false, 128, 64},
	{2, true, 128, 128},
	{2, true, 64, 256},
	{2, true, 64, 192},
	{2, true, 64, 128},
	{2, true, 128, 64},
	{1, false, 64, 256},
	{1, false, 64, 128},
	{1, false, 64, 64},
	{1, false, 64, 32},
	{1, false, 64, 16},
	{1, false, 64, 8},
	{2, false, 128, 32},
	{2, false, 128, 16},
	{2, false, 128, 8},
}

// candidates returns the configurations of a product that fit on the card.
func (p *Plan) candidates(w *work, o *Options) (out []Choice) {
	seen := map[Choice]bool{}
	for _, s := range shapes {
		for _, deep := range w.depths() {
			c := Choice{
				Warpgroups: s.warpgroups, PingPong: s.pingPong, Tile: [3]int64{s.m, s.n, deep}, Exchanged: w.exchanged,
				Direct: w.across(), Staged: !w.across() && (!w.d.aligned || w.groups > 0), Cluster: 1, Split: 1, Group: 1,
			}
			if o.Tile[0] > 0 {
				c.Tile = o.Tile
			}
			if !o.refuses(&c) && !seen[c] && c.legal(w) {
				out = append(out, p.share(c, w, o)...)
			}
			seen[c] = true
		}
	}
	return out
}

// share returns the configurations of a tile whose blocks share B or K, or nothing.
func (p *Plan) share(c Choice, w *work, o *Options) (out []Choice) {
	for _, x := range [][2]int64{{1, 1}, {2, 1}, {4, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {1, 8}} {
		y := c
		if y.Cluster, y.Split = x[0], x[1]; o.Cluster > 0 && o.Cluster != y.Cluster || o.Split > 0 && o.Split != y.Split {
			continue
		}
		if (y.spares() || o.Cluster > 0) && y.sharable(w) && y.fit(p, w, o) && p.excess(&y, w) <= p.spills {
			out = append(out, y)
		}
	}
	return out
}

// sharable reports whether blocks may share B, each loading a part of its rows, and K, each with a step.
func (c *Choice) sharable(w *work) bool {
	if w.groups > 0 {
		return c.Cluster == 1 && c.Split == 1
	}
	if c.Cluster > 1 && (w.m <= c.Tile[0]*(c.Cluster-1) || c.Tile[1]%(8*c.Cluster) != 0) {
		return false
	}
	return c.Split == 1 || !c.PingPong && ints.CeilDiv(w.k, c.Tile[2]) >= c.Split
}

// spares reports whether a cluster reads at least a quarter less from the L2: for less its blocks, which wait for each
// other, are slower than blocks alone.
func (c *Choice) spares() bool {
	return c.Cluster == 1 || 4*(c.Tile[1]-c.Tile[1]/c.Cluster) >= c.Tile[0]+c.Tile[1]
}

// refuses reports whether the options exclude a choice.
func (o *Options) refuses(c *Choice) bool {
	roles := "cooperative"
	if c.PingPong {
		roles = "ping-pong"
	}
	return o.Warpgroups > 0 && o.Warpgroups != c.Warpgroups || o.Roles != "" && o.Roles != roles
}

// legal reports whether instructions and layouts of shared memory exist for the tile.
func (c *Choice) legal(w *work) bool {
	_, warpgroups := c.teams()
	t := c.Tile
	deep := depth(w.in)
	for i, x := range [3][2]int64{{64 * warpgroups, 256}, {8, 256}, {deep, 32 * deep}} { // a multiple of, at most
		if t[i] < 1 || t[i]%x[0] != 0 || t[i] > x[1] {
			return false
		}
	}
	most := 128 * 128 * warpgroups
	if w.promoted {
		most /= 2 // there are sums of a step and of the tile
	}
	if t[0]*t[1] > most || w.n > c.mostColumns() || w.l > 0 && c.tiles(w) > maxTiles/8 || !w.promotable(t) {
		return false
	}
	if w.groups > 0 && c.mostOfGroups(w) > maxTiles {
		return false
	}
	if !selects(&w.a, t[0], t[2]) || !selects(&w.b, t[1], t[2]) {
		return false
	}
	c.MMA = mmaName(t[1], w.math, &w.a, &w.b)
	_, err := atom.FindMMA(c.MMA)
	return err == nil
}

// fit sets the choices that follow from the others, and reports whether they fit in a block.
func (c *Choice) fit(p *Plan, w *work, o *Options) bool {
	if c.Split > 1 {
		c.Direct, c.Staged = true, false
	}
	most := (p.card.Shared - reserve - c.pieces(w)) / c.stage(w)
	if c.Stages = min(most, 12, max(ints.CeilDiv(w.k, c.Tile[2]), 2)); o.Stages > 0 {
		c.Stages = o.Stages
	}
	if c.Stages < 2 || c.Stages > most || c.Stages > 64 {
		return false
	}
	c.Registers = [2]int64{232, 40}
	if c.Warpgroups == 1 {
		c.Registers = [2]int64{}
	}
	tiles := c.tiles(w)
	if c.Blocks = min(p.card.resident(c.Cluster), tiles); w.groups > 0 {
		c.Blocks = min(p.card.SMs, c.mostOfGroups(w))
	}
	if c.Split > 1 {
		c.Blocks = tiles * c.Split
		if c.Blocks > p.card.resident(c.Split) { // further clusters would wait for the first ones to end
			return o.Split > 0
		}
	}
	c.Group = p.raster(c, w, o)
	return c.Blocks > 0 // otherwise a cluster has more blocks than the card has multiprocessors
}

// check refuses options that mean nothing. A 0 leaves the choice to the planner.
func (o *Options) check() error {
	for _, n := range []int64{o.Tile[0], o.Tile[1], o.Tile[2], o.Warpgroups, o.Stages, o.Cluster, o.Split, o.Group} {
		if n < 0 || n > MaxExtent {
			return refuse(cute.CodeExtent, "expected options from 1 to %d, or 0 for the planner's choice, found %d", MaxExtent, n)
		}
	}
	if t := o.Tile; min(t[0], t[1], t[2]) == 0 && t != [3]int64{} {
		return refuse(cute.CodeExtent, "expected all three extents of a tile, found %d", t)
	}
	if o.Instruction != "" && o.Instruction != "wgmma" && o.Instruction != "mma.sync" {
		return refuse(cute.CodeName, "expected the instruction wgmma or mma.sync, found %.40q", o.Instruction)
	}
	if o.Roles != "" && o.Roles != "cooperative" && o.Roles != "ping-pong" {
		return refuse(cute.CodeName, "expected the roles cooperative or ping-pong, found %.40q", o.Roles)
	}
	return nil
}

// A rated is a configuration and its prediction.
type rated struct {
	choice  Choice
	work    *work
	align   []*Realign // the copies before it
	predict Prediction
}

// rate predicts the candidates of the problem and of the transposed problem.
func (p *Plan) rate(o *Options) (all []rated) {
	forms := []work{p.work, p.work.exchange()}
	if p.work.across() {
		forms[0], forms[1] = forms[1], forms[0]
	}
	if p.work.groups > 0 || p.work.weights {
		forms = []work{p.work} // the rows of D are rows of the kernel's D
	}
	for i := range forms {
		w := &forms[i]
		var some []Choice
		if w.weights {
			some = p.weightCandidates(w, o)
		} else if p.card.hopper() && w.readable() && o.Instruction != "mma.sync" {
			some = p.candidates(w, o)
		} else if o.Instruction != "wgmma" {
			some = p.warpCandidates(w, o)
		}
		for _, c := range some {
			all = append(all, rated{c, w, p.align, p.expect(&c, w)})
		}
	}
	return all
}

// choose predicts all candidates and takes the fastest: with A and B where they are, and copied if the TMA cannot read
// them. If all of them spill registers, which many inputs of an epilogue need, it takes one of those that spill few.
func (p *Plan) choose(o Options) error {
	p.all = p.rate(&o)
	if w := &p.work; !w.readable() {
		for _, x := range []*matrix{&w.a, &w.b} {
			if err := p.realign(x); err != nil {
				return err
			}
		}
		p.all = append(p.all, p.rate(&o)...)
	}
	for len(p.all) == 0 && o == (Options{}) && p.spills < mostSpilled {
		p.spills = 2*p.spills + 16
		p.all = p.rate(&o)
	}
	if len(p.all) == 0 {
		return withHint("leave the options out, or take smaller tiles or fewer stages", refuse(cute.CodeLimit,
			"expected options for which there is a kernel, with %d bytes of shared memory of a block, 128 sums of a thread and "+
				"its registers, found %+v", p.card.Shared, o))
	}
	sort.SliceStable(p.all, func(i, j int) bool { return p.all[i].predict.Seconds < p.all[j].predict.Seconds })
	p.take(&p.all[0])
	return nil
}

// take makes a configuration the plan's.
func (p *Plan) take(x *rated) {
	p.choice, p.work, p.align, p.predict = x.choice, *x.work, x.align, x.predict
	p.predict.Configurations = int64(len(p.all))
}

// Next returns plans of the other configurations of the problem, those that are expected to be fast first, and at most
// n of them.
func (p *Plan) Next(n int) (out []*Plan) {
	for i := range p.all[1:min(n+1, len(p.all))] {
		q := *p
		q.take(&p.all[i+1])
		out = append(out, &q)
	}
	return out
}

// raster returns how many rows of tiles are finished together, so that the tiles that run at one time need the fewest
// bytes of A and B.
func (p *Plan) raster(c *Choice, w *work, o *Options) int64 {
	rows, columns := c.grid(w)
	if o.Group > 0 {
		return min(o.Group, rows)
	}
	best := int64(1)
	for g := int64(1); g <= min(rows, 64); g *= 2 {
		if c.region(p, rows, columns, g) < c.region(p, rows, columns, best) {
			best = g
		}
	}
	return best
}

// grid returns the rows of tiles, or of the tiles of a cluster, and the columns.
func (c *Choice) grid(w *work) (rows, columns int64) {
	return ints.CeilDiv(w.m, c.Tile[0]*c.Cluster), ints.CeilDiv(w.n, c.Tile[1])
}

// region returns the rows and columns of A and B that the tiles of one wave need, in elements.
func (c *Choice) region(p *Plan, rows, columns, group int64) int64 {
	clusters := max(p.card.SMs/c.Cluster, 1)
	down := min(max(group, ints.CeilDiv(clusters, columns)), rows) // a wave may have several groups
	across := min(ints.CeilDiv(clusters, down), columns)
	return down*c.Tile[0]*c.Cluster + across*c.Tile[1]
}

// A Reason explains a choice.
type Reason struct {
	What  string `json:"what"`
	Value string `json:"value"`
	Why   string `json:"why"`
}

func bytesText(n float64) string {
	for _, u := range []struct {
		per  float64
		name string
	}{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if n >= u.per {
			return fmt.Sprintf("%.3g %s", n/u.per, u.name)
		}
	}
	return fmt.Sprintf("%.0f bytes", n)
}
