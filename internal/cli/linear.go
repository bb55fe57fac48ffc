package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

func linearCommand() *cobra.Command {
	var asJSON bool
	req := service.LinearRequest{}
	c := &cobra.Command{
		Use:   "linear EXPR",
		Short: "Print a layout as a map over bits: bases, matrix, rank",
		Long: `Print a layout as a linear layout, a map over bits: the basis vectors of each
input dimension as Triton prints them, the matrix over F2 with the least
significant bits first, its rank, and the CuTe layout that it is. EXPR is a
linear layout, a layout, a swizzle, a composed layout, a layout with F2
strides, a matrix, or an encoding of Triton with the --shape of the tensor.`,
		Example: `  girih linear 'Sw<2,0,3> o 0 o (8,8):(8,1)'
  girih linear 'linear(((4,8),(2,2)):((32,1),(16,8)), (lane,register))'
  girih linear --shape 16,16 'blocked{sizePerThread=[2,2], threadsPerWarp=[8,4], warpsPerCTA=[1,1], order=[1,0]}'
  girih linear --shape 4,2 --view tensor 'blocked{sizePerThread=[1,2], threadsPerWarp=[4,1], warpsPerCTA=[1,1], order=[1,0]}'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{msg: "linear needs one expression", hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			req.Expr = args[0]
			r := s.Linear(req)
			text := func() string {
				if r.Text != "" {
					return r.Text
				}
				return linearText(r)
			}
			return reply{response: r, ok: r.OK, text: text, notes: r.Notes, fault: service.Fault{In: args[0]}, err: r.Error}.print(c, asJSON)
		},
	}
	integersFlag(c, &req.Shape, "shape", "the `SHAPE` of the tensor of an encoding, such as 128,64")
	c.Flags().StringVar(&req.View, "view", "", "print a `VIEW` of all places instead: tensor or hardware")
	jsonFlag(c, &asJSON)
	return c
}

// linearText is the map for people: bases, matrix, what is known.
func linearText(r service.LinearResponse) string {
	var b strings.Builder
	b.WriteString(strings.TrimPrefix(r.Bases, "\n"))
	b.WriteString("\n\n")
	writeMatrix(&b, r)
	fmt.Fprintf(&b, "rank %d of %d input and %d output bits: %s\n", r.Rank, r.InBits, r.OutBits, reach(r))
	for _, x := range r.Origin {
		if x != 0 {
			fmt.Fprintf(&b, "affine: the value at 0 is (%s)\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Origin), " ", ","), "[]"))
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
func reach(r service.LinearResponse) string {
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

// writeMatrix writes the matrix with its dimensions: columns are the bits of the inputs, rows those of the outputs.
func writeMatrix(b *strings.Builder, r service.LinearResponse) {
	if r.InBits == 0 || r.OutBits == 0 {
		return
	}
	label := 0
	for _, d := range r.Outs {
		label = max(label, len(d.Name)+1+len(fmt.Sprint(d.Size/2)))
	}
	// The names of the inputs stand above their columns, where there is room, and a bar between dimensions.
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

func matrixRow(r service.LinearResponse, bits []int) string {
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

// columns is the width of the columns of an input, which its name has above them.
func columns(in service.LinearIn) int { return max(2*len(in.Bases)-1, len(in.Name)) }
