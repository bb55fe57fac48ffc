//go:build !js || kernels

package service

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	recipes "girih/examples"
	"girih/internal/lang/report"
	"girih/internal/picture/follow"
	"girih/kernel"
	"girih/ptx/sim"
)

// This file follows the kernels of package examples.

// fromKernel runs a kernel.
func (x *followed) fromKernel() *report.Error {
	q := KernelRequest{
		Kernel: x.req.Kernel, Tile: x.req.Tile, Type: x.req.Type, Sum: x.req.Sum, Div: x.req.Div, Stages: x.req.Stages,
	}
	recipe, o, info := q.recipe()
	if info != nil {
		return info
	}
	k, err := recipe.Trace(o)
	if err != nil {
		return kernelError(err)
	}
	about := recipeOf(recipe, o)
	x.Name, x.Title, x.Options = recipe.Name, recipe.Doc+" "+recipe.Call, &about
	if info := x.extents(recipe, k, about); info != nil {
		return info
	}
	p, err := recipe.Problem(k, x.Values, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		return kernelError(err)
	}
	spread(k, p.Tensors)
	if grid, err := k.Grid(x.Values); err == nil {
		if info := x.inGrid(grid); info != nil {
			return info
		}
	}
	r, err := k.ReportFor(x.Values)
	if err != nil {
		r = k.Report()
	}
	x.kernel, x.Threads, x.ptx = follow.Of(k, x.Values, &r), k.Threads, k.Module.String()
	return x.launch(k, kernel.Args{Ints: p.Extents, Numbers: p.Scalars, Tensors: p.Tensors})
}

// launch runs the kernel. If it ends in a deadlock because warps run far ahead of others, as they may, the data are of
// a run in which the warps execute one instruction in turn, and the deadlock is one of its findings.
func (x *followed) launch(k *kernel.Kernel, args kernel.Args) *report.Error {
	again := args
	again.Tensors = make(map[string][]float64, len(args.Tensors))
	for name, values := range args.Tensors {
		again.Tensors[name] = slices.Clone(values)
	}
	res, err := k.SimulateAs(x.context(), args, x.limits())
	f, ok := errors.AsType[*sim.Finding](err)
	if !ok || f.Kind != sim.KindDeadlock {
		return x.take(res, err)
	}
	first := x.rec
	x.rec = x.recording()
	l := x.limits()
	l.Turn = 1
	other, err2 := k.SimulateAs(x.context(), again, l)
	if err2 != nil || !other.Ended {
		x.rec = first
		return x.take(res, err)
	}
	x.Notes = append(x.Notes, "the run deadlocks if a warp runs far ahead of the others; the data are of a run in which it does not")
	other.Findings = append([]*sim.Finding{f}, other.Findings...)
	return x.take(other, nil)
}

// extents chooses the values of the kernel's integers that the session does not give: one tile, and a few along the
// mode that is summed.
func (x *followed) extents(recipe recipes.Recipe, k *kernel.Kernel, about KernelRecipe) *report.Error {
	x.Values = map[string]int64{}
	given := maps.Clone(x.session.values)
	i, chosen, product := 0, []string{}, int64(1)
	for _, p := range k.Params {
		if p.Pointer || p.Facts.Max == 0 {
			continue
		}
		n, ok := given[p.Name]
		if delete(given, p.Name); !ok {
			n = smallest(recipe, about, p, i)
			chosen = append(chosen, fmt.Sprintf("%s=%d", p.Name, n))
		}
		if x.Values[p.Name] = n; n > 0 {
			if n > followData/product {
				return refusal(cute.CodeLimit, fmt.Sprintf("the product of the extents %v is more than %d, the largest that is followed",
					x.Values, followData), "follow one tile: leave the extents out")
			}
			product *= n
		}
		i++
	}
	if names := slices.Sorted(maps.Keys(given)); len(names) > 0 {
		return refusal(cute.CodeName, fmt.Sprintf("%s has no integer %.40q", k.Name, names[0]), "its integers are "+
			strings.Join(slices.Sorted(maps.Keys(x.Values)), ", "))
	}
	if len(chosen) > 0 {
		x.Notes = append(x.Notes, "sizes chosen: "+strings.Join(chosen, ", "))
	}
	return nil
}

// smallest returns the smallest sensible value of integer i of a kernel.
func smallest(recipe recipes.Recipe, about KernelRecipe, p kernel.Param, i int) int64 {
	n := int64(1)
	if i < len(about.Tile) {
		n = about.Tile[i]
		if recipe.Order != nil && i == 2 { // tiles along the mode that is summed
			n *= 2
			if about.Stages > 0 {
				n = about.Tile[i] * min(about.Stages, 3)
			}
		}
	}
	if few := recipe.Few[p.Name]; few > 0 {
		n = 1
	}
	f := p.Facts
	div := max(f.Div, 1)
	n = (max(n, f.Min, 1) + div - 1) / div * div
	return min(n, f.Max/div*div)
}

// spread replaces floats by numbers that differ from their neighbours and, if the type has enough, from all others:
// a shadow that states a wrong origin then shows.
func spread(k *kernel.Kernel, tensors map[string][]float64) {
	for _, q := range k.Params {
		t := q.Type
		if !q.Pointer || t.Kind() != dtype.Float || t.Bits() < 16 {
			continue
		}
		low, _ := t.Encode(1.0 / 64)
		high, _ := t.Encode(2)
		n, values := high-low, tensors[q.Name]
		for i := range values {
			k := uint64(i) * 7919 % (2 * n)
			v, err := t.Decode(low + k%n)
			if err != nil {
				continue
			}
			if values[i] = v; k >= n {
				values[i] = -v
			}
		}
	}
}
