package gemm

import (
	"math"

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

// The constants of the model, in cycles but for launch. They were fitted to products on an H200.
const (
	launch   = 1.5e-6 // seconds of a launch until the first tile is asked for
	latency  = 500    // from the release of a stage until its next tile begins to arrive
	arrival  = 36     // bytes of one stage that arrive in a cycle
	rounding = 14     // to convert, store and hand over 128 bytes of D
	joint    = 7500   // blocks that share K: they meet and add their sums
	banked   = 0.7    // of the cycles in which shared memory is read and a stage arrives, the cycles that count
	issue    = 12     // of a step, in addition to its products: barriers and descriptors
	lonely   = 70     // the same, without a second warpgroup that multiplies meanwhile
	meeting  = 1000   // of a cluster, before its first tile
	coupled  = 25     // of a step that waits for its stage, for each further block of a cluster
)

// expect predicts a choice, for matrices that are in the L2 if they fit.
func (p *Plan) expect(c *Choice, w *work) Prediction {
	f := Prediction{Tiles: c.tiles(w), Steps: ints.CeilDiv(ints.CeilDiv(w.k, c.Tile[2]), c.Split)}
	sms, blocks, work := float64(p.card.SMs), float64(c.Blocks), float64(f.Tiles*c.Split)
	rounds := math.Ceil(work / blocks)
	f.Waves = work / sms
	f.Used = f.Waves / rounds
	f.Memory = p.traffic(c, w)
	memory := f.Memory / (p.card.Memory * 1e9 * min(1, blocks/(0.85*sms)))
	if f.Memory < 0.8*float64(p.card.L2) {
		memory = 0
	}
	// The more of its time the tensor cores multiply, the slower is the clock.
	hz, seconds := p.card.Boost*1e6, 0.0
	for range 2 {
		p.step(c, w, &f, hz)
		seconds = f.length(c, w, rounds) / hz
		duty := rounds * float64(f.Steps) * c.tensor() * f.Used / hz / (max(seconds, memory) + launch)
		hz = (p.card.Boost - (p.card.Boost-p.card.Clock)*min(duty, 1)) * 1e6
	}
	if memory > seconds {
		f.Bound = "memory"
	}
	seconds = max(seconds, memory) + 0.1*min(seconds, memory) // not all of the shorter one is hidden
	if launch > seconds {
		f.Bound = "start"
	}
	if c.Split > 1 {
		seconds += (joint + float64(c.Tile[0]*c.Tile[1])/16) / hz
	}
	for _, a := range p.align {
		f.Copies += launch + 2*float64(a.Bytes)/(0.8*p.card.Memory*1e9)
	}
	f.Seconds = seconds + launch + f.Copies
	f.TFLOPS = 2 * float64(w.m) * float64(w.n) * float64(w.k) / f.Seconds / 1e12
	return f
}

// tensor returns the cycles that the tensor cores need for a step.
func (c *Choice) tensor() float64 { return float64(c.Tile[0]*c.Tile[1]*c.Tile[2]) / products }

// step predicts a step at a clock: its products, shared memory at 128 bytes a cycle, which the products read while the
// next stage arrives, and the stage from the L2, with all stages but one under way.
func (p *Plan) step(c *Choice, w *work, f *Prediction, hz float64) {
	bytes := int64(w.in.Bits() / 8)
	f.Wavefronts = c.Tile[0] / 64 * c.Tile[2] / 16 * (64 + c.Tile[1]) * 16 * bytes / 128
	stage := (float64(c.Tile[0]) + float64(c.Tile[1])/float64(c.Cluster)) * float64(c.Tile[2]*bytes)
	transfer := stage * float64(min(p.card.SMs, c.Blocks)) / (p.card.Cache * 1e9) * hz
	waits, between := coupled*float64(c.Cluster-1)+issue, float64(issue)
	if c.Warpgroups == 1 {
		between = lonely
	}
	comes := latency + float64(c.stage(w))/arrival
	f.Start, f.Cycles, f.Bound = comes, c.tensor()+between, "tensor cores"
	for _, x := range []struct {
		cycles float64
		name   string
	}{
		{banked*(float64(f.Wavefronts)+float64(c.stage(w))/128) + between, "shared memory"},
		{transfer + waits, "L2"},
		{comes/float64(c.Stages-1) + waits, "latency"},
	} {
		if x.cycles > f.Cycles {
			f.Cycles, f.Bound = x.cycles, x.name
		}
	}
	f.Cache = stage * float64(f.Steps*f.Tiles*c.Split)
}

// length returns the cycles of a block: its tiles with their steps, and D, which one team of ping-pong writes while the
// other one multiplies.
func (f *Prediction) length(c *Choice, w *work, rounds float64) float64 {
	_, warpgroups := c.teams()
	end := float64(c.Tile[0]*c.Tile[1]) * float64(w.out.Bits()) / 8 / 128 * rounding / float64(warpgroups)
	if c.Direct {
		end *= 2
	}
	tile := float64(f.Steps) * f.Cycles
	cycles := rounds * (tile + end)
	if c.PingPong {
		cycles = max(rounds*tile+end, (rounds+1)/2*(tile+end)) + 200 // the teams begin one after the other
	}
	if c.Cluster > 1 {
		cycles += meeting
	}
	return f.Start + cycles
}

// traffic returns the bytes that come from memory and go there: each matrix once if A and B fit in the L2, and
// otherwise the rows and columns that the tiles of each wave need.
func (p *Plan) traffic(c *Choice, w *work) float64 {
	in, out := float64(w.in.Bits()/8), float64(w.out.Bits()/8)
	a, b, d := float64(w.m)*float64(w.k)*in, float64(w.n)*float64(w.k)*in, float64(w.m)*float64(w.n)*out
	for _, x := range p.problem.Epilogue.all() {
		if x.Modes == "mn" {
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
