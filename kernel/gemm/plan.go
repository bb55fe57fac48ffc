package gemm

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/internal/ints"
	"girih/kernel"
)

// A Choice is what a plan decides.
type Choice struct {
	MMA        string   `json:"mma"`        // the instruction
	Warpgroups int64    `json:"warpgroups"` // that multiply
	PingPong   bool     `json:"ping_pong"`  // each warpgroup has tiles of its own
	Tile       [3]int64 `json:"tile"`       // M, N and K of a tile
	Stages     int64    `json:"stages"`     // of the ring in shared memory
	Cluster    int64    `json:"cluster"`    // blocks along M that share the tiles of B
	Split      int64    `json:"split"`      // blocks that share K
	Group      int64    `json:"group"`      // rows of tiles, or of the tiles of a cluster, that are finished together
	Exchanged  bool     `json:"exchanged"`  // the transposed D is computed: M, N, A and B change places
	Direct     bool     `json:"direct"`     // D is written from registers, not by the TMA
	Blocks     int64    `json:"blocks"`     // of the grid
	Registers  [2]int64 `json:"registers"`  // of a thread that multiplies and a thread that copies; 0 if they keep theirs
}

// Options override choices. The zero Options leave all to the planner.
type Options struct {
	Tile       [3]int64 // all three extents
	Warpgroups int64    // 1 or 2
	Roles      string   // "cooperative" or "ping-pong"
	Stages     int64
	Cluster    int64
	Split      int64
	Group      int64
}

// A Plan is a product of matrices on a card: the choices, their reasons and the prediction.
type Plan struct {
	problem Problem
	work    work
	card    Card
	choice  Choice
	align   []*Realign // copies before the product
	reasons []Reason
	predict Prediction
}

// A Realign is a copy of an operand that the TMA cannot read, to a workspace with rows of multiples of 16 bytes.
type Realign struct {
	Name     string // A or B
	Src, Dst cute.Layout
	Align    int64 // bytes that divide the address of the operand
	Bytes    int64 // of the workspace
	Why      string
}

// New plans a product. Its errors are of type *[cute.Error]:
//
//   - [cute.CodeType]: elements that are not planned,
//   - [cute.CodeExtent]: extents, alignments or options out of range,
//   - [cute.CodeNotCongruent]: layouts of other shapes, [cute.CodeNotRepresentable]: matrices without a contiguous
//     mode, [cute.CodeNotInjective]: a D whose elements share places,
//   - [cute.CodeName], [cute.CodeMode]: inputs of an epilogue that a kernel cannot have,
//   - [cute.CodeLimit]: no choice fits, under these options, in a block or a kernel.
func New(p Problem, card Card, o Options) (*Plan, error) {
	w, err := p.complete()
	if err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if card.SMs < 1 || card.Shared < 1 || !(min(card.Memory, card.Cache, card.Clock, card.Boost) > 0) { // also not NaN
		return nil, refuse(cute.CodeExtent,
			"expected a card with multiprocessors, shared memory, rates and a clock, found %+v", card)
	}
	out := &Plan{problem: p, work: w, card: card}
	for _, x := range []*matrix{&out.work.a, &out.work.b} {
		if err := out.realign(x); err != nil {
			return nil, err
		}
	}
	return out, out.choose(o)
}

// realign plans the copy of an operand that the TMA cannot read.
func (p *Plan) realign(x *matrix) error {
	if x.aligned {
		return nil
	}
	s := x.layout.Shape().Leaves()
	run := x.run(s[0], s[1])
	ld := ints.RoundUp(run, 128/int64(p.work.in.Bits()))
	stride := cute.Ints(ld, 1)
	if x.major == atom.MNMajor {
		stride = cute.Ints(1, ld)
	}
	dst, err := cute.New(cute.Ints(s...), stride)
	if err != nil {
		return err
	}
	p.align = append(p.align, &Realign{
		Name: x.name, Src: x.layout, Dst: dst, Align: x.align, Why: x.why,
		Bytes: s[0] * s[1] / run * ld * int64(p.work.in.Bits()/8),
	})
	x.layout, x.ld, x.aligned = dst, ld, true
	return nil
}

// Realign returns the copies that come before the product, for operands that the TMA cannot read: the product then
// reads the workspaces.
func (p *Plan) Realign() []*Realign { return p.align }

// Choice returns the choices.
func (p *Plan) Choice() Choice { return p.choice }

// Workspace returns how many f32 numbers the blocks that share K write, 0 if they do not share it.
func (p *Plan) Workspace() int64 {
	c := &p.choice
	if c.Split == 1 {
		return 0
	}
	return c.tiles(&p.work) * c.Split * c.Tile[0] * c.Tile[1]
}

// Args returns the integers of the kernel by name.
func (p *Plan) Args() map[string]int64 {
	w, c := &p.work, &p.choice
	out := map[string]int64{
		"m": w.m, "n": w.n, "k": w.k, "ldA": w.a.ld, "ldB": w.b.ld, "ldD": w.d.ld,
	}
	if c.Split == 1 {
		out["blocks"] = c.Blocks
	}
	for _, in := range p.problem.Epilogue.all() {
		if in.Modes == "mn" {
			out["ld"+in.Name] = p.problem.N
		}
	}
	return out
}

// Operands returns the parameters of the kernel for A and B of the problem: they change places if the plan computes the
// transposed D.
func (p *Plan) Operands() (a, b string) {
	if p.work.exchanged {
		return "B", "A"
	}
	return "A", "B"
}

// Kernel writes the kernel of the plan. Its parameters are A, B and D, as [Plan.Operands] says, the integers of
// [Plan.Args], W of [Plan.Workspace] numbers if blocks share K, and the parameters of the epilogue. The kernel is the
// same for all extents. The error is a *[kernel.Error] of the epilogue's function.
func (p *Plan) Kernel() (*kernel.Kernel, error) {
	c := &p.choice
	name := fmt.Sprintf("gemm_%dx%dx%d", c.Tile[0], c.Tile[1], c.Tile[2])
	return p.traceHopper(name)
}

// tiles returns the number of tiles of D, with those outside of D that a cluster has.
func (c *Choice) tiles(w *work) int64 {
	return ints.CeilDiv(w.m, c.Tile[0]*c.Cluster) * c.Cluster * ints.CeilDiv(w.n, c.Tile[1])
}

// teams returns the number of teams, and the number of warpgroups of a team.
func (c *Choice) teams() (teams, warpgroups int64) {
	if c.PingPong {
		return c.Warpgroups, 1
	}
	return 1, c.Warpgroups
}

// piece returns the columns of a piece of D in shared memory: up to 128 bytes that divide the tile.
func (c *Choice) piece(bits int) int64 {
	n := 1024 / int64(bits)
	for n > 8 && c.Tile[1]%n != 0 {
		n /= 2
	}
	return n
}

// pieces returns the bytes of shared memory for D.
func (c *Choice) pieces(w *work) int64 {
	if c.Direct {
		return 0
	}
	teams, warpgroups := c.teams()
	return teams * buffers * 64 * warpgroups * c.piece(w.out.Bits()) * int64(w.out.Bits()) / 8
}

// stage returns the bytes of a stage.
func (c *Choice) stage(w *work) int64 {
	return (c.Tile[0] + c.Tile[1]) * c.Tile[2] * int64(w.in.Bits()) / 8
}

// selects reports whether the TMA and wgmma have a layout of shared memory for a tile.
func selects(w *work, major atom.Major, rows, k int64) bool {
	_, err := descriptor.SelectSS.Select(major, w.in, [2]int64{rows, k}, 1)
	return err == nil
}
