package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

func whyCommand() *cobra.Command {
	var asJSON, steps bool
	c := &cobra.Command{
		Use:         "why [FILE | TEXT | -]",
		Annotations: map[string]string{waits: withoutFile},
		Short:       "Say what failed in a pasted compiler error, exception or dump, and what works",
		Long: `Find the failures in a text and say of each: the operation and its operands, where
it is checked and which of your lines leads there, the two modes or numbers that
do not go together, the condition with the numbers that violate it, what girih
finds of the operation, and repairs. A repair with an expression was evaluated.

Read are the errors of nvcc, gcc and clang about CuTe with their backtraces, the
diagnostics and exceptions of the CuTe DSL, tracebacks of pycute and PyCuTe,
assertions of Triton and TileLang, and dumps of TMA descriptors. What a text does
not say is listed as missing, with where to get it. A text without an error gives
the layouts in it, and what of them is likely not meant: several indices with one
offset, offsets beyond 32 bits, gaps.

The text comes from the file, from the argument itself if it names no file, or from
the standard input; it may have 16 MB. The exit status is 0 if a failure was found,
1 if none was, and 2 for wrong usage.`,
		Example: `  nvcc -std=c++17 gemm.cu 2>&1 | girih why
  girih why build.log
  girih why 'ValueError: Shape divisibility condition violated: composition((6,2):(1,7), 3:2)'
  girih why --steps build.log
  girih why --json - <build.log`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{msg: fmt.Sprintf("why takes one file or text, found %q too", args[1]), hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			text, err := readInput(c, args, func(text string) bool { return new(service.Session).Why(service.WhyRequest{Text: text}).OK })
			if err != nil {
				return err
			}
			r := new(service.Session).Why(service.WhyRequest{Text: text})
			if asJSON {
				err = writeJSON(c, r)
			} else {
				err = write(c, r.Text(explainWidth, steps))
			}
			if err != nil {
				return err
			}
			if !r.OK {
				if !asJSON {
					io.WriteString(c.ErrOrStderr(), r.Error.Report("", textWidth))
				}
				return exit(statusFailed)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&steps, "steps", false, "explain each operation step by step, as girih explain does")
	jsonFlag(c, &asJSON)
	return c
}
