package runfile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"girih/internal/runfile"
	"girih/ptx"
	"girih/ptx/sim"
)

func TestZZ(t *testing.T) {
	dir := "/work/wt/corpus/"
	names, _ := filepath.Glob(dir + "*.json")
	sort.Strings(names)
	ok, bad := 0, 0
	for _, n := range names {
		text, _ := os.ReadFile(n)
		f, err := runfile.Parse(text)
		if err != nil {
			t.Error(n, err)
			continue
		}
		f2, err := runfile.Parse(f.Text())
		if err != nil || string(f2.Text()) != string(f.Text()) {
			t.Error("round", n, err)
		}
		in, err := f.Load(func(name string) ([]byte, error) { return os.ReadFile(dir + name) })
		if err != nil {
			t.Error(n, err)
			continue
		}
		src, _ := os.ReadFile(dir + f.PTX)
		m, err := ptx.Parse(string(src))
		if err != nil {
			t.Fatal(err)
		}
		p, err := sim.Load(m)
		if err != nil {
			t.Fatal(err)
		}
		r, err := in.New(p)
		if err != nil {
			t.Error(n, err)
			continue
		}
		start := time.Now()
		res, err := p.Run(context.Background(), r.Memory, r.Launch)
		took := time.Since(start)
		base := strings.TrimSuffix(filepath.Base(n), ".json")
		fi, isF := errors.AsType[*sim.Finding](err)
		if len(f.Findings) > 0 {
			hit := false
			if isF {
				for _, e := range f.Findings {
					if string(fi.Kind) == e.Kind && strings.Contains(fi.Source, fmt.Sprintf("%s:%d", f.Source, e.Line)) {
						hit = true
					}
				}
			}
			if hit {
				ok++
			} else {
				bad++
				fmt.Println("BROKEN", base, f.Findings, "got", strings.SplitN(fmt.Sprint(err), "\n", 2)[0])
			}
			continue
		}
		d := r.Check()
		if err != nil || len(d) > 0 {
			bad++
			fmt.Println("SOUND", base, strings.SplitN(fmt.Sprint(err), "\n", 2)[0], d)
			continue
		}
		ok++
		if took > 100*time.Millisecond {
			fmt.Println("slow", base, took, res.Lanes)
		}
	}
	fmt.Println(ok, bad)
}
