package service

import (
	"fmt"
	"strings"
)

// Text returns the TiledMMA as a person reads it. Every line ends with a newline.
func (r MMAResponse) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, tile %s, thr_layout_vmnk %s\n", r.MMA, plural(int(r.Threads), "thread"), times(r.Tile),
		r.ThrVMNK)
	for _, o := range r.Operands {
		fmt.Fprintf(&b, "%s  tv %s\n   fragment %s\n", o.Name, o.TV, o.Fragment)
	}
	return b.String()
}

// Text returns the permutation as a person reads it. Every line ends with a newline.
func (r PermuteResponse) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", r.Permutation, r.MMA)
	fmt.Fprintf(&b, "thread 0 of %s before: %s\n", r.Operand, strings.Join(r.Before, " "))
	fmt.Fprintf(&b, "thread 0 of %s after:  %s\n", r.Operand, strings.Join(r.After, " "))
	return b.String()
}

// Text returns the copies as a person reads them. It lists at most the given number of copies that do not fit; more
// says how to see the rest. Every line ends with a newline.
func (r CopiesResponse) Text(most int, more string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, %s: %s\n", r.MMA, r.Memory, r.Type, r.Way)
	shown := 0
	for i, row := range r.Copies {
		if row.Fits {
			fmt.Fprintf(&b, "\n%s  fits: %s\n", row.Name, row.Reason)
			continue
		}
		if shown++; shown > most {
			fmt.Fprintf(&b, "\nand %d more that do not fit: %s\n", len(r.Copies)-i, more)
			break
		}
		fmt.Fprintf(&b, "\n%s  does not fit\n", row.Name)
		b.WriteString(Wrap(row.Reason, 90, "  ", "  "))
		if row.Hint != "" {
			b.WriteString(Wrap("hint: "+row.Hint, 90, "  ", "  "))
		}
	}
	return b.String()
}

// times is extents as a product.
func times(x [3]int64) string { return fmt.Sprintf("%dx%dx%d", x[0], x[1], x[2]) }
