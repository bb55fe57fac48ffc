package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

func showCommand() *cobra.Command {
	var asJSON bool
	var as string
	c := &cobra.Command{
		Use:   "show EXPR",
		Short: "Write a value as C++, Python, MLIR, LaTeX, ...",
		Long: `Write a value as text that other tools accept, in one dialect or in all:

` + dialectTable() + `
What a dialect cannot express is refused with the reason.`,
		Example: `  girih show '(2,(1,6)):(1,(6,2))'
  girih show --as cpp 'Sw<3,4,3> o 0 o (8,64):(64,1)'
  girih show --as triton 'Sw<2,0,3> o 0 o (8,8):(8,1)'
  girih show --as dsl 'zipped_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{msg: "show needs one expression", hint: seeHelp(c)}
			}
			return checkDialect(as, c.Flags().Changed("as"))
		},
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			r := s.Show(service.ShowRequest{Expr: args[0], As: as})
			return reply{response: r, ok: r.OK, text: r.Text, notes: r.Notes, fault: service.Fault{In: args[0]}, err: r.Error}.print(c, asJSON)
		},
	}
	c.Flags().StringVar(&as, "as", "", "the `DIALECT` to write, instead of all")
	// The only error is that there is no such flag.
	_ = c.RegisterFlagCompletionFunc("as", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, d := range service.Dialects() {
			names = append(names, d.Name+"\t"+d.Title)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
	jsonFlag(c, &asJSON)
	return c
}

// dialectTable lists the dialects for the help.
func dialectTable() string {
	var b strings.Builder
	for _, d := range service.Dialects() {
		fmt.Fprintf(&b, "  %-8s%s\n", d.Name, d.Title)
	}
	return b.String()
}

// checkDialect refuses a dialect that does not exist, and an empty one that was asked for.
func checkDialect(as string, asked bool) error {
	var names []string
	for _, d := range service.Dialects() {
		names = append(names, d.Name)
	}
	if !asked || slices.Contains(names, as) {
		return nil
	}
	return &usageError{msg: fmt.Sprintf("there is no dialect %q", as), hint: "The dialects are " + strings.Join(names, ", ") + "."}
}

// indent puts two blanks before each line.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  " + line)
	}
	return b.String()
}
