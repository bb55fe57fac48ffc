package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// runCommand runs the program in a file, and writes the program's output as it is produced.
func runCommand(c *command) {
	notes := c.Flags().Bool("notes", false, "print all notes on values, not only those that qualify them")
	check := c.Flags().Bool("check", false, "compare the values with those that the text states in comments, grids and outputs")
	c.Flags().Bool("values", false, "print the value of each name that a statement binds")
	lang := c.Flags().String("lang", "", "python, cpp or girih; without it the statements decide")
	c.Flags().String("grid", "", "launch a kernel of the text: the extents of the grid, as 2,2")
	c.Flags().String("block", "", "the extents of a block, as 16,16")
	c.Flags().String("call", "", "the call of the kernel: 'scale(x=random(64), n=64)'")
	c.Flags().String("expect", "", "statements for copies of the arrays, which the arrays must equal")
	c.Annotations = map[string]string{waits: withoutFile}
	c.Args = c.oneFile
	c.RunE = func(_ *cobra.Command, args []string) error {
		in, name := c.InOrStdin(), ""
		if args[0] != "-" {
			f, err := os.Open(args[0])
			if err != nil {
				return &usageError{msg: err.Error()}
			}
			defer f.Close()
			in, name = f, args[0]+":"
		}
		text, err := io.ReadAll(io.LimitReader(in, service.MaxExpr+1))
		if err != nil {
			return &usageError{msg: err.Error()}
		}
		q := service.RunRequest{
			Program: string(text), Name: strings.TrimSuffix(name, ":"), Check: *check, Lang: *lang, Args: args[1:],
		}
		if err := c.kernelFlags(&q); err != nil {
			return err
		}
		r := service.RunResponse{}
		if c.asJSON {
			r = c.session.Run(q)
			err = writeJSON(c.Command, r)
		} else {
			r, err = c.runProgram(q)
		}
		if err != nil {
			return err
		}
		if !c.asJSON {
			if !*notes {
				r.Notes = slices.DeleteFunc(r.Notes, func(n string) bool { return !service.Qualifies(n) })
			}
			c.runSaid(name, r)
		}
		if r.OK && len(r.Slips) == 0 {
			return nil
		}
		return exit(statusFailed)
	}
}

// oneFile refuses a command line without exactly one file before --.
func (c *command) oneFile(_ *cobra.Command, args []string) error {
	files := len(args)
	if n := c.ArgsLenAtDash(); n >= 0 {
		files = n
	}
	switch {
	case files == 1:
		return nil
	case files > 1:
		return c.refuse("run needs one file, found %s; write the arguments of the program after --: girih run FILE -- "+
			"128 128 64", strings.Join(args[:files], " "))
	}
	return c.refuse("run needs one file, or - for the standard input")
}

// kernelFlags reads the flags that launch a kernel.
func (c *command) kernelFlags(q *service.RunRequest) (err error) {
	text := func(name string) string { return c.Flag(name).Value.String() }
	q.Call, q.Expect = text("call"), text("expect")
	if q.Grid, err = extents("--grid", text("grid")); err == nil {
		q.Block, err = extents("--block", text("block"))
	}
	return err
}

// extents reads the extents of a grid or a block: 16,16.
func extents(flag, text string) (list []int64, err error) {
	if text == "" {
		return nil, nil
	}
	for _, part := range strings.Split(strings.Trim(text, "()"), ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || len(list) == 3 {
			return nil, &usageError{msg: fmt.Sprintf("%s needs 1 to 3 integers, such as 16,16; found %q", flag, text)}
		}
		list = append(list, n)
	}
	return list, nil
}

// runSaid writes the notes, the errors and the slips of a program to the standard error.
func (c *command) runSaid(name string, r service.RunResponse) {
	w := c.ErrOrStderr()
	printNotes(w, r.Notes)
	for _, f := range r.Failed {
		fmt.Fprintf(w, "%s%d:%d: %s", name, f.Line, f.Column, f.Error.Report(f.In, 0))
	}
	switch {
	case r.Of == "" && len(r.Failed) > 0 || r.Error == nil:
	case r.Of != "":
		fmt.Fprintf(w, "--%s:%d:%d: %s", r.Of, r.Line, r.Column, r.Error.Report(r.In, 0))
	case r.Line > 0:
		fmt.Fprintf(w, "%s%d:%d: %s", name, r.Line, r.Column, r.Error.Report(r.In, 0))
	default:
		io.WriteString(w, r.Error.Report("", 0))
	}
	io.WriteString(w, r.SlipText(name))
}

// runProgram runs a program and writes what it prints.
func (c *command) runProgram(q service.RunRequest) (service.RunResponse, error) {
	out := bufio.NewWriterSize(c.OutOrStdout(), bufferSize)
	var bound func(name, value string)
	if values, _ := c.Flags().GetBool("values"); values { // the command has this flag
		bound = func(name, value string) { fmt.Fprintf(out, "%s = %s\n", name, value) }
	}
	r := c.session.RunShown(q, func(text string) error {
		_, err := out.WriteString(text)
		return err
	}, bound)
	if err := out.Flush(); err != nil {
		return r, &writeError{err: err}
	}
	return r, nil
}
