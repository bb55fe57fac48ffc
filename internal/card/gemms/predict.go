package gemms

import (
	"errors"
	"slices"

	"girih/cute"
	"girih/internal/machine/gemm"
	"girih/kernel"
)

// predict adds the planned traffic of the kernel. It reads only the size and the blocks of the outcome.
func (r *gemmRunner) predict(l *loadedKernel, o *gemmOutcome) {
	accesses, err := r.plan(l, o)
	if err != nil {
		o.Prediction = err.Error()
		return
	}
	at := map[gemmStage]int{}
	for _, a := range accesses {
		s := gemmStage{Name: a.Tensor, Operation: a.Op}
		if a.From != "" {
			s.Name = a.From + " to " + s.Name
		}
		i, ok := at[s]
		if !ok {
			i = len(o.Predicted)
			at[s], o.Predicted = i, append(o.Predicted, s)
		}
		p := &o.Predicted[i]
		p.Instructions += a.Cost.Requests
		p.Bytes += a.Cost.Bytes + a.Cost.Bulk
		p.Sectors += a.Cost.Sectors
		p.Wavefronts += a.Cost.Wavefronts
		p.Ideal += a.Cost.Ideal
	}
	shape, n := r.form.MMA.Atom().Shape, int64(1)
	for i, x := range o.Size {
		n *= (x + r.form.Tile[i] - 1) / r.form.Tile[i] * (r.form.Tile[i] / shape[i])
	}
	n = n * min(r.form.MMA.Atom().Threads(), kernel.WarpSize) / kernel.WarpSize // counted in warps, as in the other rows
	o.Predicted = append(o.Predicted, gemmStage{Name: "multiply", Operation: o.Atom, Instructions: n})
}

// plan returns the costs of the accesses of a problem without a C.
func (r *gemmRunner) plan(l *loadedKernel, o *gemmOutcome) ([]kernel.Access, error) {
	steps := (o.Size[2] + r.form.Tile[2] - 1) / r.form.Tile[2]
	if o.Blocks[0]*o.Blocks[1] > kernel.MaxPlanned/max(l.traced.Threads*steps, 1) {
		return r.planOfFour(l, o) // each thread has at least one address in each step
	}
	all, _, err := l.traced.Plan(r.ints(o.Size))
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeLimit {
		return all, err
	}
	return r.planOfFour(l, o)
}

// planOfFour plans a block inside the grid, a block at the end of each side and the last block, and multiplies each by
// the number of blocks like it.
func (r *gemmRunner) planOfFour(l *loadedKernel, o *gemmOutcome) (all []kernel.Access, err error) {
	var of [4][]kernel.Access
	if err := gemm.Parts(4, 1, func(n, _ int64) error {
		x, y := n/2, n%2
		if x >= o.Blocks[0] || y >= o.Blocks[1] {
			return nil
		}
		block, times := [3]int64{}, int64(1)
		for i, inside := range []int64{1 - x, 1 - y} {
			if inside == 1 && o.Blocks[i] > 1 {
				times *= o.Blocks[i] - 1
			} else {
				block[i] = o.Blocks[i] - 1
			}
		}
		some, _, err := l.traced.PlanBlocks(r.ints(o.Size), [][3]int64{block})
		for i := range some {
			c := &some[i].Cost
			for _, n := range []*int64{
				&c.Requests, &c.Bytes, &c.Bulk, &c.Sectors, &c.Fewest, &c.Wavefronts, &c.Ideal, &c.Unknown,
			} {
				*n *= times
			}
		}
		of[n] = some
		return err
	}); err != nil {
		return nil, err
	}
	return slices.Concat(of[:]...), nil
}
