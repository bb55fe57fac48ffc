package cli

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		stop := progress(&b, nil)
		time.Sleep(900 * time.Millisecond)
		stop()
		if b.Len() > 0 {
			t.Errorf("work of less than a second says %q", b.String())
		}
		stop = progress(&b, nil)
		time.Sleep(2500 * time.Millisecond)
		stop()
		if want := "girih: 1 s; Ctrl-C ends it\rgirih: 2 s; Ctrl-C ends it\r\x1b[K"; b.String() != want {
			t.Errorf("two seconds and a half say %q, want %q", b.String(), want)
		}
	})
}

// A command that waits for others or for typed input shows no progress.
func TestWorks(t *testing.T) {
	t.Parallel()
	a := App{REPL: nil, Serve: nil, MCP: nil}
	for args, want := range map[string]bool{
		"eval 4:1": true, "eval -": false, "gemm -m 64": true, "draw 4:1": true, "": false, "nothing": false,
		"read": false, "read --json": false, "read FILE": true,
	} {
		if got := works(a.root(), strings.Fields(args)); got != want {
			t.Errorf("girih %s works: %v, want %v", args, got, want)
		}
	}
}
