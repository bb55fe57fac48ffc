package gemms

import "girih/kernel"

// predict adds the planned traffic of the kernel. It reads only the size and the blocks of the outcome.
func (r *gemmRunner) predict(l *loadedKernel, o *gemmOutcome) {
	accesses, _, err := l.traced.Plan(r.ints(o.Size))
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
