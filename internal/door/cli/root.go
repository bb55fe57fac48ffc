package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"girih/internal/service"
	"girih/internal/terminal"
	"girih/internal/version"
)

// girih without arguments prints welcome, and at a terminal also start; girih help begins with intro.
const (
	intro = `girih computes with the layouts of GPU kernels (CuTe): exactly, or it says why not.

  girih eval '(6,2):(8,2) o (4,3):(3,1)'    evaluate an expression
  girih layout '((2,2),4):((1,8),2)'        print a layout as a grid
  girih draw '(4,(2,2)):(1,(8,4))' -o a.svg draw it: layouts, swizzles, MMAs, banks, ...
  girih show '(4,(2,2)):(1,(8,4))'          write it as C++, Python, MLIR, ...
  girih explain '(6,2):(8,2) o (4,3):(3,1)' say step by step why it is what it is
  girih bank '(8,64):(64,1)' --type f16 --access ldmatrix.x4
                                            find the bank conflicts of an access
  girih read FILE                           find the layouts in a pasted text
  girih why FILE                            say what failed in a pasted compiler error, and what works
  girih compat '(4,3):(1,100) o 4:3'        what CuTe and pycute answer, and where they are wrong
`
	welcome = intro + `
Run 'girih help' for all commands and functions, 'girih repl' to try things out.
`
	start = `girih computes with the layouts of GPU kernels (CuTe): exactly, or it says why not.

Three things to try:

  girih draw SM80_16x8x16_F32F16F16F32_TN
      which thread of a warp holds which element of an MMA
  girih bank 'Sw<3,3,3> o 0 o (8,64):(64,1)' --type f16 --access ldmatrix.x4
      the bank conflicts of a swizzled tile; without the swizzle there are some
  girih explain '(6,2):(8,2) o (4,3):(3,1)'
      a composition, step by step

  girih serve       the explorer: layouts, swizzles, MMAs and lessons in the browser
  girih repl        type expressions here
  girih why FILE    what failed in a compiler error of CuTe, and what works
  girih help        all commands and functions
`
)

// root returns the tree of commands.
func (a App) root() *cobra.Command {
	var asksVersion bool
	root := &cobra.Command{
		Use:           "girih",
		Short:         "girih computes with the layouts of GPU kernels, exactly",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return unknownCommand(c, args[0])
			case asksVersion:
				return write(c, "girih "+version.Current().String()+"\n")
			}
			if terminal.Is(c.InOrStdin()) && terminal.Is(c.OutOrStdout()) {
				return write(c, start)
			}
			return write(c, welcome)
		},
	}
	root.Flags().BoolVar(&asksVersion, "version", false, "print the version")
	root.SetFlagErrorFunc(flagError)
	addOperations(root)
	root.AddCommand(licensesCommand(), versionCommand())
	if a.REPL != nil {
		root.AddCommand(replCommand(a.REPL))
	}
	if a.Serve != nil {
		root.AddCommand(serveCommand(a.Serve))
	}
	if a.MCP != nil {
		root.AddCommand(mcpCommand(a.MCP))
	}
	if a.Lines != nil {
		root.AddCommand(linesCommand(a.Lines))
	}
	root.SetHelpCommand(helpCommand())
	byDefault := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if c != root {
			byDefault(c, args)
			return
		}
		c.Print(overview(c))
	})
	return root
}

// unknownCommand says what girih ARG may have meant.
func unknownCommand(root *cobra.Command, arg string) error {
	hint := fmt.Sprintf("To evaluate an expression: girih eval '%s'", strings.ReplaceAll(arg, "'", `'\''`))
	root.SuggestionsMinimumDistance = 2
	if near := root.SuggestionsFor(arg); len(near) > 0 {
		hint = fmt.Sprintf("Did you mean '%s'?", strings.Join(near, "' or '"))
	} else if h := service.Help(service.HelpRequest{Name: arg}); h.Function != nil {
		hint = fmt.Sprintf("It is a function: call it in girih eval '%s(...)', see girih help %s", arg, arg)
	} else if h.Term != nil {
		hint = fmt.Sprintf("It is a term: see girih help '%s'", arg)
	}
	return &usageError{msg: fmt.Sprintf("there is no command %q", arg), hint: hint}
}

// flagError explains an unknown flag, which may be misspelt, one of other commands, or an expression that starts with a
// minus sign.
func flagError(c *cobra.Command, err error) error {
	hint := seeHelp(c)
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if ok && len(unknown.GetSpecifiedName()) > 1 {
		hint = likelyFlag(c, unknown.GetSpecifiedName()) + hint
	} else if strings.Contains(c.Use, "EXPR") {
		hint = "Write -- before an expression that starts with '-'. " + hint
	}
	return &usageError{msg: err.Error(), hint: hint}
}

// likelyFlag says what an unknown flag may mean: a flag with a similar name, or a flag of other commands.
func likelyFlag(c *cobra.Command, name string) string {
	var own, commands []string
	c.Flags().VisitAll(func(f *pflag.Flag) { own = append(own, f.Name) })
	if near := service.Nearest(name, own); near != "" {
		return fmt.Sprintf("Did you mean --%s? ", near)
	}
	for _, other := range c.Root().Commands() {
		if other.Flags().Lookup(name) != nil && !other.Hidden {
			commands = append(commands, other.CommandPath())
		}
	}
	if len(commands) == 0 || len(commands) > 4 {
		return ""
	}
	return fmt.Sprintf("The flag is of %s. ", strings.Join(commands, ", "))
}

func versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if asJSON {
				return writeJSON(c, version.Current())
			}
			return write(c, "girih "+version.Current().String()+"\n")
		},
	}
	jsonFlag(c, &asJSON)
	return c
}

func replCommand(repl func(stdin io.Reader, stdout, stderr io.Writer) int) *cobra.Command {
	return &cobra.Command{
		Use: "repl", Annotations: map[string]string{waits: always},
		Short: "Evaluate expressions interactively",
		Long: `Evaluate expressions interactively, with completion, history and names bound by
let; :help explains it. When the standard input is not a terminal, the same lines
are read from it without a prompt, and the exit status is 1 if one failed.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return exit(repl(c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr()))
		},
	}
}

// noArgs refuses arguments.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &usageError{msg: fmt.Sprintf("%s takes no arguments, found %q", c.CommandPath(), args[0]), hint: seeHelp(c)}
	}
	return nil
}
