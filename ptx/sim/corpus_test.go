package sim_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"girih/internal/machine/runfile"
	"girih/ptx/sim"
)

// An archive contains the files of a .tar.gz, by name.
type archive map[string][]byte

func readArchive(t testing.TB, name string) archive {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := archive{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(h.Name, "./")] = text
	}
}

// open returns the contents of a file.
func (a archive) open(name string, _ int64) ([]byte, error) {
	text, ok := a[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return text, nil
}

// A corpusCase is a kernel of the corpus (testdata/src).
type corpusCase struct {
	name    string
	file    *runfile.File
	inputs  *runfile.Inputs
	program *sim.Program
}

// corpus returns all kernels, by name.
func corpus(t testing.TB) []corpusCase {
	t.Helper()
	files := readArchive(t, "testdata/corpus.tar.gz")
	programs := map[string]*sim.Program{}
	var list []corpusCase
	for name, text := range files {
		stem, ok := strings.CutSuffix(name, ".json")
		if !ok {
			continue
		}
		c := corpusCase{name: stem}
		var err error
		if c.file, err = runfile.Parse(text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if c.inputs, err = c.file.Load(runfile.Host{Open: files.open}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if programs[c.file.PTX] == nil {
			programs[c.file.PTX] = loadText(t, string(files[c.file.PTX]))
		}
		c.program = programs[c.file.PTX]
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b corpusCase) int { return strings.Compare(a.name, b.name) })
	return list
}

// broken reports whether the kernel has a mistake.
func (c corpusCase) broken() bool { return len(c.file.Findings) > 0 }

// run runs the kernel in one order.
func (c corpusCase) run(t testing.TB, seed uint64) (*runfile.Run, *sim.Result, error) {
	t.Helper()
	r, err := c.inputs.New(c.program)
	if err != nil {
		t.Fatal(err)
	}
	r.Launch.Seed = seed
	res, err := c.program.Run(context.Background(), r.Memory, r.Launch)
	return r, res, err
}

// TestCorpus runs the corpus in several orders. Sound kernels write the results of a Hopper card, bit by bit or within
// the bound in their description, and have no finding. The mistakes of broken kernels are found at their lines.
func TestCorpus(t *testing.T) {
	t.Parallel()
	kernels := map[string]bool{}
	sound, broken := 0, 0
	for _, c := range corpus(t) {
		kernels[c.file.Entry] = true
		if c.broken() {
			broken++
		} else {
			sound++
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.broken() {
				c.find(t)
				return
			}
			orders := uint64(3)
			if testing.Short() {
				orders = 1
			}
			for seed := range orders {
				r, _, err := c.run(t, seed)
				if err != nil {
					t.Errorf("order %d: %v", seed, err)
					continue
				}
				for _, d := range r.Check() {
					t.Errorf("order %d: %+v", seed, d)
				}
			}
			if c.file.CountCompared() == 0 {
				t.Error("no output is compared")
			}
		})
	}
	if sound != 95 || broken != 44 || len(kernels) != 134 {
		t.Errorf("%d sound and %d broken runs of %d kernels: the corpus has 95, 44 and 134", sound, broken, len(kernels))
	}
}

// find runs a broken kernel, and expects one of the findings that its description lists.
func (c corpusCase) find(t *testing.T) {
	_, _, err := c.run(t, 0)
	f, ok := errors.AsType[*sim.Finding](err)
	if !ok {
		t.Fatalf("found %v, want one of %v", err, c.file.Findings)
	}
	if c.name == "bk_cluster_no_sync" { // this kernel also reads from a block that may not have begun
		c.file.Findings = append(c.file.Findings, runfile.Fault{Kind: string(sim.KindBegun), Line: 304})
	}
	for _, want := range c.file.Findings {
		at := fmt.Sprintf("%s:%d", c.file.Source, want.Line)
		places := strings.Split(f.Source, ", inlined at ")
		if string(f.Kind) == want.Kind && slices.Contains(places, at) {
			return
		}
	}
	t.Errorf("found %v\nwant one of %v", err, c.file.Findings)
}

// BenchmarkCorpus runs all sound kernels. Mlanes/s is PTX instructions times active lanes per second, in millions: the
// geometric mean over the kernels.
func BenchmarkCorpus(b *testing.B) {
	list := slices.DeleteFunc(corpus(b), corpusCase.broken)
	for b.Loop() {
		sum := 0.0
		for _, c := range list {
			r, err := c.inputs.New(c.program)
			if err != nil {
				b.Fatal(err)
			}
			start := time.Now()
			res, err := c.program.Run(context.Background(), r.Memory, r.Launch)
			if err != nil {
				b.Fatal(err)
			}
			sum += math.Log(float64(res.Lanes) / time.Since(start).Seconds())
		}
		b.ReportMetric(math.Exp(sum/float64(len(list)))/1e6, "Mlanes/s")
	}
}
