package gemms

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/terminal"
	plans "girih/kernel/gemm"
)

// This file is girih-gpu gemm --tune: it compiles the configurations that the planner compares, times all of them
// shortly, and then the fastest ones and the planner's choice together.

const (
	mostTuned  = 200                  // configurations of a search
	inBatch    = 16                   // timed together in a short run
	finalists  = 8                    // timed together at the end, with the planner's choice
	shortRuns  = 3                    // rounds of a short run
	finalRuns  = 15                   // rounds at the end
	rest       = 3 * time.Millisecond // before a measurement, which has 2
	perMessage = time.Second
)

// A tuneOutcome is the result of a search.
type tuneOutcome struct {
	Card    string    `json:"card"`
	Size    [3]int64  `json:"size"`
	In      string    `json:"in"`
	Out     string    `json:"out"`
	Elapsed float64   `json:"elapsed_seconds"`
	Rows    []tuneRow `json:"rows"` // the finalists, the fastest first, then the others in the order of their times
}

// A tuneRow is a configuration.
type tuneRow struct {
	Choice    plans.Choice `json:"choice"`
	Planned   bool         `json:"planned,omitempty"` // the planner's choice
	Rank      int          `json:"rank"`              // in the order of the predictions, from 0
	Seconds   float64      `json:"seconds"`
	Final     bool         `json:"final,omitempty"` // timed at the end
	Predicted float64      `json:"predicted_seconds"`
	Bound     string       `json:"bound"`
	Registers int          `json:"registers"`
	Spilled   int          `json:"spilled_bytes"`
	Wrong     int          `json:"wrong"` // elements of a sample
	Error     string       `json:"error,omitempty"`
}

// tune searches the fastest configuration of the size.
func (r *gemmRequest) tune(ctx context.Context, c *command.Call) error {
	place, err := r.place(c)
	if err != nil {
		return err
	}
	defer place.close()
	if place.d == nil {
		return errNoCard
	}
	if r.card, err = place.d.GemmCard(); err != nil {
		return err
	}
	begin := time.Now()
	size := [3]int64{r.m, r.n, r.k}
	first, err := r.plan(size)
	if err != nil {
		return err
	}
	x, err := newContest(ctx, place.d, first.Problem(), nil)
	if err != nil {
		return err
	}
	defer x.close()
	o := &tuneOutcome{Card: r.card.Name, Size: size, In: first.Problem().In.String(), Out: first.Problem().Out.String()}
	all := compileAll(ctx, c.Stderr, place.d, append([]*plans.Plan{first}, first.Next(r.most-1)...))
	defer func() {
		for _, y := range all {
			_ = y.close() // fails only if work was abandoned
		}
	}()
	if err := o.race(ctx, c.Stderr, x, all); err != nil {
		return err
	}
	o.Elapsed = time.Since(begin).Seconds()
	if r.json {
		err = encode(c.Stdout, o)
	} else {
		err = o.write(c.Stdout)
	}
	if err == nil && slices.ContainsFunc(o.Rows, func(y tuneRow) bool { return y.Wrong > 0 || y.Error != "" }) {
		return command.ErrFailed
	}
	return err
}

// compileAll loads the kernels of plans, on all processors.
func compileAll(ctx context.Context, w io.Writer, d *gpu.Device, all []*plans.Plan) []*contestant {
	out := make([]*contestant, len(all))
	todo, done := make(chan int), make(chan int)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range todo {
				y := &contestant{plan: all[i]}
				if y.err = ctx.Err(); y.err == nil {
					y.g, y.err = d.LoadGemm(all[i])
				}
				out[i] = y
				done <- i
			}
		})
	}
	go func() {
		for i := range all {
			todo <- i
		}
		close(todo)
		wait.Wait()
		close(done)
	}()
	p := progress{w: w, what: "compiled", all: len(all)}
	for range done {
		p.step(1)
	}
	return out
}

// race times all kernels shortly, and the fastest again.
func (o *tuneOutcome) race(ctx context.Context, w io.Writer, x *contest, all []*contestant) error {
	seconds := map[*contestant]float64{}
	p := progress{w: w, what: "timed", all: len(all)}
	for batch := range slices.Chunk(all, inBatch) {
		var ready []*contestant
		for _, y := range batch {
			if x.enter(ctx, y); y.err == nil {
				ready = append(ready, y)
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := x.measure(ctx, shortRuns, ready, seconds); err != nil {
			return err
		}
		p.step(len(batch))
	}
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b *contestant) int {
		return cmp.Or(cmp.Compare(min(seconds[b], 1e-12), min(seconds[a], 1e-12)), cmp.Compare(seconds[a], seconds[b]))
	})
	last := order[:min(finalists, len(order))]
	if !slices.Contains(last, all[0]) {
		last = append(slices.Clip(last), all[0])
	}
	last = slices.DeleteFunc(slices.Clone(last), func(y *contestant) bool { return seconds[y] == 0 })
	if err := x.measure(ctx, finalRuns, last, seconds); err != nil {
		return err
	}
	for i, y := range all {
		row := y.row(i, seconds[y])
		row.Final = slices.Contains(last, y)
		o.Rows = append(o.Rows, row)
	}
	slices.SortStableFunc(o.Rows, func(a, b tuneRow) int {
		if a.Final != b.Final {
			return map[bool]int{true: -1, false: 1}[a.Final]
		}
		return cmp.Compare(a.Seconds, b.Seconds)
	})
	return nil
}

// measure times kernels in turn and records the medians.
func (x *contest) measure(ctx context.Context, rounds int, all []*contestant, seconds map[*contestant]float64) error {
	if len(all) == 0 {
		return nil
	}
	times, err := x.time(ctx, gpu.TimeOptions{Rounds: rounds, Rest: rest}, all)
	if err != nil {
		return err
	}
	for i, y := range all {
		seconds[y] = times[i].Median().Seconds()
	}
	return nil
}

// row describes a configuration.
func (c *contestant) row(rank int, seconds float64) tuneRow {
	f := c.plan.Prediction()
	row := tuneRow{
		Choice: c.plan.Choice(), Planned: rank == 0, Rank: rank, Seconds: seconds, Predicted: f.Seconds,
		Bound: f.Bound, Wrong: c.wrong,
	}
	if c.g != nil {
		res := c.g.Resources()
		row.Registers, row.Spilled = res.Registers, res.Local
	}
	if c.err != nil {
		row.Error = c.err.Error()
	}
	return row
}

// write prints the finalists.
func (o *tuneOutcome) write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s, %s to %s, %s: %d configurations in %.0f s\n", sizeText(o.Size), o.In, o.Out,
		terminal.Clean(o.Card), len(o.Rows), o.Elapsed)
	fmt.Fprintln(t, "us\tTFLOP/s\tpredicted us\tregisters\trank\tconfiguration")
	products := 2 * float64(o.Size[0]) * float64(o.Size[1]) * float64(o.Size[2])
	best, planned := 0.0, 0.0
	for _, y := range o.Rows {
		switch {
		case y.Error != "":
			fmt.Fprintf(t, "-\t-\t%.4g\t-\t%d\t%s: %s\n", y.Predicted*1e6, y.Rank, choiceText(y.Choice), terminal.Clean(y.Error))
			continue
		case !y.Final && y.Wrong == 0:
			continue
		}
		note := ""
		if y.Planned {
			planned, note = y.Seconds, "; the planner's choice"
		}
		if y.Wrong > 0 {
			note += fmt.Sprintf("; WRONG: %d elements of a sample", y.Wrong)
		} else if y.Final && best == 0 {
			best = y.Seconds
		}
		fmt.Fprintf(t, "%.4g\t%.1f\t%.4g\t%d%s\t%d\t%s%s\n", y.Seconds*1e6, products/y.Seconds/1e12, y.Predicted*1e6,
			y.Registers, map[bool]string{true: "*"}[y.Spilled > 0], y.Rank, choiceText(y.Choice), note)
	}
	if err := t.Flush(); err != nil || best == 0 || planned == 0 {
		return err
	}
	_, err := fmt.Fprintf(w, "the planner's choice takes %.1f %% longer than the best\n", 100*(planned/best-1))
	return err
}

// A progress is a count that is printed each second.
type progress struct {
	w         io.Writer
	what      string
	done, all int
	last      time.Time
}

func (p *progress) step(n int) {
	if p.done += n; time.Since(p.last) > perMessage {
		p.last = time.Now()
		fmt.Fprintf(p.w, "%d of %d %s\n", p.done, p.all, p.what)
	}
}
