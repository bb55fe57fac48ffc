package cli

import "github.com/spf13/cobra"

// gemmCommand writes every error as JSON if the flags ask for JSON, including wrong usage.
func gemmCommand(c *command) {
	c.RunE = func(*cobra.Command, []string) error {
		a := c.ask()
		a.Usage = a.Usage && !c.asJSON
		return c.print(a)
	}
}
