package cli

import (
	"github.com/spf13/cobra"

	"girih/internal/notice"
)

func licensesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licences of girih and of the code in it",
		Args:  noArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return write(c, notice.Text()) },
	}
}
