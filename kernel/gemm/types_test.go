package gemm_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/kernel"
	"girih/kernel/gemm"
)

// A cube is a matrix, or several, in memory.
type cube struct {
	shape, stride []int64
	x             []float64
}

// cubeOf draws small integers under a layout.
func cubeOf(l cute.Layout, t dtype.Type, r *rand.Rand) cube {
	c := cube{l.Shape().Leaves(), l.Stride().Leaves(), make([]float64, kernel.Must(l.Cosize()))}
	for i := range c.x {
		if c.x[i] = float64(r.IntN(5) - 2); t == dtype.U8 {
			c.x[i] += 2
		}
	}
	return c
}

// at returns an element; a cube without a third mode is the same for all products.
func (c cube) at(i, j, l int64) *float64 {
	at := i*c.stride[0] + j*c.stride[1]
	if len(c.stride) == 3 {
		at += l * c.stride[2]
	}
	return &c.x[at]
}

// moved returns the cube under another layout.
func (c cube) moved(l cute.Layout) cube {
	to := cube{l.Shape().Leaves(), l.Stride().Leaves(), make([]float64, kernel.Must(l.Cosize()))}
	products := int64(1)
	if len(to.shape) == 3 {
		products = to.shape[2]
	}
	for i := range to.shape[0] {
		for j := range to.shape[1] {
			for l := range products {
				*to.at(i, j, l) = *c.at(i, j, l)
			}
		}
	}
	return to
}

// A trial is a problem with its numbers.
type trial struct {
	p           gemm.Problem
	a, b, c, d  cube
	alpha, beta float64
	sa, sb      []float64
	more        map[string][]float64        // further inputs
	adds        func(i, j, l int64) float64 // what the epilogue adds, or nil
}

// products returns the number of products.
func (x *trial) products() int64 { return max(x.p.L, 1) }

// newTrial draws the numbers of a problem whose layouts are complete.
func newTrial(p gemm.Problem, r *rand.Rand) *trial {
	x := &trial{p: p, alpha: 1}
	x.a, x.b, x.d = cubeOf(p.A, p.In, r), cubeOf(p.B, p.InB, r), cubeOf(p.D, p.Out, r)
	for i := range x.d.x {
		x.d.x[i] = 77
	}
	if p.Epilogue.Scaled {
		x.alpha = -2
	}
	if p.Epilogue.Add != 0 {
		x.c, x.beta = cubeOf(p.C, p.Epilogue.Add, r), float64(r.IntN(3))
		if x.beta == 0 { // then C is not read
			for i := range x.c.x {
				x.c.x[i] = math.NaN()
			}
		}
	}
	blocks := (p.K + gemm.ScaleBlock - 1) / gemm.ScaleBlock
	sizes := map[gemm.Scale][2]int64{
		gemm.ScaleTensors: {1, 1}, gemm.ScaleRows: {p.M, p.N},
		gemm.ScaleBlocks: {p.M * blocks, (p.N + gemm.ScaleBlock - 1) / gemm.ScaleBlock * blocks},
	}[p.Scale]
	for i, s := range []*[]float64{&x.sa, &x.sb} {
		*s = make([]float64, sizes[i]*x.products())
		for j := range *s {
			(*s)[j] = math.Ldexp(1, r.IntN(3)-1)
		}
	}
	return x
}

// run executes a plan in the simulator.
func (x *trial) run(t *testing.T, plan *gemm.Plan, seed uint64) {
	t.Helper()
	k, err := plan.Kernel()
	if err != nil {
		t.Fatalf("%v\n%v", err, plan)
	}
	sides := map[string]cube{"A": x.a, "B": x.b}
	for _, c := range plan.Realign() {
		sides[c.Name] = sides[c.Name].moved(c.Dst)
		if got := int64(len(sides[c.Name].x)) * c.Element; got > c.Bytes {
			t.Fatalf("the copy of %s has %d bytes, %d are planned", c.Name, got, c.Bytes)
		}
	}
	first, second := plan.Operands()
	args := kernel.Args{
		Ints: plan.Args(), Seed: seed, Numbers: map[string]float64{},
		Tensors: map[string][]float64{"A": sides[first].x, "B": sides[second].x, "D": x.d.x},
	}
	for name, s := range map[string][]float64{"C": x.c.x, "SA": x.sa, "SB": x.sb} {
		if len(s) > 0 {
			args.Tensors[name] = s
		}
	}
	maps.Copy(args.Tensors, x.more)
	if x.p.Epilogue.Scaled {
		args.Numbers["alpha"] = x.alpha
	}
	if x.p.Epilogue.Add != 0 {
		args.Numbers["beta"] = x.beta
	}
	if n := plan.Workspace(); n > 0 {
		args.Tensors["W"] = make([]float64, n)
	}
	result, err := k.Simulate(context.Background(), args)
	if err != nil {
		t.Fatalf("%v\n%v", err, plan)
	}
	if len(result.Findings) > 0 {
		t.Fatalf("%v\n%v", result.Findings[0], plan)
	}
}

// want returns an element of D.
func (x *trial) want(i, j, l int64) float64 {
	sum, blocks, p := 0.0, (x.p.K+gemm.ScaleBlock-1)/gemm.ScaleBlock, &x.p
	sa, sb := x.sa[int64(len(x.sa))/x.products()*l:], x.sb[int64(len(x.sb))/x.products()*l:]
	for q := range p.K {
		v := *x.a.at(i, q, l) * *x.b.at(j, q, l)
		switch p.Scale {
		case gemm.ScaleTensors:
			v *= sa[0] * sb[0]
		case gemm.ScaleRows:
			v *= sa[i] * sb[j]
		case gemm.ScaleBlocks:
			v *= sa[i+q/gemm.ScaleBlock*p.M] * sb[j/gemm.ScaleBlock*blocks+q/gemm.ScaleBlock]
		}
		sum += v
	}
	sum *= x.alpha
	if x.beta != 0 {
		sum += x.beta * *x.c.at(i, j, l)
	}
	if x.adds != nil {
		sum += x.adds(i, j, l)
	}
	return sum
}

// compare compares D with float64, and checks that nothing outside of it was written.
func (x *trial) compare(t *testing.T, plan *gemm.Plan) {
	t.Helper()
	inside, wrong := map[*float64]bool{}, 0
	for i := range x.p.M {
		for j := range x.p.N {
			for l := range x.products() {
				got, want := x.d.at(i, j, l), x.want(i, j, l)
				inside[got] = true
				unit := 0.0
				if x.p.Out.Bits() == 16 {
					unit = math.Abs(want) / 256
				}
				if !(math.Abs(*got-want) <= unit) {
					if wrong++; wrong < 4 {
						t.Errorf("D(%d,%d,%d) is %v, want %v", i, j, l, *got, want)
					}
				}
			}
		}
	}
	for i := range x.d.x {
		if !inside[&x.d.x[i]] && x.d.x[i] != 77 {
			t.Fatalf("a place outside of D was written: %d", i)
		}
	}
	if wrong > 0 {
		t.Errorf("%d wrong:\n%v", wrong, plan)
	}
}

// stacked returns a layout of one or more products: with padded rows, and with gaps between products.
func stacked(rows, columns, l int64, r *rand.Rand) cute.Layout {
	pad, gap := int64(r.IntN(3)*r.IntN(17)), int64(r.IntN(2)*r.IntN(40))
	ld, d := columns+pad, []int64{columns + pad, 1}
	size := ld * rows
	if r.IntN(2) == 0 {
		ld = rows + pad
		d, size = []int64{1, ld}, ld*columns
	}
	if l == 0 {
		return kernel.Must(cute.New(cute.Ints(rows, columns), cute.Ints(d...)))
	}
	return kernel.Must(cute.New(cute.Ints(rows, columns, l), cute.Ints(append(d, size+gap)...)))
}

// elementTypes are types of A and B, and types of D for them.
var elementTypes = []struct{ a, b, out []dtype.Type }{
	{[]dtype.Type{dtype.F16}, nil, []dtype.Type{dtype.F16, dtype.F32}},
	{[]dtype.Type{dtype.BF16}, nil, []dtype.Type{dtype.BF16, dtype.F32}},
	{[]dtype.Type{dtype.TF32}, nil, []dtype.Type{dtype.F32, dtype.BF16}},
	{[]dtype.Type{dtype.S8, dtype.U8}, []dtype.Type{dtype.S8, dtype.U8}, []dtype.Type{dtype.S32, dtype.F32, dtype.F16}},
	{[]dtype.Type{dtype.E4M3, dtype.E5M2}, []dtype.Type{dtype.E4M3, dtype.E5M2}, []dtype.Type{dtype.BF16, dtype.F16, dtype.F32}},
}

// TestTypes runs random problems of all types: majors, products, factors, alpha and beta, as they are planned.
func TestTypes(t *testing.T) {
	t.Parallel()
	for seed := range long.Cases(80, 500) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, seed))
			one := func(x []dtype.Type) dtype.Type { return x[r.IntN(len(x))] }
			extent := func(most int) int64 { return int64(1 + r.IntN(1+r.IntN(most))) }
			e := elementTypes[seed%uint64(len(elementTypes))]
			p := gemm.Problem{M: extent(300), N: extent(300), K: extent(400), In: one(e.a), Out: one(e.out), Fast: r.IntN(3) == 0}
			if p.InB = p.In; e.b != nil {
				p.InB = one(e.b)
			}
			if r.IntN(2) == 0 {
				p.L = extent(5)
			}
			if p.Out != dtype.S32 {
				p.Scale = []gemm.Scale{"", gemm.ScaleTensors, gemm.ScaleRows, gemm.ScaleBlocks}[r.IntN(4)]
				p.Epilogue.Scaled = r.IntN(2) == 0
				if r.IntN(2) == 0 {
					p.Epilogue.Add = []dtype.Type{dtype.F16, dtype.F32}[r.IntN(2)]
				}
			}
			shared := func(l int64) int64 { return l * int64(min(r.IntN(3), 1)) }
			p.A, p.B = stacked(p.M, p.K, shared(p.L), r), stacked(p.N, p.K, shared(p.L), r)
			p.C, p.D = stacked(p.M, p.N, shared(p.L), r), stacked(p.M, p.N, p.L, r)
			// Every second problem has a choice that the planner need not take for small problems.
			o := []gemm.Options{
				{}, {Roles: "ping-pong"}, {}, {Cluster: 2}, {}, {Split: 2}, {}, {Tile: [3]int64{128, 128, 128}},
			}[seed%8]
			card := small
			if p.Scale != gemm.ScaleBlocks && seed%2 == 0 {
				if card = smaller; seed%4 == 0 {
					o.Split = 2
				}
				if p.In.Kind() == dtype.Float && p.In.Bits() == 8 {
					card.Arch, p.Fast = "sm_89", true
				}
			}
			plan, err := gemm.New(p, card, o)
			if errors.Is(err, cute.CodeLimit) {
				plan, err = gemm.New(p, card, gemm.Options{})
			}
			if err != nil {
				t.Fatal(err)
			}
			x := newTrial(p, r)
			x.run(t, plan, seed)
			x.compare(t, plan)
		})
	}
}

// TestColumns checks that a kernel of integers takes no more columns than sums in s32 hold, whatever its plan has.
func TestColumns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b  dtype.Type
		scale gemm.Scale
		most  int64
	}{
		{dtype.S8, dtype.S8, "", 131071},
		{dtype.U8, dtype.U8, gemm.ScaleRows, 33025},
		{dtype.S8, dtype.U8, "", 65793},
		{dtype.S8, dtype.S8, gemm.ScaleBlocks, gemm.MaxExtent},
		{dtype.F16, dtype.F16, "", gemm.MaxExtent},
	} {
		p := gemm.Problem{M: 64, N: 64, K: 64, In: tt.a, InB: tt.b, Out: dtype.F32, Scale: tt.scale}
		k := kernel.Must(kernel.Must(gemm.New(p, small, gemm.Options{})).Kernel())
		for _, x := range k.Params {
			if x.Name == "k" && x.Facts.Max != tt.most {
				t.Errorf("%v and %v: k up to %d, want %d", tt.a, tt.b, x.Facts.Max, tt.most)
			}
		}
	}
}

// TestTypesRefused checks what cannot be planned of types, factors and several products.
func TestTypesRefused(t *testing.T) {
	t.Parallel()
	good := gemm.Problem{M: 64, N: 64, K: 64, L: 2, In: dtype.S8, Out: dtype.F32}
	for name, tt := range map[string]struct {
		code cute.Code
		f    func(p *gemm.Problem)
	}{
		"two types":           {cute.CodeType, func(p *gemm.Problem) { p.InB = dtype.E4M3 }},
		"factors of integers": {cute.CodeType, func(p *gemm.Problem) { p.Out, p.Scale = dtype.S32, gemm.ScaleRows }},
		"alpha of integers":   {cute.CodeType, func(p *gemm.Problem) { p.Out, p.Epilogue.Scaled = dtype.S32, true }},
		"integers of floats":  {cute.CodeType, func(p *gemm.Problem) { p.In, p.InB, p.Out = dtype.F16, dtype.F16, dtype.S32 }},
		"tf32 written":        {cute.CodeType, func(p *gemm.Problem) { p.In, p.InB, p.Out = dtype.TF32, 0, dtype.TF32 }},
		"factors":             {cute.CodeName, func(p *gemm.Problem) { p.Scale = "columns" }},
		"sums of s8":          {cute.CodeExtent, func(p *gemm.Problem) { p.K = 131072 }},
		"sums of u8":          {cute.CodeExtent, func(p *gemm.Problem) { p.In, p.InB, p.K = dtype.U8, dtype.U8, 33026 }},
		"products":            {cute.CodeExtent, func(p *gemm.Problem) { p.L = -1 }},
		"a shared D":          {cute.CodeNotInjective, func(p *gemm.Problem) { p.D = cute.MustParse("(64,64,2):(64,1,0)") }},
		"overlapping D":       {cute.CodeNotInjective, func(p *gemm.Problem) { p.D = cute.MustParse("(64,64,2):(96,1,64)") }},
		"products of A":       {cute.CodeNotCongruent, func(p *gemm.Problem) { p.A = cute.MustParse("(64,64,3):(64,1,4096)") }},
		"no products":         {cute.CodeNotCongruent, func(p *gemm.Problem) { p.L, p.B = 0, cute.MustParse("(64,64,2):(64,1,4096)") }},
		"a stride back":       {cute.CodeExtent, func(p *gemm.Problem) { p.B = cute.MustParse("(64,64,2):(64,1,-4096)") }},
		"layout of C": {cute.CodeNotCongruent, func(p *gemm.Problem) {
			p.Epilogue.Add, p.C = dtype.F32, cute.MustParse("(64,32,2):(64,1,4096)")
		}},
		"an input of l": {cute.CodeMode, func(p *gemm.Problem) {
			p.L, p.Epilogue.Inputs = 0, []gemm.Input{{Name: "x", Type: dtype.F32, Modes: "ml"}}
		}},
		"the name of factors": {cute.CodeName, func(p *gemm.Problem) {
			p.Epilogue.Inputs = []gemm.Input{{Name: "SA", Type: dtype.F32, Modes: "m"}}
		}},
	} {
		p := good
		tt.f(&p)
		if _, err := gemm.New(p, small, gemm.Options{}); !errors.Is(err, tt.code) {
			t.Errorf("%s: %v, want %v", name, err, tt.code)
		}
	}
	for _, p := range []gemm.Problem{
		{In: dtype.E4M3},
		{In: dtype.E4M3, Fast: true},
		{In: dtype.F16, Scale: gemm.ScaleBlocks},
	} {
		p.M, p.N, p.K = 64, 64, 64
		if _, err := gemm.New(p, smaller, gemm.Options{}); !errors.Is(err, cute.CodeType) {
			t.Errorf("%v with factors %q on %s: %v", p.In, p.Scale, smaller.Arch, err)
		}
		if _, err := gemm.New(p, small, gemm.Options{Instruction: "mma.sync"}); !errors.Is(err, cute.CodeLimit) {
			t.Errorf("%v with factors %q by mma.sync: %v", p.In, p.Scale, err)
		}
	}
	for _, p := range []gemm.Problem{
		{M: 64, N: 64, K: 131071, In: dtype.S8},
		{M: 64, N: 64, K: 64, L: 2, In: dtype.F16, D: cute.MustParse("(64,64,2):(128,1,64)")}, // products in turn
		{M: 64, N: 64, K: 1 << 18, In: dtype.S8, Out: dtype.F32, Scale: gemm.ScaleBlocks},
	} {
		if _, err := gemm.New(p, small, gemm.Options{}); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
