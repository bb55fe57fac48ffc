package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// waits marks the commands that wait for input from others, always or if given no file; such commands then show no
// progress.
const (
	waits       = "waits"
	always      = "always"
	withoutFile = "without a file"
)

// silent is how long work runs before progress is shown.
const silent = time.Second

// progress says on w, a terminal, how long the work has taken, once a second from the first second on, until stop is
// called. The cursor stays at the start of the line, so that other output replaces the progress. detail, if not nil,
// says how far the work is.
func progress(w io.Writer, detail func() string) (stop func()) {
	if detail == nil {
		detail = func() string { return "" }
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		start, said := time.Now(), false
		tick := time.NewTicker(silent)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				said = true
				fmt.Fprintf(w, "girih: %s%d s; Ctrl-C ends it\r", detail(), int(time.Since(start)/time.Second))
			case <-end:
				if said {
					io.WriteString(w, "\x1b[K")
				}
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// works reports whether a command line is for a command that works without waiting for input.
func works(root *cobra.Command, args []string) bool {
	c, rest, err := root.Find(args)
	if err != nil || c == root || slices.Contains(args, "-") || c.Annotations[waits] == always {
		return false
	}
	file := slices.ContainsFunc(rest, func(a string) bool { return !strings.HasPrefix(a, "-") })
	return file || c.Annotations[waits] != withoutFile
}
