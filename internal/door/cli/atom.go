package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// atomCommand lists instructions, or shows the only match.
func atomCommand(c *command) {
	var all bool
	c.Flags().BoolVar(&all, "all", false, fmt.Sprintf("list all of them, not the first %d", service.ShownAtoms))
	c.Args = nil
	c.RunE = func(_ *cobra.Command, args []string) error {
		one := c.request.(*service.AtomRequest)
		if !c.Flags().Changed("thread") {
			one.Thread = nil
		}
		found := service.AtomsResponse{}
		if len(args) == 1 {
			one.Name = args[0]
			a := c.ask()
			if a.OK {
				return c.print(a)
			}
			if found = service.Atoms(service.AtomsRequest{Filter: args, Most: 2}); a.Error.Code != "name" && !found.OK {
				return c.print(a)
			}
		} else if len(args) > 1 {
			found = service.Atoms(service.AtomsRequest{Filter: args, Most: 2})
		}
		if len(found.Atoms) == 1 && !c.asJSON {
			one.Name = found.Atoms[0].Name
			return c.print(c.ask())
		}
		if one.Element != "" || one.Thread != nil {
			return c.refuse("--thread and --element are about one instruction: give its whole name")
		}
		req := service.AtomsRequest{Filter: args}
		if !all && !c.asJSON {
			req.Most = service.ShownAtoms
		}
		return c.listAtoms(service.Atoms(req))
	}
}

// listAtoms prints the names of instructions.
func (c *command) listAtoms(r service.AtomsResponse) error {
	if err := c.print(service.Answer{Response: r, OK: r.OK, Text: r.Text, Error: r.Error}); err != nil {
		return err
	}
	if r.More > 0 && !c.asJSON {
		fmt.Fprintf(c.ErrOrStderr(), "and %d more: --all lists them, more words narrow them down\n", r.More)
	}
	return nil
}
