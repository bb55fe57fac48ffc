package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

func convertCommand() *cobra.Command {
	var asJSON bool
	req := service.ConvertRequest{}
	c := &cobra.Command{
		Use:   "convert R1 R2",
		Short: "Plan the conversion between two register layouts",
		Long: `Plan how the elements of a tensor move from the register layout R1 to R2: not at
all, between the registers of a thread, by warp shuffles, or through shared
memory, and what that costs. Register layouts are linear layouts of register,
lane, warp and block, or encodings of Triton with the --shape of the tensor.`,
		Example: `  girih convert --type f32 'linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}' 'linear{register=[[4],[2]], lane=[[1],[8]], out=[dim0:16]}'
  girih convert --type f16 --shape 64,64 'blocked{sizePerThread=[1,8], threadsPerWarp=[4,8], warpsPerCTA=[4,1], order=[1,0]}' 'nvidia_mma{versionMajor=2, versionMinor=0, warpsPerCTA=[4,1], instrShape=[16,8]}'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return &usageError{msg: "convert needs two register layouts", hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			req.From, req.To = args[0], args[1]
			r := s.Convert(req)
			text := func() string { return convertText(r) }
			return reply{response: r, ok: r.OK, text: text, notes: r.Notes, fault: service.Fault{In: r.Faulty}, err: r.Error}.print(c, asJSON)
		},
	}
	c.Flags().StringVar(&req.Type, "type", "f32", "the element `TYPE`")
	integersFlag(c, &req.Shape, "shape", "the `SHAPE` of the tensor, for encodings, such as 128,64")
	c.Flags().IntVar(&req.Banks, "banks", 32, "the `NUMBER` of banks of shared memory")
	jsonFlag(c, &asJSON)
	return c
}

// convertText is a plan for people.
func convertText(r service.ConvertResponse) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", r.Class)
	if len(r.Moves) > 0 {
		fmt.Fprintf(&b, ": elements move between %s", strings.Join(r.Moves, ", "))
	}
	b.WriteString("\n")
	if len(r.Moves) > 0 {
		fmt.Fprintf(&b, "  from where   %s\n", r.Minimal)
	}
	if len(r.Registers) > 0 && r.Class != "none" {
		fmt.Fprintf(&b, "  register i is register %s\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Registers), " ", ", "), "[]"))
	}
	if p := r.Shuffle; p != nil {
		writeShuffles(&b, p)
	}
	if p := r.Shared; p != nil {
		writeShared(&b, r, p)
	}
	return b.String()
}

func writeShuffles(b *strings.Builder, p *service.ShufflePlan) {
	fmt.Fprintf(b, "\nwarp shuffles: %s and %s a thread, in %s", count(p.Shuffles, "shuffle"), count(p.Selects, "select"), count(p.Rounds, "round"))
	if p.Packed > 1 {
		fmt.Fprintf(b, " of %d elements a word", p.Packed)
	}
	b.WriteString("\n")
	row := func(name, text string) {
		if text != "" {
			fmt.Fprintf(b, "  %-11s  %s\n", name, text)
		}
	}
	row("cycles", strings.Join(p.Cycles, " "))
	row("registers", p.Registers)
	row("lanes", p.Lanes)
	for i, x := range p.Exchanges {
		name := "exchanges"
		if i > 0 {
			name = ""
		}
		row(name, x)
	}
}

func writeShared(b *strings.Builder, r service.ConvertResponse, p *service.SharedPlan) {
	fmt.Fprintf(b, "\nshared memory: %d bytes", p.Bytes)
	if p.Reps > 1 {
		fmt.Fprintf(b, ", used %d times with a barrier between", p.Reps)
	}
	if r.Class != "shared memory" {
		b.WriteString(", instead")
	}
	b.WriteString("\n")
	for _, side := range []struct {
		name string
		cost service.SharedCost
	}{{"store", p.Store}, {"load", p.Load}} {
		c := side.cost
		verdict := "no conflicts"
		if c.Wavefronts > c.Ideal {
			verdict = fmt.Sprintf("%d-way conflicts", c.Wavefronts/max(c.Ideal, 1))
		}
		fmt.Fprintf(b, "  %-11s  %s of %d bits, %s each, %s\n", side.name, count(c.Instructions, "access"), c.VectorBits, count(c.Wavefronts, "wavefront"), verdict)
	}
	fmt.Fprintf(b, "  %-11s  %s\n", "holds", p.Layout)
	if p.CuTe != "" {
		fmt.Fprintf(b, "  %-11s  %s\n", "elements at", p.CuTe)
	}
}

// count writes a number with its noun.
func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
