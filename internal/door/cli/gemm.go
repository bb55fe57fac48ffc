package cli

import "github.com/spf13/cobra"

// gemmCommand writes every error as JSON where that is asked for, wrong usage too.
func gemmCommand(c *command) {
	c.RunE = func(*cobra.Command, []string) error {
		a := c.ask()
		a.Usage = a.Usage && !c.asJSON
		return c.print(a)
	}
}
