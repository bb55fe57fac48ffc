package gemm_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/internal/check/product"
	"girih/kernel"
	"girih/kernel/gemm"
)

// TestWeights runs random products with weights of 4 bits: rows of all lengths, tiles at the edges, blocks that share K
// and begin within a group, alpha and C.
func TestWeights(t *testing.T) {
	t.Parallel()
	for seed := range long.Cases(24, 150) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(17, seed))
			p := gemm.Problem{
				M: int64(1 + r.IntN(1+r.IntN(150))), N: int64(1 + r.IntN(200)), K: 8 * int64(1+r.IntN(60)), InB: dtype.U4,
				In: []dtype.Type{dtype.F16, dtype.BF16}[seed%2], Out: []dtype.Type{dtype.F16, dtype.F32, dtype.BF16}[r.IntN(3)],
				Scale: gemm.ScaleGroups,
			}
			ld := p.K + 8*int64(r.IntN(3))
			p.A, p.D = product.Layout(p.M, p.K, 0, r), product.Layout(p.M, p.N, 0, r)
			p.B = cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", p.N, p.K, ld))
			if p.C = p.D; r.IntN(2) == 0 {
				p.Epilogue.Scaled, p.Epilogue.Add = true, dtype.F32
			}
			card := small
			if p.In == dtype.F16 && r.IntN(2) == 0 {
				card = smaller
			}
			o := []gemm.Options{{}, {Split: 2}, {Split: 3}, {Tile: [3]int64{32, 128, 64}, Stages: 3}}[r.IntN(4)]
			plan, err := gemm.New(p, card, o)
			if errors.Is(err, cute.CodeLimit) {
				plan, err = gemm.New(p, card, gemm.Options{})
			}
			if err != nil {
				t.Fatal(err)
			}
			x := product.New(plan.Problem(), r)
			groups := (p.K + gemm.ScaleBlock - 1) / gemm.ScaleBlock
			scale, zero := make([]float64, p.N*groups), make([]float64, p.N*groups)
			for i := range scale {
				scale[i], zero[i] = math.Ldexp(1, r.IntN(4)-2), float64(r.IntN(16))
			}
			bytes := make([]float64, p.N*ld/2)
			for i := range bytes {
				bytes[i] = float64(r.IntN(256))
			}
			for j := range p.N {
				for q := range p.K {
					w := float64(int(bytes[(j*ld+q)/2]) >> (q % 2 * 4) & 15)
					at := j + q/gemm.ScaleBlock*p.N
					*x.B.At(j, q, 0) = (w - zero[at]) * scale[at]
				}
			}
			x.More = map[string][]float64{"B": bytes, "SB": scale, "ZB": zero}
			simulate(t, x, plan, seed)
			check(t, x, plan)
		})
	}
}

// TestWeightsRefused checks what weights of 4 bits cannot have.
func TestWeightsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		code cute.Code
		f    func(p *gemm.Problem)
	}{
		"no factors":       {cute.CodeType, func(p *gemm.Problem) { p.Scale = "" }},
		"factors of f16":   {cute.CodeType, func(p *gemm.Problem) { p.InB = dtype.F16 }},
		"weights for s8":   {cute.CodeType, func(p *gemm.Problem) { p.In = dtype.S8 }},
		"weights on the A": {cute.CodeType, func(p *gemm.Problem) { p.In, p.InB = dtype.U4, dtype.F16 }},
		"products":         {cute.CodeExtent, func(p *gemm.Problem) { p.L = 2 }},
		"groups":           {cute.CodeExtent, func(p *gemm.Problem) { p.Groups = 2 }},
		"columns":          {cute.CodeExtent, func(p *gemm.Problem) { p.K = 68 }},
		"B along N":        {cute.CodeNotRepresentable, func(p *gemm.Problem) { p.B = cute.MustParse("(64,64):(1,64)") }},
		"odd rows":         {cute.CodeNotRepresentable, func(p *gemm.Problem) { p.B = cute.MustParse("(64,64):(66,1)") }},
		"the name ZB": {cute.CodeName, func(p *gemm.Problem) {
			p.Epilogue.Inputs = []gemm.Input{{Name: "ZB", Type: dtype.F32, Modes: "m"}}
		}},
	} {
		p := gemm.Problem{M: 64, N: 64, K: 64, In: dtype.F16, InB: dtype.U4, Scale: gemm.ScaleGroups}
		if _, err := gemm.New(p, small, gemm.Options{}); err != nil {
			t.Fatal(err)
		}
		tt.f(&p)
		if _, err := gemm.New(p, small, gemm.Options{}); !errors.Is(err, tt.code) {
			t.Errorf("%s: %v, want %v", name, err, tt.code)
		}
	}
	p := gemm.Problem{M: 64, N: 64, K: 64, In: dtype.BF16, InB: dtype.U4, Scale: gemm.ScaleGroups}
	if _, err := gemm.New(p, smaller, gemm.Options{}); !errors.Is(err, cute.CodeType) {
		t.Errorf("bf16 on %s: %v", smaller.Arch, err)
	}
}

// TestWeightKernels writes the kernels of all tiles of weights.
func TestWeightKernels(t *testing.T) {
	t.Parallel()
	p := gemm.Problem{M: 2000, N: 520, K: 4096, In: dtype.F16, InB: dtype.U4, Scale: gemm.ScaleGroups}
	first := kernel.Must(gemm.New(p, gemm.Cards()[0], gemm.Options{}))
	for _, plan := range append([]*gemm.Plan{first}, first.Next(1000)...) {
		if _, err := plan.Kernel(); err != nil {
			t.Errorf("%v\n%+v", err, plan.Choice())
		}
	}
}
