package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/lang/report"
	"girih/internal/service"
)

// readCommand reads the text from a file, an argument or the standard input, and prints each value as soon as
// it is found.
func readCommand(c *command) {
	takeText(c, func(text string) bool { return service.Read(service.ReadRequest{Text: text}).OK },
		c.printRead)
}

// takeText makes a command take a file or a text. An argument is a text if it contains a value.
func takeText(c *command, finds func(text string) bool, print func(text string) error) {
	c.Annotations = map[string]string{waits: withoutFile}
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return c.refuse("%s takes one file or text, found %q too", c.Name(), args[1])
		}
		return nil
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		text, err := readInput(c.Command, args, finds)
		if err != nil {
			return err
		}
		return print(text)
	}
}

// readInput returns the text of the file, or of the standard input, up to one byte above the limit. An argument that
// names no file is the text itself if the argument cannot be a file name, contains a value, or is a sentence.
func readInput(c *cobra.Command, args []string, finds func(text string) bool) (string, error) {
	in := c.InOrStdin()
	if len(args) > 0 && args[0] != "-" {
		f, err := os.Open(args[0])
		if err != nil {
			sentence := errors.Is(err, fs.ErrNotExist) && strings.Count(args[0], " ") >= 3
			if !canBeName(args[0]) || sentence || !errors.Is(err, fs.ErrPermission) && finds(args[0]) {
				return args[0], nil
			}
			return "", &usageError{msg: err.Error()}
		}
		defer f.Close()
		in = f
	}
	var b strings.Builder
	if _, err := io.Copy(&b, io.LimitReader(in, service.MaxRead+1)); err != nil {
		return "", &usageError{msg: err.Error()}
	}
	return b.String(), nil
}

// canBeName reports whether systems accept a text as a file name: one line, at most 255 bytes in each part of
// the path.
func canBeName(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > 255 {
			return false
		}
	}
	return !strings.ContainsAny(name, "\r\n")
}

// printRead prints the values in the text.
func (c *command) printRead(text string) error {
	r := service.Read(service.ReadRequest{Text: text})
	if !r.OK {
		if c.asJSON {
			if err := writeJSON(c.Command, r); err != nil {
				return err
			}
			return exit(statusFailed)
		}
		source := ""
		if r.Error.HasPlace() {
			source = text
		}
		io.WriteString(c.ErrOrStderr(), r.Error.Report(source, textWidth))
		notRead(c.ErrOrStderr(), r.Unread[min(1, len(r.Unread)):])
		return exit(statusFailed)
	}
	out := bufio.NewWriterSize(c.OutOrStdout(), bufferSize)
	enc := newEncoder(out)
	for _, it := range r.Items {
		if c.asJSON {
			if err := enc.Encode(it); err != nil {
				return &writeError{err: err}
			}
			continue
		}
		out.WriteString(it.Value)
		out.WriteByte('\n')
		if len(it.Notes) == 0 && it.Fault == "" && it.Expr == "" {
			continue
		}
		if err := out.Flush(); err != nil { // keeps the order if both outputs go to the same place
			return &writeError{err: err}
		}
		remark(c.ErrOrStderr(), it)
	}
	if err := out.Flush(); err != nil {
		return &writeError{err: err}
	}
	notRead(c.ErrOrStderr(), r.Unread)
	return nil
}

// notRead writes the parts in notations that are not read.
func notRead(w io.Writer, list []service.ReadUnread) {
	for _, u := range list {
		fmt.Fprintf(w, "note: line %d: %s\n", u.Place.Line, u.Line())
	}
}

// remark writes what there is to say about a value.
func remark(w io.Writer, it service.ReadItem) {
	if it.Fault != "" {
		fmt.Fprintf(w, "warning: line %d: %s is not valid: %s\n", it.Place.Line, it.Value, report.OneLine(it.Fault))
	}
	if it.Expr != "" {
		fmt.Fprintf(w, "note: line %d: %s\n", it.Place.Line, it.Origin())
	}
	for _, n := range it.Notes {
		fmt.Fprintf(w, "note: line %d: %s\n", it.Place.Line, report.OneLine(n))
	}
}
