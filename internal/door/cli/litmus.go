package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// litmusCommand answers the tests of each of its files; - is the standard input.
func litmusCommand(c *command) {
	q := c.request.(*service.LitmusRequest)
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.refuse("litmus needs a file with a test")
		}
		return nil
	}
	c.RunE = func(_ *cobra.Command, files []string) error {
		var worst error
		for _, q.File = range files {
			text, err := readTest(c.Command, q.File)
			if err != nil {
				return &usageError{msg: err.Error()}
			}
			if len(files) == 1 {
				q.File = ""
			}
			q.Test = string(text)
			if err := c.print(c.ask()); err != nil {
				if _, failed := errors.AsType[status](err); !failed {
					return err
				}
				worst = err
			}
		}
		return worst
	}
}

// readTest reads a file, or the standard input.
func readTest(c *cobra.Command, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(c.InOrStdin(), service.MaxLitmus+1))
	}
	return readUpTo(name, service.MaxLitmus)
}
