package gemm

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/kernel"
	"girih/ptx/sim"
)

// This file runs random products in the simulator, with all its checks, against float64. A matrix begins at the least
// aligned address that its problem allows, and what is around its elements must not change. Half of the products have
// sums that are exact, and D must be equal; the others have sums that depend on the order of the products, and D must
// be equal bit for bit when warps and blocks run in another order.

// gateCard has few multiprocessors, so that small problems have several waves.
var gateCard = Card{
	Name: "gate", SMs: 4, Shared: 227 << 10, L2: 1 << 20, Memory: 100, Cache: 200, Boost: 1500, Clock: 1500,
}

// A grid is a matrix of numbers in memory.
type grid struct {
	t        dtype.Type
	down, by int64 // strides
	align    int64 // of the address
	x        []float64
}

func (g *grid) at(i, j int64) *float64 { return &g.x[i*g.down+j*g.by] }

// bytes returns the elements as they are stored.
func (g *grid) bytes() (out []byte) {
	for _, x := range g.x {
		code := kernel.Must(g.t.Encode(x))
		for i := range g.t.Bits() / 8 {
			out = append(out, byte(code>>(8*i)))
		}
	}
	return out
}

func rounded(t dtype.Type, x float64) float64 { return kernel.Must(t.Decode(kernel.Must(t.Encode(x)))) }

// A trial is a problem with its numbers.
type trial struct {
	p       Problem
	tensors map[string]*grid
	numbers map[string]float64
	exact   bool
	inPlace bool // C is D
}

// drawExtent draws 1, a small extent, one at the edge of a tile, or any.
func drawExtent(r *rand.Rand, most int64) int64 {
	switch r.IntN(6) {
	case 0:
		return 1
	case 1:
		return 2 + r.Int64N(30)
	case 2, 3:
		return min(most, []int64{16, 32, 64, 128, 192, 256}[r.IntN(6)]+r.Int64N(3)-1)
	}
	return 1 + r.Int64N(most)
}

// drawLayout draws the layout of a matrix: which mode is contiguous, and what is between its rows.
func drawLayout(r *rand.Rand, rows, columns int64) cute.Layout {
	across, run := r.IntN(2) == 0, columns
	if across {
		run = rows
	}
	ld := run + []int64{0, 0, 0, 1, 2, 3, 4, 40}[r.IntN(8)]
	if r.IntN(2) == 0 {
		ld = (ld + 7) / 8 * 8 // for the TMA
	}
	if across {
		return cute.MustParse(fmt.Sprintf("(%d,%d):(1,%d)", rows, columns, ld))
	}
	return cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", rows, columns, ld))
}

// epilogue draws alpha, beta and C, and inputs: D is alpha·sum + beta·C + bias(j)·scale(i) + more(i,j).
func drawEpilogue(r *rand.Rand, pick func(...dtype.Type) dtype.Type) (e Epilogue) {
	e.Scaled = r.IntN(2) == 0
	if r.IntN(2) == 0 {
		e.Add = pick(dtype.F16, dtype.BF16, dtype.F32)
	}
	if r.IntN(2) == 0 {
		return e
	}
	for _, in := range []Input{{Name: "bias", Modes: "n"}, {Name: "scale", Modes: "m"}, {Name: "more", Modes: "mn"}} {
		in.Type = pick(dtype.F16, dtype.BF16, dtype.F32)
		e.Inputs = append(e.Inputs, in)
	}
	e.Make = func(*kernel.K) func(kernel.Value, map[string]kernel.Value, ...kernel.Index) kernel.Value {
		return func(acc kernel.Value, in map[string]kernel.Value, _ ...kernel.Index) kernel.Value {
			return in["bias"].FMA(in["scale"], acc).Add(in["more"])
		}
	}
	return e
}

// drawProblem draws a problem.
func drawProblem(r *rand.Rand, most int64) (p Problem) {
	pick := func(types ...dtype.Type) dtype.Type { return types[r.IntN(len(types))] }
	p.M, p.N, p.K = drawExtent(r, most), drawExtent(r, most), drawExtent(r, most)
	p.In, p.Out = pick(dtype.F16, dtype.BF16), pick(dtype.F16, dtype.BF16, dtype.F32)
	p.A, p.B, p.D = drawLayout(r, p.M, p.K), drawLayout(r, p.N, p.K), drawLayout(r, p.M, p.N)
	align := func(t dtype.Type) int64 {
		return max([]int64{0, 0, 0, 16, 8, 4, 2}[r.IntN(7)], int64(r.IntN(2)*t.Bits()/8))
	}
	p.AlignA, p.AlignB, p.AlignD = align(p.In), align(p.In), align(p.Out)
	if p.Out == dtype.F32 && p.AlignD == 2 {
		p.AlignD = 4
	}
	if r.IntN(3) == 0 {
		p.Epilogue = drawEpilogue(r, pick)
	}
	if p.C = drawLayout(r, p.M, p.N); p.Epilogue.Add == p.Out && r.IntN(2) == 0 {
		p.C = p.D
	}
	return p
}

// drawTrial draws the numbers of a problem: small integers, or numbers whose sums depend on their order.
func drawTrial(r *rand.Rand, p Problem) *trial {
	t := &trial{p: p, tensors: map[string]*grid{}, numbers: map[string]float64{}, exact: r.IntN(2) == 0}
	draw := func() float64 { return float64(r.IntN(5) - 2) }
	if !t.exact {
		draw = func() float64 { return max(-4, min(4, r.NormFloat64())) }
	}
	add := func(name string, l cute.Layout, typ dtype.Type, align int64) {
		d := l.Stride().Leaves()
		g := &grid{typ, d[0], d[len(d)-1], align, make([]float64, kernel.Must(l.Cosize()))}
		for i := range g.x {
			g.x[i] = rounded(typ, draw())
		}
		t.tensors[name] = g
	}
	add("A", p.A, p.In, p.AlignA)
	add("B", p.B, p.In, p.AlignB)
	add("D", p.D, p.Out, p.AlignD)
	for i := range t.tensors["D"].x {
		t.tensors["D"].x[i] = 77
	}
	for i, in := range p.Epilogue.all() {
		if i == 0 && p.Epilogue.Add != 0 {
			if add("C", p.C, in.Type, 0); p.Epilogue.Add == p.Out && p.C.Equal(p.D) {
				t.inPlace, t.tensors["D"].x = true, t.tensors["C"].x
			}
			continue
		}
		add(in.Name, cute.MustParse(map[string]string{
			"m": fmt.Sprintf("%d:1", p.M), "n": fmt.Sprintf("%d:1", p.N), "mn": fmt.Sprintf("(%d,%d):(%d,1)", p.M, p.N, p.N),
		}[in.Modes]), in.Type, 0)
	}
	if p.Epilogue.Scaled {
		t.numbers["alpha"] = rounded(dtype.F32, draw())
	}
	if p.Epilogue.Add != 0 {
		t.numbers["beta"] = rounded(dtype.F32, draw())
	}
	return t
}

// want returns an element of D, and how far it may be from there before it is rounded.
func (t *trial) want(i, j int64) (x, far float64) {
	var size float64
	for q := range t.p.K {
		y := *t.tensors["A"].at(i, q) * *t.tensors["B"].at(j, q)
		x, size = x+y, size+math.Abs(y)
	}
	plus := func(y float64) { x, size = x+y, size+math.Abs(y) }
	if t.p.Epilogue.Scaled {
		x, size = x*t.numbers["alpha"], size*math.Abs(t.numbers["alpha"])
	}
	if t.p.Epilogue.Add != 0 {
		plus(t.numbers["beta"] * *t.tensors["C"].at(i, j))
	}
	if t.p.Epilogue.Make != nil {
		plus(t.tensors["bias"].x[j] * t.tensors["scale"].x[i])
		plus(*t.tensors["more"].at(i, j))
	}
	if t.exact {
		return x, 0
	}
	return x, size * float64(t.p.K+8) * 0x1p-22
}

// launch runs the kernel of a plan in the simulator, and returns the bytes of D.
func (t *trial) launch(plan *Plan, k *kernel.Kernel, seed uint64) ([]byte, error) {
	program, err := sim.Load(k.Module)
	if err != nil {
		return nil, err
	}
	memory := kernel.Must(program.NewMemory())
	tensors := t.operands(plan)
	ints := plan.Args()
	var args []sim.Arg
	var d *sim.Buffer
	var before int64
	for _, x := range k.Params {
		g := tensors[x.Name]
		switch n, isInt := ints[x.Name]; {
		case isInt && (n < x.Facts.Min || n > x.Facts.Max || n%max(x.Facts.Div, 1) != 0):
			return nil, fmt.Errorf("%s is %d, and the kernel is for %v", x.Name, n, x.Facts)
		case isInt:
			args = append(args, sim.Bytes(binary.LittleEndian.AppendUint32(nil, uint32(n))))
		case !x.Pointer:
			args = append(args, sim.Bytes(binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(t.numbers[x.Name])))))
		case x.Name == "W" && plan.choice.tma():
			args = append(args, sim.Pointer(kernel.Must(memory.Alloc(x.Name, 4*plan.Workspace())), 0))
		case x.Name == "W":
			args = append(args, sim.Pointer(kernel.Must(memory.Put(x.Name, make([]byte, 4*plan.Workspace()))), 0))
		default:
			start, buffer := before, d
			if x.Name != "C" || !t.inPlace {
				start = g.align % 16
				buffer = kernel.Must(memory.Put(x.Name, append(make([]byte, start), g.bytes()...)))
			}
			if x.Name == "D" {
				d, before = buffer, start
			}
			args = append(args, sim.Pointer(buffer, start))
			if !x.Map {
				continue
			}
			m, err := k.TensorMap(x.Name, ints, buffer.Address()+uint64(start))
			if err != nil {
				return nil, err
			}
			args[len(args)-1] = kernel.Must(sim.TensorMap(m))
		}
	}
	blocks, err := k.Grid(ints)
	if err != nil {
		return nil, err
	}
	_, err = program.Run(context.Background(), memory, sim.Launch{
		Grid:  sim.Dim{X: int(blocks[0]), Y: int(blocks[1]), Z: int(blocks[2])},
		Block: sim.Dim{X: int(k.Threads)}, Shared: int(k.Dynamic), Args: args, Seed: seed,
	})
	return d.Bytes()[before:], err
}

// operands returns the tensors as the kernel has them: copied to workspaces, and exchanged.
func (t *trial) operands(plan *Plan) map[string]*grid {
	out := map[string]*grid{}
	for name, g := range t.tensors {
		out[name] = g
	}
	for _, c := range plan.Realign() {
		d := c.Dst.Stride().Leaves()
		g := &grid{t.p.In, d[0], d[1], 0, make([]float64, c.Bytes*8/int64(t.p.In.Bits()))}
		s := c.Dst.Shape().Leaves()
		for i := range s[0] {
			for j := range s[1] {
				*g.at(i, j) = *out[c.Name].at(i, j)
			}
		}
		out[c.Name] = g
	}
	first, second := plan.Operands()
	out["A"], out["B"] = out[first], out[second]
	return out
}

// check runs a plan and compares D with float64 and with a second run.
func (t *trial) check(plan *Plan, seed uint64) error {
	k, err := plan.Kernel()
	if err != nil {
		return err
	}
	got, err := t.launch(plan, k, seed)
	if err != nil {
		return err
	}
	if !t.exact {
		if again, err := t.launch(plan, k, ^seed); err != nil || !bytes.Equal(got, again) {
			return fmt.Errorf("another order of warps has another result, or: %w", err)
		}
	}
	d, size := t.tensors["D"], int64(t.p.Out.Bits()/8)
	if len(got) < len(d.x)*int(size) {
		return fmt.Errorf("D has %d bytes", len(got))
	}
	inside := make([]bool, len(d.x))
	for i := range t.p.M {
		for j := range t.p.N {
			at := i*d.down + j*d.by
			inside[at] = true
			x, far := t.want(i, j)
			if y := decode(t.p.Out, got[at*size:]); y < rounded(t.p.Out, x-far) || y > rounded(t.p.Out, x+far) {
				return fmt.Errorf("D(%d,%d) is %v, want %v", i, j, y, x)
			}
		}
	}
	for at, in := range inside {
		if !in && decode(t.p.Out, got[int64(at)*size:]) != d.x[at] {
			return fmt.Errorf("the element %d outside of D was written", at)
		}
	}
	return nil
}

func decode(t dtype.Type, b []byte) float64 {
	code := uint64(0)
	for i := range t.Bits() / 8 {
		code |= uint64(b[i]) << (8 * i)
	}
	return kernel.Must(t.Decode(code))
}

// drawOptions draws options. Half of them leave all choices to the planner.
func drawOptions(r *rand.Rand) (o Options) {
	if r.IntN(2) == 0 {
		return o
	}
	some := func(values ...int64) int64 { return values[r.IntN(len(values))] }
	o.Stages, o.Cluster, o.Split = some(0, 0, 0, 2, 3), some(0, 0, 0, 1, 2, 4), some(0, 0, 1, 2, 3, 5, 8)
	o.Group, o.Warpgroups = some(0, 0, 1, 2, 3, 100), some(0, 0, 0, 1, 2)
	o.Roles = []string{"", "", "cooperative", "ping-pong"}[r.IntN(4)]
	o.Instruction = []string{"", "", "wgmma", "mma.sync"}[r.IntN(4)]
	return o
}

// TestGate runs random problems, as they are planned and with options.
func TestGate(t *testing.T) {
	t.Parallel()
	for seed := range long.Cases(48, 800) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, seed))
			p, card, o := drawProblem(r, 300), gateCard, drawOptions(r)
			if r.IntN(2) == 0 {
				card.Arch, card.Shared = "sm_86", 99<<10
			}
			plan, err := New(p, card, o)
			if err != nil {
				plan, err = New(p, card, Options{}) // no kernel for these options
			}
			if err != nil {
				t.Fatalf("%+v: %v", p, err)
			}
			if err := drawTrial(r, p).check(plan, seed); err != nil {
				t.Errorf("%v\n%v, alignments %d %d %d", err, plan, p.AlignA, p.AlignB, p.AlignD)
			}
		})
	}
}

// TestInPlace runs products whose C is D: blocks that share K and have no equal parts of a tile, tiles that the TMA
// fetches to the places of D, and a D that is written from registers.
func TestInPlace(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		d string
		o Options
	}{
		{"(150,72):(72,1)", Options{Tile: [3]int64{64, 8, 64}, Split: 2}},
		{"(150,72):(1,150)", Options{Tile: [3]int64{128, 64, 64}, Split: 3}},
		{"(150,72):(80,1)", Options{Tile: [3]int64{64, 32, 64}, Roles: "ping-pong", Cluster: 1}},
		{"(150,72):(72,1)", Options{Tile: [3]int64{128, 64, 64}, Roles: "cooperative", Cluster: 1, Split: 1}},
		{"(150,72):(73,1)", Options{Tile: [3]int64{64, 32, 64}, Split: 1}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			d := cute.MustParse(tt.d)
			plan, err := New(Problem{
				M: 150, N: 72, K: 200, In: dtype.F16, C: d, D: d, Epilogue: Epilogue{Scaled: true, Add: dtype.F16},
			}, gateCard, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			x := drawTrial(rand.New(rand.NewPCG(5, uint64(i))), plan.Problem())
			if x.numbers["beta"] = 3; !x.inPlace {
				t.Fatal("C is not D")
			}
			if err := x.check(plan, uint64(i)); err != nil {
				t.Errorf("%v\n%v", err, plan)
			}
		})
	}
}

// TestEveryConfiguration runs the configurations that the planner compares for some problems, forced by options.
func TestEveryConfiguration(t *testing.T) {
	t.Parallel()
	for i, p := range []Problem{
		{M: 200, N: 264, K: 328, In: dtype.F16},
		{
			M: 129, N: 67, K: 130, In: dtype.BF16, Out: dtype.F32,
			A: cute.MustParse("(129,130):(1,136)"), B: cute.MustParse("(67,130):(1,72)"),
		},
		{M: 40, N: 300, K: 520, In: dtype.F16, D: cute.MustParse("(40,300):(1,40)")},
	} {
		plan := kernel.Must(New(p, gateCard, Options{}))
		for j, x := range append(plan.rate(&Options{}), plan.rate(&Options{Instruction: "mma.sync"})...) {
			if long.Skips(13*i+j, 29) {
				continue
			}
			t.Run(fmt.Sprint(i, j), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(uint64(i), uint64(j)))
				q := p
				plan := kernel.Must(New(q, gateCard, Options{}))
				plan.choice, plan.work, plan.align = x.choice, *x.work, x.align
				q.A, q.B, q.D = plan.problem.A, plan.problem.B, plan.problem.D
				q.Out = plan.problem.Out
				if err := drawTrial(r, q).check(plan, uint64(j)); err != nil {
					t.Errorf("%v\n%+v", err, x.choice)
				}
			})
		}
	}
}
