package service

import (
	"fmt"
	"strings"
)

// LinearText returns the map as a person reads it: the view if one was asked for, or else bases, matrix, and what is
// known.
func LinearText(r LinearResponse) string {
	if r.Text != "" {
		return r.Text
	}
	var b strings.Builder
	b.WriteString(strings.TrimPrefix(r.Bases, "\n"))
	b.WriteString("\n\n")
	writeMatrix(&b, r)
	fmt.Fprintf(&b, "rank %d of %d input and %d output bits: %s\n", r.Rank, r.InBits, r.OutBits, reach(r))
	for _, x := range r.Origin {
		if x != 0 {
			fmt.Fprintf(&b, "affine: the value at 0 is (%s)\n",
				strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Origin), " ", ","), "[]"))
			break
		}
	}
	if r.Consecutive > 1 {
		fmt.Fprintf(&b, "%d consecutive inputs have consecutive outputs\n", r.Consecutive)
	}
	switch {
	case r.Layout != "":
		fmt.Fprintf(&b, "the CuTe layout %s\n", r.Layout)
	case r.NoLayout != "":
		fmt.Fprintf(&b, "%s\n", r.NoLayout)
	}
	if r.Xor != "" {
		fmt.Fprintf(&b, "with F2 strides %s\n", r.Xor)
	}
	return b.String()
}

// reach says what the rank means.
func reach(r LinearResponse) string {
	switch {
	case r.Injective && r.Surjective:
		return "every output once"
	case r.Injective:
		return "no output twice"
	case r.Surjective:
		return fmt.Sprintf("every output %d times", int64(1)<<(r.InBits-r.Rank))
	}
	return fmt.Sprintf("2^%d of 2^%d outputs, each %d times", r.Rank, r.OutBits, int64(1)<<(r.InBits-r.Rank))
}

// writeMatrix writes the matrix with its dimensions: columns are input bits, rows are output bits.
func writeMatrix(b *strings.Builder, r LinearResponse) {
	if r.InBits == 0 || r.OutBits == 0 {
		return
	}
	label := 0
	for _, d := range r.Outs {
		label = max(label, len(d.Name)+1+len(fmt.Sprint(d.Size/2)))
	}
	// The names of the inputs are above their columns if there is room, with a bar between dimensions.
	var names, bars strings.Builder
	for _, in := range r.Ins {
		if len(in.Bases) == 0 {
			continue
		}
		width := columns(in)
		if names.Len() > 0 {
			names.WriteString(" | ")
			bars.WriteString("-+-")
		}
		fmt.Fprintf(&names, "%-*s", width, in.Name)
		bars.WriteString(strings.Repeat("-", width))
	}
	fmt.Fprintf(b, "%*s  %s\n", label, "", strings.TrimRight(names.String(), " "))
	row := 0
	for i, d := range r.Outs {
		if i > 0 && d.Size > 1 && row > 0 {
			fmt.Fprintf(b, "%*s  %s\n", label, "", bars.String())
		}
		for k := int64(1); k < d.Size; k <<= 1 {
			fmt.Fprintf(b, "%*s  %s\n", label, fmt.Sprintf("%s %d", d.Name, k), matrixRow(r, r.Matrix[row]))
			row++
		}
	}
	b.WriteByte('\n')
}

func matrixRow(r LinearResponse, bits []int) string {
	var groups []string
	col := 0
	for _, in := range r.Ins {
		if len(in.Bases) == 0 {
			continue
		}
		cells := make([]string, len(in.Bases))
		for k := range cells {
			cells[k] = "."
			if bits[col] == 1 {
				cells[k] = "1"
			}
			col++
		}
		groups = append(groups, fmt.Sprintf("%-*s", columns(in), strings.Join(cells, " ")))
	}
	return strings.TrimRight(strings.Join(groups, " | "), " ")
}

// columns is the width of an input's columns, which is the room for the name above them.
func columns(in LinearIn) int { return max(2*len(in.Bases)-1, len(in.Name)) }
