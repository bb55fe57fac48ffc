package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"girih/internal/terminal"
)

// A ServeLines answers the requests of a program, one a line, until stdin or the context ends. open reads a file that a
// request names.
type ServeLines func(ctx context.Context, stdin io.Reader, stdout io.Writer, open OpenFile) error

// An OpenFile returns the content of a regular file of at most the given number of bytes.
type OpenFile func(name string, most int64) ([]byte, error)

// linesCommand is for the package girih of Python, which is its documentation too: it is not listed.
func linesCommand(serve ServeLines) *cobra.Command {
	return &cobra.Command{
		Use: "lines", Hidden: true, Annotations: map[string]string{waits: always},
		Short: "Answer the requests of a program, one a line",
		Long: `Answer requests of a program until the standard input ends: each line is a JSON
object, {"id":1,"do":"eval","with":{"expr":"size(8:1)"}}, and so is its answer. The
package girih of Python asks this way: docs/python.md.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			out := terminal.NewWriter(c.OutOrStdout()).Unwrap() // the reader is a program
			if err := serve(c.Context(), c.InOrStdin(), out, readRegular); err != nil {
				fmt.Fprintf(c.ErrOrStderr(), "girih: %v\n", err)
				return status(statusFailed)
			}
			return nil
		},
	}
}
