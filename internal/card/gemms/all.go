package gemms

import (
	"context"
	"fmt"
	"io"
	"iter"
	"path"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"girih/atom"
	"girih/internal/card/command"
	"girih/internal/machine/lower"
	"girih/internal/terminal"
)

// gemmSizes are the sizes of --all; the third is timed. The simulator runs the first two, then a problem of whole
// tiles.
var gemmSizes = [][3]int64{{1, 1, 1}, {127, 65, 33}, {256, 256, 256}, {1000, 513, 77}}

const timedSize = 2

// sizes returns the sizes of the problems for an atom.
func (g *gemmPlace) sizes(p *product) [][3]int64 {
	if g.d != nil {
		return gemmSizes
	}
	t := p.form.Tile
	return [][3]int64{gemmSizes[0], gemmSizes[1], {t[0], t[1], 2 * t[2]}}
}

// everything runs all atoms of the card, or those that match a pattern.
func (r *gemmRequest) everything(ctx context.Context, c *command.Call) error {
	place, err := r.place(c)
	if err != nil {
		return err
	}
	defer place.close()
	all := r.atomsOn(place.chip())
	if len(all) == 0 {
		return command.UsageError(fmt.Sprintf("%s has no instruction with the name %q", place.chip(), r.atom))
	}
	begin := time.Now()
	var rows []*gemmOutcome
	wrong, last := 0, begin
	for row := range r.rows(ctx, place, all) {
		rows = append(rows, row)
		if !row.Right {
			wrong++
		}
		if r.json {
			if err := encode(c.Stdout, row); err != nil {
				return err
			}
		}
		if time.Since(last) > time.Second {
			last = time.Now()
			fmt.Fprintf(c.Stderr, "%d of %d, %d not right\n", len(rows), len(all), wrong)
		}
	}
	if !r.json {
		if err := gemmTable(c.Stdout, rows); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.Stderr, "%d of %d atoms on %s, %d not right, in %.0f s\n",
		len(rows), len(all), terminal.Clean(place.name()), wrong, time.Since(begin).Seconds())
	if wrong > 0 || len(rows) < len(all) {
		return command.ErrFailed
	}
	return nil
}

// atomsOn returns the atoms of a chip whose names match the pattern, first CuTe's, then the others of PTX.
func (r *gemmRequest) atomsOn(chip string) []atom.MMA {
	var out []atom.MMA
	for _, atoms := range []iter.Seq[atom.MMA]{atom.MMAs(), atom.BareMMAs()} {
		for m := range atoms {
			if _, err := lower.TargetFor(m.Operation, chip); err != nil {
				continue
			}
			if ok, _ := path.Match(r.atom, m.Name); ok || r.atom == "" {
				out = append(out, m)
			}
		}
	}
	return out
}

// rows yields the outcomes in the order of the atoms, until ctx ends. All processors write, compile and compare
// kernels; timings run one by one while other work waits.
func (r *gemmRequest) rows(ctx context.Context, place *gemmPlace, all []atom.MMA) iter.Seq[*gemmOutcome] {
	return func(yield func(*gemmOutcome) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		workers := runtime.GOMAXPROCS(0)
		queue := make(chan chan *gemmOutcome, workers) // limits the number of loaded kernels
		go func() {
			defer close(queue)
			for _, m := range all {
				done := make(chan *gemmOutcome, 1)
				select {
				case <-ctx.Done():
					return
				case queue <- done:
				}
				go func() { done <- r.row(ctx, place, m) }()
			}
		}()
		for done := range queue { // runs to the end, so that no goroutine uses the card afterwards
			row := <-done
			if ctx.Err() == nil && !yield(row) {
				stop()
			}
		}
	}
}

// row runs an atom at all sizes. It returns the outcome of the timed size, with the checks of all sizes.
func (r *gemmRequest) row(ctx context.Context, place *gemmPlace, m atom.MMA) *gemmOutcome {
	k, err := (&gemmRequest{}).kernel(m)
	if err != nil {
		return failure(m.Name, err)
	}
	p := newRunner(ofKernel(k), place)
	defer p.close()
	var out *gemmOutcome
	var runs []gemmCheck
	right := true
	kinds, sizes := kindsOf(p.product), place.sizes(p.product)
	trials := []gemmTrial{}
	for _, size := range sizes {
		trials = append(trials, gemmTrial{size: size, kinds: kinds[:1], seed: r.seed})
	}
	trials = append(trials, gemmTrial{size: sizes[timedSize], kinds: kinds[1:], seed: r.seed, timed: true})
	for _, t := range trials {
		if out, err = p.measure(ctx, t); err != nil {
			return failure(m.Name, err)
		}
		right = right && out.Right
		for _, run := range out.Runs {
			run.Numbers = sizeText(t.size) + ", " + run.Numbers
			runs = append(runs, run)
		}
	}
	out.Runs, out.Right = runs, right
	return out
}

// gemmTable prints a line for each atom, then the errors.
func gemmTable(w io.Writer, rows []*gemmOutcome) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "atom\ttile\tthreads\tshared\tregisters\tcompile s\t%s us\tGFLOP/s\terror/bound\t\n",
		sizeText(gemmSizes[timedSize]))
	for _, o := range rows {
		if o.Error != "" {
			fmt.Fprintf(t, "%s\t-\t-\t-\t-\t-\t-\t-\t-\tnot run\n", o.Atom)
			continue
		}
		worst, verdict := 0.0, "right"
		for _, run := range o.Runs {
			if run.Bound > 0 {
				worst = max(worst, run.Worst/run.Bound)
			}
		}
		if !o.Right {
			verdict = "WRONG"
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d%s\t%.3g\t%.4g\t%.1f\t%.2g\t%s\n",
			o.Atom, sizeText(o.Tile), o.Threads, o.Shared, o.Registers,
			strings.Repeat("*", min(o.Spilled, 1)), o.Compiled, o.Seconds*1e6, o.GFLOPS, worst, verdict)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, o := range rows {
		if o.Error != "" {
			fmt.Fprintf(w, "%s: %s\n", o.Atom, o.Error)
		}
		for _, run := range o.Runs {
			if run.Wrong > 0 || run.Stray {
				fmt.Fprintf(w, "%s: %s\n", o.Atom, run.text())
			}
		}
	}
	return nil
}
