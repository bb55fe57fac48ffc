package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// explainCommand writes the pictures of the steps if a directory is named.
func explainCommand(c *command) {
	var dir, format string
	c.Flags().StringVar(&dir, "figures", "", "the `DIRECTORY` to write the pictures of the steps to")
	c.Flags().StringVar(&format, "format", "svg", "the `FORMAT` of the pictures: svg, png, tex or txt")
	c.RunE = func(*cobra.Command, []string) error {
		if dir != "" {
			c.request.(*service.ExplainRequest).Figures = format
		} else if c.Flags().Changed("format") {
			return c.refuse("--format goes with --figures")
		}
		a := c.ask()
		if err := writeFigures(c.Command, a.Response.(service.ExplainResponse).Pictures, dir); err != nil {
			return err
		}
		return c.print(a)
	}
}

// explanation returns an explanation of an access or a copy as an answer.
func explanation(r service.ExplainResponse, fault service.Fault) service.Answer {
	text := func() string { return r.Text(service.WideText) }
	return service.Answer{Fault: fault, Response: r, OK: r.OK, Text: text, Notes: r.Notes, Error: r.Error}
}

// writeFigures writes the pictures into the directory, and creates the directory if missing.
func writeFigures(c *cobra.Command, pictures []service.ExplainPicture, dir string) error {
	if len(pictures) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &writeError{err: err}
	}
	for _, p := range pictures {
		if p.Error != nil {
			fmt.Fprintf(c.ErrOrStderr(), "no picture %s of %s: %s\n", p.Kind, p.Expr, p.Error.Message)
			continue
		}
		if err := writeFile(filepath.Join(dir, p.Name), p.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
