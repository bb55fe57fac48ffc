package gemm

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
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
	Staged     bool     `json:"staged"`     // D is written from shared memory by threads, row by row, not by the TMA
	Blocks     int64    `json:"blocks"`     // of the grid
	Registers  [2]int64 `json:"registers"`  // of a thread that multiplies and a thread that copies; 0 if they keep theirs

	// Of a kernel without the TMA, otherwise 0.
	Loads    [2]int64 `json:"load_bytes"` // that a load of A and B moves: 16, 8 and 4 by cp.async, 2 through registers
	Warps    [2]int64 `json:"warps"`      // along M and N
	Resident int64    `json:"resident"`   // blocks of a multiprocessor
}

// Options override choices. The zero Options leave all to the planner.
type Options struct {
	Tile       [3]int64 // all three extents
	Warpgroups int64    // 1 or 2
	Roles      string   // "cooperative" or "ping-pong"
	// Instruction is "wgmma", which reads what the TMA copies, or "mma.sync", which cards before and after Hopper have.
	Instruction string
	Stages      int64
	Cluster     int64
	Split       int64
	Group       int64
}

// A Plan is a product of matrices on a card: the choices, their reasons and the prediction.
type Plan struct {
	problem Problem
	work    work
	card    Card
	choice  Choice
	align   []*Realign // copies before the product
	predict Prediction
	all     []rated // all configurations, the fastest first
	spills  int64   // registers that a configuration may spill
	model   model
}

// A Realign is a copy of an operand that the TMA or the instruction cannot read, to a workspace with rows of multiples
// of 16 bytes.
type Realign struct {
	Name     string // A or B
	Src, Dst cute.Layout
	Align    int64 // bytes that divide the address of the operand
	Bytes    int64 // of the workspace
	Element  int64 // bytes of an element
	Why      string
}

// New plans a product. Its errors are of type *[cute.Error]:
//
//   - [cute.CodeType]: elements or factors that are not planned, or not for the card,
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
	if err := card.check(); err != nil {
		return nil, err
	}
	out := &Plan{problem: p, work: w, card: card, model: fitted}
	if err := out.checkCard(); err != nil {
		return nil, err
	}
	if err := out.choose(o); err != nil {
		return nil, err
	}
	if err := p.Epilogue.checkNames(out.name()); err != nil {
		return nil, err
	}
	return out, nil
}

// checkCard refuses what is not planned for a card without wgmma.
func (p *Plan) checkCard() error {
	sm, _ := p.card.sm()
	switch w := &p.work; {
	case p.card.hopper():
	case w.weights && w.in == dtype.BF16:
		return withHint("take A of f16", refuse(cute.CodeType,
			"expected A of f16 for weights of 4 bits on the card %.40q, which multiplies no pairs of bf16, found bf16",
			p.card.Name))
	case w.in.Kind() == dtype.Float && w.in.Bits() == 8 && sm < 89:
		return withHint("convert them", refuse(cute.CodeType,
			"expected A and B of 16 bits, tf32 or integers on the card %.40q of %s, found %v and %v", p.card.Name, p.card.Arch,
			w.a.typ, w.b.typ))
	case w.groups > 0:
		return withHint("multiply the groups one by one", refuse(cute.CodeType,
			"expected no groups on the card %.40q, which has no wgmma, found %d", p.card.Name, w.groups))
	case w.promoted:
		return withHint("take factors of rows, and for fp8 fast sums", refuse(cute.CodeType,
			"expected sums of all columns on the card %.40q, which has no wgmma, found sums of %d columns that are added "+
				"to others", p.card.Name, ScaleBlock))
	}
	return nil
}

// readable reports whether the TMA and wgmma can read A and B where they are.
func (w *work) readable() bool {
	return w.a.aligned && w.b.aligned && w.majorsRead()
}

// majorsRead reports whether A and B have the majors that the kernel can read.
func (w *work) majorsRead() bool { return w.majorOf(&w.a) == w.a.major && w.majorOf(&w.b) == w.b.major }

// majorOf returns the major that the kernel can read an operand with: its own, or only K. A group begins at any row,
// but the TMA reads only from multiples of 16 bytes of the contiguous mode on.
func (w *work) majorOf(x *matrix) atom.Major {
	if !w.math.majors || w.weights || w.groups > 0 && x.name == "A" {
		return atom.KMajor
	}
	return x.major
}

// realign plans the copy of an operand that the TMA cannot read.
func (p *Plan) realign(x *matrix) error {
	if major := p.work.majorOf(x); x.major != major {
		x.major, x.aligned = major, false
		switch x.why = "a group begins at any row, and the TMA at multiples of 16 bytes"; {
		case p.work.weights:
			x.why = "weights of 4 bits are multiplied by A with K contiguous"
		case !p.work.math.majors:
			x.why = fmt.Sprintf("tensor cores read %v only with K contiguous", x.typ)
		}
	}
	if x.aligned {
		return nil
	}
	s := append(x.layout.Shape().Leaves(), 0)
	run := x.run(s[0], s[1])
	ld := ints.RoundUp(run, 128/int64(x.typ.Bits()))
	one := s[0] * s[1] / run * ld
	stride := []int64{ld, 1, one}
	if x.major == atom.MNMajor {
		stride = []int64{1, ld, one}
	}
	if x.batch = one * min(x.batch, 1); !x.separate() {
		s[2] = 0 // all products share the copy
	}
	src, err := layoutOf(s, append(x.layout.Stride().Leaves(), 0))
	if err != nil {
		return err
	}
	dst, err := layoutOf(s, stride)
	if err != nil {
		return err
	}
	bytes := int64(x.typ.Bits() / 8)
	p.align = append(p.align, &Realign{
		Name: x.name, Src: src, Dst: dst, Align: x.align, Why: x.why, Bytes: max(s[2], 1) * one * bytes, Element: bytes,
	})
	x.layout, x.ld, x.align, x.aligned = dst, ld, 256, true
	return nil
}

// Realign returns the copies that come before the product, for operands that the TMA cannot read: the product then
// reads the workspaces.
func (p *Plan) Realign() []*Realign { return p.align }

// Problem returns the problem, with the layouts and types that it leaves out.
func (p *Plan) Problem() Problem { return p.problem }

// Prediction returns what the product is expected to move, and its time.
func (p *Plan) Prediction() Prediction { return p.predict }

// Choice returns the choices.
func (p *Plan) Choice() Choice { return p.choice }

// Workspace returns how many numbers the blocks that share K write, f32 or s32 as W of the kernel; 0 if they do not
// share it. They must be 0 before the first launch of a kernel without the TMA, which leaves its counters at 0.
func (p *Plan) Workspace() int64 {
	c := &p.choice
	if c.Split < 2 {
		return 0
	}
	n := c.tiles(&p.work) * c.sums()
	if !c.tma() {
		n += c.Tile[0] * c.Tile[1] // the last counter is the first number of a part that the layout of W has
	}
	return n
}

// Args returns the integers of the kernel by name.
func (p *Plan) Args() map[string]int64 {
	w, c := &p.work, &p.choice
	out := map[string]int64{
		"m": w.m, "n": w.n, "k": w.k, "ldA": w.a.ld, "ldB": w.b.ld, "ldD": w.d.ld,
	}
	if c.Split == 1 && c.tma() || w.l > 0 {
		out["blocks"] = c.Blocks
	}
	if w.groups > 0 {
		out["groups"] = w.groups
	}
	if w.l > 0 {
		if out["l"] = w.l; c.Split > 1 {
			out["batchW"] = c.tiles(w) / w.l * c.sums()
		}
	}
	for _, x := range [4]*matrix{&w.a, &w.b, &w.d, &w.c} {
		if x.separate() {
			out["batch"+x.name] = x.batch
		}
	}
	rows, columns, blocks := p.problem.M, p.problem.N, ints.CeilDiv(w.k, ScaleBlock)
	for _, in := range w.inputs {
		modes, batched := strings.CutSuffix(in.Modes, "l")
		ld, size := columns, rows*columns
		switch {
		case in.Name == "C":
			out["ldC"] = w.c.ld
			continue
		case len(modes) < 2:
			continue
		case modes == "mk":
			ld, size = rows, rows*blocks
		case modes == "nk":
			ld, size = blocks, ints.CeilDiv(columns, ScaleBlock)*blocks
		}
		if out["ld"+in.Name] = ld; batched {
			out["batch"+in.Name] = size
		}
	}
	return out
}

// Operands returns the parameters of the kernel for A and B of the problem: they change places if the plan computes the
// transposed D. The factors SA and SB stay with A and B of the problem, and D, C and the inputs of the epilogue are the
// same memory, whose modes change places in the kernel.
func (p *Plan) Operands() (a, b string) {
	if p.work.exchanged {
		return "B", "A"
	}
	return "A", "B"
}

// Kernel writes the kernel of the plan. Its parameters are A, B and D, as [Plan.Operands] says, the integers of
// [Plan.Args], W of [Plan.Workspace] numbers if blocks share K, sizes of s32 for groups, and the parameters of the
// epilogue. The kernel is right
// for all extents with the facts of its integers: N and the leading dimension of D are multiples of up to 16 bytes if
// the problem's are. Without the TMA all extents have the same divisors, up to the elements of a load. C, the factors
// and the inputs of the epilogue begin at multiples of 16 bytes.
//
// The error is a *[kernel.Error] of the epilogue's function, or a *[cute.Error] with [cute.CodeUnknown] for an
// epilogue's function that panics, and for a Plan that [New] did not make.
func (p *Plan) Kernel() (k *kernel.Kernel, err error) {
	if p.choice.Blocks == 0 {
		return nil, refuse(cute.CodeUnknown, "expected a plan of gemm.New, found %s", strings.TrimSpace(p.String()))
	}
	if p.problem.Epilogue.Make != nil {
		defer func() {
			if r := recover(); r != nil { // mistakes in words of package kernel do not come here
				k, err = nil, refuse(cute.CodeUnknown, "the epilogue's function panics: %.200v", r)
			}
		}()
	}
	if p.choice.tma() {
		return p.traceHopper(p.name())
	}
	return p.traceAmpere(p.name())
}

// name returns the name of the kernel.
func (p *Plan) name() string {
	t := p.choice.Tile
	return fmt.Sprintf("gemm_%dx%dx%d", t[0], t[1], t[2])
}

// tiles returns the number of tiles of D, with those outside of D that a cluster has.
func (c *Choice) tiles(w *work) int64 {
	if w.groups > 0 {
		return ints.CeilDiv(w.rowsOfGroup(), c.Tile[0]) * min(w.groups, w.m) * ints.CeilDiv(w.n, c.Tile[1])
	}
	return ints.CeilDiv(w.m, c.Tile[0]*c.Cluster) * c.Cluster * ints.CeilDiv(w.n, c.Tile[1]) * max(w.l, 1)
}

// teams returns the number of teams, and the number of warpgroups of a team.
func (c *Choice) teams() (teams, warpgroups int64) {
	if c.PingPong {
		return c.Warpgroups, 1
	}
	return 1, c.Warpgroups
}

// piece returns the columns of a piece of D: up to 128 bytes of the row of a tile, and 64 of one that is written
// from registers.
func (c *Choice) piece(bits int) int64 {
	if c.Split > 1 {
		return 8 // a vector of sums
	}
	n := 1024 / int64(bits)
	if c.Direct {
		n /= 2 // fewer addresses are computed at a time
	}
	for n > 8 && c.Tile[1]%n != 0 {
		n /= 2
	}
	return n
}

// storeUnit returns how many elements a thread writes at a time: two threads share a row of a piece of D.
func (c *Choice) storeUnit(w *work) int64 { return min(w.rowUnit(), c.piece(w.out.Bits())/2) }

// pieces returns the bytes of shared memory for D.
func (c *Choice) pieces(w *work) int64 {
	if c.Direct {
		return 0
	}
	teams, warpgroups := c.teams()
	return teams * c.buffers(w) * 64 * warpgroups * c.piece(w.out.Bits()) * int64(w.out.Bits()) / 8
}

// stage returns the bytes of a stage.
func (c *Choice) stage(w *work) int64 {
	if w.weights {
		return (4*c.Tile[0] + c.Tile[1]) * c.Tile[2] / 2
	}
	return (c.Tile[0] + c.Tile[1]) * c.Tile[2] * int64(w.in.Bits()) / 8
}

// selects reports whether the TMA and wgmma have a layout of shared memory for a tile.
func selects(x *matrix, rows, k int64) bool {
	_, err := descriptor.SelectSS.Select(x.major, x.typ, [2]int64{rows, k}, 1)
	return err == nil
}
