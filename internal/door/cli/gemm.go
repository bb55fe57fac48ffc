package cli

import (
	"io"

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
the accumulator, which is stated. The exit status is 1 if the result is wrong.

A million multiplications take some milliseconds. A number of A, B, C or D takes 8
bytes, and those of A and B twice that: 8192 by 8192 by 1 takes about 1.1 GB.`,
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
		if err := write(c, r.Text()); err != nil {
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
