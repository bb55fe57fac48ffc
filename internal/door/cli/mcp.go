package cli

import (
	"context"
	"fmt"
	"io"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"girih/internal/service"
	"girih/internal/terminal"
)

// toolNames lists the tools in prose.
func toolNames() string {
	var names []string
	for _, op := range service.Operations() {
		if op.Tool != nil {
			names = append(names, op.Name)
		}
	}
	return service.JoinNames(names)
}

func mcpCommand(serve func(ctx context.Context, stdin io.Reader, stdout io.Writer) error) *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Annotations: map[string]string{waits: always},
		Short: "Give an AI assistant girih's operations as tools",
		Long: service.Wrap("Serve girih's operations as tools for AI assistants, by the Model Context Protocol over the "+
			"standard input and output: "+toolNames()+", with the reference of the language and the codes of errors as "+
			"resources. An assistant starts it by itself; "+
			"most of them read a configuration like this one:", 84, "", "") + `
  {"mcpServers": {"girih": {"command": "girih", "args": ["mcp"]}}}

The server reads no files, knows no network and keeps nothing between calls. A call
is answered with an error after 10 seconds of work; if the server is busy it waits
up to 30 seconds before. The command ends with the standard input, and cancels what
is still under way 0.1 seconds later; the exit status is 1 if input or output fails.`,
		Example: `  girih mcp`,
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if terminal.Is(c.InOrStdin()) {
				fmt.Fprintln(c.ErrOrStderr(), "girih mcp: an assistant starts this command and speaks to it; see girih mcp "+
					"--help. End it with Ctrl-D.")
			}
			ctx, stop := signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			// The messages for the assistant are not text for a terminal.
			if err := serve(ctx, c.InOrStdin(), terminal.NewWriter(c.OutOrStdout()).Unwrap()); err != nil {
				fmt.Fprintf(c.ErrOrStderr(), "girih: %v\n", err)
				return status(statusFailed)
			}
			return nil
		},
	}
}
