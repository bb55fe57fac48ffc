package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// showCommand refuses an unknown dialect and an empty dialect name.
func showCommand(c *command) {
	check := c.Args
	c.Args = func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return err
		}
		as, words := c.request.(*service.ShowRequest).As, c.op.Words["as"]
		if !c.Flags().Changed("as") || slices.ContainsFunc(words, func(w service.Word) bool { return w.Name == as }) {
			return nil
		}
		return &usageError{
			msg:  fmt.Sprintf("there is no dialect %q", as),
			hint: "The dialects are " + service.NamesOf(words) + ".",
		}
	}
}
