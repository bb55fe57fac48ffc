package cli

import (
	"github.com/spf13/cobra"

	"girih/internal/service"
)

// copiesCommand can explain one copy.
func copiesCommand(c *command) {
	var explained string
	c.Flags().StringVar(&explained, "explain", "", "explain why the copy `INSTRUCTION` fits or does not, address by "+
		"address")
	ask := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if explained == "" {
			return ask(cmd, args)
		}
		r, fault := c.session.ExplainCopy(*c.request.(*service.CopiesRequest), explained)
		return c.print(explanation(r, fault))
	}
}
