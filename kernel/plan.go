package kernel

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sync"

	"girih/banks"
	"girih/cute"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/tensormap"
)

// MaxPlanned limits the addresses and conditions, of single lanes, that [Kernel.Plan] and [Kernel.PlanBlocks] visit.
const MaxPlanned = 1 << 24

// A Cost is what warp instructions do to the memory of an sm_90 GPU, by the models of package banks.
type Cost struct {
	Requests   int64 `json:"requests,omitempty"`   // warp instructions that at least one lane executes
	Bytes      int64 `json:"bytes,omitempty"`      // distinct bytes that the lanes of each request access
	Bulk       int64 `json:"bulk,omitempty"`       // bytes of bulk copies and of whole boxes of TMA copies
	Sectors    int64 `json:"sectors,omitempty"`    // of 32 bytes of global memory
	Fewest     int64 `json:"fewest,omitempty"`     // the fewest sectors for the bytes in global memory, at most Sectors
	Wavefronts int64 `json:"wavefronts,omitempty"` // passes through the banks of shared memory
	Ideal      int64 `json:"ideal,omitempty"`      // the fewest wavefronts for such accesses
	Ways       int64 `json:"ways,omitempty"`       // the most lanes that one bank serves in turn: 1 is conflict-free
	Unknown    int64 `json:"unknown,omitempty"`    // requests whose cost or number no model knows
}

// Add adds another cost.
func (c *Cost) Add(d Cost) {
	c.Requests += d.Requests
	c.Bytes += d.Bytes
	c.Bulk += d.Bulk
	c.Sectors += d.Sectors
	c.Fewest += d.Fewest
	c.Wavefronts += d.Wavefronts
	c.Ideal += d.Ideal
	c.Ways = max(c.Ways, d.Ways)
	c.Unknown += d.Unknown
}

// An Access is an instruction that moves elements between memory and registers, or from memory to memory.
type Access struct {
	Op      string // as PTX has it
	Tensor  string // the tensor in memory; of a copy between memories, the destination
	From    string // of a copy between memories, the source
	Lane    int    // bytes of a lane
	Address string // in bytes, as an expression; of a copy, the address in shared memory
	Box     string // of a TMA copy: the coordinates in global memory, "(64·i1, 128·block.x)"
	File    string // file of the line that made it
	Line    int
	Cost    Cost
}

// Plan predicts what a launch does to memory: the cost of each access in the order of the PTX, and their total at the
// end, for values of the kernel's integers by name. It computes addresses from their expressions, and executes nothing.
// Blocks and iterations with the same cost are counted, not visited, so large launches take milliseconds. What the copy
// engine moves counts as Bulk; the sectors of a TMA load are Unknown because it fetches beyond the edges by an unknown
// rule. Reads of wgmma and prefetches are not counted. Conditions on loaded values are assumed to hold, and their
// requests are Unknown. The factor beta of [K.Axpby] counts as not 0 unless values has 0 for its parameter.
//
// It returns the errors of [Kernel.Grid], [cute.CodeOverflow] for costs beyond 64 bits, and [cute.CodeLimit] for an
// access whose blocks and iterations are unlike, such as one at block.x·thread divided by a run-time number, if its
// threads compute more than [MaxPlanned] addresses.
func (k *Kernel) Plan(values map[string]int64) ([]Access, Cost, error) {
	grid, err := k.Grid(values)
	if err != nil {
		return nil, Cost{}, err
	}
	w := k.walker(values)
	w.budget = MaxPlanned
	c := w.classes(grid)
	return w.plan(func(a *transfer) Cost {
		out, ok := c.cost(a)
		if !ok && w.err == nil {
			out = c.each(a)
		}
		return out
	})
}

// PlanBlocks is [Kernel.Plan] for some blocks of the launch. It visits each block, and is for kernels that do not say
// how many blocks they have. It returns [cute.CodeLimit] beyond [MaxPlanned].
func (k *Kernel) PlanBlocks(values map[string]int64, blocks [][3]int64) ([]Access, Cost, error) {
	if _, err := k.Grid(values); err != nil && len(k.grid) > 0 {
		return nil, Cost{}, err
	}
	w := k.walker(values)
	w.budget = MaxPlanned
	return w.plan(func(a *transfer) (c Cost) {
		for _, b := range blocks {
			w.block(b)
			w.warps(a, func(mask uint32) { c.Add(w.cost(a, mask)) })
		}
		return c
	})
}

// plan returns all accesses with their costs, and the total.
func (w *walker) plan(cost func(a *transfer) Cost) ([]Access, Cost, error) {
	out := make([]Access, len(w.k.accesses))
	total := Cost{}
	for i := range w.k.accesses {
		a := &w.k.accesses[i]
		out[i] = w.k.describe(a)
		out[i].Cost = cost(a)
		if !total.addTimes(out[i].Cost, 1) && w.err == nil {
			w.err = tooMuch
		}
		if w.err != nil {
			return nil, Cost{}, w.err
		}
	}
	return out, total, nil
}

// describe returns an access without its cost.
func (k *Kernel) describe(a *transfer) Access {
	out := Access{
		Op: string(a.op), Lane: a.bytes, Address: a.sharedSide().x.String(), Tensor: a.sides[0].in.name, Box: a.coordinates(),
	}
	if len(a.sides) > 1 {
		out.From = a.sides[1].in.name
	}
	out.File, out.Line = a.place()
	return out
}

// A walker finds which lanes of a warp execute an access, and with which addresses.
type walker struct {
	k      *Kernel
	lanes  [WarpSize]address.Values
	thread *address.Symbol
	blocks [3]*address.Symbol
	trips  int64                     // the most iterations of a loop to visit; 0 for all
	pinned map[*address.Symbol]int64 // the only iterations to visit, by counter
	first  int64                     // the first thread of the warp
	budget int64
	data   bool // a condition on loaded values was met
	values map[string]int64
	maps   map[string]tensormap.Map
	err    error
}

// The walker's memory map: tensors in global memory begin at multiples of 512 bytes.
const (
	pointerStep = 1 << 40
	sharedAt    = 1 << 10
)

// walker returns a walker for values of the integers.
func (k *Kernel) walker(values map[string]int64) *walker {
	w := &walker{k: k, values: values}
	at := k.values(values)
	for i, sym := range k.pointers {
		at[sym] = int64(i+1) * pointerStep
	}
	if k.shared != nil {
		at[k.shared] = sharedAt
	}
	for i := range w.lanes {
		w.lanes[i] = maps.Clone(at)
	}
	w.thread = k.special["%tid.x"]
	w.blocks = [3]*address.Symbol{k.special["%ctaid.x"], k.special["%ctaid.y"], k.special["%ctaid.z"]}
	return w
}

// set gives a symbol a value in all lanes.
func (w *walker) set(s *address.Symbol, x int64) {
	for i := range w.lanes {
		w.lanes[i][s] = x
	}
}

// block moves the walker to a block.
func (w *walker) block(at [3]int64) {
	for i, s := range w.blocks {
		if s != nil {
			w.set(s, at[i])
		}
	}
	if s := w.k.special["%cluster_ctarank"]; s != nil {
		c := w.k.Cluster
		w.set(s, at[0]%c[0]+c[0]*(at[1]%c[1]+c[1]*(at[2]%c[2])))
	}
	w.derive()
}

// warps calls visit with the lanes that execute an access, for each execution by a warp of the block.
func (w *walker) warps(a *transfer, visit func(mask uint32)) {
	for first := int64(0); first < w.k.Threads && w.err == nil; first += WarpSize {
		n := min(w.k.Threads-first, WarpSize)
		w.first = first
		for i := range w.lanes {
			if w.thread != nil && int64(i) < n {
				w.lanes[i][w.thread] = first + int64(i)
				w.roles(i, first+int64(i))
			}
		}
		w.data = false
		w.enter(a.around, uint32(1<<n-1), func(mask uint32) {
			if mask = w.where(*a.cond, mask); mask != 0 {
				visit(mask)
			}
		})
	}
}

// roles sets the symbols that depend on the number of a thread.
func (w *walker) roles(lane int, thread int64) {
	for name, x := range map[ptx.Name]int64{
		"warp": thread / 32, "warpgroup": thread / 128, "warpgroup.thread": thread % 128,
	} {
		if s := w.k.special[name]; s != nil {
			w.lanes[lane][s] = x
		}
	}
}

// enter visits the loops and conditions around an access.
func (w *walker) enter(around []scope, mask uint32, visit func(mask uint32)) {
	if len(around) == 0 {
		visit(mask)
		return
	}
	s := around[0]
	if s.counter == nil {
		if s.repeats {
			w.data = true
		} else {
			mask = w.within(s, mask)
		}
		if mask != 0 {
			w.enter(around[1:], mask, visit)
		}
		return
	}
	var from, to [WarpSize]int64
	most := int64(0)
	for l := range lanesOf(mask) {
		if w.asks(func() { from[l], to[l] = w.eval(s.from, l), w.eval(s.to, l) }) {
			to[l] = from[l] + 1 // data decide how often: one iteration is visited
		}
		most = max(most, to[l]-from[l])
	}
	if w.trips > 0 {
		most = min(most, w.trips)
	}
	pinned, isPinned := w.pinned[s.counter]
	if isPinned {
		most = min(most, 1)
	}
	for i, data := int64(0), w.data; i < most; i++ {
		now := uint32(0)
		w.data = data // of this iteration, not of the one before
		for l := range lanesOf(mask) {
			x := from[l] + i
			if isPinned {
				x = pinned
			}
			if from[l] <= x && x < to[l] {
				now |= 1 << l
				w.lanes[l][s.counter] = x
			}
		}
		w.enter(around[1:], now, visit)
		if w.err != nil {
			return
		}
	}
}

// lanesOf yields the lanes of a mask.
func lanesOf(mask uint32) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for m := mask; m != 0; m &= m - 1 {
			if !yield(bits.TrailingZeros32(m)) {
				return
			}
		}
	}
}

// within returns the lanes of mask that enter a condition, which may be negated.
func (w *walker) within(s scope, mask uint32) uint32 {
	if !s.negated {
		return w.where(s.cond, mask)
	}
	before := w.data
	w.data = false
	yes, unknown := w.where(s.cond, mask), w.data
	w.data = before || unknown
	if unknown {
		return mask
	}
	return mask &^ yes
}

// where returns the lanes of mask for which a condition holds.
func (w *walker) where(c Cond, mask uint32) uint32 {
	if c.never {
		return 0
	}
	for _, p := range c.holds() {
		name, _ := p.(ptx.Name)
		j, joined := w.k.data.joined[name]
		factor, isFactor := c.k.factors[name]
		switch {
		case c.k.elects(p):
			mask &= 1 // elect.sync elects the lowest lane of the warp
		case joined:
			mask = w.joint(j, mask)
		case !isFactor:
			w.data = true
		default:
			if x, known := w.values[factor]; known && x == 0 {
				return 0
			}
		}
	}
	out := uint32(0)
	for l := range lanesOf(mask) {
		holds := true
		for _, d := range c.less() {
			holds = holds && w.below(d, l)
		}
		if holds {
			out |= 1 << l
		}
	}
	return out
}

// spend subtracts from the budget of computations.
func (w *walker) spend(n int64) {
	if w.budget -= n; w.budget < 0 && w.err == nil {
		w.err = &cute.Error{
			Code: cute.CodeLimit, Op: "plan", Msg: fmt.Sprintf("the launch has more than %d addresses of lanes", MaxPlanned),
			Hint: "plan a smaller launch, or fewer blocks by PlanBlocks",
		}
	}
}

func (w *walker) eval(x address.Expr, lane int) int64 {
	if w.spend(1); w.err != nil {
		return 0
	}
	if len(w.k.data.late) > 0 {
		x.Symbols(func(s *address.Symbol) { w.settle(s, lane) })
	}
	y, err := x.At(w.lanes[lane])
	w.err = cmp.Or(w.err, err)
	return y
}

// target is the machine whose memory is counted.
var target = sync.OnceValue(func() banks.Target {
	t, _ := banks.ParseTarget("sm90") // sm90 always exists
	return t
})

// rule returns how shared memory serves an instruction.
func rule(a *transfer) (banks.Rule, error) {
	text := string(a.op)
	switch a.op.Name() {
	case "cp":
		text = fmt.Sprintf("cp.async.%d", a.bytes)
	case "ld", "st":
		text = fmt.Sprintf("%s.%d", a.op.Name(), 8*a.bytes)
	}
	at, err := banks.ParseAccess(text, 0)
	if err != nil {
		return banks.Rule{}, err
	}
	return target().Rule(at)
}

// addresses returns the addresses of one side of an access, for the lanes of mask.
func (w *walker) addresses(x address.Expr, mask uint32) []int64 {
	out := slices.Repeat([]int64{banks.Inactive}, WarpSize)
	for l := range lanesOf(mask) {
		out[l] = w.eval(x, l)
	}
	return out
}

// cost returns the cost of one execution by the lanes of mask.
func (w *walker) cost(a *transfer, mask uint32) Cost {
	if a.engine != nil {
		return w.bulk(a, mask)
	}
	c := Cost{Requests: 1}
	if w.data {
		c.Unknown = 1
	}
	if isMatrix(a.op) {
		mask = uint32(1<<min(w.k.Threads, WarpSize) - 1)
	}
	var at []int64
	if data := w.asks(func() { at = w.addresses(a.sides[0].x, mask) }); data || isAtomic(a.op) {
		c.Unknown = 1
		return c
	}
	if w.err != nil {
		return c
	}
	if len(a.sides) > 1 {
		if w.copyCost(&c, a, at, mask); a.op.Has("cg") {
			return c // it bypasses the unit that counts wavefronts
		}
	} else if a.sides[0].in.space == Global {
		c.addTraffic(banks.RequestTraffic(at, a.bytes))
		return c
	}
	r, err := rule(a)
	var n banks.Count
	if err == nil {
		n, err = r.Count(at[:r.Lanes()])
	}
	if err != nil {
		c.Unknown = 1
		return c
	}
	c.Wavefronts, c.Ideal, c.Ways = int64(n.Wavefronts), int64(n.Ideal), int64(n.Degree)
	if len(a.sides) == 1 {
		t, _ := banks.RequestTraffic(at[:r.Lanes()], a.bytes) // for its count of bytes
		c.Bytes = t.Bytes
	}
	return c
}

// addTraffic sets the sectors and bytes of a request; both are unknown if there is an error.
func (c *Cost) addTraffic(t banks.Traffic, err error) {
	if err != nil {
		c.Unknown = 1
	}
	c.Sectors, c.Bytes = int64(t.Sectors), t.Bytes
	c.Fewest = (t.Bytes + banks.SectorBytes - 1) / banks.SectorBytes
}

// copyCost sets the sectors and bytes of a cp.async to the addresses at.
func (w *walker) copyCost(c *Cost, a *transfer, at []int64, mask uint32) {
	reads := w.where(*a.reads, mask)
	from := w.addresses(a.sides[1].x, reads)
	if !a.op.Has("cg") {
		c.addTraffic(banks.RequestTraffic(from, a.bytes))
		if reads != mask {
			c.Unknown = 1
		}
		return
	}
	to := slices.Clone(at)
	for l := range to {
		if reads>>l&1 == 0 {
			to[l] = banks.Inactive // it only writes zeros: the lane is not part of the request
		}
	}
	c.addTraffic(banks.CopyTraffic(to, from))
}
