package proof

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/card/truth"
	"girih/internal/card/truth/scalar"
	"girih/internal/file"
	"girih/internal/terminal"
)

// scalarFiles are the files of a run on scalar instructions in addition to the records.
type scalarFiles struct {
	differences string // results that differ from the simulator, with their operands
	results     string // the results of the first shard, 8 bytes for each lane
}

// scalarRun has the flags of truth --scalar.
type scalarRun struct {
	names    []string
	device   int
	findings findings
	files    scalarFiles
}

// runScalars compares the simulator's scalar instructions with the card.
func runScalars(ctx context.Context, c *command.Call, r scalarRun) error {
	list, err := namedForms(r.names)
	if err != nil {
		return err
	}
	d, err := c.Open(r.device)
	if err != nil {
		return err
	}
	defer d.Close()
	d.SetCache("") // off, because thousands of modules are each used only once
	t := &scalarTrial{d: d, refused: map[*scalar.Form]string{}, lacks: map[*scalar.Form]bool{}}
	begin := time.Now()
	if err := t.probe(ctx, list); err != nil {
		return err
	}
	fmt.Fprintf(c.Stderr, "%d forms, %d of them refused, %d not in the simulator, %d ms\n",
		len(list), len(t.refused), len(t.lacks), time.Since(begin).Milliseconds())
	known := slices.DeleteFunc(slices.Clone(list), func(f *scalar.Form) bool { return t.refused[f] != "" || t.lacks[f] })
	outcomes, err := t.shards(ctx, known, c.Stderr)
	if err != nil {
		return err
	}
	records, differences := scalar.Records(known, outcomes)
	for _, f := range list {
		r := scalar.Record{Form: f.Name(), Family: f.Family, Status: truth.Refused, Reason: t.refused[f]}
		if t.lacks[f] {
			r.Status, r.Reason = truth.Untried, "the simulator does not have it"
		}
		if r.Reason != "" {
			records = append(records, r)
		}
	}
	if err := t.write(r.files, differences); err != nil {
		return err
	}
	var opens []scalar.Open
	if len(r.names) == 0 {
		s := scalar.NewOpen()
		results, _, err := t.shard(ctx, s)
		if err != nil {
			return err
		}
		opens = s.Opens(results)
	}
	fmt.Fprintf(c.Stderr, "%d programs, %d ms\n", t.programs, time.Since(begin).Milliseconds())
	return concludeScalars(c, d, r.findings, scalarRecords{t.programs, records, opens})
}

// scalarRecords are the lines of a file, and the number of their programs.
type scalarRecords struct {
	programs int
	forms    []scalar.Record
	open     []scalar.Open
}

// namedForms returns the forms with these names or patterns, or all forms if no name is given.
func namedForms(names []string) ([]*scalar.Form, error) {
	all := scalar.Forms()
	if len(names) == 0 {
		return all, nil
	}
	found := map[*scalar.Form]bool{}
	for _, n := range names {
		any := false
		for _, f := range all {
			ok, err := path.Match(n, string(f.Op))
			if err != nil {
				return nil, command.UsageError(fmt.Sprintf("the pattern %q: %v", n, err))
			}
			if ok {
				any, found[f] = true, true
			}
		}
		if !any {
			return nil, command.UsageError(fmt.Sprintf("no scalar instruction has an opcode like %q", n))
		}
	}
	return slices.DeleteFunc(all, func(f *scalar.Form) bool { return !found[f] }), nil
}

// A scalarTrial is a run on a card.
type scalarTrial struct {
	d *gpu.Device

	mu       sync.Mutex
	refused  map[*scalar.Form]string // the forms that the compiler refuses, with the reason
	lacks    map[*scalar.Form]bool   // the forms that the simulator lacks
	failed   []string                // the compiler's messages about refused kernels
	results  []uint64                // the results of the first shard
	programs int
}

// parallel calls do with every index below n, on all processors.
func parallel(ctx context.Context, n int, do func(i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range max(2, min(runtime.GOMAXPROCS(0), 16)) {
		wg.Go(func() {
			for i := range jobs {
				if ctx.Err() == nil {
					if err := do(i); err != nil {
						stop(err)
					}
				}
			}
		})
	}
	for i := range n {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	return context.Cause(ctx)
}

// probe finds out which forms the compiler refuses, and which the simulator does not have.
func (t *scalarTrial) probe(ctx context.Context, list []*scalar.Form) error {
	return parallel(ctx, len(list), func(i int) error {
		f := list[i]
		why, err := t.refuses(f)
		lacks := why == "" && !scalar.CanSimulate(f)
		t.mu.Lock()
		defer t.mu.Unlock()
		if why != "" {
			t.refused[f] = why
		}
		if lacks {
			t.lacks[f] = true
		}
		return err
	})
}

// refuses returns why the compiler refuses a form, or "".
func (t *scalarTrial) refuses(f *scalar.Form) (string, error) {
	p, err := f.Alone(8)
	if err != nil {
		return "", err
	}
	p.Module.Target = []string{scalar.Chip} // also for instructions of newer chips, so that the compiler says so
	m, err := t.d.Load(p.Module)
	if e, ok := errors.AsType[*gpu.Error](err); ok && e.Code == gpu.Refused {
		return complaint(e), nil
	}
	if err != nil {
		return "", err
	}
	return "", m.Close()
}

// complaint returns the compiler's first message.
func complaint(e *gpu.Error) string {
	for line := range strings.Lines(cmp.Or(e.Log, e.Error())) {
		if _, text, ok := strings.Cut(line, "error"); ok {
			return strings.TrimSpace(strings.TrimLeft(text, " :"))
		}
	}
	return cmp.Or(e.Log, e.Error())
}

// shards runs all shards of the forms.
func (t *scalarTrial) shards(ctx context.Context, list []*scalar.Form, progress io.Writer) ([]*scalar.Outcome, error) {
	outcomes := make([]*scalar.Outcome, scalar.Shards)
	supports := func(*scalar.Form) bool { return true }
	err := parallel(ctx, scalar.Shards, func(i int) error {
		begin := time.Now()
		s := scalar.NewShard(i, list)
		results, missing, err := t.shard(ctx, s)
		if err != nil {
			return err
		}
		took := time.Since(begin)
		simulated, err := s.Simulate(ctx, supports)
		if err != nil {
			return err
		}
		outcomes[i] = s.Compare(results, simulated, supports, missing)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.programs += s.Programs
		if i == 0 {
			t.results = results
		}
		fmt.Fprintf(progress, "shard %d: %d programs, %d ms on the card, %d ms in all\n",
			i, s.Programs, took.Milliseconds(), time.Since(begin).Milliseconds())
		return nil
	})
	return outcomes, err
}

// shard runs the kernels of a shard, and returns the results and which kernels the compiler refused.
func (t *scalarTrial) shard(ctx context.Context, s *scalar.Shard) ([]uint64, map[string]bool, error) {
	parts, err := s.Parts(func(*scalar.Form) bool { return true })
	if err != nil {
		return nil, nil, err
	}
	var all []uint64
	missing := map[string]bool{}
	for i := range parts {
		p := &parts[i]
		in, err := gpu.Upload(ctx, t.d, p.In)
		if err != nil {
			return nil, nil, err
		}
		out, err := gpu.Upload(ctx, t.d, make([]byte, p.Out))
		if err != nil {
			return nil, nil, err
		}
		if err := t.part(p, in, out, missing); err != nil {
			return nil, nil, err
		}
		results := make([]byte, p.Out)
		if err := out.Read(ctx, results); err != nil {
			return nil, nil, err
		}
		all = append(all, scalar.Words(results)...)
		if err := errors.Join(in.Close(), out.Close()); err != nil {
			return nil, nil, err
		}
	}
	return all, missing, nil
}

// part runs the kernels of a part. If the compiler refuses it, they are tried one by one.
func (t *scalarTrial) part(p *scalar.Part, in, out *gpu.Buffer[byte], missing map[string]bool) error {
	m, err := t.d.Load(p.Module)
	if e, ok := errors.AsType[*gpu.Error](err); ok && e.Code == gpu.Refused {
		if len(p.Kernels) > 1 {
			for _, one := range p.Split() {
				if err := t.part(&one, in, out, missing); err != nil {
					return err
				}
			}
			return nil
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		missing[p.Kernels[0]] = true
		t.failed = append(t.failed, p.Kernels[0]+": "+e.Log)
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range p.Kernels {
		k, err := m.Kernel(name)
		if err != nil {
			return err
		}
		if err := k.Launch(gpu.Config{Block: gpu.Dim{X: scalar.Lanes}}, in, out); err != nil {
			return err
		}
	}
	if err := t.d.Wait(context.Background()); err != nil { // must come before the module is unloaded
		return err
	}
	return m.Close()
}

// write writes the requested files.
func (t *scalarTrial) write(files scalarFiles, differences []scalar.Difference) error {
	if files.differences != "" {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		for _, text := range t.failed {
			_ = e.Encode(map[string]string{"refused": text}) // cannot fail, because it writes to memory
		}
		for _, d := range differences {
			_ = e.Encode(d)
		}
		if err := file.Replace(files.differences, b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	if files.results == "" {
		return nil
	}
	return file.Replace(files.results, scalar.Bytes(t.results), 0o644)
}

// concludeScalars writes records, and fails if the card differs.
func concludeScalars(c *command.Call, d *gpu.Device, to findings, records scalarRecords) error {
	h := headerOf(d.Info())
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(struct { // structs of strings and numbers, to memory
		truth.Header
		Programs int `json:"programs"`
	}{h, records.programs})
	for _, r := range records.forms {
		_ = e.Encode(r)
	}
	for _, o := range records.open {
		_ = e.Encode(o)
	}
	var err error
	if to.file != "" {
		err = file.Replace(to.file, b.Bytes(), 0o644)
	}
	switch {
	case err != nil:
		return err
	case to.asJSON && to.file == "":
		_, err = b.WriteTo(c.Stdout)
	default:
		err = scalarSummary(c.Stdout, h, records.forms)
	}
	if err == nil && slices.ContainsFunc(records.forms, func(r scalar.Record) bool { return r.Status == truth.Differs }) {
		return command.ErrFailed
	}
	return err
}

// scalarSummary prints a line for each family, and each form that differs.
func scalarSummary(w io.Writer, h truth.Header, records []scalar.Record) error {
	statuses := []string{truth.Proven, truth.Differs, truth.Refused, truth.Untried}
	counts := map[string]map[string]int{}
	instances := map[string]int{}
	var families []string
	for _, r := range records {
		if counts[r.Family] == nil {
			families = append(families, r.Family)
			counts[r.Family] = map[string]int{}
		}
		for _, f := range []string{r.Family, "all"} {
			if counts[f] == nil {
				counts[f] = map[string]int{}
			}
			counts[f][r.Status]++
			instances[f] += r.Instances
		}
	}
	fmt.Fprintf(w, "%s (%s), driver %s, %s\n", terminal.Clean(h.Device), h.Chip, command.Dash(h.Driver), h.Date)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "family\t%s\tinstances\n", strings.Join(statuses, "\t"))
	for _, f := range append(families, "all") {
		fmt.Fprint(t, f)
		for _, s := range statuses {
			fmt.Fprintf(t, "\t%s", command.Dash(command.NumberOrNone(counts[f][s])))
		}
		fmt.Fprintf(t, "\t%d\n", instances[f])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range records {
		if r.Status == truth.Differs {
			fmt.Fprintf(w, "%s: %s\n", r.Form, r.Reason)
		}
	}
	return nil
}
