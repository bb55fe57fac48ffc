package proof

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"girih/atom"
	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/card/truth"
	"girih/internal/file"
	"girih/internal/machine/lower"
	"girih/internal/terminal"
)

// Truth is girih-gpu truth.
var Truth = command.Command{
	Name: "truth",
	Args: "[NAME...] [--scalar] [--json] [-o FILE] [--device N] [--print]",
	Help: "hold the tables of instructions to the card",
	Run:  runTruth,
	More: truthHelp,
}

const truthHelp = `
Runs every MMA, ldmatrix, stmatrix, movmatrix and copy instruction of the card on operands that number their own
places, and compares the results with the tables of girih, and sums with models, bit for bit.

With --scalar, runs random programs of instructions on registers on the card and in the simulator, and compares their
results bit for bit. Results of approximate instructions may differ by 1.05 times the errors that the PTX ISA states.

  NAME...       instructions, as girih atom lists them, and patterns of names: 'SM90_64x8*'; default: all.
                With --scalar opcodes of PTX: 'cvt.*.f16.f32'
  --json        print one object a line, the card first; with -o FILE write these there, and print the table
  --device N    the card, from 0
  --print       print the kernels of NAME... as PTX, one module each, or write them to -o FILE; needs no card
  --differences FILE  with --scalar, write results that differ in the simulator, with their operands, as JSON
  --results FILE      with --scalar, write the results of the first programs, 8 bytes for each lane

The exit code is 1 if the card differs.
`

func runTruth(ctx context.Context, c *command.Call) error {
	var asJSON, print, scalars bool
	var out string
	var device int
	var s scalarFiles
	names, err := c.Flags(math.MaxInt, func(fs *flag.FlagSet) {
		fs.BoolVar(&asJSON, "json", false, "")
		fs.BoolVar(&print, "print", false, "")
		fs.StringVar(&out, "o", "", "")
		fs.IntVar(&device, "device", 0, "")
		fs.BoolVar(&scalars, "scalar", false, "")
		fs.StringVar(&s.differences, "differences", "", "")
		fs.StringVar(&s.results, "results", "", "")
	})
	if err != nil {
		return err
	}
	switch {
	case scalars && print:
		return command.UsageError("--print writes the experiments on atoms")
	case scalars:
		return runScalars(ctx, c, scalarRun{names: names, device: device, findings: findings{out, asJSON}, files: s})
	case s != scalarFiles{}:
		return command.UsageError("--differences and --results are for --scalar")
	case print && asJSON:
		return command.UsageError("--print writes PTX, and --json is for records")
	case print && len(names) == 0:
		return command.UsageError("--print wants the name of an atom")
	}
	atoms, err := findAtoms(names, "") // a wrong name is wrong on every card
	if err != nil {
		return err
	}
	if print {
		return printProbes(ctx, c, atoms, out)
	}
	d, err := c.Open(device)
	if err != nil {
		return err
	}
	defer d.Close()
	if atoms, err = findAtoms(names, d.Info().Chip); err != nil {
		return err
	}
	records, err := measure(ctx, d, atoms, c.Stderr)
	if err != nil {
		return err
	}
	return conclude(c, d, findings{out, asJSON}, records)
}

// findings says where to write records: to a file, or as JSON to the terminal.
type findings struct {
	file   string
	asJSON bool
}

// conclude writes records, and fails if the card differs.
func conclude(c *command.Call, d *gpu.Device, to findings, records []truth.Record) (err error) {
	h := headerOf(d.Info())
	switch {
	case to.file != "":
		if err := file.Replace(to.file, lines(h, records), 0o644); err != nil {
			return err
		}
		err = summary(c.Stdout, h, records)
	case to.asJSON:
		_, err = c.Stdout.Write(lines(h, records))
	default:
		err = summary(c.Stdout, h, records)
	}
	if err == nil && slices.ContainsFunc(records, func(r truth.Record) bool { return r.Status == truth.Differs }) {
		return command.ErrFailed
	}
	return err
}

// findAtoms finds atoms by name, each once; without names it returns all. An argument with * is a pattern of names.
func findAtoms(names []string, chip string) ([]truth.Atom, error) {
	if len(names) == 0 {
		return truth.Atoms(chip), nil
	}
	var found []truth.Atom
	known := map[string]bool{}
	add := func(a truth.Atom) {
		if !known[a.Name] {
			known[a.Name] = true
			found = append(found, a)
		}
	}
	for _, n := range names {
		if strings.Contains(n, "*") {
			any := false
			for _, a := range truth.Atoms(chip) {
				ok, err := path.Match(n, a.Name)
				if err != nil {
					return nil, command.UsageError(fmt.Sprintf("the pattern %q: %v", n, err))
				}
				if ok {
					add(a)
					any = true
				}
			}
			if !any {
				return nil, command.UsageError(fmt.Sprintf("no instruction has a name like %q: girih atom lists them", n))
			}
			continue
		}
		m, cp, err := atom.Find(n)
		switch {
		case err != nil:
			return nil, err
		case m != nil:
			add(truth.OfMMA(*m, chip))
		default:
			add(truth.OfCopy(*cp, chip))
		}
	}
	return found, nil
}

// printProbes prints the modules of atoms, each for the first chip that has it, or writes them to a file. Of several
// atoms it skips those without experiments.
func printProbes(ctx context.Context, c *command.Call, atoms []truth.Atom, name string) error {
	var b bytes.Buffer
	for _, a := range atoms {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p, err := a.Make()
		switch {
		case err == nil:
			_, _ = p.Module().WriteTo(&b) // cannot fail, because it writes to memory
		case len(atoms) == 1:
			return err
		default:
			fmt.Fprintf(c.Stderr, "%s is left out: %s\n", a.Name, terminal.Clean(err.Error()))
		}
	}
	if name != "" {
		return file.Replace(name, b.Bytes(), 0o644)
	}
	_, err := b.WriteTo(c.Stdout)
	return err
}

func headerOf(i gpu.Info) truth.Header {
	return truth.Header{
		Device: i.Name, Chip: i.Chip, Driver: i.Driver, CUDA: i.CUDA, Date: time.Now().UTC().Format(time.DateOnly),
	}
}

func lines(h truth.Header, records []truth.Record) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(h) // structs of strings and numbers, to memory
	for _, r := range records {
		if r.Status != truth.Lacks { // the tables say what a chip lacks
			_ = e.Encode(r)
		}
	}
	return []byte(b.String())
}

// summary prints a line for each family and what differs or was refused.
func summary(w io.Writer, h truth.Header, records []truth.Record) error {
	statuses := []string{truth.Proven, truth.Differs, truth.Refused, truth.Lacks, truth.Untried}
	counts := map[string]map[string]int{}
	var families []string
	for _, r := range records {
		if counts[r.Family] == nil {
			families = append(families, r.Family)
			counts[r.Family] = map[string]int{}
		}
	}
	families = append(families, "all")
	counts["all"] = map[string]int{}
	for _, r := range records {
		counts[r.Family][r.Status]++
		counts["all"][r.Status]++
	}
	fmt.Fprintf(w, "%s (%s), driver %s, %s\n", terminal.Clean(h.Device), h.Chip, command.Dash(h.Driver), h.Date)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "family\tatoms\t%s\n", strings.Join(statuses, "\t"))
	for _, f := range families {
		n := 0
		for _, s := range statuses {
			n += counts[f][s]
		}
		fmt.Fprintf(t, "%s\t%d", f, n)
		for _, s := range statuses {
			fmt.Fprintf(t, "\t%s", command.Dash(command.NumberOrNone(counts[f][s])))
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	sums, agree := 0, 0
	for _, r := range records {
		if r.Status == truth.Differs || r.Status == truth.Refused {
			fmt.Fprintf(w, "%s %s: %s\n", r.Atom, r.Status, terminal.Clean(r.Reason))
		}
		if s := r.Sums; s != nil {
			sums, agree = sums+s.Sums, agree+s.Agree
			if s.Agree != s.Sums {
				fmt.Fprintf(w, "%s adds otherwise in %d of %d sums: %s\n", r.Atom, s.Sums-s.Agree, s.Sums, terminal.Clean(s.First))
			}
		}
	}
	if sums > 0 {
		_, err := fmt.Fprintf(w, "%d of %d random sums equal the sums of the models, bit for bit\n", agree, sums)
		return err
	}
	return nil
}

// together is the number of atoms that share a module: a module costs more to compile than another kernel in it.
const together = 4

// measure runs the experiments on all atoms, several modules at a time, and returns a record for each.
func measure(ctx context.Context, d *gpu.Device, atoms []truth.Atom, progress io.Writer) ([]truth.Record, error) {
	records := make([]truth.Record, len(atoms))
	s := survey{d, atoms, records}
	var work [][]int
	byTarget := map[string][]int{} // atoms that can share a module
	for i, a := range atoms {
		if a.Lacks != nil {
			records[i] = a.Without(truth.Lacks, a.Lacks)
			continue
		}
		key := a.Family
		byTarget[key] = append(byTarget[key], i)
		if g := byTarget[key]; len(g) == together {
			work, byTarget[key] = append(work, g), nil
		}
	}
	for _, g := range byTarget {
		if len(g) > 0 {
			work = append(work, g)
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	jobs := make(chan []int)
	var done atomic.Int64
	var wg sync.WaitGroup
	for range max(2, min(runtime.GOMAXPROCS(0), 16)) {
		wg.Go(func() {
			for g := range jobs {
				if ctx.Err() != nil {
					continue
				}
				if err := s.group(ctx, g); err != nil {
					stop(err)
				}
				done.Add(int64(len(g)))
			}
		})
	}
	last := time.Now()
	for _, g := range work {
		jobs <- g
		if time.Since(last) > 2*time.Second {
			last = time.Now()
			fmt.Fprintf(progress, "%d of %d atoms\n", done.Load(), len(atoms))
		}
	}
	close(jobs)
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return records, nil
}

// A survey runs the experiments on atoms, and keeps a record of each.
type survey struct {
	d       *gpu.Device
	atoms   []truth.Atom
	records []truth.Record
}

// group runs the experiments on the atoms with the indices g, which share a module, or, if the driver refuses that, one
// by one.
func (s *survey) group(ctx context.Context, g []int) error {
	var target lower.Target
	probes := map[int]*truth.Probe{}
	var made []*truth.Probe
	for _, i := range g {
		p, err := s.atoms[i].Make()
		if err != nil {
			s.records[i] = s.atoms[i].Without(truth.Untried, err)
			continue
		}
		probes[i] = p
		made = append(made, p)
		target.Chip = p.Target.Chip
		if v := p.Target.Version; cmp.Or(v.Major-target.Version.Major, v.Minor-target.Version.Minor) > 0 {
			target.Version = v
		}
	}
	if len(probes) == 0 {
		return nil
	}
	m, err := s.d.Load(target.Module(truth.Decls(made...)...))
	if e, ok := errors.AsType[*gpu.Error](err); ok && e.Code == gpu.Refused {
		if len(g) == 1 {
			s.records[g[0]] = s.atoms[g[0]].Without(truth.Refused, errors.New(cmp.Or(e.Log, e.Error())))
			return nil
		}
		for _, i := range g {
			if err := s.group(ctx, []int{i}); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer m.Close()
	for _, i := range g {
		if probes[i] == nil {
			continue
		}
		f, err := execute(ctx, s.d, m, probes[i])
		if err != nil {
			return fmt.Errorf("%s: %w", s.atoms[i].Name, err)
		}
		s.records[i] = s.atoms[i].Record(f)
	}
	return nil
}

// execute launches the batches of a probe and returns the finding.
func execute(ctx context.Context, d *gpu.Device, m *gpu.Module, p *truth.Probe) (truth.Finding, error) {
	outs := make([][]uint32, len(p.Batches))
	for i, b := range p.Batches {
		out, err := launch(ctx, d, m, b)
		if err != nil {
			return truth.Finding{}, err
		}
		outs[i] = out
	}
	return p.Check(outs), nil
}

// launch runs a batch and returns its results.
func launch(ctx context.Context, d *gpu.Device, m *gpu.Module, b truth.Batch) ([]uint32, error) {
	k, err := m.Kernel(b.Kernel)
	if err != nil {
		return nil, err
	}
	in, err := gpu.Upload(ctx, d, b.In)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	results := make([]uint32, b.Cases*b.Threads*b.Words)
	out, err := gpu.Alloc[uint32](d, len(results))
	if err != nil {
		return nil, err
	}
	defer out.Close()
	c := gpu.Config{Grid: gpu.Dim{X: b.Cases}, Block: gpu.Dim{X: b.Threads}, Shared: b.Shared}
	if err := k.Launch(c, in, out); err != nil {
		return nil, err
	}
	return results, out.Read(ctx, results)
}
