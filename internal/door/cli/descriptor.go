package cli

import (
	"github.com/spf13/cobra"
)

// descriptorCommand needs no layout to decode or select.
func descriptorCommand(c *command) {
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return c.refuse("descriptor takes one layout, found %d", len(args))
		}
		if len(args) == 1 {
			c.take(args)
		}
		return nil
	}
}
