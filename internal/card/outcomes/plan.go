package outcomes

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/machine/litmus"
)

// Sizes of the kernels.
const (
	Warps        = 8 // warps per block that run the test
	Entries      = 1 << 10
	maxBlocks    = 8  // blocks per cluster on every card that has clusters
	barriers     = 15 // barriers per block, without the barrier of the kernel
	maxVariables = 64
)

// A Form is one of the ways to place a test.
type Form struct {
	Lanes  bool // the threads of one block are the lanes of one warp
	Shared bool // the locations are in shared memory
}

var allForms = []Form{{}, {Lanes: true}, {Shared: true}, {Lanes: true, Shared: true}}

// IsForm reports whether name is the name of a form.
func IsForm(name string) bool {
	return slices.ContainsFunc(allForms, func(f Form) bool { return f.String() == name })
}

// String returns the name of the form: "lanes_shared".
func (f Form) String() string {
	words := []string{"warps", "global"}
	if f.Lanes {
		words[0] = "lanes"
	}
	if f.Shared {
		words[1] = "shared"
	}
	return strings.Join(words, "_")
}

// A Skip says why a kernel cannot run a test.
type Skip string

func (s Skip) Error() string { return string(s) }

// skip ends the planning of a test.
func skip(format string, args ...any) { panic(Skip(fmt.Sprintf(format, args...))) }

// A Plan says where the threads and locations of a test are.
type Plan struct {
	Test      *litmus.Test
	Form      Form
	Clusters  int // clusters in the test
	Blocks    int // blocks per cluster; 1 for launches without clusters
	Members   int // the largest number of threads in a block
	Variables []litmus.Term

	seats   []seat
	cells   []cell
	slots   int // groups of warps per block, each with an instance per lane; or warps, if threads are lanes
	perWarp int // instances per warp: 32, or fewer if threads are lanes
	keys    []int64
	meets   int // the number of barriers of the cluster in which each thread takes part
	async   bool
	align   int // the alignment of locations, in bytes
}

// A seat is the place of a thread of the test.
type seat struct{ cluster, block, member int }

// A cell is the place of a location of the test.
type cell struct {
	shared   bool
	block    int   // the block of the cluster, if the location is in shared memory
	arrivals int64 // the number of arrivals of an mbarrier; 0 for other locations
	index    int   // the index among the locations in the same memory
}

// NewPlan places a test. The error is a [Skip].
func NewPlan(t *litmus.Test, f Form) (p *Plan, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case Skip:
			p, err = nil, e
		default:
			panic(e)
		}
	}()
	p = &Plan{Test: t, Form: f, align: 8}
	p.seat()
	for i := range t.Threads {
		p.thread(i)
	}
	p.locations()
	p.ends()
	p.shape()
	for _, v := range t.Variables() {
		if v.Loc < 0 || p.cells[v.Loc].arrivals == 0 {
			p.Variables = append(p.Variables, v)
		}
	}
	if len(p.Variables) > maxVariables {
		skip("expected at most %d registers and locations, found %d", maxVariables, len(p.Variables))
	}
	return p, nil
}

// Forms returns the forms in which a test can be placed. If there is none, the error is the [Skip] of the first.
func Forms(t *litmus.Test) ([]*Plan, error) {
	var plans []*Plan
	var first error
	for _, f := range allForms {
		p, err := NewPlan(t, f)
		if first == nil {
			first = err
		}
		if err == nil {
			plans = append(plans, p)
		}
	}
	// If there is no plan with separate warps, report why there is none with lanes.
	if len(plans) == 0 {
		return nil, first
	}
	return plans, nil
}

// number returns the index of x in list, which it adds if it is new.
func number(list *[]int, x int) int {
	if i := slices.Index(*list, x); i >= 0 {
		return i
	}
	*list = append(*list, x)
	return len(*list) - 1
}

// seat places the threads: clusters, blocks and members of blocks in the order of the test.
func (p *Plan) seat() {
	var clusters []int
	blocks := map[int]*[]int{}
	members := map[[2]int]int{}
	for _, th := range p.Test.Threads {
		if th.GPU != p.Test.Threads[0].GPU {
			skip("expected one GPU, found threads on GPU %d and GPU %d", p.Test.Threads[0].GPU, th.GPU)
		}
		c := number(&clusters, th.Cluster)
		if blocks[c] == nil {
			blocks[c] = &[]int{}
		}
		b := number(blocks[c], th.CTA)
		at := [2]int{c, b}
		p.seats = append(p.seats, seat{c, b, members[at]})
		members[at]++
		p.Members = max(p.Members, members[at])
		p.Blocks = max(p.Blocks, b+1)
	}
	p.Clusters = len(clusters)
	if p.Blocks > maxBlocks {
		skip("expected clusters of at most %d CTAs, found %d", maxBlocks, p.Blocks)
	}
	if p.Form.Lanes && p.Members == 1 {
		skip("expected two threads of one CTA to be lanes of a warp, found none")
	}
}

// shape says how many instances a block runs.
func (p *Plan) shape() {
	p.slots, p.perWarp = Warps/p.Members, 32
	if p.Form.Lanes {
		p.slots, p.perWarp = Warps, 32/p.Members
	}
	if n := len(p.keys); n > 0 {
		p.slots = min(p.slots, barriers/n)
	}
	if p.slots == 0 {
		skip("expected at most %d threads of a CTA and %d barriers, found %d and %d", Warps, barriers, p.Members, len(p.keys))
	}
}

// perBlock returns the number of instances that a block takes part in.
func (p *Plan) perBlock() int { return p.slots * p.perWarp }

// isMbarrier reports whether an instruction is one of an mbarrier.
func isMbarrier(ins *litmus.Instruction) bool { return strings.HasPrefix(ins.Text, "mbarrier") }

// thread looks at what thread i needs, and refuses what a kernel cannot do.
func (p *Plan) thread(i int) {
	th := &p.Test.Threads[i]
	branches := slices.ContainsFunc(th.Code, func(ins litmus.Instruction) bool { return ins.Op == litmus.Branch })
	meets := 0
	for k := range th.Code {
		ins := &th.Code[k]
		once := isMbarrier(ins) && ins.Op == litmus.Reduce || ins.Op == litmus.Copy || ins.Op == litmus.Barrier
		if branches && once {
			skip("expected %s only in threads without branches, which execute it exactly once, found it in %s",
				ins.Text, th.Name)
		}
		switch ins.Op {
		case litmus.Barrier:
			meets = p.barrier(ins, meets)
		case litmus.Copy, litmus.Commit, litmus.Wait:
			p.align = 16
			p.async = p.async || ins.Bulk
		case litmus.Alias, litmus.Proxy:
			p.async = true
		case litmus.Atomic, litmus.Reduce:
			p.atomic(ins)
		}
		checkProxy(ins)
	}
	if meets%2 != 0 {
		skip("expected a barrier.cluster.wait after each barrier.cluster.arrive, found none at the end of %s", th.Name)
	}
	p.meets = max(p.meets, meets/2)
}

// checkProxy refuses proxies that a kernel cannot use.
func checkProxy(ins *litmus.Instruction) {
	switch {
	case ins.Op == litmus.Alias:
		skip("expected one virtual address of a location, found fence.proxy.alias")
	case ins.Op == litmus.Proxy && ins.Proxy != "async":
		skip("expected fence.proxy.async, found %s, which PTX does not have", ins.Text)
	case ins.Proxy != "generic" && ins.Proxy != "async":
		skip("expected accesses through the generic and async proxies, found %s through the %s proxy", ins.Text, ins.Proxy)
	}
}

// atomic refuses atomic operations that PTX does not have.
func (p *Plan) atomic(ins *litmus.Instruction) {
	known := []litmus.Math{"add", "and", "or", "xor", "min", "max"}
	if ins.Op == litmus.Atomic {
		known = append(known, "exch", "cas")
	}
	if !slices.Contains(known, ins.Math) {
		skip("expected an atomic operation of PTX, found %s", ins.Text)
	}
	if ins.Op == litmus.Reduce && ins.Sem != "relaxed" && ins.Sem != "release" {
		skip("expected red with .relaxed or .release, found %s", ins.Text)
	}
}

// barrier notes a barrier. meets counts the arrivals at and waits for the barrier of the cluster so far.
func (p *Plan) barrier(ins *litmus.Instruction, meets int) int {
	m := ins.Bar
	isWarp := strings.HasPrefix(ins.Text, "bar.warp") || strings.HasPrefix(ins.Text, "barrier.warp")
	switch {
	case m.Scope == litmus.Cluster:
		if m.Arrives != (meets%2 == 0) {
			skip("expected barrier.cluster.arrive and barrier.cluster.wait in turn, found %s", ins.Text)
		}
		return meets + 1
	case m.ID.Register >= 0 || m.ID.Value != 0 || m.Quorum.Register != -2:
		skip("expected a barrier with one number, found %s", ins.Text)
	case isWarp && !p.Form.Lanes:
		skip("expected lanes of one warp for %s, found warps", ins.Text)
	case !isWarp && p.Form.Lanes:
		skip("expected warps for %s, found lanes of one warp", ins.Text)
	case !isWarp && !slices.Contains(p.keys, m.Instance):
		p.keys = append(p.keys, m.Instance)
	}
	return meets
}
