package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"path"
	"runtime"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"girih"
	"girih/atom"
	"girih/gpu"
	"girih/internal/gemm"
	"girih/internal/lower"
	"girih/internal/terminal"
)

// gemmSizes are those of --all; the third one is timed.
var gemmSizes = [][3]int64{{1, 1, 1}, {127, 65, 33}, {256, 256, 256}, {1000, 513, 77}}

const timedSize = 2

// everything runs all atoms that the card has, or those of a pattern.
func (r *gemmRequest) everything(ctx context.Context, c *call) error {
	d, err := c.open(r.device)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	all := r.atomsOn(d.Info().Chip)
	if len(all) == 0 {
		return usageError(fmt.Sprintf("%s has no instruction of the name %q", d.Info().Chip, r.atom))
	}
	begin := time.Now()
	var rows []*gemmOutcome
	wrong, last := 0, begin
	for row := range r.rows(ctx, d, all) {
		rows = append(rows, row)
		if !row.Right {
			wrong++
		}
		if r.json {
			if err := encode(c.stdout, row); err != nil {
				return err
			}
		}
		if time.Since(last) > time.Second {
			last = time.Now()
			fmt.Fprintf(c.stderr, "%d of %d, %d not right\n", len(rows), len(all), wrong)
		}
	}
	if !r.json {
		if err := gemmTable(c.stdout, rows); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.stderr, "%d of %d atoms on %s, %d not right, in %.0f s\n",
		len(rows), len(all), terminal.Clean(d.Info().Name), wrong, time.Since(begin).Seconds())
	if wrong > 0 || len(rows) < len(all) {
		return errFailed
	}
	return nil
}

// atomsOn returns the atoms of a chip whose names the pattern takes.
func (r *gemmRequest) atomsOn(chip string) []atom.MMA {
	var out []atom.MMA
	for m := range atom.MMAs() {
		if _, err := lower.TargetFor(m.Operation, chip); err != nil {
			continue
		}
		if ok, _ := path.Match(r.atom, m.Name); ok || r.atom == "" {
			out = append(out, m)
		}
	}
	return out
}

// rows yields the outcomes in the order of the atoms, until ctx ends. Kernels are written, compiled and compared on all
// processors, and timed one by one, with the others waiting.
func (r *gemmRequest) rows(ctx context.Context, d *gpu.Device, all []atom.MMA) iter.Seq[*gemmOutcome] {
	return func(yield func(*gemmOutcome) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		workers := runtime.GOMAXPROCS(0)
		queue := make(chan chan *gemmOutcome, workers) // bounds what is loaded at once
		var card sync.RWMutex                          // who times has it alone
		go func() {
			defer close(queue)
			for _, m := range all {
				done := make(chan *gemmOutcome, 1)
				select {
				case <-ctx.Done():
					return
				case queue <- done:
				}
				go func() {
					p := prepareAtom(d, m, &card)
					done <- r.row(ctx, p, m.Name)
					p.close()
				}()
			}
		}()
		for done := range queue { // to the end, so that nobody uses the card afterwards
			row := <-done
			if ctx.Err() == nil && !yield(row) {
				stop()
			}
		}
	}
}

func prepareAtom(d *gpu.Device, m atom.MMA, card *sync.RWMutex) *loadedKernel {
	atoms, err := atomsOf(m, "")
	if err != nil {
		return &loadedKernel{err: err}
	}
	mma, err := atom.MakeTiledMMA(m, atoms, girih.Keep)
	if err != nil {
		return &loadedKernel{err: err}
	}
	k, err := gemm.NewKernel(mma, tileOf(mma))
	if err != nil {
		return &loadedKernel{err: err}
	}
	return prepare(d, k, card)
}

// row runs an atom at all sizes, and returns the outcome of the one that is timed with the checks of all.
func (r *gemmRequest) row(ctx context.Context, p *loadedKernel, name string) *gemmOutcome {
	if p.err != nil {
		return failed(name, p.err)
	}
	var runs []gemmCheck
	right := true
	measure := func(t gemmTrial) (*gemmOutcome, error) {
		o, err := p.measure(ctx, t)
		if err != nil {
			return nil, err
		}
		right = right && o.Right
		for _, run := range o.Runs {
			run.Numbers = sizeText(t.size) + ", " + run.Numbers
			runs = append(runs, run)
		}
		return o, nil
	}
	kinds := kindsOf(p.k)
	for _, size := range gemmSizes {
		if _, err := measure(gemmTrial{size: size, kinds: kinds[:1], seed: r.seed}); err != nil {
			return failed(name, err)
		}
	}
	out, err := measure(gemmTrial{size: gemmSizes[timedSize], kinds: kinds[1:], seed: r.seed, timed: true})
	if err != nil {
		return failed(name, err)
	}
	out.Runs, out.Right = runs, right
	return out
}

// gemmTable prints a line for each atom, and below it what is wrong.
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
