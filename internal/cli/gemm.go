package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

func gemmCommand() *cobra.Command {
	var req service.GemmRequest
	var asJSON bool
	c := &cobra.Command{
		Use:   "gemm (--atom NAME | --type TYPE) [-m M] [-n N] [-k K]",
		Short: "Run a gemm on simulated threads, and show what it moves",
		Long: `Run D = A*B + C on simulated threads, shared memory and registers: predicated loads
of tiles into swizzled shared memory, ldmatrix where the fragments are what it
delivers, the MMA instruction on the fragments of every thread, and the store. A is
M by K, B is N by K, C and D are M by N, each row by row. D is compared with three
loops, and the ledger says what was moved: bytes of elements inside the problem,
sectors of 32 bytes of global memory, and the wavefronts of shared memory against
those without conflicts.

The numbers are small integers, of which sums are exact in all types, unless
--normal asks for others; then the result may differ by as much as the rounding of
the accumulator, which is stated. The exit status is 1 if the result is wrong.`,
		Example: `  girih gemm --type f16 -m 256 -n 256 -k 64
  girih gemm --atom SM80_16x8x16_F32F16F16F32_TN --atoms 2,2,1 --perm '<32,32,16>' --tile 128,128,32
  girih gemm --atom SM90_64x128x16_F32F16F16_SS --tile 128,128,64 -m 200 -n 150 -k 100
  girih gemm --type s8 --atoms 2,2,1 -m 100 -n 70 -k 90`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var s service.Session
			return showGemm(c, s.Gemm(req), asJSON)
		},
	}
	f := c.Flags()
	f.StringVar(&req.Atom, "atom", "", "the MMA instruction, by its `NAME`; girih atom lists them")
	f.StringVar(&req.Type, "type", "", "the `TYPE` of A, such as f16; without --atom it chooses a usual instruction")
	f.StringVar(&req.Atoms, "atoms", "", "the `LAYOUT` of the atoms over M, N and K, such as 2,2,1")
	f.StringVar(&req.Permutation, "perm", "", "PermutationMNK, a `TILE` such as '<32,32,16>'")
	integersFlag(c, &req.Tile, "tile", "the extents `M,N,K` of the kernel's tile, multiples of the TiledMMA's; without it about 64, 64 and 64 bytes")
	f.Int64VarP(&req.M, "m", "m", 128, "the `NUMBER` of rows of A")
	f.Int64VarP(&req.N, "n", "n", 128, "the `NUMBER` of rows of B")
	f.Int64VarP(&req.K, "k", "k", 64, "the `NUMBER` of columns of A and B")
	f.BoolVar(&req.Normal, "normal", false, "numbers of a normal distribution, up to 3")
	f.Uint64Var(&req.Seed, "seed", 0, "the `SEED` of the numbers")
	f.StringVar(&req.Target, "target", "", "the `MACHINE` whose shared memory is counted; that of the atom if there is a model of it, or else "+service.DefaultTarget)
	jsonFlag(c, &asJSON)
	return c
}

func showGemm(c *cobra.Command, r service.GemmResponse, asJSON bool) error {
	if asJSON {
		if err := writeJSON(c, r); err != nil {
			return err
		}
	} else if r.Threads > 0 {
		if err := write(c, gemmText(r)); err != nil {
			return err
		}
		printNotes(c.ErrOrStderr(), r.Notes)
	}
	switch {
	case r.OK:
		return nil
	case asJSON:
	case r.Fault.Usage:
		return wrongUsage(c, r.Error)
	default:
		io.WriteString(c.ErrOrStderr(), r.Error.Report(r.In, 0))
	}
	return exit(statusFailed)
}

// gemmText is the result and the ledger for people.
func gemmText(r service.GemmResponse) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.MMA)
	fmt.Fprintf(&b, "%s; tiles of %s, %s of them along M, N and K; %s\n", counted(r.Threads, "thread"), times(r.Tile), times(r.Tiles), r.Numbers)
	fmt.Fprintf(&b, "A in shared memory: %s\nB in shared memory: %s\n\n", r.SharedA, r.SharedB)
	switch {
	case !r.OK:
		fmt.Fprintf(&b, "wrong: %d of %d elements\n", r.Fails, r.Elements)
	case r.Worst == 0:
		fmt.Fprintf(&b, "right: all %d elements are equal to those of three loops\n", r.Elements)
	default:
		fmt.Fprintf(&b, "right: all %d elements are as near as rounding lets them be; D(%d,%d) is off by %.3g, and up to %.3g is possible\n",
			r.Elements, r.Row, r.Column, r.Worst, r.Bound)
	}
	fmt.Fprintf(&b, "each product is added %s\n", onceOr(r.LeastMost))
	fmt.Fprintf(&b, "%s, %d products, %d of them inside the problem (%.3g%%)\n\n",
		counted(r.Executed, "instruction"), r.Products, r.Useful, 100*float64(r.Useful)/float64(r.Products))
	rows := [][]string{{"movement", "by", "bits", "warp instr.", "bytes", "wavefronts", "ideal", "conflicts", "sectors"}}
	for _, s := range r.Stages {
		row := []string{s.Name, s.Operation, fmt.Sprint(s.VectorBits), orDash(s.Instructions), fmt.Sprint(s.Bytes), orDash(int64(s.Wavefronts)), orDash(int64(s.Ideal)), "-", orDash(s.Sectors)}
		switch {
		case s.Degree == 1:
			row[7] = "none"
		case s.Degree > 1:
			row[7] = fmt.Sprintf("%d-way", s.Degree)
		}
		rows = append(rows, row)
	}
	writeTable(&b, rows, 2)
	fmt.Fprintf(&b, "\nshared memory: %s\n", r.Machine)
	return b.String()
}

// writeTable writes rows in columns, those from the first number on aligned at their right.
func writeTable(b *strings.Builder, rows [][]string, numbers int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, x := range row {
			widths[i] = max(widths[i], len(x))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, x := range row {
			if i < numbers {
				fmt.Fprintf(&line, "%-*s  ", widths[i], x)
			} else {
				fmt.Fprintf(&line, "%*s  ", widths[i], x)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
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

func times(x [3]int64) string { return fmt.Sprintf("%dx%dx%d", x[0], x[1], x[2]) }

// counted is a number with its noun.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
