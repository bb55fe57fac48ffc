package proof

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"girih/banks"
	"girih/internal/card/command"
	"girih/internal/card/probe"
	"girih/internal/terminal"
)

// Memory is girih-gpu memory.
var Memory = command.Command{
	Name: "memory",
	Args: "[--op OP]... [--json]",
	Help: "measure accesses to memory, and compare them with girih",
	Run:  memory,
	More: memoryHelp,
}

const memoryHelp = `
  [--op OP]... [--most N] [--device N] [--json]   measures with the clock of the card, and compares
  --once [--op OP]... [--most N] >RECORDS         launches every access once, for a profiler
  --counters CSV RECORDS [--json]                 compares what the profiler wrote; needs no card
  --records RECORDS                               compares what was measured before; needs no card
  --list, --print OP                              names the instructions; prints the kernels of one

OP is a name, or a pattern such as 'atom.*'; --most bounds the accesses of each instruction. The exit code is 1 where
an access is not as girih says.
`

// A memoryRequest is the arguments of girih-gpu memory.
type memoryRequest struct {
	ops                      []string
	most, device             int
	asJSON, list, once       bool
	print, counters, records string
}

func memory(ctx context.Context, c *command.Call) error {
	var r memoryRequest
	others, err := c.Flags(1, func(fs *flag.FlagSet) {
		fs.Func("op", "", func(s string) error { r.ops = append(r.ops, s); return nil })
		fs.IntVar(&r.most, "most", 0, "")
		fs.IntVar(&r.device, "device", 0, "")
		fs.BoolVar(&r.asJSON, "json", false, "")
		fs.BoolVar(&r.list, "list", false, "")
		fs.BoolVar(&r.once, "once", false, "")
		fs.StringVar(&r.print, "print", "", "")
		fs.StringVar(&r.counters, "counters", "", "")
		fs.StringVar(&r.records, "records", "", "")
	})
	switch {
	case err != nil:
		return err
	case r.counters != "" && len(others) == 0:
		return command.UsageError("--counters takes two files: what the profiler wrote, and what --once did")
	case r.counters == "" && len(others) > 0:
		return command.UsageError(fmt.Sprintf("unknown argument %q", others[0]))
	case r.most < 0:
		return command.UsageError(fmt.Sprintf("--most is at least 1, found %d", r.most))
	case r.list:
		return listOps(c.Stdout)
	case r.print != "":
		return printOp(c.Stdout, r.print)
	case r.counters != "":
		return r.join(c.Stdout, others[0])
	case r.records != "":
		machine, records, err := readRecords(r.records)
		if err != nil {
			return err
		}
		return r.report(c.Stdout, machine, records)
	}
	return r.measure(ctx, c)
}

// measure runs the requested accesses on a card and reports their costs, or writes the measured records.
func (r *memoryRequest) measure(ctx context.Context, c *command.Call) error {
	cases, err := r.cases()
	if err != nil {
		return err
	}
	d, err := c.Open(r.device)
	if err != nil {
		return err
	}
	defer d.Close()
	p, err := newProber(d, c.Stderr)
	if err != nil {
		return err
	}
	if r.once {
		records, err := p.once(ctx, cases)
		if err != nil {
			return err
		}
		return probe.WriteRecords(c.Stdout, p.machine(), records)
	}
	records, err := p.time(ctx, cases)
	if err != nil {
		return err
	}
	return r.report(c.Stdout, p.machine(), records)
}

// cases returns the requested cases. If fewer are requested than there are, they are spread over all kinds of patterns.
func (r *memoryRequest) cases() ([]probe.Case, error) {
	patterns := r.ops
	if len(patterns) == 0 {
		patterns = []string{"*"}
	}
	var all []probe.Case
	for _, pattern := range patterns {
		found := false
		for _, o := range probe.Ops() {
			ok, err := path.Match(pattern, o.Name)
			if err != nil {
				return nil, command.UsageError(fmt.Sprintf("the pattern %q: %v", pattern, err))
			}
			if !ok {
				continue
			}
			found = true
			if !r.once && !o.Repeats() {
				continue
			}
			cases := probe.Cases(o)
			n := len(cases)
			if r.most > 0 && r.most < n {
				n = r.most
			}
			for i := range n {
				all = append(all, cases[i*len(cases)/n])
			}
		}
		if !found {
			return nil, unknownOp(pattern)
		}
	}
	return all, nil
}

func unknownOp(name string) error {
	return command.UsageError(fmt.Sprintf("no instruction %q is measured: girih-gpu memory --list names them", name))
}

// listOps prints a line for each instruction: its name, PTX, the number of accesses and the counters of the profiler.
func listOps(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, o := range probe.Ops() {
		counters := slices.DeleteFunc(o.Counters(), func(name string) bool { return name == "" })
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", o.Name, o.Code, len(probe.Cases(o)), strings.Join(counters, ","))
	}
	return t.Flush()
}

func printOp(w io.Writer, name string) error {
	o, ok := probe.FindOp(name)
	if !ok {
		return unknownOp(name)
	}
	m, err := o.Module()
	if err != nil {
		return err
	}
	_, err = m.WriteTo(w)
	return err
}

func readRecords(name string) (probe.Machine, []probe.Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return probe.Machine{}, nil, err
	}
	defer f.Close()
	machine, records, err := probe.ReadRecords(f)
	if err != nil {
		return machine, nil, fmt.Errorf("%s: %w", name, err)
	}
	return machine, records, nil
}

// join adds the profiler's counters to the records.
func (r *memoryRequest) join(w io.Writer, name string) error {
	machine, records, err := readRecords(name)
	if err != nil {
		return err
	}
	f, err := os.Open(r.counters)
	if err != nil {
		return err
	}
	defer f.Close()
	table, err := probe.ReadCounters(f)
	if err == nil {
		err = probe.Join(records, table)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.counters, err)
	}
	return r.report(w, machine, records)
}

// shownDiffering limits the differing accesses that are shown for an instruction.
const shownDiffering = 3

// report prints the records, or compares them with package banks: a difference is an error.
func (r *memoryRequest) report(w io.Writer, machine probe.Machine, records []probe.Record) error {
	if r.asJSON {
		return probe.WriteRecords(w, machine, records)
	}
	target, err := banks.ParseTarget(machine.Chip)
	if err != nil {
		return err
	}
	verdicts, err := probe.Judge(target, records)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s (%s), driver %s, %s\n\n", terminal.Clean(machine.Device), target, terminal.Clean(machine.Driver),
		terminal.Clean(machine.Date))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "instruction\taccesses\tagree\tdiffer\tunknown\t")
	var notes []string
	differing := 0
	for i := 0; i < len(records); {
		n, agree, differ, unknown := 0, 0, 0, 0
		op := records[i].Op
		for ; i+n < len(records) && records[i+n].Op == op; n++ {
			v, name := verdicts[i+n], records[i+n].Name
			switch {
			case v.Unknown:
				if unknown++; unknown == 1 {
					notes = append(notes, fmt.Sprintf("%s is unknown, %s: %s", op, name, v.Text))
				}
			case v.Agree:
				agree++
			default:
				if differ++; differ <= shownDiffering {
					notes = append(notes, fmt.Sprintf("%s differs, %s: %s", op, name, v.Text))
				}
			}
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\n", op, n, agree, differ, unknown)
		differing += differ
		i += n
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, note := range notes {
		fmt.Fprintln(w, terminal.Clean(note))
	}
	if differing > 0 {
		return fmt.Errorf("%d accesses differ from what girih says", differing)
	}
	return nil
}
