package sim_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"girih/ptx"
	"girih/ptx/sim"
)

// attempt runs all kernels of a source with buffers for whatever fits one, and checks that nothing but errors comes.
func attempt(t *testing.T, src string) {
	m, err := ptx.Parse(src)
	if err != nil {
		return
	}
	p, err := sim.Load(m)
	if err != nil {
		wantError(t, err)
		return
	}
	mem, err := p.NewMemory()
	if err != nil {
		wantError(t, err)
		return
	}
	buf, err := mem.Put("buffer", make([]byte, 4096))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range p.Kernels() {
		l := sim.Launch{Entry: name, Block: sim.Dim{X: 48}, Shared: 4096, Steps: 2000}
		for _, v := range m.Func(ptx.Name(name)).Params {
			switch n := v.Size(); {
			case n == 8:
				l.Args = append(l.Args, sim.Pointer(buf, 0))
			case n > 0 && n < 1<<16:
				arg := make([]byte, n)
				arg[0] = 3
				l.Args = append(l.Args, sim.Bytes(arg))
			}
		}
		if d, ok := m.Func(ptx.Name(name)).Directive("reqntid"); ok && len(d.Args) > 0 {
			l.Block = sim.Dim{X: int(d.Args[0])}
		}
		if _, err := p.Run(context.Background(), mem, l); err != nil {
			wantError(t, err)
		}
	}
}

func wantError(t *testing.T, err error) {
	t.Helper()
	_, finding := errors.AsType[*sim.Finding](err)
	if _, ok := errors.AsType[*sim.Error](err); !ok && !finding {
		t.Errorf("an error of type %T: %v", err, err)
	}
}

// FuzzRun runs whatever can be parsed: it may be wrong in every way, and neither panics nor hangs.
func FuzzRun(f *testing.F) {
	files, err := filepath.Glob("../testdata/*.ptx")
	if err != nil || len(files) == 0 {
		f.Fatal("no test data")
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Fuzz(attempt)
}
