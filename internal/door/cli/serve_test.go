//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"syscall"
	"testing"

	"girih/internal/door/cli"
)

// An interrupted server ends with the status that shells report; a server asked to terminate ends
// successfully.
func TestServeIsInterrupted(t *testing.T) {
	for name, c := range map[string]struct {
		args   []string
		status int
	}{"the folder": {[]string{"serve", "--static", "site"}, 130}, "the server": {[]string{"serve"}, 0}} {
		app := cli.App{Serve: func(ctx context.Context, o cli.ServeOptions, _, _ io.Writer) error {
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				t.Error(err)
			}
			<-ctx.Done()
			if o.Static == "" {
				return nil
			}
			return ctx.Err()
		}}
		var out, errs bytes.Buffer
		if status := app.Main(c.args, nil, &out, &errs); status != c.status {
			t.Errorf("%s: %d, %q, want %d", name, status, errs.String(), c.status)
		}
	}
}
