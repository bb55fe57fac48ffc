package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// explainWidth is where explanations are wrapped, in columns: they hold tables.
const explainWidth = 100

func explainCommand() *cobra.Command {
	var asJSON bool
	var dir, format string
	var req service.ExplainRequest
	c := &cobra.Command{
		Use:   "explain EXPR",
		Short: "Explain why a value is what it is, or why there is none",
		Long: `Explain every operation of an expression, operands first: the rule, the steps with
their numbers, what was checked, and where an operation fails the condition, the
first coordinate at which every candidate fails, and what would work instead. An
expression without an operation is explained as the value that it is.

--figures writes the pictures of the steps into a directory; 'girih draw' says more
about pictures.`,
		Example: `  girih explain '(6,2):(8,2) o (4,3):(3,1)'
  girih explain 'complement((2,3):(2,4), 24)'
  girih explain 'logical_divide((4,2,3):(2,1,8), 4:2)'
  girih explain --top 'right_inverse(coalesce((2,3):(3,1)))'
  girih explain '(6,2):(1,7) o (3,2):(2,3)'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{msg: "explain needs one expression", hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			req.Expr = args[0]
			if dir != "" {
				req.Figures = format
			} else if c.Flags().Changed("format") {
				return &usageError{msg: "--format goes with --figures", hint: seeHelp(c)}
			}
			r := s.Explain(req)
			if err := writeFigures(c, r.Pictures, dir); err != nil {
				return err
			}
			return reply{response: r, ok: r.OK, text: func() string { return r.Text(explainWidth) }, fault: r.Fault, err: r.Error}.print(c, asJSON)
		},
	}
	c.Flags().BoolVar(&req.Top, "top", false, "explain the last operation only")
	c.Flags().StringVar(&dir, "figures", "", "the `DIRECTORY` to write the pictures of the steps to")
	c.Flags().StringVar(&format, "format", "svg", "the `FORMAT` of the pictures: svg, png, tex or txt")
	jsonFlag(c, &asJSON)
	return c
}

// writeFigures writes the pictures into the directory, which is made if there is none.
func writeFigures(c *cobra.Command, pictures []service.ExplainPicture, dir string) error {
	if len(pictures) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &writeError{err: err}
	}
	for _, p := range pictures {
		if p.Error != nil {
			fmt.Fprintf(c.ErrOrStderr(), "no picture %s of %s: %s\n", p.Kind, p.Expr, p.Error.Message)
			continue
		}
		if err := writeFile(filepath.Join(dir, p.Name), p.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
