//go:build !js || kernels

package service

import (
	"cmp"
	"fmt"
	"strings"
)

// Text returns the result and the ledger as a person reads them.
func (r GemmResponse) Text() string {
	if r.Plan != nil {
		return cmp.Or(r.Source, r.text)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.MMA)
	fmt.Fprintf(&b, "%s; tiles of %s, %s of them along M, N and K; %s\n", plural(int(r.Threads), "thread"),
		times(r.Tile), times(r.Tiles), r.Numbers)
	fmt.Fprintf(&b, "A in shared memory: %s\nB in shared memory: %s\n\n", r.SharedA, r.SharedB)
	switch {
	case !r.OK:
		fmt.Fprintf(&b, "wrong: %d of %d elements\n", r.Fails, r.Elements)
	case r.Worst == 0:
		fmt.Fprintf(&b, "right: all %d elements equal the result of three loops\n", r.Elements)
	default:
		fmt.Fprintf(&b, "right: all %d elements are as near as rounding lets them be; D(%d,%d) is off by %.3g, and up "+
			"to %.3g is possible\n",
			r.Elements, r.Row, r.Column, r.Worst, r.Bound)
	}
	fmt.Fprintf(&b, "each product is added %s\n", onceOr(r.LeastMost))
	fmt.Fprintf(&b, "%s, %d products, %d of them inside the problem (%.3g%%)\n\n",
		plural(int(r.Executed), "instruction"), r.Products, r.Useful, 100*float64(r.Useful)/float64(r.Products))
	rows := [][]string{{"movement", "by", "bits", "warp instr.", "bytes", "wavefronts", "ideal", "conflicts", "sectors"}}
	for _, s := range r.Stages {
		row := []string{
			s.Name, s.Operation, fmt.Sprint(s.VectorBits), orDash(s.Instructions), fmt.Sprint(s.Bytes),
			orDash(int64(s.Wavefronts)), orDash(int64(s.Ideal)), "-", orDash(s.Sectors),
		}
		switch {
		case s.Degree == 1:
			row[7] = "none"
		case s.Degree > 1:
			row[7] = fmt.Sprintf("%d-way", s.Degree)
		}
		rows = append(rows, row)
	}
	textTable{Rows: rows, Gap: "  ", Numbers: 2}.write(&b)
	fmt.Fprintf(&b, "\nshared memory: %s\n", r.Machine)
	return b.String()
}

func orDash(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

func onceOr(leastMost [2]int64) string {
	if leastMost == [2]int64{1, 1} {
		return "once"
	}
	return fmt.Sprintf("%d to %d times", leastMost[0], leastMost[1])
}
