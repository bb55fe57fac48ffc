package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/glossary"
	"girih/internal/service"
)

// textWidth is where prose is wrapped, in columns.
const textWidth = 80

func helpCommand() *cobra.Command {
	var c *command
	var language string
	c = &command{Command: &cobra.Command{
		Use:   "help [COMMAND | FUNCTION | NOTATION | TERM | INSTRUCTION | glossary | errors]",
		Short: "Explain a command, a function, notation or term, an instruction, or the error codes",
		Example: `  girih help composition
  girih help Sw
  girih help quadpair
  girih help --lang zh codomain
  girih help eval
  girih help errors`,
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return topics(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := glossary.ParseLanguage(language); err != nil {
				return &usageError{msg: err.Error(), hint: seeHelp(cmd)}
			}
			switch {
			case len(args) == 0 && c.asJSON:
				return writeJSON(cmd, service.Reference())
			case len(args) == 0:
				return write(cmd, overview(cmd.Root()))
			case len(args) == 1 && args[0] == "errors":
				if c.asJSON {
					return writeJSON(cmd, service.ErrorCodes())
				}
				return write(cmd, errorCodes())
			}
			return c.explain(args, language)
		},
	}}
	jsonFlag(c.Command, &c.asJSON)
	c.Flags().StringVar(&language, "lang", "en", "the `LANGUAGE` of the glossary: en or zh")
	return c.Command
}

// topics lists what help explains, with descriptions for the shell's completion. Blanks in names are underscores,
// which mean the same.
func topics(root *cobra.Command) []string {
	out := []string{"errors\tthe error codes"}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			out = append(out, c.Name()+"\t"+c.Short)
		}
	}
	for _, g := range service.Reference() {
		for _, f := range g.Functions {
			out = append(out, f.Name+"\t"+f.Summary())
		}
	}
	for _, term := range glossary.Names() {
		name := strings.ReplaceAll(term, " ", "_") + "\t"
		if !slices.ContainsFunc(out, func(x string) bool { return strings.HasPrefix(x, name) }) {
			out = append(out, name+glossary.Text(term, glossary.English))
		}
	}
	return out
}

// explain prints the help of a command, of a function or term, or of both if they share a name.
func (c *command) explain(args []string, language string) error {
	cmd, rest, err := c.Root().Find(args)
	isCommand := err == nil && cmd != c.Root() && len(rest) == 0
	r := service.Help(service.HelpRequest{Name: strings.Join(args, " "), Lang: language})
	switch {
	case c.asJSON && r.OK:
		return writeJSON(c.Command, r)
	case isCommand:
		cmd.InitDefaultHelpFlag()
		cmd.SetOut(c.OutOrStdout())
		if err := cmd.Help(); err != nil {
			return &writeError{err: err}
		}
		if !r.OK {
			return nil
		}
		if err := write(c.Command, "\n"); err != nil {
			return err
		}
	case c.asJSON:
		if err := writeJSON(c.Command, r); err != nil {
			return err
		}
		return exit(statusUsage)
	}
	if r.OK {
		return write(c.Command, r.Text(textWidth))
	}
	e := &usageError{
		msg:  fmt.Sprintf("there is no command, function or term %q", strings.Join(args, " ")),
		hint: "Run 'girih help' for a list.",
	}
	if len(r.Suggestions) > 0 {
		e.hint = fmt.Sprintf("Did you mean %s?", orList(r.Suggestions))
	}
	return e
}

// orList joins names as in "a, b or c".
func orList(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return strings.Join(names, "")
}

// overview is girih help: the commands and the functions.
func overview(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(intro)
	b.WriteString("\nCommands:\n")
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			fmt.Fprintf(&b, "  %-14s%s\n", c.Name(), c.Short)
		}
	}
	b.WriteString("\nFunctions:\n")
	for _, g := range service.Reference() {
		names := make([]string, len(g.Functions))
		for i, f := range g.Functions {
			names[i] = f.Name
		}
		b.WriteString(service.Wrap(g.Name+": "+strings.Join(names, ", "), textWidth, "  ", "    "))
	}
	b.WriteString("\nIntegers that are known at run time only are ?, M, K{div=8}, N{>=1,<=4096}: 'girih help eval'.\n")
	b.WriteString("\n'girih help NAME' explains a command, a function or a term, 'girih help glossary'\nlists the terms, 'girih help errors' the error codes.\n")
	return b.String()
}

func errorCodes() string {
	var b strings.Builder
	b.WriteString("The codes of errors, each with an expression that ends with it.\n")
	for _, c := range service.ErrorCodes() {
		fmt.Fprintf(&b, "\n%s\n", c.Code)
		b.WriteString(service.Wrap(c.Meaning, textWidth, "  ", "  "))
		fmt.Fprintf(&b, "  girih eval '%s'\n", c.Example)
	}
	return b.String()
}
