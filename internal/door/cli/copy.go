package cli

import (
	"github.com/spf13/cobra"

	"girih/internal/service"
)

// copyCommand takes the values of run-time integers, and writes the picture of a plan to a file, in addition to the
// answer.
func copyCommand(c *command) {
	q := c.request.(*service.CopyRequest)
	var set []string
	c.Flags().StringSliceVar(&set, "set", nil, "give run-time integers their values, as in `M=4095`,N=4096")
	c.RunE = func(*cobra.Command, []string) error {
		values, err := service.ParseValues(set)
		if err != nil {
			return c.refuse("--set: %v", err)
		}
		c.session.Set(values)
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
