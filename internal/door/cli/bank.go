package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// bankCommand lists all that is missing at once, fails if there are too many conflicts, and can explain.
func bankCommand(c *command) {
	request := c.request.(*service.BankRequest)
	var most int
	var explained bool
	c.Flags().IntVar(&most, "max", 0, "exit with status 1 if a conflict is more than `N`-way")
	c.Flags().BoolVar(&explained, "explain", false, "explain phase by phase where the wavefronts come from, and what "+
		"would remove the conflicts")
	c.Args = func(_ *cobra.Command, args []string) error {
		if err := c.complete(args, request.Type, request.Accesses); err != nil {
			return err
		}
		if c.Flags().Changed("max") && most < 1 {
			return c.refuse("--max is at least 1, which is conflict-free; found %d", most)
		}
		c.take(args)
		return nil
	}
	c.RunE = func(*cobra.Command, []string) error {
		if explained {
			return c.print(explanation(c.session.ExplainBank(*request)))
		}
		a := c.ask()
		if err := c.print(a); err != nil {
			return err
		}
		return judgeConflicts(c.Command, a.Response.(service.BankResponse), most)
	}
}

// complete lists what a command on a layout and its accesses lacks, and shows a call that works.
func (c *command) complete(exprs []string, typ string, accesses []string) error {
	expr, callType, access := "(8,64):(64,1)", "f16", "ldmatrix.x4"
	var missing []string
	switch len(exprs) {
	case 0:
		missing = append(missing, "a layout")
	case 1:
		expr, access = exprs[0], "ld" // "ld" fits any layout
	default:
		return &usageError{
			msg:  fmt.Sprintf("%s takes one layout, found %d: %s", c.Name(), len(exprs), strings.Join(exprs, " ")),
			hint: "Put quotation marks around an expression with blanks.",
		}
	}
	if typ == "" {
		missing = append(missing, "the type of an element (--type)")
	} else {
		callType, access = typ, "ld"
	}
	if len(accesses) == 0 {
		missing = append(missing, "an instruction (--access)")
	} else {
		access = accesses[0]
	}
	if len(missing) == 0 {
		return nil
	}
	return &usageError{
		msg:  c.Name() + " needs " + service.JoinNames(missing),
		hint: fmt.Sprintf("For instance: girih %s '%s' --type %s --access %s", c.Name(), expr, callType, access),
	}
}

// judgeConflicts says which accesses have more than most-way conflicts, if most is set.
func judgeConflicts(c *cobra.Command, r service.BankResponse, most int) error {
	if most == 0 || r.Degree <= most {
		return nil
	}
	for _, a := range r.Accesses {
		if a.Degree > most {
			fmt.Fprintf(c.ErrOrStderr(), "girih: %s is %d-way, more than --max %d\n", a.Access, a.Degree, most)
		}
	}
	return exit(statusFailed)
}
