package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// runCommand runs the program in a file, and writes the program's output as it is produced.
func runCommand(c *command) {
	notes := c.Flags().Bool("notes", false, "say what there is to know of values, such as padding")
	c.Annotations = map[string]string{waits: withoutFile}
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return c.refuse("run needs one file, or - for the standard input")
		}
		return nil
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		in, name := c.InOrStdin(), ""
		if args[0] != "-" {
			f, err := os.Open(args[0])
			if err != nil {
				return &usageError{msg: err.Error()}
			}
			defer f.Close()
			in, name = f, args[0]+":"
		}
		text, err := io.ReadAll(io.LimitReader(in, service.MaxExpr+1))
		if err != nil {
			return &usageError{msg: err.Error()}
		}
		q := service.RunRequest{Program: string(text)}
		r := service.RunResponse{}
		if c.asJSON {
			r = c.session.Run(q)
			err = writeJSON(c.Command, r)
		} else {
			r, err = c.runProgram(q)
		}
		if err != nil {
			return err
		}
		if *notes && !c.asJSON {
			printNotes(c.ErrOrStderr(), r.Notes)
		}
		if r.OK {
			return nil
		}
		if !c.asJSON {
			fmt.Fprintf(c.ErrOrStderr(), "%s%d:%d: %s", name, r.Line, r.Column, r.Error.Report(r.In, 0))
		}
		return exit(statusFailed)
	}
}

// runProgram runs a program and writes what it prints.
func (c *command) runProgram(q service.RunRequest) (service.RunResponse, error) {
	out := bufio.NewWriterSize(c.OutOrStdout(), bufferSize)
	r := c.session.RunTo(q, func(text string) error {
		_, err := out.WriteString(text)
		return err
	})
	if err := out.Flush(); err != nil {
		return r, &writeError{err: err}
	}
	return r, nil
}
