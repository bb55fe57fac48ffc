package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"girih"
	"girih/atom"
	"girih/gemm"
	"girih/gpu"
	"girih/internal/lower"
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
	all := r.atomsOn(chipOf(d))
	if len(all) == 0 {
		return usageError(fmt.Sprintf("%s has no instruction of the name %q", chipOf(d), r.atom))
	}
	begin := time.Now()
	var rows []*gemmOutcome
	wrong := 0
	last := begin
	for p := range prepareAll(ctx, d, all) {
		row := r.row(ctx, p)
		if ctx.Err() != nil {
			fmt.Fprintf(c.stderr, "stopped after %d of %d\n", len(rows), len(all))
			break
		}
		rows = append(rows, row)
		if !row.Right {
			wrong++
		}
		if r.json {
			if err := json.NewEncoder(c.stdout).Encode(row); err != nil {
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
	fmt.Fprintf(c.stderr, "%d atoms on %s, %d not right, in %.0f s\n", len(rows), d.Info().Name, wrong, time.Since(begin).Seconds())
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

// prepareAll compiles kernels on all processors and gives them back in their order.
func prepareAll(ctx context.Context, d *gpu.Device, all []atom.MMA) func(yield func(*prepared) bool) {
	return func(yield func(*prepared) bool) {
		workers := runtime.GOMAXPROCS(0)
		queue := make(chan chan *prepared, workers) // bounds what is loaded at once
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		go func() {
			defer close(queue)
			for _, m := range all {
				done := make(chan *prepared, 1)
				select {
				case <-ctx.Done():
					return
				case queue <- done:
				}
				go func() { done <- prepareAtom(d, m) }()
			}
		}()
		for done := range queue { // to the end, so that nobody uses the card afterwards
			p := <-done
			if ctx.Err() == nil && !yield(p) {
				stop()
			}
			p.close()
		}
	}
}

func prepareAtom(d *gpu.Device, m atom.MMA) *prepared {
	atoms, err := atomsOf(m, "")
	if err != nil {
		return &prepared{err: err}
	}
	mma, err := atom.MakeTiledMMA(m, atoms, girih.Keep)
	if err != nil {
		return &prepared{err: err}
	}
	k, err := gemm.NewKernel(mma, tileOf(mma))
	if err != nil {
		return &prepared{k: gemm.Kernel{MMA: mma}, err: err}
	}
	return prepare(d, k)
}

// row runs an atom at all sizes, and returns the outcome of the one that is timed with the checks of all.
func (r *gemmRequest) row(ctx context.Context, p *prepared) *gemmOutcome {
	var out *gemmOutcome
	var runs []gemmCheck
	right := true
	for i, size := range gemmSizes {
		o, err := p.measure(ctx, size, false, r.seed, i == timedSize)
		if err != nil {
			return failed(p.k.MMA.Atom().Name, err)
		}
		right = right && o.Right
		for _, run := range o.Runs {
			run.Numbers = sizeText(size) + ", " + run.Numbers
			runs = append(runs, run)
		}
		if i == timedSize {
			out = o
		}
	}
	out.Runs, out.Right = runs, right
	return out
}

// gemmTable prints a line for each atom, and below it what is wrong.
func gemmTable(w io.Writer, rows []*gemmOutcome) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "atom\ttile\tthreads\tshared\tregisters\tcompile s\t%s us\tGFLOP/s\terror/bound\t\n", sizeText(gemmSizes[timedSize]))
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
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d%s\t%.3g\t%.4g\t%.4g\t%.2g\t%s\n", o.Atom, sizeText(o.Tile), o.Threads, o.Shared, o.Registers,
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
