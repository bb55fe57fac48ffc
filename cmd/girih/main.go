// Command girih computes with the layouts of GPU kernels: it evaluates expressions, prints layouts and explains
// the functions of the language.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"girih/internal/door/cli"
	"girih/internal/door/lines"
	"girih/internal/door/mcp"
	"girih/internal/door/repl"
	"girih/internal/door/web"
)

func main() {
	app := cli.App{REPL: repl.Run, Serve: serve, MCP: mcp.Serve, Lines: serveLines}
	os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func serve(ctx context.Context, o cli.ServeOptions, stdout, stderr io.Writer) error {
	if o.Static != "" {
		if err := web.Static(ctx, o.Static, o.Public); err != nil {
			return err
		}
		_, err := fmt.Fprintf(stdout, "girih explorer: %s\n", filepath.Join(o.Static, "index.html"))
		return err
	}
	s, err := web.Listen(web.Options{
		Addr: o.Addr, Port: o.Port, NextPort: o.NextPort,
		Hosts: o.Hosts, Token: o.Token, Public: o.Public, Forwarded: o.Forwarded, Frames: o.Frames,
	})
	if err != nil {
		return err
	}
	if err := s.Announce(stdout, stderr); err != nil {
		return err
	}
	return s.Serve(ctx)
}

func serveLines(ctx context.Context, stdin io.Reader, stdout io.Writer, open cli.OpenFile) error {
	return lines.Serve(ctx, stdin, stdout, lines.Host{Open: open, Explore: explore})
}

// explore serves the explorer for the programs of this machine, and returns its address.
func explore(ctx context.Context) (string, error) {
	s, err := web.Listen(web.Options{Addr: "127.0.0.1", Port: cli.DefaultPort, NextPort: true})
	if err != nil {
		return "", err
	}
	go func() { _ = s.Serve(ctx) }() // the server ends with the process, so its error cannot be reported
	return s.URLs()[0], nil
}
