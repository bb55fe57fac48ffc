package proof

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"time"

	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/card/outcomes"
	"girih/internal/card/probe"
	"girih/internal/machine/litmus"
	"girih/internal/terminal"
)

// Litmus is girih-gpu litmus.
var Litmus = command.Command{
	Name: "litmus",
	Args: "FILE... [--times N] [--stress 0|1|2] [--seed N] [--json]",
	Help: "run litmus tests, and compare what is observed with the memory model",
	Run:  litmusTests,
	More: litmusHelp,
}

const litmusHelp = `
  FILE... [--times N] [--stress LEVEL] [--form FORM] [--seed N] [--launches N] [--device N] [--json]
  --print FILE...     prints the PTX of each form of the tests; needs no card

FILE has a litmus test in a format that girih litmus reads. N instances of each test run (100000000), at addresses of
their own. LEVEL 0 runs them in order; 1 draws orders, layouts of memory and delays; 2, the default, adds warps and
blocks that access other memory. FORM is warps_global, warps_shared, lanes_global or lanes_shared: whether threads of one
CTA are warps or lanes of a warp, and where locations are that may be in either memory; without it all forms of a test
share the instances. The exit code is 1 if a final state is observed that the memory model forbids.
`

// A litmusRequest is the arguments of girih-gpu litmus.
type litmusRequest struct {
	times, stress, launches, device int
	seed                            uint64
	formName                        string // "" for all forms
	asJSON, print                   bool
}

func litmusTests(ctx context.Context, c *command.Call) error {
	r := litmusRequest{times: 100_000_000, stress: outcomes.Stormy, seed: 1, launches: 24}
	files, err := c.Flags(1<<20, func(fs *flag.FlagSet) {
		fs.IntVar(&r.times, "times", r.times, "")
		fs.IntVar(&r.stress, "stress", r.stress, "")
		fs.IntVar(&r.launches, "launches", r.launches, "")
		fs.IntVar(&r.device, "device", 0, "")
		fs.StringVar(&r.formName, "form", "", "")
		fs.Uint64Var(&r.seed, "seed", r.seed, "")
		fs.BoolVar(&r.asJSON, "json", false, "")
		fs.BoolVar(&r.print, "print", false, "")
	})
	switch {
	case err != nil:
		return err
	case len(files) == 0:
		return command.UsageError("expected files with litmus tests, found none")
	case r.times < 1 || int64(r.times) > 1e12:
		return command.UsageError(fmt.Sprintf("--times is 1 to 10^12, found %d", r.times))
	case r.launches < 1 || r.launches > 1e6:
		return command.UsageError(fmt.Sprintf("--launches is 1 to 10^6, found %d", r.launches))
	case r.stress < 0 || r.stress >= outcomes.NStress:
		return command.UsageError(fmt.Sprintf("--stress is 0 to %d, found %d", outcomes.NStress-1, r.stress))
	}
	if r.formName != "" && !outcomes.IsForm(r.formName) {
		return command.UsageError("--form is warps_global, warps_shared, lanes_global or lanes_shared, found " + r.formName)
	}
	cases, err := readCases(files)
	if err != nil {
		return err
	}
	if r.print {
		return printCases(c.Stdout, cases)
	}
	d, err := c.Open(r.device)
	if err != nil {
		return err
	}
	defer d.Close()
	s, err := newStorm(d, r)
	if err != nil {
		return err
	}
	return s.all(ctx, c, cases)
}

// A litmusCase is a test and the hash of its file.
type litmusCase struct {
	test *litmus.Test
	hash string
}

func readCases(files []string) ([]litmusCase, error) {
	var list []litmusCase
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		tests, err := litmus.Parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, t := range tests {
			list = append(list, litmusCase{t, outcomes.Hash(text)})
		}
	}
	return list, nil
}

func printCases(w io.Writer, cases []litmusCase) error {
	for _, c := range cases {
		plans, err := outcomes.Forms(c.test)
		if err != nil {
			fmt.Fprintf(w, "// %s is skipped: %s\n", terminal.Clean(c.test.Name), terminal.Clean(err.Error()))
			continue
		}
		for _, p := range plans {
			m, err := p.Module()
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "// %s, %s\n", terminal.Clean(c.test.Name), p.Form)
			if _, err := m.WriteTo(w); err != nil {
				return err
			}
		}
	}
	return nil
}

// A storm runs litmus tests on a card. Its buffers serve all tests.
type storm struct {
	litmusRequest
	device          *gpu.Device
	table           *gpu.Buffer[uint64]
	memory, scratch *gpu.Buffer[uint64]
	results         *gpu.Buffer[uint64]
	control         *gpu.Buffer[uint64]
}

func newStorm(d *gpu.Device, r litmusRequest) (*storm, error) {
	s := &storm{litmusRequest: r, device: d}
	var err error
	if s.memory, err = gpu.Alloc[uint64](d, outcomes.MemoryBytes/8); err != nil {
		return nil, err
	}
	if s.scratch, err = gpu.Alloc[uint64](d, outcomes.ScratchBytes/8); err != nil {
		return nil, err
	}
	if err = s.scratch.Fill(0); err != nil {
		return nil, err
	}
	s.control, err = gpu.Alloc[uint64](d, outcomes.ControlBytes/8)
	return s, err
}

// all runs all tests and prints what was observed.
func (s *storm) all(ctx context.Context, c *command.Call, cases []litmusCase) error {
	enc := json.NewEncoder(c.Stdout)
	info := s.device.Info()
	machine := probe.Machine{
		Device: info.Name, Chip: info.Chip, Driver: info.Driver, Date: time.Now().UTC().Format(time.DateOnly),
		Method: fmt.Sprintf("girih-gpu litmus --times %d --stress %d --seed %d --launches %d", s.times, s.stress, s.seed,
			s.launches),
		Litmus: len(cases),
	}
	if s.formName != "" {
		machine.Method += " --form " + s.formName
	}
	if s.asJSON {
		if err := enc.Encode(machine); err != nil {
			return err
		}
	}
	forbidden := 0
	for i, tc := range cases {
		from := time.Now()
		rec, err := s.test(ctx, tc)
		if err != nil {
			return fmt.Errorf("%s: %w", tc.test.Name, err)
		}
		fmt.Fprintf(c.Stderr, "%d of %d  %s  %s\n", i+1, len(cases), terminal.Clean(progressOf(rec)),
			time.Since(from).Round(time.Millisecond))
		forbidden += len(rec.Forbidden)
		if s.asJSON {
			err = enc.Encode(rec)
		} else {
			err = printRecord(c.Stdout, rec)
		}
		if err != nil {
			return err
		}
	}
	if forbidden > 0 {
		return fmt.Errorf("%d final states were observed that the memory model forbids", forbidden)
	}
	return nil
}

// progressOf returns a line about a record.
func progressOf(r outcomes.Record) string {
	if r.Skip != "" {
		return r.Test + ": skipped: " + r.Skip
	}
	return fmt.Sprintf("%s: %d instances, %d states allowed, %d of them never seen, %d forbidden ones seen, %d unfinished",
		r.Test, r.Total, len(r.States), r.Never(), len(r.Forbidden), r.Unfinished)
}

// printRecord prints a record for people.
func printRecord(w io.Writer, r outcomes.Record) error {
	if r.Skip != "" {
		_, err := fmt.Fprintf(w, "%s: skipped: %s\n\n", terminal.Clean(r.Test), terminal.Clean(r.Skip))
		return err
	}
	fmt.Fprintf(w, "%s: %s: the model says that it %s\n", terminal.Clean(r.Test), terminal.Clean(r.Asked), r.Model)
	for _, name := range slices.Sorted(maps.Keys(r.States)) {
		fmt.Fprintf(w, "%12d  %s\n", r.States[name], terminal.Clean(name))
	}
	for _, f := range r.Open {
		fmt.Fprintf(w, "%12d  %s  not decided: loops were left at the bound on their rounds\n", f.Count,
			terminal.Clean(f.State))
	}
	for _, f := range r.Forbidden {
		fmt.Fprintf(w, "%12d  %s  FORBIDDEN by %s, PTX ISA %s: %s\n", f.Count, terminal.Clean(f.State), f.Axiom, f.Section,
			f.Words)
	}
	if r.Unfinished > 0 {
		fmt.Fprintf(w, "%12d  instances had a thread that did not end\n", r.Unfinished)
	}
	_, err := fmt.Fprintln(w)
	return err
}

// test runs a test in all its forms, and compares it with the model.
func (s *storm) test(ctx context.Context, tc litmusCase) (outcomes.Record, error) {
	rec := outcomes.Record{Test: tc.test.Name, Hash: tc.hash}
	plans, err := outcomes.Forms(tc.test)
	if s.formName != "" {
		plans = slices.DeleteFunc(plans, func(p *outcomes.Plan) bool { return p.Form.String() != s.formName })
	}
	switch {
	case err == nil && len(plans) == 0:
		err = outcomes.Skip("expected a test with the form " + s.formName + ", found others only")
	case err == nil:
		err = s.forms(ctx, plans, &rec)
	}
	if skip := outcomes.Skip(""); errors.As(err, &skip) {
		rec.Skip = string(skip)
		return rec, nil
	}
	return rec, err
}

// forms runs the forms of a test, each the same number of times, and records the observations.
func (s *storm) forms(ctx context.Context, plans []*outcomes.Plan, rec *outcomes.Record) error {
	model, err := outcomes.NewModel(plans[0], ctx.Err)
	if err != nil {
		return err
	}
	counts, stuck := []outcomes.Count(nil), int64(0)
	for i, p := range plans {
		if i > 0 {
			rec.Forms += " "
		}
		rec.Forms += p.Form.String()
		list, n, err := s.form(ctx, p, s.times/len(plans)+1)
		if err != nil {
			return err
		}
		counts, stuck = append(counts, list...), stuck+n
	}
	if rec.Verdict, err = model.Judge(outcomes.Sum(counts)); err != nil {
		return err
	}
	rec.Unfinished, rec.Total = stuck, rec.Verdict.Total()
	return nil
}

// form runs a form of a test and returns the counts of its final states, and of instances that did not end.
func (s *storm) form(ctx context.Context, p *outcomes.Plan, times int) ([]outcomes.Count, int64, error) {
	m, err := p.Module()
	if err != nil {
		return nil, 0, err
	}
	loaded, err := s.device.Load(m)
	if e, ok := errors.AsType[*gpu.Error](err); ok && e.Code == gpu.Refused {
		return nil, 0, outcomes.Skip("the driver refuses the kernel: " + e.Error())
	}
	if err != nil {
		return nil, 0, err
	}
	defer loaded.Close()
	k, err := loaded.Kernel(outcomes.Kernel)
	if err != nil {
		return nil, 0, err
	}
	table := make([]uint64, p.TableBytes()/8)
	if s.table, err = room(s.device, s.table, len(table)); err != nil {
		return nil, 0, err
	}
	if err := s.table.Fill(0); err != nil {
		return nil, 0, err
	}
	stuck, least := int64(0), p.Blocks*p.Clusters
	r := outcomes.NewRand(s.seed, p.Test.Name+p.Form.String())
	for range s.launches {
		blocks, err := s.blocks(k, p, 1+r.IntN(4))
		if err != nil {
			return nil, 0, err
		}
		l := p.Draw(r, blocks, times/s.launches+1, s.stress)
		n, err := s.launch(ctx, k, p, l)
		for blocks > least && isRefused(err) { // fewer clusters fit than expected
			blocks = max(least, blocks/2-blocks/2%least)
			l = p.Draw(r, blocks, times/s.launches+1, s.stress)
			n, err = s.launch(ctx, k, p, l)
		}
		if err != nil {
			return nil, 0, err
		}
		stuck += n
	}
	if err := s.table.Read(ctx, table); err != nil {
		return nil, 0, err
	}
	counts, err := p.Counts(table)
	return counts, stuck, err
}

// isRefused reports whether the driver refuses a launch.
func isRefused(err error) bool {
	e, ok := errors.AsType[*gpu.Error](err)
	return ok && e.Code == gpu.BadLaunch
}

// room returns a buffer of n words at least: b, or a new one.
func room(d *gpu.Device, b *gpu.Buffer[uint64], n int) (*gpu.Buffer[uint64], error) {
	if b != nil && b.Len() >= n {
		return b, nil
	}
	if b != nil {
		if err := b.Close(); err != nil {
			return nil, err
		}
	}
	return gpu.Alloc[uint64](d, n)
}

// blocks returns how many blocks run at the same time, with at most perSM of them on a multiprocessor: a multiple of
// the blocks of a cluster. Clusters need multiprocessors that are close to each other, so that fewer fit.
func (s *storm) blocks(k *gpu.Kernel, p *outcomes.Plan, perSM int) (int, error) {
	fit, err := k.OccupiedBy(outcomes.MaxThreads, 0)
	if err != nil {
		return 0, err
	}
	n := s.device.Info().SMs * max(1, min(fit, perSM))
	if p.Blocks > 1 {
		n = n * 3 / 4
	}
	return n - n%(p.Blocks*p.Clusters), nil
}

// launch runs a launch and returns how many instances did not end.
func (s *storm) launch(ctx context.Context, k *gpu.Kernel, p *outcomes.Plan, l outcomes.Launch) (int64, error) {
	var err error
	if s.results, err = room(s.device, s.results, int(p.ResultBytes(l)/8)); err != nil {
		return 0, err
	}
	if err := s.control.Fill(0); err != nil {
		return 0, err
	}
	cfg := gpu.Config{Grid: gpu.Dim{X: l.Blocks}, Block: gpu.Dim{X: l.Threads}, Cooperative: true}
	if p.Blocks > 1 {
		cfg.Cluster = gpu.Dim{X: p.Blocks}
	}
	var args []any
	for _, a := range l.Args(outcomes.Buffers{
		Table: s.table.Addr(), Memory: s.memory.Addr(), Results: s.results.Addr(), Control: s.control.Addr(),
		Scratch: s.scratch.Addr(),
	}) {
		args = append(args, a)
	}
	if err := k.Launch(cfg, args...); err != nil {
		return 0, err
	}
	control := make([]uint64, outcomes.ControlBytes/8)
	if err := s.control.Read(ctx, control); err != nil {
		return 0, err
	}
	if n := outcomes.CountOverflow(control); n > 0 {
		return 0, fmt.Errorf("expected at most %d different final states, found more: %s instances were not counted",
			outcomes.Entries, strconv.FormatUint(n, 10))
	}
	return int64(outcomes.CountUnfinished(control)), nil
}
