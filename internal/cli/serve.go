package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"
)

func serveCommand(serve func(ctx context.Context, o ServeOptions, stdout io.Writer) error) *cobra.Command {
	var o ServeOptions
	var addr string
	var port int
	c := &cobra.Command{
		Use: "serve [--port N]", Annotations: map[string]string{waits: always},
		Short: "Serve the explorer: linked views of layouts in a browser",
		Long: `Serve the explorer: a page with linked views of layouts, workbenches for the
algebra, swizzles, MMA and copy instructions, and lessons. It is in the binary and
loads nothing from the network. The address is printed; nothing is opened.

It listens at 127.0.0.1 unless --addr says otherwise, answers to its own address
only (--host allows another name), and refuses requests that other sites make.
--static DIR writes the page with its engine, as WebAssembly, to a folder that any
file server can serve, and ends.`,
		Example: `  girih serve
  girih serve --port 8080
  girih serve --static site`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if port < 0 || port > 65535 {
				return &usageError{msg: fmt.Sprintf("expected a port from 0 to 65535, found %d", port), hint: seeHelp(c)}
			}
			ctx, stop := signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			o.Addr = net.JoinHostPort(addr, strconv.Itoa(port))
			if err := serve(ctx, o, c.OutOrStdout()); err != nil {
				fmt.Fprintf(c.ErrOrStderr(), "girih: %v\n", err)
				return status(statusFailed)
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&addr, "addr", "127.0.0.1", "the `ADDRESS` to listen at")
	f.IntVarP(&port, "port", "p", 0, "the `PORT`; 0 takes one that is free")
	f.StringArrayVar(&o.Hosts, "host", nil, "a further `NAME` by which the server may be called")
	f.StringVar(&o.Static, "static", "", "write the page with its own engine to the folder `DIR` instead")
	return c
}
