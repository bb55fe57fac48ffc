package gemms

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"girih/internal/terminal"
)

// write prints an outcome as a short table.
func (o *gemmOutcome) write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	name, atoms := o.Atom, ", atoms "+o.Atoms
	if o.Kernel != "" {
		name, atoms = o.Kernel, ", "+o.Atom
	}
	fmt.Fprintf(t, "%s\t%s\n", name, terminal.Clean(o.Card))
	fmt.Fprintf(t, "problem\t%s, %d by %d blocks of %d threads%s\n",
		sizeText(o.Size), o.Blocks[0], o.Blocks[1]*o.Blocks[2], o.Threads, atoms)
	fmt.Fprintf(t, "tile\t%s, %d bytes of shared memory%s\n", sizeText(o.Tile), o.Shared, o.registers())
	if o.Simulated == nil {
		fmt.Fprintf(t, "compiled\t%s\n", o.compiledText())
		fmt.Fprintf(t, "time\t%.4g us, %s\n", o.Seconds*1e6, rate(o.GFLOPS))
	}
	for _, r := range o.Runs {
		fmt.Fprintf(t, "%s\t%s\n", verdict(&r), r.text())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if o.Prediction != "" {
		_, err := fmt.Fprintf(w, "not predicted: %s\n", o.Prediction)
		return err
	}
	fmt.Fprintln(w)
	fmt.Fprintln(t, "predicted\tby\tinstructions\tbytes\tsectors\twavefronts\tideal")
	for _, s := range o.Predicted {
		s.write(t)
	}
	if o.Simulated != nil {
		o.Simulated.write(t)
	}
	return t.Flush()
}

func (s *gemmStage) write(w io.Writer) {
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", s.Name, s.Operation, s.Instructions, s.Bytes, s.Sectors, s.Wavefronts,
		s.Ideal)
}

// registers returns the registers of a thread, if the kernel was compiled.
func (o *gemmOutcome) registers() string {
	if o.Registers == 0 {
		return ""
	}
	return fmt.Sprintf(", %d registers%s", o.Registers, o.spills())
}

func (o *gemmOutcome) spills() string {
	if o.Spilled == 0 {
		return ""
	}
	return fmt.Sprintf(", %d bytes spilled", o.Spilled)
}

func (o *gemmOutcome) compiledText() string {
	if o.Cached {
		return fmt.Sprintf("before; loaded in %.3g s", o.Compiled)
	}
	return fmt.Sprintf("in %.3g s", o.Compiled)
}

func sizeText(s [3]int64) string { return fmt.Sprintf("%dx%dx%d", s[0], s[1], s[2]) }

func verdict(r *gemmCheck) string {
	if r.Wrong > 0 || r.Stray {
		return "WRONG"
	}
	return "right"
}

func (r *gemmCheck) text() string {
	s := fmt.Sprintf("%s: %d elements, %d of them exact", r.Numbers, r.Elements, r.Exact)
	if r.Exact < r.Elements {
		s += fmt.Sprintf("; worst error %.2g, bound %.2g", r.Worst, r.Bound)
	}
	if r.Summed > 0 {
		s += fmt.Sprintf("; the other %d by a random sum over each row, which misses a wrong one once in 2^%d", r.Summed,
			-int(math.Log2(r.Missed)))
	}
	if r.First != nil {
		s += fmt.Sprintf("; %d wrong, first D(%d,%d) = %s, not %s",
			r.Wrong, r.First.Row, r.First.Column, r.First.Got, r.First.Want)
	}
	if r.Stray {
		s += "; bytes after D were written"
	}
	return s
}

// rate returns a number of operations per second with its unit.
func rate(gflops float64) string {
	if gflops >= 1000 {
		return fmt.Sprintf("%.1f TFLOP/s", gflops/1000)
	}
	return fmt.Sprintf("%.3g GFLOP/s", gflops)
}
