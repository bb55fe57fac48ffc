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

// TestGroups runs random problems with groups of rows of all types: groups without rows, rows after the last group,
// sizes of more rows than there are, more groups than a warp has lanes, and a bias for each group.
func TestGroups(t *testing.T) {
	t.Parallel()
	for seed := range long.Cases(30, 150) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, seed))
			e := product.Types[seed%uint64(len(product.Types))]
			p := gemm.Problem{
				M: int64(1 + r.IntN(400)), N: int64(1 + r.IntN(200)), K: int64(1 + r.IntN(200)), In: e.A[r.IntN(len(e.A))],
				Out: e.Out[r.IntN(len(e.Out))], Groups: []int64{1, 2, 3, 5, 8, 33, 70}[r.IntN(7)],
			}
			if p.InB = p.In; e.B != nil {
				p.InB = e.B[r.IntN(len(e.B))]
			}
			ld := p.N + int64(r.IntN(2)*r.IntN(9))
			p.A, p.B = product.Layout(p.M, p.K, 0, r), product.Layout(p.N, p.K, p.Groups, r)
			p.D = cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", p.M, p.N, ld))
			biased := p.Out != dtype.S32 && r.IntN(2) == 0
			if biased {
				p.Epilogue.Inputs = []gemm.Input{
					{Name: "bias", Type: dtype.F32, Modes: "nl"},
					{Name: "scale", Type: dtype.F32, Modes: "m"},
					{Name: "more", Type: dtype.F16, Modes: "mn"},
				}
				p.Epilogue.Make = func(k *kernel.K) func(kernel.Value, map[string]kernel.Value, ...kernel.Index) kernel.Value {
					return func(acc kernel.Value, in map[string]kernel.Value, at ...kernel.Index) kernel.Value {
						place := k.ValueOf(at[0].Add(at[1]).Add(at[2]), dtype.S32).Convert(dtype.F32)
						return acc.Add(in["bias"]).Add(in["scale"]).Add(in["more"]).Add(place)
					}
				}
			}
			o := []gemm.Options{
				{}, {Roles: "ping-pong"}, {Roles: "cooperative"}, {Tile: [3]int64{128, 64, 128}}, {Tile: [3]int64{128, 8, 64}},
			}[seed/5%5]
			plan, err := gemm.New(p, small, o)
			if errors.Is(err, cute.CodeLimit) {
				plan, err = gemm.New(p, small, gemm.Options{})
			}
			if err != nil {
				t.Fatal(err)
			}
			x := product.New(p, r)
			x.More = map[string][]float64{"sizes": drawSizes(r, p.M, p.Groups)}
			if biased {
				for name, n := range map[string]int64{"bias": p.N * p.Groups, "scale": p.M, "more": p.M * p.N} {
					x.More[name] = make([]float64, n)
					for i := range x.More[name] {
						x.More[name][i] = float64(r.IntN(9))
					}
				}
				x.Adds = func(i, j, l int64) float64 {
					return x.More["bias"][j+p.N*l] + x.More["scale"][i] + x.More["more"][i*p.N+j] + float64(i+j+l)
				}
			}
			simulate(t, x, plan, seed)
			compareGroups(t, x, plan)
		})
	}
}

// drawSizes draws the rows of groups, many without any. Every fourth time they have more than m rows.
func drawSizes(r *rand.Rand, m, groups int64) []float64 {
	out := make([]float64, groups)
	most := 1 + int(2*m/groups)
	if r.IntN(4) == 0 {
		most *= 3
	}
	left := m
	for i := range out {
		n := int64(r.IntN(2) * r.IntN(most+1))
		if most <= 1+int(2*m/groups) {
			n = min(n, left)
		}
		left -= n
		out[i] = float64(n)
	}
	return out
}

// compareGroups compares D with float64: rows after the last group are not written.
func compareGroups(t *testing.T, x *product.Trial, plan *gemm.Plan) {
	t.Helper()
	group, end, wrong := int64(0), int64(0), 0
	for i := range x.Problem.M {
		for group < x.Problem.Groups && i >= end+int64(x.More["sizes"][group]) {
			end += int64(x.More["sizes"][group])
			group++
		}
		for j := range x.Problem.N {
			got, want := *x.D.At(i, j, 0), 77.0
			if group < x.Problem.Groups {
				want = x.Want(i, j, group)
			}
			if !x.Near(got, want) {
				if wrong++; wrong < 4 {
					t.Errorf("D(%d,%d) of group %d is %v, want %v", i, j, group, got, want)
				}
			}
		}
	}
	for i := range x.D.X {
		if at := int64(i) % x.Problem.D.Stride().Leaves()[0]; at >= x.Problem.N && x.D.X[i] != 77 {
			t.Fatalf("a place outside of D was written: %d", i)
		}
	}
	if wrong > 0 {
		t.Errorf("%d wrong, sizes %v:\n%v", wrong, x.More["sizes"], plan)
	}
}

// TestGroupsRefused checks what groups cannot have.
func TestGroupsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		code cute.Code
		f    func(p *gemm.Problem)
	}{
		"negative": {cute.CodeExtent, func(p *gemm.Problem) { p.Groups = -1 }},
		"too many": {cute.CodeExtent, func(p *gemm.Problem) { p.Groups = gemm.MaxGroups + 1 }},
		"products": {cute.CodeExtent, func(p *gemm.Problem) { p.L = 2 }},
		"factors":  {cute.CodeName, func(p *gemm.Problem) { p.Scale = gemm.ScaleRows }},
		"D along M": {cute.CodeNotRepresentable, func(p *gemm.Problem) {
			p.D = cute.MustParse("(64,64):(1,64)")
		}},
		"B without groups": {cute.CodeNotCongruent, func(p *gemm.Problem) { p.B = cute.MustParse("(64,64,3):(64,1,4096)") }},
		"rows of a group": {cute.CodeMode, func(p *gemm.Problem) {
			p.Epilogue.Inputs = []gemm.Input{{Name: "x", Type: dtype.F32, Modes: "ml"}}
		}},
		"the name sizes": {cute.CodeName, func(p *gemm.Problem) {
			p.Epilogue.Inputs = []gemm.Input{{Name: "sizes", Type: dtype.F32, Modes: "m"}}
		}},
	} {
		p := gemm.Problem{M: 64, N: 64, K: 64, Groups: 4, In: dtype.F16}
		tt.f(&p)
		if _, err := gemm.New(p, small, gemm.Options{}); !errors.Is(err, tt.code) {
			t.Errorf("%s: %v, want %v", name, err, tt.code)
		}
	}
	p := gemm.Problem{M: 64, N: 64, K: 64, Groups: 4, In: dtype.F16}
	if _, err := gemm.New(p, smaller, gemm.Options{}); !errors.Is(err, cute.CodeType) {
		t.Errorf("groups on %s: %v", smaller.Arch, err)
	}
}
