package gemm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/kernel/gemm"
)

// small is a card with few multiprocessors, so that small problems have several waves.
var small = gemm.Card{
	Name: "small", SMs: 4, Shared: 227 << 10, L2: 1 << 20, Memory: 100, Cache: 200, Boost: 1500, Clock: 1500,
}

// smaller has no wgmma.
var smaller = gemm.Card{
	Name: "smaller", Arch: "sm_86", SMs: 4, Shared: 99 << 10, L2: 1 << 20, Memory: 100, Cache: 200, Boost: 1500,
	Clock: 1500,
}

// A stored is a matrix in memory.
type stored struct {
	down, along int64 // strides
	x           []float64
}

func (s stored) at(i, j int64) *float64 { return &s.x[i*s.down+j*s.along] }

// under returns zeros under a layout.
func under(l cute.Layout, n int64) stored {
	d := l.Stride().Leaves()
	return stored{d[0], d[len(d)-1], make([]float64, n)}
}

// store draws a matrix of small integers.
func store(l cute.Layout, r *rand.Rand) stored {
	s := under(l, kernel.Must(l.Cosize()))
	for i := range s.x {
		s.x[i] = float64(r.IntN(5) - 2)
	}
	return s
}

// matrices draws A, B and D of a problem.
func matrices(p gemm.Problem, r *rand.Rand) (a, b, d stored) {
	a, b, d = store(p.A, r), store(p.B, r), store(p.D, r)
	for i := range d.x {
		d.x[i] = 77
	}
	return a, b, d
}

// run executes a plan in the simulator.
func run(t *testing.T, plan *gemm.Plan, a, b, d stored, more kernel.Args) {
	t.Helper()
	k, err := plan.Kernel()
	if err != nil {
		t.Fatal(err)
	}
	sides := map[string]stored{"A": a, "B": b}
	for _, c := range plan.Realign() {
		x := sides[c.Name]
		y := under(c.Dst, c.Bytes/2)
		s := c.Dst.Shape().Leaves()
		for i := range s[0] {
			for j := range s[1] {
				*y.at(i, j) = *x.at(i, j)
			}
		}
		sides[c.Name] = y
	}
	first, second := plan.Operands()
	args := kernel.Args{
		Ints: plan.Args(), Tensors: map[string][]float64{"A": sides[first].x, "B": sides[second].x, "D": d.x},
		Numbers: more.Numbers, Seed: more.Seed,
	}
	for name, x := range more.Tensors {
		args.Tensors[name] = x
	}
	if n := plan.Workspace(); n > 0 {
		args.Tensors["W"] = make([]float64, n)
	}
	if _, err := k.Simulate(context.Background(), args); err != nil {
		t.Fatalf("%v\n%v", err, plan)
	}
}

// compare compares D with float64: of the same sums, after f.
func compare(t *testing.T, plan *gemm.Plan, p gemm.Problem, a, b, d stored, f func(x float64, i, j int64) float64) {
	t.Helper()
	wrong := 0
	for i := range p.M {
		for j := range p.N {
			want := 0.0
			for q := range p.K {
				want += *a.at(i, q) * *b.at(j, q)
			}
			want = f(want, i, j)
			// Integers below 2^8 are exact in all types of D.
			if got := *d.at(i, j); math.Abs(got-want) > math.Abs(want)/256 {
				if wrong++; wrong < 4 {
					t.Errorf("D(%d,%d) is %v, want %v", i, j, got, want)
				}
			}
		}
	}
	inside := map[int64]bool{}
	for i := range p.M {
		for j := range p.N {
			inside[i*d.down+j*d.along] = true
		}
	}
	for i, x := range d.x {
		if !inside[int64(i)] && x != 77 {
			t.Fatalf("a place outside of D was written: %d", i)
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d wrong:\n%v", wrong, p.M*p.N, plan)
	}
}

func same(x float64, _, _ int64) float64 { return x }

// layout returns a matrix with a leading dimension that is longer than necessary by pad.
func layout(rows, columns int64, across bool, pad int64) cute.Layout {
	if across {
		return cute.MustParse(fmt.Sprintf("(%d,%d):(1,%d)", rows, columns, rows+pad))
	}
	return cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", rows, columns, columns+pad))
}

// TestOptions runs configurations that the planner need not choose for small problems.
func TestOptions(t *testing.T) {
	t.Parallel()
	for i, o := range []gemm.Options{
		{Tile: [3]int64{128, 256, 64}, Roles: "cooperative", Cluster: 2},
		{Tile: [3]int64{128, 128, 64}, Roles: "ping-pong", Cluster: 2, Stages: 3},
		{Tile: [3]int64{64, 256, 64}, Roles: "ping-pong", Cluster: 1, Stages: 4, Group: 2},
		{Tile: [3]int64{256, 128, 64}, Roles: "cooperative", Cluster: 1, Split: 2},
		{Tile: [3]int64{128, 192, 32}, Roles: "cooperative", Cluster: 2, Group: 1},
		{Tile: [3]int64{64, 64, 128}, Warpgroups: 1, Cluster: 4},
		{Tile: [3]int64{128, 64, 64}, Split: 7, Stages: 2},
	} {
		for j := range 4 {
			t.Run(fmt.Sprint(i, j), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(uint64(i), uint64(j)))
				p := gemm.Problem{M: 200, N: 264, K: 520, In: dtype.F16}
				p.Out = []dtype.Type{dtype.F16, dtype.BF16, dtype.F32, dtype.F16}[j]
				p.A, p.B = layout(p.M, p.K, j&1 > 0, 4), layout(p.N, p.K, j&2 > 0, 8)
				p.D = layout(p.M, p.N, false, 0)
				plan, err := gemm.New(p, small, o)
				if err != nil {
					t.Fatal(err)
				}
				a, b, d := matrices(p, r)
				run(t, plan, a, b, d, kernel.Args{Seed: uint64(j)})
				compare(t, plan, p, a, b, d, same)
			})
		}
	}
}

// TestEpilogue runs alpha, beta and C, and a function of named inputs: in pieces, from registers, exchanged, and after
// blocks have added their sums.
func TestEpilogue(t *testing.T) {
	t.Parallel()
	e := gemm.Epilogue{
		Scaled: true, Add: dtype.F16,
		Inputs: []gemm.Input{{"bias", dtype.F32, "n"}, {"scale", dtype.BF16, "m"}, {"more", dtype.F16, "mn"}},
		Make: func(k *kernel.K) func(kernel.Value, map[string]kernel.Value, ...kernel.Index) kernel.Value {
			return func(acc kernel.Value, in map[string]kernel.Value, _ ...kernel.Index) kernel.Value {
				acc = acc.Mul(in["scale"]).Add(in["bias"])
				return acc.Add(in["more"]).Max(k.Number(dtype.F32, -9))
			}
		},
	}
	for i, tt := range []struct {
		m, n   int64
		across bool
		o      gemm.Options
	}{
		{150, 136, false, gemm.Options{Tile: [3]int64{128, 64, 64}, Roles: "cooperative"}},
		{150, 136, false, gemm.Options{Tile: [3]int64{64, 64, 64}, Roles: "ping-pong"}},
		{150, 135, false, gemm.Options{Tile: [3]int64{256, 24, 64}}},
		{9, 150, false, gemm.Options{Tile: [3]int64{64, 16, 64}, Warpgroups: 1}},
		{70, 136, true, gemm.Options{Split: 2, Tile: [3]int64{128, 64, 64}}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(9, uint64(i)))
			p := gemm.Problem{M: tt.m, N: tt.n, K: 72 + 64, In: dtype.F16, Out: dtype.F32, Epilogue: e}
			p.A, p.B, p.D = layout(p.M, p.K, false, 0), layout(p.N, p.K, true, 0), layout(p.M, p.N, tt.across, 0)
			plan, err := gemm.New(p, small, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			a, b, d := matrices(p, r)
			vector := func(n int64) []float64 { return store(cute.MustParse(fmt.Sprintf("%d:1", n)), r).x }
			c, bias, scale, more := vector(p.M*p.N), vector(p.N), vector(p.M), vector(p.M*p.N)
			run(t, plan, a, b, d, kernel.Args{
				Numbers: map[string]float64{"alpha": 2, "beta": -3}, Seed: uint64(i),
				Tensors: map[string][]float64{"C": c, "bias": bias, "scale": scale, "more": more},
			})
			compare(t, plan, p, a, b, d, func(x float64, i, j int64) float64 {
				return max((2*x-3*c[i*p.N+j])*scale[i]+bias[j]+more[i*p.N+j], -9)
			})
		})
	}
}

// TestFetched runs an epilogue with a matrix that the TMA brings to the places of D: several tiles for a block, teams
// that take turns, pieces outside of D, and a problem that needs the matrix across the rows of the kernel's D.
func TestFetched(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		m, n   int64
		out    dtype.Type
		across bool
		o      gemm.Options
	}{
		{300, 136, dtype.F16, false, gemm.Options{Tile: [3]int64{128, 128, 64}, Roles: "cooperative"}},
		{300, 264, dtype.BF16, false, gemm.Options{Tile: [3]int64{64, 128, 64}, Roles: "ping-pong", Cluster: 1}},
		{330, 200, dtype.F32, false, gemm.Options{Tile: [3]int64{128, 64, 64}, Roles: "ping-pong", Cluster: 2}},
		{500, 40, dtype.F16, false, gemm.Options{Tile: [3]int64{64, 16, 64}, Warpgroups: 1}},
		{136, 200, dtype.F16, true, gemm.Options{Tile: [3]int64{128, 64, 64}}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, uint64(i)))
			p := gemm.Problem{
				M: tt.m, N: tt.n, K: 72, In: dtype.F16, Out: tt.out,
				Epilogue: gemm.Epilogue{Add: tt.out, Inputs: []gemm.Input{{"bias", dtype.F32, "n"}, {"more", tt.out, "mn"}}},
			}
			p.Epilogue.Make = func(*kernel.K) func(kernel.Value, map[string]kernel.Value, ...kernel.Index) kernel.Value {
				return func(acc kernel.Value, in map[string]kernel.Value, _ ...kernel.Index) kernel.Value {
					return acc.Add(in["bias"]).Add(in["more"])
				}
			}
			p.A, p.B, p.D = layout(p.M, p.K, false, 0), layout(p.N, p.K, false, 0), layout(p.M, p.N, tt.across, 0)
			plan, err := gemm.New(p, small, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			a, b, d := matrices(p, r)
			vector := func(n int64) []float64 { return store(cute.MustParse(fmt.Sprintf("%d:1", n)), r).x }
			c, bias, more := vector(p.M*p.N), vector(p.N), vector(p.M*p.N)
			run(t, plan, a, b, d, kernel.Args{
				Numbers: map[string]float64{"beta": 3}, Seed: uint64(i),
				Tensors: map[string][]float64{"C": c, "bias": bias, "more": more},
			})
			compare(t, plan, p, a, b, d, func(x float64, i, j int64) float64 {
				return x + 3*c[i*p.N+j] + bias[j] + more[i*p.N+j]
			})
		})
	}
}

// TestRefused checks what cannot be planned.
func TestRefused(t *testing.T) {
	t.Parallel()
	good := gemm.Problem{M: 64, N: 64, K: 64, In: dtype.F16}
	for name, tt := range map[string]struct {
		code cute.Code
		f    func(p *gemm.Problem, o *gemm.Options)
	}{
		"type":             {cute.CodeType, func(p *gemm.Problem, _ *gemm.Options) { p.In = dtype.F32 }},
		"output":           {cute.CodeType, func(p *gemm.Problem, _ *gemm.Options) { p.Out = dtype.S8 }},
		"no rows":          {cute.CodeExtent, func(p *gemm.Problem, _ *gemm.Options) { p.M = 0 }},
		"many":             {cute.CodeExtent, func(p *gemm.Problem, _ *gemm.Options) { p.K = gemm.MaxExtent + 1 }},
		"alignment":        {cute.CodeExtent, func(p *gemm.Problem, _ *gemm.Options) { p.AlignA = 24 }},
		"shape":            {cute.CodeNotCongruent, func(p *gemm.Problem, _ *gemm.Options) { p.A = cute.MustParse("(64,32):(32,1)") }},
		"coordinates":      {cute.CodeNotCongruent, func(p *gemm.Problem, _ *gemm.Options) { p.A = cute.MustParse("(64,64):(1@0,1@1)") }},
		"strides":          {cute.CodeNotRepresentable, func(p *gemm.Problem, _ *gemm.Options) { p.B = cute.MustParse("(64,64):(128,2)") }},
		"negative":         {cute.CodeExtent, func(p *gemm.Problem, _ *gemm.Options) { p.B = cute.MustParse("(64,64):(-64,1)") }},
		"overlap":          {cute.CodeNotInjective, func(p *gemm.Problem, _ *gemm.Options) { p.D = cute.MustParse("(64,64):(32,1)") }},
		"name":             {cute.CodeName, func(p *gemm.Problem, _ *gemm.Options) { p.Epilogue.Inputs = []gemm.Input{{"A", dtype.F32, "m"}} }},
		"modes":            {cute.CodeMode, func(p *gemm.Problem, _ *gemm.Options) { p.Epilogue.Inputs = []gemm.Input{{"x", dtype.F32, "k"}} }},
		"input":            {cute.CodeType, func(p *gemm.Problem, _ *gemm.Options) { p.Epilogue.Add = dtype.S8 }},
		"roles":            {cute.CodeName, func(_ *gemm.Problem, o *gemm.Options) { o.Roles = "solo" }},
		"tile":             {cute.CodeLimit, func(_ *gemm.Problem, o *gemm.Options) { o.Tile = [3]int64{100, 100, 64} }},
		"a part of a tile": {cute.CodeExtent, func(_ *gemm.Problem, o *gemm.Options) { o.Tile = [3]int64{0, 64, 64} }},
		"split":            {cute.CodeExtent, func(_ *gemm.Problem, o *gemm.Options) { o.Split = -1 }},
		"group":            {cute.CodeExtent, func(_ *gemm.Problem, o *gemm.Options) { o.Group = math.MaxInt64 }},
		"stages":           {cute.CodeLimit, func(_ *gemm.Problem, o *gemm.Options) { o.Stages = 60 }},
	} {
		p, o := good, gemm.Options{}
		tt.f(&p, &o)
		if _, err := gemm.New(p, small, o); !errors.Is(err, tt.code) {
			t.Errorf("%s: %v, want %v", name, err, tt.code)
		}
	}
	if _, err := gemm.New(good, gemm.Card{}, gemm.Options{}); !errors.Is(err, cute.CodeExtent) {
		t.Errorf("no card: %v", err)
	}
	strange := small
	strange.Memory = math.NaN()
	if _, err := gemm.New(good, strange, gemm.Options{}); !errors.Is(err, cute.CodeExtent) {
		t.Errorf("a rate that is no number: %v", err)
	}
}

// TestRegisters checks that configurations whose kernels spill registers on an H200 are refused, and that those with
// room are not: bytes that the driver's compiler, or ptxas, spilled.
func TestRegisters(t *testing.T) {
	t.Parallel()
	bias := gemm.Epilogue{Inputs: []gemm.Input{{"bias", dtype.F32, "n"}}}
	residual, wide := gemm.Epilogue{Add: dtype.F16}, gemm.Epilogue{Scaled: true, Add: dtype.F32}
	for i, tt := range []struct {
		m, n     int64
		epilogue gemm.Epilogue
		tile     [3]int64
		roles    string
		split    int64
		spilled  int64
	}{
		{4096, 4096, gemm.Epilogue{}, [3]int64{128, 128, 64}, "ping-pong", 1, 0},
		{4096, 4096, bias, [3]int64{128, 128, 64}, "ping-pong", 1, 0},
		{4096, 4096, residual, [3]int64{128, 256, 64}, "cooperative", 1, 0},
		{4096, 4096, bias, [3]int64{128, 256, 64}, "cooperative", 1, 120},
		{4095, 4097, gemm.Epilogue{}, [3]int64{128, 128, 64}, "cooperative", 1, 0},
		{4096, 4096, residual, [3]int64{128, 256, 64}, "cooperative", 2, 80},
		{4096, 4096, gemm.Epilogue{}, [3]int64{128, 256, 64}, "cooperative", 2, 0},
		{4095, 4097, wide, [3]int64{64, 192, 64}, "ping-pong", 1, 656},
		{4095, 4097, wide, [3]int64{64, 128, 64}, "ping-pong", 1, 8},
		{4095, 4097, wide, [3]int64{128, 192, 64}, "cooperative", 1, 300},
		{4095, 4097, wide, [3]int64{128, 128, 64}, "cooperative", 1, 0},
		{4095, 4097, wide, [3]int64{128, 64, 64}, "cooperative", 1, 0},
	} {
		p := gemm.Problem{M: tt.m, N: tt.n, K: 4096, In: dtype.F16, Epilogue: tt.epilogue}
		if tt.split > 1 {
			p.Out = dtype.F32
		}
		p.D = layout(tt.m, tt.n, false, 0)
		_, err := gemm.New(p, gemm.Cards()[0], gemm.Options{Tile: tt.tile, Roles: tt.roles, Split: tt.split, Cluster: 1})
		if got := errors.Is(err, cute.CodeLimit); got != (tt.spilled > 0) {
			t.Errorf("%d: the kernel of %v spills %d bytes, and the error is %v", i, tt.tile, tt.spilled, err)
		}
	}
}

// TestNext checks that each of the plans that follow the best one has its own copies: A and B of odd rows are copied
// for the TMA and for wide loads, and read where they are in loads of a single element.
func TestNext(t *testing.T) {
	t.Parallel()
	best := kernel.Must(gemm.New(gemm.Problem{M: 70, N: 50, K: 63, In: dtype.F16}, small, gemm.Options{}))
	kinds := map[string]bool{}
	for _, p := range append(best.Next(1<<20), best) {
		loads, copies := p.Choice().Loads, len(p.Realign())
		kinds[fmt.Sprint(loads, copies)] = true
		if (loads == [2]int64{2, 2}) != (copies == 0) {
			t.Fatalf("loads of %d bytes after %d copies", loads, copies)
		}
	}
	if len(kinds) != 2 {
		t.Errorf("found the kinds %v, want copies and loads of single elements", kinds)
	}
}

// TestText checks that plans fit in 80 columns, and that the same problem has the same plan.
func TestText(t *testing.T) {
	t.Parallel()
	for _, n := range [][3]int64{{4096, 4096, 4096}, {1, 8192, 8192}, {512, 512, 8192}, {4095, 4097, 4095}, {7, 1, 3}} {
		p := gemm.Problem{M: n[0], N: n[1], K: n[2], In: dtype.F16}
		text := kernel.Must(gemm.New(p, gemm.Cards()[0], gemm.Options{})).String()
		for line := range strings.Lines(text) {
			if len(line) > 81 {
				t.Errorf("%d columns: %s", len(line)-1, line)
			}
		}
		if again := kernel.Must(gemm.New(p, gemm.Cards()[0], gemm.Options{})).String(); again != text {
			t.Errorf("two plans:\n%s\n%s", text, again)
		}
	}
}
