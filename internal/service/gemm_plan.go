//go:build !js

package service

import (
	"cmp"
	"fmt"

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
	in, info := elementType(cmp.Or(q.Type, "f16"))
	var out dtype.Type
	if info == nil && q.Out != "" {
		out, info = elementType(q.Out)
	}
	card, err := plans.FindCard(cmp.Or(q.Card, plans.Cards()[0].Name))
	if info == nil && err != nil {
		info = report.Of(err)
	}
	a, infoA := majorOf("A", "M", q.MajorA)
	b, infoB := majorOf("B", "N", q.MajorB)
	if info = cmp.Or(info, infoA, infoB); info != nil {
		return nil, info
	}
	if min(q.M, q.N, q.K) < 1 || max(q.M, q.N, q.K) > plans.MaxExtent {
		return nil, usage("expected m, n and k from 1 to %d, found %d, %d and %d", plans.MaxExtent, q.M, q.N, q.K)
	}
	p, err := plans.New(plans.Problem{
		M: q.M, N: q.N, K: q.K, In: in, Out: out, A: compactOf(q.M, q.K, a), B: compactOf(q.N, q.K, b),
	}, card, plans.Options{})
	if err != nil {
		return nil, report.Of(err)
	}
	return p, nil
}

// compactOf returns the layout of a matrix without gaps.
func compactOf(rows, columns int64, m atom.Major) cute.Layout {
	if m == atom.MNMajor {
		return cute.MustParse(fmt.Sprintf("(%d,%d):(1,%d)", rows, columns, rows))
	}
	return cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", rows, columns, columns))
}
