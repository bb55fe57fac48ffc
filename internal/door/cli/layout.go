package cli

import (
	"github.com/spf13/cobra"

	"girih/internal/service"
)

func layoutCommand() *cobra.Command {
	var asJSON, coords bool
	c := &cobra.Command{
		Use:   "layout EXPR",
		Short: "Print a layout as a grid of its offsets",
		Long: `Print a layout as a grid of its offsets, as CuTe's print_layout does: mode 0 goes
down, mode 1 across. Modes after these make one grid for each of their
coordinates. Composed layouts, such as swizzled ones, and layouts whose offsets
are coordinates are printed too; a shape stands for its compact column-major
layout.`,
		Example: `  girih layout '((2,2),4):((1,8),2)'
  girih layout --coords '((2,2),4):((1,8),2)'
  girih layout 'Sw<2,0,3> o 0 o (8,8):(8,1)'
  girih layout 'get(zipped_divide((64,64):(64,1), <8,8>), 0)'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{msg: "layout needs one expression", hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			r := s.Grid(service.GridRequest{Expr: args[0], Coords: coords})
			text := func() string { return r.Text }
			return reply{response: r, ok: r.OK, text: text, notes: r.Notes, fault: service.Fault{In: args[0]}, err: r.Error}.print(c, asJSON)
		},
	}
	c.Flags().BoolVar(&coords, "coords", false, "label the axes with nested coordinates such as (0,1)")
	jsonFlag(c, &asJSON)
	return c
}
