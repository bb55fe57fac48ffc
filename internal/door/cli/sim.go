package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
	"girih/internal/terminal"
)

// A simForm holds the flags of girih sim and girih check that are not fields of the request.
// It does not embed the command, because the descriptor of a type lists every method that it promotes.
type simForm struct {
	c        *command
	q        *service.SimRequest
	run      string // the file of the description
	output   string // the file for the answer, or for the skeleton; "" for the standard output
	picture  string // the file for the timeline; - for text on the standard output
	schema   bool
	recorded replay
	files    []string // the files for the buffers that --out names
	ptx      []string // the arguments: at most one PTX file
}

// simCommand reads the PTX, the description of the run and the files named in the description, and writes the
// answer, or a skeleton of the description, to the standard output or to a file.
func simCommand(c *command) {
	s := &simForm{c: c, q: c.request.(*service.SimRequest)}
	f := c.Flags()
	f.StringVar(&s.run, "run", "", "the description of the run, a `FILE`")
	if c.op.Name == "sim" {
		f.StringVarP(&s.output, "output", "o", "", "the `FILE` to write instead of the standard output")
		f.BoolVar(&s.schema, "schema", false, "write the JSON schema of RUN.json")
	}
	s.recorded.add(c)
	f.Lookup("continue").NoOptDefVal = fmt.Sprint(service.DefaultFindings)
	if x := f.Lookup("exhaustive"); x != nil {
		x.NoOptDefVal = fmt.Sprint(service.DefaultOrders)
	}
	c.Args = func(_ *cobra.Command, args []string) error { return s.check(args) }
	c.RunE = func(*cobra.Command, []string) error { return s.answer() }
}

// check takes the arguments, and refuses flags that do not go together.
func (s *simForm) check(args []string) (err error) {
	if s.schema && len(args) == 0 && s.run == "" {
		return nil
	}
	args = takeNumber(s.c, "exhaustive", &s.q.Exhaustive, args)
	args = takeNumber(s.c, "continue", &s.q.Continue, args)
	if s.ptx = args; s.q.Init && len(s.q.Out) > 0 {
		return s.c.refuse("--init runs nothing, so that there is no buffer for --out")
	}
	if s.q.Out, s.files, err = outFiles(s.q.Out); err != nil {
		return s.c.refuse("%v", err)
	}
	if err := s.recorded.check(s.c, s.q, args, s.run); s.recorded.dir != "" || err != nil {
		return err
	}
	return s.checkRun(args)
}

// checkRun refuses flags that a run by a description, or the skeleton of a description, does not take.
func (s *simForm) checkRun(args []string) error {
	switch {
	case len(args) > 1:
		return s.c.refuse("%s takes one file of PTX, found %q too", s.c.Name(), args[1])
	case s.schema:
		return s.c.refuse("--schema is about no kernel")
	case s.q.Init && s.run != "":
		return s.c.refuse("--init writes a description, and --run reads one: give one of them")
	case !s.q.Init && s.run == "":
		return s.c.refuse("a run needs its description: --run RUN.json, or --init to get one")
	case s.q.Init && len(args) == 0:
		return s.c.refuse("--init needs a file of PTX")
	}
	return nil
}

// answer writes the schema, or runs what is asked for.
func (s *simForm) answer() error {
	if s.schema {
		return s.c.deliver(s.output, service.SimSchema())
	}
	if s.picture = s.q.Timeline; s.picture == "-" {
		s.q.Timeline = "txt"
	} else if s.picture != "" {
		format, err := service.DrawFormatOf(s.picture)
		if err != nil {
			return &usageError{msg: err.Error(), hint: seeHelp(s.c.Command)}
		}
		s.q.Timeline = format
	}
	if s.recorded.dir != "" {
		return s.recorded.each(s.c, s.q, s.ptx, s.simulate)
	}
	if err := s.read(); err != nil {
		return &usageError{msg: err.Error()}
	}
	return s.simulate()
}

// simulate runs the kernel, and writes the results.
func (s *simForm) simulate() error {
	if (s.q.Needless || s.q.Mutate) && terminal.Is(s.c.ErrOrStderr()) {
		s.q.Progress = func(done, all int) {
			fmt.Fprintf(s.c.ErrOrStderr(), "\r%d of %d instructions", done, all)
			if done == all {
				fmt.Fprintln(s.c.ErrOrStderr())
			}
		}
	}
	a := s.c.ask()
	r := a.Response.(service.SimResponse)
	for i, content := range r.Files {
		if err := writeFile(s.files[i], content); err != nil {
			return err
		}
	}
	if err := s.writeTimeline(r.Timeline); err != nil {
		return err
	}
	if s.output == "" || s.c.asJSON || !a.OK {
		return s.c.print(a)
	}
	if err := s.c.deliver(s.output, a.Text()); err != nil {
		return err
	}
	if a.Failed {
		return exit(statusFailed)
	}
	return nil
}

// writeTimeline writes the picture, if there is one, to its file, or as text before the answer.
func (s *simForm) writeTimeline(drawn []byte) error {
	switch {
	case len(drawn) == 0:
		return nil
	case s.picture != "-":
		return writeFile(s.picture, drawn)
	case !s.c.asJSON:
		return writeRaw(s.c.Command, drawn)
	}
	return nil
}

// takeNumber returns the arguments without the N of a flag that may lack it, such as --continue N, which means
// --continue=N.
func takeNumber(c *command, name string, to *int64, args []string) []string {
	if flag := c.Flags().Lookup(name); flag == nil || !flag.Changed || flag.Value.String() != flag.NoOptDefVal {
		return args
	}
	for i, a := range args {
		n, err := strconv.ParseInt(a, 10, 64)
		if _, missing := os.Stat(a); err == nil && missing != nil {
			*to = n
			return slices.Delete(slices.Clone(args), i, i+1)
		}
	}
	return args
}

// outFiles splits NAME=FILE.
func outFiles(list []string) (names, files []string, err error) {
	for _, x := range list {
		name, file, ok := strings.Cut(x, "=")
		if !ok || name == "" || file == "" || file == "-" {
			return nil, nil, fmt.Errorf("expected --out NAME=FILE.npy, found %q", x)
		}
		if slices.Contains(files, file) {
			return nil, nil, fmt.Errorf("--out has the file %s twice", file)
		}
		names, files = append(names, name), append(files, file)
	}
	return names, files, nil
}

// deliver writes a text to a file, or to the standard output.
func (c *command) deliver(name, text string) error {
	if name == "" || name == "-" {
		return write(c.Command, text)
	}
	return writeFile(name, []byte(text))
}

// read reads what a run needs.
func (s *simForm) read() error {
	q, run := s.q, s.run
	q.Open = openBeside(run)
	if run != "" {
		text, err := readUpTo(run, service.MaxSimRun)
		if err != nil {
			return err
		}
		q.Run = string(text)
	}
	var text []byte
	var err error
	if len(s.ptx) > 0 {
		q.File = nameFrom(s.output, s.ptx[0])
		text, err = readUpTo(s.ptx[0], service.MaxSimPTX)
	} else {
		file, bad := service.SimPTX(q.Run)
		if bad != nil {
			return fmt.Errorf("%s: %w", run, bad)
		}
		text, err = q.Open(file, service.MaxSimPTX)
	}
	q.PTX = string(text)
	return err
}

// nameFrom returns the name of a file relative to the output file, or its bare name if the output is not a file.
func nameFrom(output, name string) string {
	from, err := filepath.Abs(filepath.Dir(output))
	to, err2 := filepath.Abs(name)
	if err == nil && err2 == nil && output != "" && output != "-" {
		if rel, err := filepath.Rel(from, to); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.Base(name)
}
