package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

func mmaCommand() *cobra.Command {
	var req service.MMARequest
	var asJSON bool
	c := &cobra.Command{
		Use:   "mma NAME [--atoms LAYOUT] [--perm TILE]",
		Short: "Show a TiledMMA, find its permutation, or the copies that fit it",
		Long: `Show make_tiled_mma(atom, AtomLayoutMNK, PermutationMNK): thr_layout_vmnk, the tile,
and for A, B and C the thread-value layout and the shape of a thread's fragment.
NAME is an MMA instruction, or an expression such as 'tiled_mma("NAME",(2,2,1))'.
Thread-value layouts map to the index in the tile, which counts colexicographically
in (M,K) for A, (N,K) for B and (M,N) for C.`,
		Example: `  girih mma SM80_16x8x16_F32F16F16F32_TN --atoms 2,2,1 --perm '<32,32,16>'
  girih mma 'tiled_mma("SM70_8x8x4_F32F16F16F32_NT",(2,2,1):(2,1,0))'`,
		Args: oneMMA,
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			req.Atom = args[0]
			r := s.MMA(req)
			return reply{response: r, ok: r.OK, text: r.Text, notes: r.Notes, fault: r.Fault, err: r.Error}.print(c, asJSON)
		},
	}
	mmaFlags(c, &req)
	jsonFlag(c, &asJSON)
	c.AddCommand(permuteCommand(), copiesCommand())
	return c
}

// oneMMA refuses anything but one argument.
func oneMMA(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return &usageError{msg: fmt.Sprintf("expected one MMA instruction, found %d", len(args)), hint: seeHelp(c)}
	}
	return nil
}

func mmaFlags(c *cobra.Command, req *service.MMARequest) {
	f := c.Flags()
	f.StringVar(&req.Atoms, "atoms", "", "AtomLayoutMNK, a `LAYOUT` such as 2,2,1")
	f.StringVar(&req.Permutation, "perm", "", "PermutationMNK, a `TILE` such as '<32,32,16>'")
}

func permuteCommand() *cobra.Command {
	var req service.PermuteRequest
	var asJSON bool
	c := &cobra.Command{
		Use:   "permute NAME --along M --run N",
		Short: "Find the permutation that makes values of a thread contiguous",
		Long: `Find PermutationMNK of the smallest tile in which every thread holds the elements of
an operand along M, N or K in runs of so many consecutive ones, in the order of its
values, and show what thread 0 holds before and after.`,
		Example: `  girih mma permute SM70_8x8x4_F32F16F16F32_NT --atoms '(2,2,1):(2,1,0)' --operand A --along M --run 8
  girih mma permute SM80_16x8x16_F32F16F16F32_TN --operand B --along N --run 2`,
		Args: oneMMA,
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			req.Atom = args[0]
			r := s.Permute(req)
			return reply{response: r, ok: r.OK, text: r.Text, notes: r.Notes, fault: r.Fault, err: r.Error}.print(c, asJSON)
		},
	}
	f := c.Flags()
	mmaFlags(c, &req.MMARequest)
	f.StringVar(&req.Operand, "operand", "C", "the `OPERAND`: A, B or C")
	f.StringVar(&req.Along, "along", "", "the `MODE`: M, N or K; the first of the operand's if it is not given")
	f.Int64Var(&req.Run, "run", 0, "the `NUMBER` of values that should be contiguous")
	jsonFlag(c, &asJSON)
	return c
}

func copiesCommand() *cobra.Command {
	var req service.CopiesRequest
	var asJSON, all bool
	var explained string
	c := &cobra.Command{
		Use:   "copies NAME --operand A --memory LAYOUT",
		Short: "Say which copy instructions fit an operand in shared memory",
		Long: `Say which copy instructions load A or B of a TiledMMA from a layout of shared memory
to the registers of its threads, or store C there, the one with the fewest
instructions first, and why the others do not: the two elements that should be
neighbours and are not, with their threads, coordinates and offsets in elements.

LAYOUT has the shape of the operand's tile or a multiple of it: (M,K) for A, (N,K)
for B, (M,N) for C. It may have a swizzle, in elements. The exit status is 1 if no
instruction fits.`,
		Example: `  girih mma copies SM80_16x8x16_F32F16F16F32_TN --operand A --memory 'Sw<3,3,3> o 0 o (64,64):(64,1)'
  girih mma copies SM80_16x8x16_F32F16F16F32_TN --operand B --memory '(64,64):(1,64)' --arch sm80
  girih mma copies SM80_16x8x16_F32F16F16F32_TN --operand A --memory '(64,64):(1,64)' --explain SM75_U32x4_LDSM_N`,
		Args: oneMMA,
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			req.Atom = args[0]
			if strings.TrimSpace(req.Memory) == "" {
				return &usageError{msg: "expected the layout in shared memory, --memory", hint: seeHelp(c)}
			}
			if explained != "" {
				r, fault := s.ExplainCopy(req, explained)
				text := func() string { return r.Text(explainWidth) }
				return reply{response: r, ok: r.OK, text: text, notes: r.Notes, fault: fault, err: r.Error}.print(c, asJSON)
			}
			r := s.Copies(req)
			most := shownReasons
			if all {
				most = len(r.Copies)
			}
			text := func() string { return r.Text(most, "--all lists them") }
			if err := (reply{response: r, ok: r.OK, text: text, notes: r.Notes, fault: r.Fault, err: r.Error}).print(c, asJSON); err != nil {
				return err
			}
			if r.Fit == 0 {
				return exit(statusFailed)
			}
			return nil
		},
	}
	f := c.Flags()
	mmaFlags(c, &req.MMARequest)
	f.StringVar(&req.Operand, "operand", "A", "the `OPERAND`: A, B or C")
	f.StringVar(&req.Memory, "memory", "", "the `LAYOUT` in shared memory")
	f.StringVar(&req.Type, "type", "", "the `TYPE` of the elements; that of the operand if it is not given")
	f.StringVar(&req.Arch, "arch", "", "instructions of the `ARCHITECTURE` only, such as sm80")
	f.StringVar(&explained, "explain", "", "explain why the copy `INSTRUCTION` fits or does not, address by address")
	f.BoolVar(&all, "all", false, "the copies of other widths and architectures that do not fit as well")
	jsonFlag(c, &asJSON)
	return c
}

// shownReasons is the number of copies that do not fit which are listed unless --all asks for more.
const shownReasons = 8
