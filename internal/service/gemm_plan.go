//go:build !js || kernels

package service

import (
	"cmp"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/report"
	plans "girih/kernel/gemm"
)

// gemmForms are what is printed of a planned product.
var gemmForms = []Word{{"text", "the plan in words"}, {"ptx", "the kernel"}, {"torch", "the kernel for PyTorch"}}

// planGemm answers a request for a plan.
func planGemm(q GemmRequest) GemmResponse {
	p, info := q.plan()
	if info != nil {
		return GemmResponse{Error: info, Fault: Fault{Usage: true}}
	}
	d := p.Describe()
	r := GemmResponse{OK: true, Plan: &d, text: p.String()}
	if q.As == "" || q.As == "text" {
		return r
	}
	k, err := p.Kernel()
	if err == nil {
		r.Launch, r.Source = launchOf(k), k.Module.String()
		r.Launch.Args = p.Args()
		if q.As == "torch" {
			r.Source, err = k.Torch(p.String())
		}
	}
	if err != nil {
		return GemmResponse{Error: report.Of(err)}
	}
	return r
}

// plan plans the product of a request.
func (q *GemmRequest) plan() (*plans.Plan, *report.Error) {
	if q.As != "" && !hasWord(gemmForms, q.As) {
		return nil, usage("expected one of %s, found as %.40q", NamesOf(gemmForms), q.As)
	}
	if q.Atom+q.Atoms+q.Permutation+q.Target != "" || q.Tile != nil {
		return nil, usage("a plan chooses the instruction and the tile itself")
	}
	p := plans.Problem{M: q.M, N: q.N, K: q.K, L: q.L, Groups: q.Groups, Scale: plans.Scale(q.Scale), Fast: q.Fast}
	info := q.planTypes(&p)
	card, err := plans.FindCard(cmp.Or(q.Card, plans.Cards()[0].Name))
	if info == nil && err != nil {
		info = report.Of(err)
	}
	a, infoA := majorOf("A", "M", q.MajorA)
	b, infoB := majorOf("B", "N", q.MajorB)
	if info = cmp.Or(info, infoA, infoB); info != nil {
		return nil, info
	}
	if info = q.planExtents(); info != nil {
		return nil, info
	}
	p.A, p.B = compactOf([]int64{q.M, q.K, q.L}, a), compactOf([]int64{q.N, q.K, q.L + q.Groups}, b)
	out, err := plans.New(p, card, plans.Options{})
	if err != nil {
		return nil, report.Of(err)
	}
	return out, nil
}

// planExtents refuses extents of a plan that no layout can have.
func (q *GemmRequest) planExtents() *report.Error {
	if min(q.M, q.N, q.K) < 1 || max(q.M, q.N, q.K) > plans.MaxExtent || q.L < 0 || q.L > plans.MaxExtent {
		return usage("expected m, n and k from 1 to %d, and l or 0, found %d, %d, %d and %d", plans.MaxExtent, q.M, q.N,
			q.K, q.L)
	}
	if q.Groups < 0 || q.Groups > plans.MaxGroups || q.L > 0 && q.Groups > 0 {
		return usage("expected up to %d groups, or products, found %d and %d", plans.MaxGroups, q.Groups, q.L)
	}
	return nil
}

// planTypes sets the types of the matrices.
func (q *GemmRequest) planTypes(p *plans.Problem) (info *report.Error) {
	p.Epilogue.Scaled = q.C != ""
	types := [4]string{cmp.Or(q.Type, "f16"), q.TypeB, q.Out, q.C}
	for i, t := range [4]*dtype.Type{&p.In, &p.InB, &p.Out, &p.Epilogue.Add} {
		if types[i] != "" && info == nil {
			*t, info = elementType(types[i])
		}
	}
	return info
}

// compactOf returns the layout of A or B without gaps. Without several products, the third extent is 0.
func compactOf(shape []int64, m atom.Major) cute.Layout {
	stride := []int64{shape[1], 1, shape[0] * shape[1]}
	if m == atom.MNMajor {
		stride[0], stride[1] = 1, shape[0]
	}
	n := 3
	if shape[2] == 0 {
		n = 2
	}
	l, _ := cute.New(cute.Ints(shape[:n]...), cute.Ints(stride[:n]...)) // the extents are in range
	return l
}
