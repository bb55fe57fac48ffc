package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"girih/internal/file"
	"girih/internal/service"
)

// Folders with other contents are refused before anything is built or written.
func TestStaticRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return filepath.Dir(file)
	}
	for name, c := range map[string]struct{ dir, want string }{
		"a file":        {filepath.Join(write("file/x", "y"), "x"), "expected a folder"},
		"foreign files": {write("foreign/notes.txt", "y"), "notes.txt"},
		"foreign page":  {write("page/index.html", "<html>"), "index.html"},
		"their script":  {write("half/app.js", ""), "app.js"},
		"no name":       {"", "found none"},
		"a folder":      {filepath.Dir(write("folder/app.js/x", "")), "app.js"},
	} {
		before := list(t, dir)
		if err := Static(t.Context(), c.dir, ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want something about %s", name, err, c.want)
		}
		if after := list(t, dir); after != before {
			t.Errorf("%s: the files were\n%s\nand are\n%s", name, before, after)
		}
	}
}

// site has the files of a small page.
func site(text string) map[string][]byte {
	return map[string][]byte{
		"app.js": []byte("js " + text), "engine.wasm.gz": []byte("engine " + text), "index.html": []byte("page " + text),
	}
}

// Static overwrites only what girih wrote, even after an interrupted run.
func TestSiteIsWrittenOver(t *testing.T) {
	t.Parallel()
	put := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fresh := func() string {
		dir := t.TempDir()
		if err := writeSite(t.Context(), dir, site("1"), nil); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	dir := fresh()
	for _, text := range []string{"1", "2"} {
		old, err := writtenLines(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := writeSite(t.Context(), dir, site(text), old); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, "app.js")); string(b) != "js 2" {
		t.Errorf("app.js has %q, %v", b, err)
	}
	if lines, err := writtenLines(dir); err != nil || len(lines) != 3 {
		t.Errorf("the list is %q, %v, want one line a file", lines, err)
	}

	for name, spoil := range map[string]func(dir string){
		"app.js is another":        func(dir string) { put(filepath.Join(dir, "app.js"), "mine") },
		"another file":             func(dir string) { put(filepath.Join(dir, "notes.txt"), "mine") },
		"a page, and no list":      func(dir string) { os.Remove(filepath.Join(dir, manifest)) },
		"a list of another folder": func(dir string) { put(filepath.Join(dir, "index.html"), "js 1") },
		"a folder": func(dir string) {
			os.Remove(filepath.Join(dir, "app.js"))
			if err := os.Mkdir(filepath.Join(dir, "app.js"), 0o755); err != nil {
				t.Fatal(err)
			}
		},
		"a link": func(dir string) {
			os.Rename(filepath.Join(dir, "app.js"), filepath.Join(t.TempDir(), "js"))
			if err := os.Symlink(filepath.Join(dir, "index.html"), filepath.Join(dir, "app.js")); err != nil {
				t.Skip(err)
			}
		},
	} {
		dir := fresh()
		spoil(dir)
		if _, err := writtenLines(dir); err == nil || !strings.Contains(err.Error(), "girih did not write") {
			t.Errorf("%s: %v", name, err)
		}
	}

	// Static can be run again after an interruption at any file, with the remaining files old or missing.
	for _, old := range []bool{false, true} {
		for n := range 4 {
			dir := t.TempDir()
			if old {
				dir = fresh()
			}
			before, err := writtenLines(dir)
			if err != nil {
				t.Fatal(err)
			}
			ctx := &ending{Context: t.Context(), left: n}
			if err := writeSite(ctx, dir, site("2"), before); (err != nil) != (n < 3) {
				t.Fatalf("after %d files: %v", n, err)
			}
			put(filepath.Join(dir, file.Temporary+"12345678"), "half") // a killed process leaves such a file
			between, err := writtenLines(dir)
			if err != nil {
				t.Fatalf("after %d files: %v", n, err)
			}
			if err := writeSite(t.Context(), dir, site("3"), between); err != nil {
				t.Fatal(err)
			}
			if lines, err := writtenLines(dir); err != nil || len(lines) != 3 || strings.Contains(list(t, dir), file.Temporary) {
				t.Errorf("after %d files: %q, %v\n%s", n, lines, err, list(t, dir))
			}
		}
	}
}

// An ending context ends after a given number of queries.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// A build without an engine says how to get one, and writes nothing.
func TestStaticNeedsAnEngine(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "site")
	if _, ok := embeddedEngine(); ok {
		t.Skip("this build has an engine")
	}
	if err := Static(t.Context(), dir, ""); err == nil || !strings.Contains(err.Error(), "use a released girih") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there, %v", err)
	}
}

func list(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	if err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		b.WriteString(path + "\n")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestEngine runs the engines in the folder GIRIH_SITE, which girih serve --static wrote, in node, and compares their
// answers with the service's.
func TestEngine(t *testing.T) {
	dir := os.Getenv("GIRIH_SITE")
	if dir == "" {
		t.Skip("GIRIH_SITE names no folder that girih serve --static wrote")
	}
	t.Parallel()
	if _, err := writtenLines(dir); err != nil {
		t.Errorf("what was written is not written over: %v", err)
	}
	requests := engineRequests(t)
	larger := compareEngine(t, dir, "engine", requests)
	asked := 0
	for _, r := range larger {
		if r[0] == "inspect" {
			asked++
		}
	}
	if of := len(requests) / 4; len(larger) == 0 || asked > of*4/5 {
		t.Errorf("%d of about %d values to inspect need the larger engine", asked, of)
	}
	if left := compareEngine(t, dir, "programs", larger); len(left) > 0 {
		t.Errorf("the larger engine refuses %v", left[0])
	}
}

// TestEngineOfKernels runs the engine that runs kernels, in the folder GIRIH_KERNELS, in node, and compares its answers
// with the service's.
func TestEngineOfKernels(t *testing.T) {
	dir := os.Getenv("GIRIH_KERNELS")
	if dir == "" {
		t.Skip("GIRIH_KERNELS names no folder with the engine that runs kernels")
	}
	t.Parallel()
	program, err := os.ReadFile(filepath.Join("..", "..", "lang", "traced", "testdata", "copy.cu"))
	if err != nil {
		t.Fatal(err)
	}
	requests := [][2]any{
		{"kernel", map[string]any{}},
		{"kernel", map[string]any{"kernel": "transpose_naive", "as": "json"}},
		{"follow", map[string]any{"kernel": "sgemm_sm80"}},
		{"follow", map[string]any{"kernel": "transpose_naive", "type": "f16"}},
		{"follow", map[string]any{"kernel": "nothing"}},
		{"follow", map[string]any{"program": string(program)}},
		{"follow", map[string]any{"program": "x = 1"}},
	}
	if larger := compareEngine(t, dir, "kernels", requests); len(larger) > 0 {
		t.Errorf("it does not have %v", larger)
	}
	if larger := compareEngine(t, dir, "kernels", [][2]any{{"inspect", map[string]any{"expr": "8:1"}}}); len(larger) != 1 {
		t.Error("it has what is for other engines")
	}
}

// compareEngine compares the answers of an engine with the service's. It returns the requests that need the larger
// engine.
func compareEngine(t *testing.T, dir, engine string, requests [][2]any) (larger [][2]any) {
	var in bytes.Buffer
	for _, r := range requests {
		json.NewEncoder(&in).Encode(r)
	}
	c := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "engine.mjs"), dir, engine)
	c.Stdin, c.Stderr = &in, t.Output()
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	n := 0
	for ; n < len(requests) && lines.Scan(); n++ {
		r := requests[n]
		body, err := json.Marshal(r[1])
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(lines.Bytes(), []byte(`"code":"larger_engine"`)) {
			larger = append(larger, r)
			continue
		}
		if bytes.Contains(lines.Bytes(), []byte("broke off: it nests deeper")) && len(body) > 4000 {
			continue // a browser's stack is smaller; the next answers show that the engine has restarted
		}
		if want := new(service.Session).Do(r[0].(string), body); !bytes.Equal(lines.Bytes(), want) {
			t.Errorf("%s %s:\n%.500s\nwant\n%.500s", r[0], body, lines.Bytes(), want)
		}
	}
	if n != len(requests) || lines.Scan() {
		t.Errorf("%d answers to %d requests, and %q", n, len(requests), lines.Text())
	}
	return larger
}

// engineRequests returns operations with their requests: expressions of the language, each as three operations, and
// requests that need much memory, deep stacks and recovery from panics.
func engineRequests(t *testing.T) (list [][2]any) {
	t.Helper()
	add := func(op string, fields ...string) {
		q := map[string]string{}
		for i := 0; i < len(fields); i += 2 {
			q[fields[i]] = fields[i+1]
		}
		list = append(list, [2]any{op, q})
	}
	for _, g := range service.Reference() {
		for _, f := range g.Functions {
			for _, op := range []string{"eval", "inspect", "explain", "draw"} {
				add(op, "expr", f.Example)
			}
		}
	}
	for _, e := range []string{
		"(128,128):(128,1)", "image(1048576:3)",
		strings.Repeat("(", 250) + "1" + strings.Repeat(")", 250), strings.Repeat("1+", 4000) + "1",
		"1/0", "nonsense(", "9223372036854775807+1", "composition((2,3):(4,1),(3,4):(3,1))",
	} {
		add("eval", "expr", e)
		add("inspect", "expr", e)
	}
	add("why", "text", `error: unable to compute the following composition: '!cute.layout<"(2,3):(4,1)">' o '!cute.layout<"(3,4):(3,1)">'`)
	add("eval", "expr", "auto a = make_layout(4, 2); a")
	add("draw", "expr", "A = (4,8):(8,1)\nA")
	add("run", "program", "print(7 // 2)\n")
	add("read", "text", strings.Repeat("Layout<Shape<_4,_2>,Stride<_2,_1>> ", 2000))
	add("nothing")
	return list
}
