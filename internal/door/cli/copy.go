package cli

import (
	"github.com/spf13/cobra"

	"girih/internal/service"
)

// copyCommand takes the values of run-time integers, and writes the picture of a plan to a file, in addition to the
// answer.
func copyCommand(c *command) {
	q := c.request.(*service.CopyRequest)
	set := c.setFlag("give run-time integers their values, as in `M=4095`,N=4096")
	c.RunE = func(*cobra.Command, []string) error {
		if err := set(); err != nil {
			return err
		}
		picture := q.Picture
		if picture == "-" {
			q.Picture = "txt"
		} else if picture != "" {
			format, err := service.DrawFormatOf(picture)
			if err != nil {
				return &usageError{msg: err.Error(), hint: seeHelp(c.Command)}
			}
			q.Picture = format
		}
		a := c.ask()
		if drawn := a.Response.(service.CopyResponse).Picture; len(drawn) > 0 && picture != "-" {
			if err := writeFile(picture, drawn); err != nil {
				return err
			}
		} else if len(drawn) > 0 && !c.asJSON {
			if err := writeRaw(c.Command, drawn); err != nil {
				return err
			}
		}
		return c.print(a)
	}
}

// kernelCommand takes the values of the kernel's integers.
func kernelCommand(c *command) {
	set := c.setFlag("count a launch with these values of the integers, as in `m=4096`,n=4096,k=4096")
	c.RunE = func(*cobra.Command, []string) error {
		if err := set(); err != nil {
			return err
		}
		return c.print(c.ask())
	}
}

// setFlag adds the flag for values of run-time integers. It returns a function that gives them to the session.
func (c *command) setFlag(usage string) func() error {
	var list []string
	c.Flags().StringSliceVar(&list, "set", nil, usage)
	return func() error {
		values, err := service.ParseValues(list)
		if err != nil {
			return c.refuse("--set: %v", err)
		}
		c.session.Set(values)
		return nil
	}
}
