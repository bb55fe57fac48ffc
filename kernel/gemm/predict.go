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
	port     float64    // bytes that a multiprocessor reads from the L2 in a cycle
	written  float64    // GB/s of D that all multiprocessors write to the L2
	handing  float64    // from the last sums until D is written, if D goes through shared memory
	hot      float64    // of blocks that read the same rows at one time, for each block
	again    float64    // of the bytes of memory, what is read again if blocks that need it at one time are in no cluster
	warps    warpModel
}

// fitted are the constants for Hopper: [TestFit] fits them to products on an H200.
var fitted = model{
	launch:   1.06e-06,
	latency:  201,
	arrival:  27.6,
	rounding: 5.12,
	joint:    3160,
	banked:   0.783,
	shortest: 33.9,
	issue:    63.3,
	lonely:   34.1,
	meeting:  [2]float64{1390, 646},
	coupled:  [2]float64{30.2, 22.8},
	joining:  117,
	adding:   0.0682,
	hidden:   0.359,
	busy:     0.409,
	torn:     2.7,
	partial:  4.08,
	rowStore: 2.97,
	crossing: 1.84,
	port:     79.7,
	written:  4450,
	handing:  355,
	hot:      1.89,
	again:    0.0375,
	warps:    fittedWarps,
}

// expect predicts a choice, for matrices that are in the L2 if they fit.
func (p *Plan) expect(c *Choice, w *work) Prediction {
	f := Prediction{Tiles: c.tiles(w), Steps: ints.CeilDiv(ints.CeilDiv(w.k, c.Tile[2]), c.Split)}
	sms, blocks, work := float64(p.card.SMs), float64(min(c.Blocks, p.card.SMs)), float64(f.Tiles*c.Split)
	rounds := math.Ceil(work / blocks)
	f.Waves = work / sms
	f.Used = f.Waves / rounds
	f.Memory = p.traffic(c, w)
	memory, out := p.reading(c, w, f.Memory, blocks), p.writing(w)
	memory = max(memory, out)
	// The more of its time the tensor cores multiply, the slower is the clock.
	hz, seconds := p.card.Boost*1e6, 0.0
	for range 2 {
		if c.tma() {
			p.step(c, w, &f, hz)
		} else {
			p.warpStep(c, w, &f, hz)
		}
		seconds = (p.length(&f, c, w, rounds) + p.after(c, w, out/rounds*hz)) / hz
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
		seconds += (p.model.warps.ticket + p.model.warps.turn*float64(c.Tile[0]*c.Tile[1]/(32*vector*c.warps()))) / hz
	}
	for _, a := range p.align {
		f.Copies += p.model.launch + 2*float64(a.Bytes)/(0.8*p.card.Memory*1e9)
	}
	f.Seconds = seconds + p.model.launch + f.Copies
	f.TFLOPS = 2 * float64(max(w.l, 1)) * float64(w.m) * float64(w.n) * float64(w.k) / f.Seconds / 1e12
	return f
}

// reading returns the seconds for bytes of memory, or 0 if they stay in the L2; and for a D that is written in parts of
// sectors.
func (p *Plan) reading(c *Choice, w *work, bytes, blocks float64) (seconds float64) {
	sms := float64(p.card.SMs)
	if bytes >= 0.8*float64(p.card.L2) {
		seconds = bytes / (p.card.Memory * 1e9 * min(1, blocks/(p.model.busy*sms)))
		if rows, _ := c.grid(w); rows > 1 && c.Cluster == 1 && c.tma() {
			seconds *= 1 + p.model.again
		}
	}
	if c.tma() && c.Direct && c.Split == 1 {
		seconds = max(seconds, float64(w.m)*float64(w.n)*w.writes()*p.model.partial/(sms*p.card.Boost*1e6))
	}
	return seconds
}

// writing returns the seconds in which the L2 takes D.
func (p *Plan) writing(w *work) float64 {
	return float64(max(w.l, 1)) * float64(w.m) * float64(w.n) * float64(w.out.Bits()/8) / (p.model.written * 1e9)
}

// after returns the cycles from the last sums until D is written, beyond [Plan.end]: the last tiles of all blocks end
// at one time, and the L2 needs last cycles for them.
func (p *Plan) after(c *Choice, w *work, last float64) (cycles float64) {
	if !c.tma() {
		return 0
	}
	if !c.Direct {
		cycles = p.model.handing
	}
	return cycles + max(last-p.end(c, w), 0)
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
	transfer = max(transfer, float64(c.stage(w))/p.model.port, p.model.hot*c.sharers(w))
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

// sharers returns how many blocks read the same rows of A or of B at one time, the most of them.
func (c *Choice) sharers(w *work) float64 {
	rows, columns := c.grid(w)
	down := min(rows, max(c.Group, c.Blocks/max(columns, 1)), c.Blocks)
	return float64(max(down, min(columns, c.Blocks/max(down, 1))))
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

// end returns the cycles in which a block writes a tile of D.
func (p *Plan) end(c *Choice, w *work) float64 {
	_, warpgroups := c.teams()
	lines := float64(c.Tile[0]*c.Tile[1]) * float64(w.out.Bits()) / 8 / 128
	end := lines * p.model.rounding / float64(warpgroups)
	switch {
	case !c.tma() && w.rowUnit() == 1:
		return lines * p.model.warps.single
	case !c.tma():
		return lines * p.model.warps.store
	case c.Direct:
		return 2 * end
	case c.Staged:
		end += float64(c.Tile[0]*c.Tile[1]/c.storeUnit(w)) / 32 * p.model.rowStore / float64(warpgroups)
	}
	return end
}

// length returns the cycles of a block: its tiles with their steps, and D, which one team of ping-pong writes while the
// other one multiplies.
func (p *Plan) length(f *Prediction, c *Choice, w *work, rounds float64) float64 {
	tile, end := float64(f.Steps)*f.Cycles, p.end(c, w)
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
