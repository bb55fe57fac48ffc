package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// lintCommand reads the PTX and the log of ptxas.
func lintCommand(c *command) {
	q := c.request.(*service.LintRequest)
	log := c.Flags().String("ptxas-log", "", "what ptxas -v printed for the PTX, a `FILE`")
	c.Annotations = map[string]string{waits: withoutFile}
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return c.refuse("lint needs one file of PTX, found %d", len(args))
		}
		return nil
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		text, err := readUpTo(args[0], service.MaxSimPTX)
		if err != nil {
			return &usageError{msg: err.Error()}
		}
		q.PTX, q.File = string(text), filepath.Base(args[0])
		if *log != "" {
			if text, err = readUpTo(*log, service.MaxLintLog); err != nil {
				return &usageError{msg: err.Error()}
			}
			q.Log = string(text)
		}
		return c.print(c.ask())
	}
}
