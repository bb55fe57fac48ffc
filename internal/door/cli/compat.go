package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// compatCommand also counts over the operations in a file.
func compatCommand(c *command) {
	var report bool
	c.Flags().BoolVar(&report, "report", false, "count over the operations in a file")
	c.Args = func(_ *cobra.Command, args []string) error {
		switch {
		case report && len(args) > 1:
			return c.refuse("compat --report reads one file")
		case !report && len(args) != 1:
			return c.refuse("compat needs one expression, or --report")
		}
		return nil
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		if report {
			return c.report(append(args, service.VectorsOfAlgebra)[0])
		}
		c.take(args)
		return c.print(c.ask())
	}
}

// report prints the report on a file.
func (c *command) report(name string) error {
	f, err := os.Open(name)
	if err != nil {
		const hint = "A report needs a file of operations, such as %s in girih's repository: girih compat --report FILE"
		return &usageError{msg: err.Error(), hint: fmt.Sprintf(hint, service.VectorsOfAlgebra)}
	}
	defer f.Close()
	r, err := service.CompatCount(name, f)
	switch {
	case err != nil:
		return err
	case c.asJSON:
		return writeJSON(c.Command, r)
	}
	return write(c.Command, service.CompatReportText(r))
}
