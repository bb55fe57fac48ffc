package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// shownAtoms is the number of instructions that are listed unless --all asks for more.
const shownAtoms = 40

func atomCommand() *cobra.Command {
	var asJSON, all bool
	var thread int64
	var element string
	c := &cobra.Command{
		Use:   "atom [WORD...]",
		Short: "List MMA and copy instructions, or show one with its layouts",
		Long: `List the MMA and copy instructions that have all the words in their name,
architecture, shape, types or PTX, or show the one of that name, or the only one that
has them: the instruction, its registers, and its layouts.

Layouts of an MMA are (thread,value) -> index, which counts colexicographically in
(M,K) for A, (N,K) for B and (M,N) for C; each says how often an element is held.
Layouts of a copy are (thread,bit) -> bit of what one instruction moves.`,
		Example: `  girih atom sm80 f32 f16
  girih atom SM80_16x8x16_F32F16F16F32_TN
  girih atom SM80_16x8x16_F32F16F16F32_TN --thread 1
  girih atom SM90_64x128x16_F32F16F16_SS --element 'C(17,2)'
  girih atom ldmatrix
  girih atom mma.m16n8k16 bf16
  girih atom gfx942 32x32x8 f16
  girih atom copy sm90 matrix
  girih atom SM75_U32x4_LDSM_N --thread 1`,
		RunE: func(c *cobra.Command, args []string) error {
			one := service.AtomRequest{Element: element}
			if c.Flags().Changed("thread") {
				one.Thread = &thread
			}
			found := service.AtomsResponse{}
			if len(args) == 1 {
				one.Name = args[0]
				r := service.Atom(one)
				if r.OK {
					return showAtom(c, r, asJSON)
				}
				if found = service.Atoms(service.AtomsRequest{Filter: args, Most: 2}); r.Error.Code != "name" && !found.OK {
					return showAtom(c, r, asJSON)
				}
			} else if len(args) > 1 {
				found = service.Atoms(service.AtomsRequest{Filter: args, Most: 2})
			}
			if len(found.Atoms) == 1 && !asJSON {
				one.Name = found.Atoms[0].Name
				return showAtom(c, service.Atom(one), asJSON)
			}
			if element != "" || c.Flags().Changed("thread") {
				return &usageError{msg: "--thread and --element are about one instruction: give its whole name", hint: seeHelp(c)}
			}
			req := service.AtomsRequest{Filter: args}
			if !all && !asJSON {
				req.Most = shownAtoms
			}
			return listAtoms(c, service.Atoms(req), asJSON)
		},
	}
	c.Flags().BoolVar(&all, "all", false, fmt.Sprintf("list all of them, not the first %d", shownAtoms))
	c.Flags().Int64Var(&thread, "thread", 0, "list the elements that the `THREAD` holds")
	c.Flags().StringVar(&element, "element", "", "say who holds an `ELEMENT`, such as C(8,2)")
	jsonFlag(c, &asJSON)
	return c
}

func showAtom(c *cobra.Command, r service.AtomResponse, asJSON bool) error {
	text := func() string { return service.AtomText(r) }
	return reply{response: r, ok: r.OK, text: text, notes: r.Notes, err: r.Error}.print(c, asJSON)
}

func listAtoms(c *cobra.Command, r service.AtomsResponse, asJSON bool) error {
	if asJSON {
		if err := writeJSON(c, r); err != nil {
			return err
		}
	} else if !r.OK {
		io.WriteString(c.ErrOrStderr(), r.Error.Report("", 0))
	}
	if !r.OK {
		return exit(statusFailed)
	}
	if asJSON {
		return nil
	}
	if err := write(c, r.Text()); err != nil {
		return err
	}
	if r.More > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "and %d more: --all lists them, more words narrow them down\n", r.More)
	}
	return nil
}
