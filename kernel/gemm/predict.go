package gemm

import (
	"math"
	"strings"

	"girih/internal/ints"
)

// A Prediction is what a product moves and how long it takes, by a model: a step takes as long as its slowest part, of
// tensor cores, shared memory, L2 and latency; and a product as long as its tiles or as its bytes of memory.
type Prediction struct {
	Seconds float64 `json:"seconds"`
	TFLOPS  float64 `json:"tflops"`
	Bound   string  `json:"bound"` // what takes longest: tensor cores, shared memory, L2, latency, memory or start
	Memory  float64 `json:"memory_bytes"`
	Cache   float64 `json:"l2_bytes"` // that multiprocessors read from the L2
	Tiles   int64   `json:"tiles"`
	Waves   float64 `json:"waves"` // tiles of a multiprocessor, on average
	Used    float64 `json:"used"`  // the part of the multiprocessors' time in which they have a tile
	Steps   int64   `json:"steps"` // along K, of a tile in a block
	Cycles  float64 `json:"step_cycles"`
	Start   float64 `json:"start_cycles"` // until the first stage is there
	// Wavefronts of shared memory that wgmma reads in a step; the swizzles leave no conflicts.
	Wavefronts     int64 `json:"wavefronts"`
	Configurations int64 `json:"configurations"` // that were compared
	// Copies are the seconds for operands that the TMA cannot read.
	Copies float64 `json:"copy_seconds,omitempty"`
}

// A model has the constants of the prediction, in cycles but for launch.
type model struct {
	launch   float64    // seconds of a launch until the first tile is asked for
	latency  float64    // from the release of a stage until its next tile begins to arrive
	arrival  float64    // bytes of one stage that arrive in a cycle
	rounding float64    // to convert, store and hand over 128 bytes of D
	joint    float64    // blocks that share K: they meet and add their sums
	banked   float64    // of the cycles in which shared memory is read and a stage arrives, the cycles that count
	shortest float64    // of an instruction, however few columns it has
	issue    float64    // of a step, in addition to its products: barriers and descriptors
	lonely   float64    // the same, without a second warpgroup that multiplies meanwhile
	meeting  [2]float64 // of a cluster of 2 and of 4, before its first tile
	coupled  [2]float64 // of a step that waits for its stage, of a cluster of 2 and of 4
	joining  float64    // the same, for each block
	adding   float64    // of blocks that share K, for an element of a tile
	hidden   float64    // of the shorter time, of multiprocessors or memory: the part that is not hidden
	busy     float64    // of the multiprocessors, the part that reads memory as fast as all of them
	torn     float64    // reads of the L2 for a row that begins at an odd multiple of 16 bytes, in the middle of a sector
	partial  float64    // of a multiprocessor, to write a part of a sector of 32 bytes
	rowStore float64    // of a warp, to read neighbours in a row from shared memory and to write them
	crossing float64    // the same for other rows that are in two lines of 128 bytes
}

// fitted are the constants for Hopper: [TestFit] fits them to products on an H200.
var fitted = model{
	launch:   1e-06,
	latency:  320,
	arrival:  36,
	rounding: 5,
	joint:    4400,
	banked:   0.43,
	shortest: 36,
	issue:    75,
	lonely:   36,
	meeting:  [2]float64{1600, 1300},
	coupled:  [2]float64{98, 33},
	joining:  290,
	adding:   0.064,
	hidden:   0.22,
	busy:     0.44,
	torn:     3.4,
	partial:  4.2,
	rowStore: 3.1,
	crossing: 1.2,
}

// expect predicts a choice, for matrices that are in the L2 if they fit.
func (p *Plan) expect(c *Choice, w *work) Prediction {
	f := Prediction{Tiles: c.tiles(w), Steps: ints.CeilDiv(ints.CeilDiv(w.k, c.Tile[2]), c.Split)}
	sms, blocks, work := float64(p.card.SMs), float64(min(c.Blocks, p.card.SMs)), float64(f.Tiles*c.Split)
	rounds := math.Ceil(work / blocks)
	f.Waves = work / sms
	f.Used = f.Waves / rounds
	f.Memory = p.traffic(c, w)
	memory := f.Memory / (p.card.Memory * 1e9 * min(1, blocks/(p.model.busy*sms)))
	if f.Memory < 0.8*float64(p.card.L2) {
		memory = 0
	}
	if c.tma() && c.Direct && c.Split == 1 {
		memory = max(memory, float64(w.m)*float64(w.n)*w.writes()*p.model.partial/(sms*p.card.Boost*1e6))
	}
	// The more of its time the tensor cores multiply, the slower is the clock.
	hz, seconds := p.card.Boost*1e6, 0.0
	for range 2 {
		if c.tma() {
			p.step(c, w, &f, hz)
		} else {
			p.warpStep(c, w, &f, hz)
		}
		seconds = p.length(&f, c, w, rounds) / hz
		duty := rounds * float64(f.Steps) * p.tensor(c, w) * f.Used / hz / (max(seconds, memory) + p.model.launch)
		hz = (p.card.Boost - (p.card.Boost-p.card.Clock)*min(duty, 1)) * 1e6
	}
	if memory > seconds {
		f.Bound = "memory"
	}
	seconds = max(seconds, memory) + p.model.hidden*min(seconds, memory) // not all of the shorter one is hidden
	if p.model.launch > seconds {
		f.Bound = "start"
	}
	switch {
	case c.Split > 1 && c.tma():
		seconds += (p.model.joint + p.model.joining*float64(c.Split) + float64(c.Tile[0]*c.Tile[1])*p.model.adding) / hz
	case c.Split > 1:
		seconds += (ticket + turn*float64(c.Tile[0]*c.Tile[1]/(32*vector*c.warps()))) / hz
	}
	for _, a := range p.align {
		f.Copies += p.model.launch + 2*float64(a.Bytes)/(0.8*p.card.Memory*1e9)
	}
	f.Seconds = seconds + p.model.launch + f.Copies
	f.TFLOPS = 2 * float64(max(w.l, 1)) * float64(w.m) * float64(w.n) * float64(w.k) / f.Seconds / 1e12
	return f
}

// tensor returns the cycles that the tensor cores need for a step.
func (p *Plan) tensor(c *Choice, w *work) float64 {
	per := w.math.rate
	if !c.tma() {
		per = p.card.products(w.math)
	}
	return float64(c.Tile[0]*c.Tile[1]*c.Tile[2]) / per
}

// slowest takes note of a part of a step that takes longer than the others.
func (f *Prediction) slowest(name string, cycles float64) {
	if cycles > f.Cycles {
		f.Cycles, f.Bound = cycles, name
	}
}

// step predicts a step at a clock: its products, shared memory at 128 bytes a cycle, which the products read while the
// next stage arrives, and the stage from the L2, with all stages but one under way.
func (p *Plan) step(c *Choice, w *work, f *Prediction, hz float64) {
	bytes := int64(w.in.Bits() / 8)
	f.Wavefronts = c.Tile[0] / 64 * c.Tile[2] * bytes / 32 * (64 + c.Tile[1]) / 4
	rows := float64(c.Tile[0])*p.reads(&w.a, bytes) + float64(c.Tile[1])/float64(c.Cluster)*p.reads(&w.b, bytes)
	stage := rows * float64(c.Tile[2]*bytes)
	transfer := stage * float64(min(p.card.SMs, c.Blocks)) / (p.card.Cache * 1e9) * hz
	waits, between := p.model.issue, p.model.issue
	if c.Cluster > 1 {
		waits += p.model.coupled[c.Cluster/4]
	}
	if c.Warpgroups == 1 || c.PingPong && f.Tiles <= c.Blocks {
		between = p.model.lonely
	}
	if w.promoted && (c.PingPong || c.Warpgroups == 1) {
		between += float64(c.Tile[0] * c.Tile[1] / 128) // the only warpgroup that multiplies adds its sums
	}
	comes := p.model.latency + float64(c.stage(w))/p.model.arrival
	f.Start, f.Cycles, f.Bound = comes, p.tensor(c, w)+between, "tensor cores"
	f.slowest("shared memory", p.model.banked*(float64(f.Wavefronts)+float64(c.stage(w))/128)+between)
	f.slowest("tensor cores", p.model.shortest*float64(c.Tile[2]/depth(w.in))+between)
	f.slowest("L2", transfer+waits)
	f.slowest("latency", comes/float64(c.Stages-1)+waits)
	f.Cache = stage * float64(f.Steps*f.Tiles*c.Split)
}

// reads returns how much the L2 reads for the rows of a tile, for each byte of them.
func (p *Plan) reads(x *matrix, bytes int64) float64 {
	switch ld := x.ld * bytes; {
	case ld%32 != 0:
		return p.model.torn
	case ld%128 != 0:
		return p.model.crossing
	}
	return 1
}

// writes returns how many parts of sectors an element of D is if it is written from registers: 8 threads have 8
// neighbours.
func (w *work) writes() float64 {
	if w.out.Bits() >= 32 {
		return 0 // whole sectors
	}
	return 1. / 8
}

// length returns the cycles of a block: its tiles with their steps, and D, which one team of ping-pong writes while the
// other one multiplies.
func (p *Plan) length(f *Prediction, c *Choice, w *work, rounds float64) float64 {
	_, warpgroups := c.teams()
	end := float64(c.Tile[0]*c.Tile[1]) * float64(w.out.Bits()) / 8 / 128 * p.model.rounding / float64(warpgroups)
	switch {
	case !c.tma():
		end = float64(c.Tile[0]*c.Tile[1]) * float64(w.out.Bits()) / 8 / 128 * warpStore
		if w.rowUnit() == 1 {
			end *= 5
		}
	case c.Direct:
		end *= 2
	case c.Staged:
		end += float64(c.Tile[0]*c.Tile[1]/c.storeUnit(w)) / 32 * p.model.rowStore / float64(warpgroups)
	}
	tile := float64(f.Steps) * f.Cycles
	cycles := rounds * (tile + end)
	if c.PingPong {
		cycles = max(rounds*tile+end, (rounds+1)/2*(tile+end)) + 200 // the teams begin one after the other
	}
	if c.Cluster > 1 {
		cycles += p.model.meeting[c.Cluster/4]
	}
	return f.Start + cycles
}

// traffic returns the bytes that come from memory and go there: each matrix once if A and B fit in the L2, and
// otherwise the rows and columns that the tiles of each wave need.
func (p *Plan) traffic(c *Choice, w *work) float64 {
	in, all := float64(w.in.Bits()/8), float64(max(w.l, 1))
	each := func(x *matrix) float64 { // how many there are
		if x.separate() {
			return all
		}
		return 1
	}
	if w.groups > 0 {
		all = float64(min(w.groups, w.m))
	}
	a, b := each(&w.a)*float64(w.m)*float64(w.k)*in, each(&w.b)*float64(w.n)*float64(w.k)*in
	if w.weights {
		b /= 4
	}
	d := float64(max(w.l, 1)) * float64(w.m) * float64(w.n) * float64(w.out.Bits()/8)
	for _, x := range p.problem.Epilogue.all() {
		if strings.HasPrefix(x.Modes, "mn") {
			d += float64(w.m) * float64(w.n) * float64(x.Type.Bits()/8)
		}
	}
	once := a + b
	if once < 0.8*float64(p.card.L2) {
		return once + d
	}
	rows, columns := c.grid(w)
	waves := max(float64(c.tiles(w)*c.Split)/float64(p.card.SMs), 1)
	region := float64(c.region(p, rows, columns, min(c.Group, rows))) * float64(w.k) * in / float64(c.Split)
	return max(once, waves*region) + d
}
