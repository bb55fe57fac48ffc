package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"girih/internal/finding"
	"girih/internal/service"
	"girih/internal/terminal"
)

// A checkForm is girih check: of one run, if a description or a recording is named, or of files and folders.
type checkForm struct {
	*simForm
	formats  []string // FORMAT or FORMAT=FILE
	baseline string
	update   bool
	noCache  bool
	config   string
	exclude  []string
}

// oneRun are the flags that are about one run only.
var oneRun = []string{"entry", "needless", "mutate", "launch", "type", "rel", "abs"}

// forPaths are the flags that are about files and folders only.
var forPaths = []string{"format", "baseline", "update", "no-cache", "config", "exclude"}

// checkCommand checks one run, or files and folders.
func checkCommand(c *command) {
	simCommand(c)
	k := &checkForm{simForm: &simForm{c: c, q: c.request.(*service.SimRequest)}}
	f := c.Flags()
	one, answer := c.Args, c.Command.RunE
	var names []string
	for _, x := range finding.Formats() {
		names = append(names, x.Name)
	}
	f.StringArrayVar(&k.formats, "format", nil, "write `FORMAT` or FORMAT=FILE: "+strings.Join(names, ", ")+"; may be given again")
	f.StringVar(&k.baseline, "baseline", "", "compare with the known findings and golden values of a `FILE`")
	f.BoolVar(&k.update, "update", false, "write the file of --baseline")
	f.BoolVar(&k.noCache, "no-cache", false, "check files that have not changed, too")
	f.StringVar(&k.config, "config", "", "the settings, a `FILE`; girih.toml if there is one")
	f.StringArrayVar(&k.exclude, "exclude", nil, "leave out files of folders that match a `PATTERN`, such as third_party/**")
	c.Annotations = map[string]string{waits: always} // it shows its own progress
	c.Args = func(cmd *cobra.Command, args []string) error {
		if k.isOneRun() {
			if err := k.refuseSet(forPaths, "files and folders: it goes with neither --run nor --replay"); err != nil {
				return err
			}
			return one(cmd, args)
		}
		return k.checkPaths(args)
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if k.isOneRun() {
			if terminal.Is(c.ErrOrStderr()) {
				defer progress(c.ErrOrStderr(), nil)()
			}
			return answer(cmd, args)
		}
		return k.checkAll()
	}
}

// isOneRun reports whether one run is checked.
func (k *checkForm) isOneRun() bool {
	return k.c.Flags().Changed("run") || k.c.Flags().Changed("replay")
}

// checkPaths takes the paths, and refuses flags that do not go with them.
func (k *checkForm) checkPaths(args []string) error {
	args = takeNumber(k.c, "exhaustive", &k.q.Exhaustive, args)
	args = takeNumber(k.c, "continue", &k.q.Continue, args)
	if err := k.refuseSet(oneRun, "one run: give --run RUN.json, or --replay DIR"); err != nil {
		return err
	}
	switch {
	case len(args) == 0:
		return k.c.refuse("a check needs files or folders, such as girih check . , or --run RUN.json")
	case k.update && k.baseline == "":
		return k.c.refuse("--update writes the file of --baseline FILE, which is missing")
	}
	k.ptx = args
	return nil
}

// refuseSet refuses flags that are about something else.
func (k *checkForm) refuseSet(names []string, about string) error {
	for _, name := range names {
		if k.c.Flags().Changed(name) {
			return k.c.refuse("--%s is about %s", name, about)
		}
	}
	return nil
}

// outputs reads --format and --json: one format for the standard output, and others for files.
func (k *checkForm) outputs() (list []checkOutput, err error) {
	all := k.formats
	if k.c.asJSON {
		all = append([]string{"json"}, all...)
	}
	onStdout := 0
	for _, text := range all {
		name, to, toFile := strings.Cut(text, "=")
		out := checkOutput{file: to}
		for _, x := range finding.Formats() {
			if x.Name == name {
				out.Format = x
			}
		}
		if out.Write == nil || toFile && to == "" {
			return nil, k.c.refuse("expected a format, text, json, junit, sarif or github, as in --format sarif=girih.sarif; found %q",
				text)
		}
		if !toFile {
			onStdout++
		}
		list = append(list, out)
	}
	switch onStdout {
	case 0:
		list = append(list, checkOutput{Format: finding.Formats()[0]})
	case 1:
	default:
		return nil, k.c.refuse("the standard output takes one format: write the others to files, as in --format sarif=girih.sarif")
	}
	return list, nil
}

// A checkOutput is a format, and the file to write; "" is the standard output.
type checkOutput struct {
	finding.Format
	file string
}

// checkAll checks files and folders.
func (k *checkForm) checkAll() error {
	outputs, err := k.outputs()
	if err != nil {
		return err
	}
	settings, err := readSettings(k.config)
	if err != nil {
		return &usageError{msg: err.Error()}
	}
	settings.Exclude = append(settings.Exclude, k.exclude...)
	settings.Ignore = append(settings.Ignore, k.q.Ignore...)
	if err := settings.check(); err != nil {
		return k.c.refuse("%v", err)
	}
	if k.baseline == "" {
		k.baseline = settings.Baseline
	}
	known, err := k.readBaseline()
	if err != nil {
		return &usageError{msg: err.Error()}
	}
	plan := newPlan(settings, k.ptx)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	outcome := k.carryOut(ctx, plan)
	if known != nil && !k.update {
		var fresh []string
		outcome.Findings, outcome.Known, fresh = known.Apply(outcome.Findings, outcome.values)
		if len(fresh) > 0 {
			plan.notes = append(plan.notes, fmt.Sprintf("%d values are not in %s, first %s: --update records them", len(fresh),
				k.baseline, fresh[0]))
		}
	}
	return k.deliverAll(outcome, plan, outputs, known)
}

// readBaseline reads the file of --baseline; nil if there is none.
func (k *checkForm) readBaseline() (*finding.Baseline, error) {
	if k.baseline == "" {
		return nil, nil
	}
	text, err := readUpTo(k.baseline, maxCheckFile)
	if os.IsNotExist(err) && k.update {
		return nil, nil
	}
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("there is no baseline %s: girih check --baseline %s --update writes it", k.baseline, k.baseline)
	}
	if err != nil {
		return nil, err
	}
	b, err := finding.ParseBaseline(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.baseline, err)
	}
	return b, nil
}

// deliverAll writes the report, and returns the exit status. known is the baseline so far.
func (k *checkForm) deliverAll(o *checkOutcome, plan *checkPlan, outputs []checkOutput, known *finding.Baseline) error {
	stderr := k.c.ErrOrStderr()
	for _, n := range plan.notes {
		fmt.Fprintf(stderr, "note: %s\n", n)
	}
	var unwritten error // one output that cannot be written does not keep the others
	for _, out := range outputs {
		if err := k.writeReport(o, out); err != nil && unwritten == nil {
			unwritten = err
		}
	}
	for _, f := range o.Failed {
		fmt.Fprintf(stderr, "girih: %s: %s\n", f.Path, f.Why)
	}
	if unwritten != nil {
		return unwritten
	}
	switch {
	case o.interrupted:
		fmt.Fprintf(stderr, "girih: interrupted: %d of %d files were not looked at; the others are reported\n", o.Left,
			len(plan.units))
		return exit(statusInterrupted)
	case len(o.Failed) > 0:
		return exit(statusUsage)
	case len(o.Files) == 0:
		fmt.Fprintf(stderr, "note: there is nothing to check in %s: no PTX, no description of a run, and no assertion such as\n"+
			"      // girih: conflict-free f16 ldmatrix.x4\n      above a layout\n", strings.Join(k.ptx, " "))
	}
	if k.update {
		return k.writeBaseline(o, known)
	}
	if o.Failing() {
		return exit(statusFailed)
	}
	return nil
}

// writeBaseline writes the baseline. What belongs to paths that were not given stays.
func (k *checkForm) writeBaseline(o *checkOutcome, known *finding.Baseline) error {
	b := finding.NewBaseline(o.Findings, o.values)
	if known != nil {
		b.Keep(known, func(name string) bool { return covers(k.ptx, name) })
	}
	if err := writeFile(k.baseline, b.Text()); err != nil {
		return err
	}
	fmt.Fprintf(k.c.ErrOrStderr(), "girih: %s has %d findings and %d values now\n",
		k.baseline, len(b.Findings), len(b.Values))
	return nil
}

// writeReport writes the report in one format.
func (k *checkForm) writeReport(o *checkOutcome, out checkOutput) error {
	var b strings.Builder
	if err := out.Write(&b, &o.Report); err != nil {
		return err
	}
	if out.file == "" || out.file == "-" {
		return write(k.c.Command, b.String())
	}
	return writeFile(out.file, []byte(b.String()))
}
