package cli

import (
	"github.com/spf13/cobra"

	"girih/internal/service"
)

// explainWidth is where explanations are wrapped, in columns: they hold tables.
const explainWidth = 100

func explainCommand() *cobra.Command {
	var asJSON, top bool
	c := &cobra.Command{
		Use:   "explain EXPR",
		Short: "Explain why a value is what it is, or why there is none",
		Long: `Explain every operation of an expression, operands first: the rule, the steps with
their numbers, what was checked, and where an operation fails the condition, the
first coordinate at which every candidate fails, and what would work instead. An
expression without an operation is explained as the value that it is.`,
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
			r := s.Explain(service.ExplainRequest{Expr: args[0], Top: top})
			return reply{response: r, ok: r.OK, text: func() string { return r.Text(explainWidth) }, fault: service.Fault{In: args[0]}, err: r.Error}.print(c, asJSON)
		},
	}
	c.Flags().BoolVar(&top, "top", false, "explain the last operation only")
	jsonFlag(c, &asJSON)
	return c
}
