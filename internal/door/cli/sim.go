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
)

// simCommand reads the PTX, the description of the run and the files that it names, and writes the answer, or a
// skeleton of the description, to the standard output or to a file.
func simCommand(c *command) {
	q := c.request.(*service.SimRequest)
	var run, output, picture string
	var schema bool
	f := c.Flags()
	f.StringVar(&run, "run", "", "the description of the run, a `FILE`")
	f.StringVarP(&output, "output", "o", "", "the `FILE` to write instead of the standard output")
	f.BoolVar(&schema, "schema", false, "write the JSON schema of RUN.json")
	var recorded replay
	recorded.add(c)
	f.Lookup("continue").NoOptDefVal = fmt.Sprint(service.DefaultFindings)
	var files, rest []string
	c.Args = func(_ *cobra.Command, args []string) error {
		if schema && len(args) == 0 && run == "" {
			return nil
		}
		args = goOn(c, q, args)
		if rest = args; q.Init && len(q.Out) > 0 {
			return c.refuse("--init runs nothing, so that there is no buffer for --out")
		}
		var err error
		if q.Out, files, err = outFiles(q.Out); err != nil {
			return c.refuse("%v", err)
		}
		if err := recorded.check(c, q, args, run); recorded.dir != "" || err != nil {
			return err
		}
		switch {
		case len(args) > 1:
			return c.refuse("sim takes one file of PTX, found %q too", args[1])
		case schema:
			return c.refuse("--schema is about no kernel")
		case q.Init && run != "":
			return c.refuse("--init writes a description, and --run reads one: give one of them")
		case !q.Init && run == "":
			return c.refuse("a run needs its description: --run RUN.json, or --init to get one")
		case q.Init && len(args) == 0:
			return c.refuse("--init needs a file of PTX")
		}
		return nil
	}
	c.RunE = func(*cobra.Command, []string) error {
		if schema {
			return c.deliver(output, service.SimSchema())
		}
		if picture = q.Timeline; picture == "-" {
			q.Timeline = "txt"
		} else if picture != "" {
			format, err := service.DrawFormatOf(picture)
			if err != nil {
				return &usageError{msg: err.Error(), hint: seeHelp(c.Command)}
			}
			q.Timeline = format
		}
		if recorded.dir != "" {
			return recorded.each(c, q, rest, func() error { return answerSim(c, picture, output, files) })
		}
		if err := readSim(q, run, output, rest); err != nil {
			return &usageError{msg: err.Error()}
		}
		return answerSim(c, picture, output, files)
	}
}

// answerSim runs what is asked for, and writes what came of it.
func answerSim(c *command, picture, output string, files []string) error {
	a := c.ask()
	for i, content := range a.Response.(service.SimResponse).Files {
		if err := writeFile(files[i], content); err != nil {
			return err
		}
	}
	if drawn := a.Response.(service.SimResponse).Timeline; len(drawn) > 0 && picture != "-" {
		if err := writeFile(picture, drawn); err != nil {
			return err
		}
	} else if len(drawn) > 0 && !c.asJSON {
		if err := writeRaw(c.Command, drawn); err != nil {
			return err
		}
	}
	if output == "" || c.asJSON || !a.OK {
		return c.print(a)
	}
	if err := c.deliver(output, a.Text()); err != nil {
		return err
	}
	if a.Failed {
		return exit(statusFailed)
	}
	return nil
}

// goOn returns the arguments without the number of --continue N, which may follow as --continue=N does.
func goOn(c *command, q *service.SimRequest, args []string) []string {
	if flag := c.Flags().Lookup("continue"); !flag.Changed || flag.Value.String() != fmt.Sprint(service.DefaultFindings) {
		return args
	}
	for i, a := range args {
		n, err := strconv.ParseInt(a, 10, 64)
		if _, missing := os.Stat(a); err == nil && missing != nil {
			q.Continue = n
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

// readSim reads what a run needs.
func readSim(q *service.SimRequest, run, output string, args []string) error {
	resolve := func(name string) string {
		if filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(filepath.Dir(run), name)
	}
	q.Open = func(name string, most int64) ([]byte, error) { return readRegular(resolve(name), most) }
	if run != "" {
		text, err := readUpTo(run, service.MaxSimRun)
		if err != nil {
			return err
		}
		q.Run = string(text)
	}
	var text []byte
	var err error
	if len(args) > 0 {
		q.File = nameFrom(output, args[0])
		text, err = readUpTo(args[0], service.MaxSimPTX)
	} else {
		file, bad := service.SimPTX(q.Run)
		if bad != nil {
			return fmt.Errorf("%s: %w", run, bad)
		}
		text, err = readRegular(resolve(file), service.MaxSimPTX)
	}
	q.PTX = string(text)
	return err
}

// nameFrom returns how the file that is written names another file, or the bare name for the standard output.
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
