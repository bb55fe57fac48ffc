package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

func runCommand() *cobra.Command {
	var asJSON, notes bool
	c := &cobra.Command{
		Use:         "run FILE | -",
		Annotations: map[string]string{waits: withoutFile},
		Short:       "Run a program: a notebook's cell, a piece of CuTe C++",
		Long: `Run the statements of a file, or of the standard input, as people write them in the
CuTe DSL and in CuTe C++, and print what they print:

  A = EXPR   A: TYPE = EXPR   auto a = EXPR;   TYPE a = EXPR;   using A = TYPE;
  print(...) with f-strings   cute.printf("{}", a)   printf("%d\n", n);
  print_layout(a)   print_latex(mma)   assert TEST, TEXT   static_assert(TEST);
  for i in range(4):   @cute.jit def f(a: cutlass.Int32, b=2):   return EXPR

An expression alone on a line prints its value, outside functions and loops. Of what
@cute.jit is written before, print prints at trace time, where cutlass.Int32(6) is ?,
and cute.printf at run time, where it is 6, behind all that print prints.

Nothing else of Python or C++ is run: what stands in the file is refused with its
place and the reason. An error goes to the standard error, with line and column, and
the exit status is 1; it is 2 for wrong usage.`,
		Example: `  girih run cell.py
  girih run - <snippet.cu
  girih run --json cell.py`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{msg: "run needs one file, or - for the standard input", hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
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
			if asJSON {
				r := new(service.Session).Run(q)
				if err := writeJSON(c, r); err != nil || r.OK {
					return err
				}
				return exit(statusFailed)
			}
			r, err := runProgram(c, q)
			if err != nil {
				return err
			}
			if notes {
				printNotes(c.ErrOrStderr(), r.Notes)
			}
			if !r.OK {
				fmt.Fprintf(c.ErrOrStderr(), "%s%d:%d: %s", name, r.Line, r.Column, r.Error.Report(r.In, 0))
				return exit(statusFailed)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&notes, "notes", false, "say what there is to know of values, such as padding")
	jsonFlag(c, &asJSON)
	return c
}

// runProgram runs a program and writes what it prints.
func runProgram(c *cobra.Command, q service.RunRequest) (service.RunResponse, error) {
	out := bufio.NewWriterSize(c.OutOrStdout(), bufferSize)
	r := new(service.Session).RunTo(q, func(text string) error {
		_, err := out.WriteString(text)
		return err
	})
	if err := out.Flush(); err != nil {
		return r, &writeError{err: err}
	}
	return r, nil
}
