package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"girih/internal/web/engine"
)

// The mark by which the page knows which engine it has.
const (
	servedMark = `<meta name="girih-engine" content="http">`
	staticMark = `<meta name="girih-engine" content="wasm">`
)

// Static writes the explorer with its own engine to a folder that works from any file server, under any path. The folder is
// made if it does not exist; if it exists it is empty or has what Static wrote before, or else it is an error and nothing is
// written. The engine is the one in the binary, in a build with -tags engine; otherwise it is built with the Go
// toolchain of this machine from the source of girih, with progress, and the error says what to do where that is not possible.
func Static(ctx context.Context, dir string, progress io.Writer) error {
	files, err := pageFiles()
	if err != nil {
		return err
	}
	if err := usable(dir, files); err != nil {
		return err
	}
	e, err := findEngine(ctx, progress)
	if err != nil {
		return err
	}
	files["engine.bin"], files["wasm_exec.js"] = e.Packed, e.Support
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	names := []string{}
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := replace(filepath.Join(dir, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}

// pageFiles returns the files of the page, by name, with nil for those of the engine.
func pageFiles() (map[string][]byte, error) {
	files := map[string][]byte{"engine.bin": nil, "wasm_exec.js": nil}
	entries, err := dist.ReadDir("dist")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		b, err := dist.ReadFile("dist/" + e.Name())
		if err != nil {
			return nil, err
		}
		if e.Name() == "index.html" {
			if !bytes.Contains(b, []byte(servedMark)) {
				return nil, errors.New("a defect of girih: the page does not say which engine it has")
			}
			b = bytes.Replace(b, []byte(servedMark), []byte(staticMark), 1)
		}
		files[e.Name()] = b
	}
	return files, nil
}

// usable reports, as an error, what keeps a folder from being written to.
func usable(dir string, files map[string][]byte) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("expected a folder, or a name for a new one: %w", err)
	}
	for _, e := range entries {
		if _, ours := files[e.Name()]; !ours || !e.Type().IsRegular() {
			return fmt.Errorf("%s has %s, which girih did not write: expected a new or an empty folder", dir, e.Name())
		}
	}
	if len(entries) == 0 {
		return nil
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !bytes.Contains(page, []byte(staticMark)) {
		return fmt.Errorf("%s has an index.html, or none, that girih did not write: expected a new or an empty folder", dir)
	}
	return nil
}

// replace writes a file whole or not at all.
func replace(name string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".girih-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // it is gone if all went well
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// findEngine returns the engine in the binary, or builds it.
func findEngine(ctx context.Context, progress io.Writer) (engine.Engine, error) {
	if e, ok := embedded(); ok {
		return e, nil
	}
	_, file, _, _ := runtime.Caller(0)
	root, err := engine.Root(file)
	if err == nil {
		var e engine.Engine
		if e, err = engine.Build(ctx, root, progress); err == nil {
			return e, nil
		}
	}
	return engine.Engine{}, fmt.Errorf("this girih has no engine in it, and cannot build one: %s; "+
		"run it in a checkout of girih with Go installed, or use a release, which has the engine", strings.TrimSpace(err.Error()))
}
