package outcomes

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Stress levels.
const (
	Calm    = iota // instances in order, without delays
	Shaken         // random orders, layouts and delays
	Stormy         // also warps and blocks that disturb the test
	NStress = iota
)

// MemoryBytes is the size of the memory of the locations.
const MemoryBytes = 1 << 28

// A Launch is a launch of the kernel of a plan: its shape, and what its parameters are except for addresses.
type Launch struct {
	Blocks, Threads int
	Rounds          int
	Instances       int // instances per round

	seed, groups            uint64
	half                    uint64 // the size of a region of memory, in bytes
	instanceStep, placeStep uint64 // the distances in bytes between instances, and between locations of an instance
	mask                    uint64
	scatter, delay, apart   uint64
	preload, stress, burn   uint64
}

// pick returns one of list.
func pick(r *rand.Rand, list ...uint64) uint64 { return list[r.IntN(len(list))] }

// Draw draws a launch of blocks, a multiple of the blocks of a cluster, that runs n instances or somewhat more.
func (p *Plan) Draw(r *rand.Rand, blocks, n, level int) Launch {
	groups := blocks / p.Blocks / p.Clusters
	l := Launch{Blocks: blocks, Threads: 32 * Warps, seed: uint64(r.Uint32()), burn: 1}
	if level >= Stormy {
		if groups > 3 && r.IntN(3) == 0 {
			groups -= groups / 4
		}
		l.Threads += 32 * r.IntN((MaxThreads-l.Threads)/32+1)
		l.stress = pick(r, 0, 16, 64)
	}
	l.groups, l.Instances = uint64(groups), groups*p.perBlock()
	l.Rounds = max(1, (n+l.Instances-1)/max(l.Instances, 1))
	p.layout(&l, r, level)
	if level >= Shaken {
		l.scatter = pick(r, 0, 1<<32-2)
		l.delay = pick(r, 0, 127, 1023)
		l.apart = pick(r, 1<<32-1, 1<<32-32)
		l.preload = pick(r, 0, 1, 3, 1<<32-1)
	}
	return l
}

// layout draws where the locations are: the locations of an instance together, or each location of all instances.
func (p *Plan) layout(l *Launch, r *rand.Rand, level int) {
	places := uint64(max(1, len(p.cells)-p.inShared()))
	room := uint64(1) << bits.Len(uint(max(l.Instances-1, 0)))
	l.mask = room - 1
	step := uint64(p.align)
	if level >= Shaken {
		step = pick(r, step, step, 32, 64, 128, 256, 512)
	}
	for step > uint64(p.align) && 2*room*places*step > MemoryBytes {
		step /= 2
	}
	l.half = room * places * step
	if l.placeStep, l.instanceStep = step, step*places; level >= Shaken && r.IntN(2) == 0 {
		l.placeStep, l.instanceStep = step*room, step
	}
}

// ResultBytes returns the size of the results of a launch.
func (p *Plan) ResultBytes(l Launch) int64 { return int64(8 * p.words() * l.Instances) }

// Buffers are the addresses of the buffers of a launch. Table and Control must be 0 before: Control for each launch,
// Table before the first one whose states are counted.
type Buffers struct{ Table, Memory, Results, Control, Scratch uint64 }

// Args returns the arguments of a launch.
func (l *Launch) Args(b Buffers) []uint64 {
	return []uint64{
		b.Table, b.Memory, b.Results, b.Control, b.Scratch, uint64(l.Rounds), l.seed, l.groups, l.half, l.instanceStep,
		l.placeStep, l.mask, l.scatter, l.delay, l.apart, l.preload, l.stress, l.burn,
	}
}

// NewRand returns the source of the draws of a test.
func NewRand(seed uint64, name string) *rand.Rand {
	h := uint64(14695981039346656037)
	for _, c := range []byte(name) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return rand.New(rand.NewPCG(seed, h))
}

// A Count is how often instances ended in a state.
type Count struct {
	Values []int64
	N      uint64
}

// Counts reads a table. The error says that an entry has a key that is not its values', so that different states were
// counted as one, or that its values were not written.
func (p *Plan) Counts(table []uint64) ([]Count, error) {
	var list []Count
	n := len(p.Variables)
	for i := range Entries {
		key, count := table[2*i], table[2*i+1]
		if key == 0 {
			continue
		}
		c := Count{make([]int64, n), count}
		for k := range n {
			c.Values[k] = int64(table[2*Entries+i*n+k])
		}
		if hash(c.Values) != key {
			return nil, Skip("expected states that have the keys of their entries, found another one")
		}
		list = append(list, c)
	}
	return list, nil
}

// CountUnfinished returns how many instances had a thread that did not end, by the words of Control.
func CountUnfinished(control []uint64) uint64 { return control[unfinishedAt/8] }

// CountOverflow returns how many instances were not counted because the table was full.
func CountOverflow(control []uint64) uint64 { return control[overflowAt/8] }

// Sum adds the counts of equal states, in the order in which they come first.
func Sum(counts []Count) []Count {
	var list []Count
	for _, c := range counts {
		i := slices.IndexFunc(list, func(o Count) bool { return slices.Equal(o.Values, c.Values) })
		if i < 0 {
			list = append(list, c)
			continue
		}
		list[i].N += c.N
	}
	return list
}
