package gemm_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/internal/check/product"
	"girih/kernel"
	"girih/kernel/gemm"
)

// simulate executes a plan in the simulator, and check compares D with its definition.
func simulate(t *testing.T, x *product.Trial, plan *gemm.Plan, seed uint64) {
	t.Helper()
	if err := x.Simulate(plan, seed); err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, x *product.Trial, plan *gemm.Plan) {
	t.Helper()
	if err := x.Check(); err != nil {
		t.Errorf("%v\n%v", err, plan)
	}
}

// TestTypes runs random problems of all types: majors, products, factors, alpha and beta, as they are planned.
func TestTypes(t *testing.T) {
	t.Parallel()
	for seed := range long.Cases(80, 500) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, seed))
			p := product.Draw(seed, r)
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
			x := product.New(p, r)
			simulate(t, x, plan, seed)
			check(t, x, plan)
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
