package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// DefaultPort is the same at every start, so that browsers keep the explorer's names and history, which they store for
// an address with its port. Systems do not use this port for outgoing connections, and no other use of the port is
// known.
const DefaultPort = 4474

func serveCommand(serve func(ctx context.Context, o ServeOptions, stdout, stderr io.Writer) error) *cobra.Command {
	var o ServeOptions
	c := &cobra.Command{
		Use: "serve [--port N]", Annotations: map[string]string{waits: always},
		Short: "Serve the explorer: linked views of layouts in a browser",
		Long: `Serve the explorer: a page with linked views of layouts, workbenches for the
algebra, swizzles, MMA and copy instructions, and lessons. It is in the binary and
loads nothing from the network. The address is printed; nothing is opened.

It listens at 127.0.0.1 unless --addr says otherwise, answers to its own address
only (--host allows another name), and refuses requests that other sites make. At
an address that other machines reach it asks for a token, which is in the addresses
that it prints; programs send it as Authorization: Bearer TOKEN. The port is the
same from start to start, or the next one that is free.

Each client has its turns. All users of a proxy are one client, unless --forwarded
names the header in which the proxy gives their address. The proxy has to set that
header itself: a user who can write it can take the turns of others.

A page of another site shows the explorer in a frame if --frame names its origin,
as --frame https://docs.example. An address that ends with &embed=1 shows the
picture alone, without header, export and other controls.

--static DIR writes the page with its engine, as WebAssembly, to a folder that any
file server can serve, and ends. With --public the page's links name the address
where others reach it.`,
		Example: `  girih serve
  girih serve --port 8080
  girih serve --addr 0.0.0.0
  girih serve --static site --public https://girih.example/`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkServe(c, &o); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			err := serve(ctx, o, c.OutOrStdout(), c.ErrOrStderr())
			switch {
			case err == nil:
				return nil
			case ctx.Err() != nil && errors.Is(err, context.Canceled):
				fmt.Fprintln(c.ErrOrStderr(), "girih: interrupted")
				return status(statusInterrupted)
			}
			fmt.Fprintf(c.ErrOrStderr(), "girih: %v\n", err)
			return status(statusFailed)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Addr, "addr", "127.0.0.1", "the `ADDRESS` to listen at")
	f.IntVarP(&o.Port, "port", "p", DefaultPort, "the `PORT`; 0 takes any that is free")
	f.StringArrayVar(&o.Hosts, "host", nil, "a further `NAME` by which the server may be called")
	f.StringVar(&o.Token, "token", "", "the `TOKEN` that requests have to bring")
	f.StringVar(&o.Public, "public", "", "the `URL` for links, where others reach the page")
	f.StringVar(&o.Forwarded, "forwarded", "", "the `HEADER` in which a proxy names its client, such as X-Forwarded-For")
	f.StringArrayVar(&o.Frames, "frame", nil, "an `ORIGIN` whose pages may show the page in a frame; * for all")
	f.StringVar(&o.Static, "static", "", "write the page with its own engine to the folder `DIR` instead")
	return c
}

// checkServe refuses empty flags, such as from unset shell variables, and flags that exclude each other.
func checkServe(c *cobra.Command, o *ServeOptions) error {
	f := c.Flags()
	for _, name := range []string{"addr", "token", "public", "forwarded", "static"} {
		if f.Changed(name) && f.Lookup(name).Value.String() == "" {
			return &usageError{msg: fmt.Sprintf("expected a value of --%s, found none", name), hint: seeHelp(c)}
		}
	}
	for _, name := range []string{"addr", "port", "host", "token", "forwarded", "frame"} {
		if o.Static != "" && f.Changed(name) {
			return &usageError{msg: fmt.Sprintf("--%s is for serving, and --static writes a folder", name), hint: seeHelp(c)}
		}
	}
	if o.Port < 0 || o.Port > 65535 {
		return &usageError{msg: fmt.Sprintf("expected a port from 0 to 65535, found %d", o.Port), hint: seeHelp(c)}
	}
	o.NextPort = !f.Changed("port")
	return nil
}
