package needless_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/machine/needless"
	"girih/internal/machine/runfile"
	"girih/ptx"
	"girih/ptx/sim"
)

// files maps the names of the files in a corpus to their contents.
type files map[string][]byte

func (f files) open(name string, _ int64) ([]byte, error) {
	if text, ok := f[name]; ok {
		return text, nil
	}
	return nil, fs.ErrNotExist
}

// archive returns the files of a .tar.gz archive.
func archive(t *testing.T, name string) files {
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
	out := files{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if out[strings.TrimPrefix(h.Name, "./")], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// kernel returns the kernel and the launch that a run file describes.
func kernel(t *testing.T, module *ptx.Module, f *runfile.File, open files) needless.Kernel {
	t.Helper()
	inputs, err := f.Load(runfile.Host{Open: open.open})
	if err != nil {
		t.Fatal(err)
	}
	return needless.Kernel{Module: module, Entry: f.Entry, New: func(p *sim.Program) (*needless.Case, error) {
		r, err := inputs.New(p)
		if err != nil {
			return nil, err
		}
		r.Launch.Ignore = ignored(t)
		return &needless.Case{Memory: r.Memory, Launch: r.Launch, Wrong: func() string {
			if bad := r.Check(); len(bad) > 0 {
				return bad[0].Buffer
			}
			return ""
		}}, nil
	}}
}

// ignored returns the findings that the variable GIRIH_IGNORE lists, such as race:12,read-pending:40.
func ignored(t *testing.T) (list []sim.Ignore) {
	for _, text := range strings.Split(os.Getenv("GIRIH_IGNORE"), ",") {
		if kind, line, ok := strings.Cut(text, ":"); ok {
			n, err := strconv.Atoi(line)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, sim.Ignore{Kind: sim.Kind(kind), Line: n})
		}
	}
	return list
}

func parse(t *testing.T, text []byte) *ptx.Module {
	t.Helper()
	m, err := ptx.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// score judges the changes of a kernel, and logs how many of them the simulator detects or explains.
func score(t *testing.T, k needless.Kernel, orders int) *needless.Report {
	t.Helper()
	r, err := needless.Run(context.Background(), k, needless.Options{Orders: orders, Workers: 2})
	if err != nil {
		t.Errorf("%v", err)
		return &needless.Report{}
	}
	t.Log("\n" + r.Score())
	for _, e := range r.Open {
		t.Logf("open in the unchanged kernel: %v", e)
	}
	return r
}

// TestCorpus checks that, for the sound kernels of the corpus, each executed change is detected, or explained by edges.
func TestCorpus(t *testing.T) {
	all := archive(t, "../../../ptx/sim/testdata/corpus.tar.gz")
	modules := map[string]*ptx.Module{}
	var names []string
	for name := range all {
		if strings.HasSuffix(name, ".json") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	only := os.Getenv("GIRIH_KERNEL")
	var found, explained, open int
	for i, name := range names {
		f, err := runfile.Parse(all[name])
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Findings) > 0 || only != "" && only != name || only == "" && long.Skips(i, 6) {
			continue
		}
		if modules[f.PTX] == nil {
			modules[f.PTX] = parse(t, all[f.PTX])
		}
		t.Run(name, func(t *testing.T) {
			r := score(t, kernel(t, modules[f.PTX], f, all), 2)
			found += r.Count(needless.Needed)
			explained += r.Count(needless.Needless)
			open += r.Count(needless.Undecided)
			if only != "" {
				t.Log("\n" + r.Text())
			}
		})
	}
	t.Logf("%d found, %d explained, %d neither", found, explained, open)
}

// TestRecordings does the same as TestCorpus for recorded launches in the folders that GIRIH_RECORDINGS lists.
func TestRecordings(t *testing.T) {
	for _, dir := range filepath.SplitList(os.Getenv("GIRIH_RECORDINGS")) {
		list, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		if len(list) == 0 {
			t.Errorf("%s: no launch", dir)
		}
		all, sizes := files{}, map[string]int64{}
		names, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range names {
			if all[d.Name()], err = os.ReadFile(filepath.Join(dir, d.Name())); err != nil {
				t.Fatal(err)
			}
			sizes[d.Name()] = int64(len(all[d.Name()]))
		}
		for _, file := range list {
			n, _ := strconv.Atoi(strings.TrimSuffix(filepath.Base(file), ".json"))
			t.Run(filepath.Base(dir)+"/"+strconv.Itoa(n), func(t *testing.T) {
				f, err := runfile.Recording(n, all[filepath.Base(file)], sizes, runfile.Comparison{})
				if err != nil {
					t.Fatal(err)
				}
				for name, text := range all {
					if strings.HasSuffix(name, ".ptx") && strings.Contains(string(text), ".entry "+f.Entry) {
						f.Outputs = nil
						k := kernel(t, parse(t, text), f, all)
						r := score(t, k, 1)
						if os.Getenv("GIRIH_KERNEL") != "" {
							t.Log("\n" + r.Text())
						}
						return
					}
				}
				t.Errorf("no PTX of %s", f.Entry)
			})
		}
	}
}
