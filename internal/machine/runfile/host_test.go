package runfile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/internal/machine/runfile"
)

// host is a Host that counts the calls of its functions.
type host struct {
	most       int64 // the most bytes that may be kept
	stops      int   // how often Stop returns nil
	kept, read int64
	asked      int // how often Stop was called
}

var errFull, errLate = errors.New("too much memory"), errors.New("too late")

func (h *host) host() runfile.Host {
	return runfile.Host{
		Keep: func(n int64) error {
			if h.kept += n; h.kept > h.most {
				return errFull
			}
			return nil
		},
		Stop: func() error {
			if h.asked++; h.asked > h.stops {
				return errLate
			}
			return nil
		},
		Open: func(_ string, most int64) ([]byte, error) {
			h.read = max(h.read, most)
			return make([]byte, min(most, 1<<20)), nil
		},
	}
}

// TestDeclared checks that all memory is requested at once, before anything is filled or read.
func TestDeclared(t *testing.T) {
	t.Parallel()
	const big = `{"name": "b%d", "type": "f32", "bytes": %d, "fill": {"kind": "%s"%s}}`
	for _, c := range []struct {
		name, buffers string
		kept          int64
		want          string // "" for errFull
	}{
		{"lcg", fmt.Sprintf(big, 0, 1<<30, "lcg", `, "mod": 7`), 2 << 30, ""},
		{"byte", fmt.Sprintf(big, 0, 1<<30, "byte", ""), 2 << 30, ""},
		{"bits", fmt.Sprintf(big, 0, 1<<30, "bits", ""), 2 << 30, ""},
		{"none", fmt.Sprintf(big, 0, 1<<30, "none", ""), 2 << 30, ""},
		{"two", fmt.Sprintf(big+","+big, 0, 1<<20, "bits", "", 1, 1<<29, "bits", ""), 2 * (1<<20 + 1<<29), ""},
		{"too many", fmt.Sprintf(big+","+big, 0, 4, "bits", "", 1, 1<<30, "bits", ""), 0, "buffers[1]: 1073741828 bytes"},
	} {
		h := &host{most: 1 << 20, stops: 1 << 30}
		f, err := runfile.Parse([]byte(`{"block": 1, "buffers": [` + c.buffers + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Load(h.host())
		if c.want == "" && !errors.Is(err, errFull) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if h.kept != c.kept || h.asked > 0 {
			t.Errorf("%s: %d bytes were asked for, want %d, and %d parts filled", c.name, h.kept, c.kept, h.asked)
		}
	}
}

// TestFillsStop checks that a fill and a comparison end when Stop returns an error.
func TestFillsStop(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{`"lcg", "mod": 7`, `"bits"`} {
		h := &host{most: 1 << 40, stops: 3}
		f, err := runfile.Parse([]byte(`{"block": 1, "buffers": [{"name": "x", "bytes": 1048576, "fill": {"kind": ` + kind + `}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Load(h.host()); !errors.Is(err, errLate) || h.asked != 4 {
			t.Errorf("%s: %v after %d questions", kind, err, h.asked)
		}
	}
	h := &host{most: 1 << 40, stops: 1}
	f, err := runfile.Parse([]byte(`{"block": 1, "buffers": [{"name": "x", "bytes": 1048576, "fill": {"kind": "none"}}],
		"outputs": [{"buffer": "x", "file": "want"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	in, err := f.Load(h.host())
	if err != nil {
		t.Fatal(err)
	}
	r, err := in.New(program(t, copies))
	if err != nil {
		t.Fatal(err)
	}
	if r.Check(); h.asked != 2 {
		t.Errorf("a comparison goes on after %d questions", h.asked)
	}
}

// TestFilesAreBounded checks that a file is requested with its largest allowed size.
func TestFilesAreBounded(t *testing.T) {
	t.Parallel()
	const header = 1 << 17
	for _, c := range []struct {
		name, text string
		most       int64
		want       string
	}{
		{"a parameter", `"params": [{"kind": "bytes", "size": 16, "file": "x"}]`, 16 + header, "params[0]: 131088 bytes"},
		{"a parameter of any size", `"params": [{"kind": "bytes", "file": "x"}]`, runfile.MaxParam + header, "params[0]: 163836 bytes"},
		{"a buffer", `"buffers": [{"name": "a", "bytes": 16, "file": "x"}]`, 16 + header, "x has 131088 bytes, and the buffer 16"},
		{"a buffer of any size", `"buffers": [{"name": "a", "file": "x"}]`, runfile.MaxBytes + header, ""},
		{
			"after a large one", fmt.Sprintf(`"buffers": [{"name": "b", "bytes": %d, "fill": {"kind": "none"}}, {"name": "a", "file": "x"}]`,
				runfile.MaxBytes-16), 16 + header, "x has 131088 bytes, and 16 are left",
		},
		{
			"an output", `"buffers": [{"name": "a", "bytes": 16, "fill": {"kind": "none"}}], "outputs": [{"buffer": "a", "file": "x"}]`,
			16 + header, "x has 131088 bytes, and the buffer 16",
		},
	} {
		h := &host{most: 1 << 40}
		f, err := runfile.Parse([]byte(`{"block": 1, ` + c.text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		in, err := f.Load(h.host())
		if err == nil && strings.Contains(c.name, "parameter") {
			_, err = in.New(program(t, copies))
		}
		if h.read != c.most || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: up to %d bytes are read, want %d, and the error is %v, want %s", c.name, h.read, c.most, err, c.want)
		}
	}
	f, err := runfile.Parse([]byte(`{"block": 1, "buffers": [{"name": "a", "file": "x"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Load(runfile.Host{}); err == nil || !strings.Contains(err.Error(), "no files can be read here") {
		t.Errorf("without files: %v", err)
	}
	if _, err := f.Load((&host{most: 1 << 20}).host()); !errors.Is(err, errFull) {
		t.Errorf("a file of 1 MiB in 1 MiB, with its copies: %v", err)
	}
}
