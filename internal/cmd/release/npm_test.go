package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"girih/internal/version"
)

// A package of npm has the engine and its version, and is the same when it is written twice. Section install of the CI
// installs and runs it.
func TestNPM(t *testing.T) {
	t.Parallel()
	root, engine := filepath.Join("..", "..", ".."), t.TempDir()
	for _, name := range []string{"programs.wasm.gz", "wasm_exec.js"} {
		if err := os.WriteFile(filepath.Join(engine, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var packages [2][]byte
	for i := range packages {
		dir := t.TempDir()
		name, err := writeNPM(root, engine, dir)
		if err != nil {
			t.Fatal(err)
		}
		if packages[i], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(packages[0], packages[1]) {
		t.Error("the second package differs")
	}
	files := untar(t, packages[0])
	var about struct{ Version, Exports, Types string }
	if err := json.Unmarshal(files["package/package.json"], &about); err != nil || about.Version != version.Number {
		t.Errorf("package.json has version %q, want %s: %v", about.Version, version.Number, err)
	}
	for _, name := range []string{
		about.Exports, about.Types, "node.js", "browser.js", "wasm_exec.js", "programs.wasm.gz", "LICENSE", "NOTICE",
	} {
		if len(files["package/"+filepath.Base(name)]) == 0 {
			t.Errorf("the package does not have %s", name)
		}
	}
	if _, err := writeNPM(root, t.TempDir(), t.TempDir()); err == nil {
		t.Error("there is a package without an engine")
	}
}

// untar returns the files of a package by name.
func untar(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]byte)
	for r := tar.NewReader(zip); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		} else if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// What roff would take for itself is escaped.
func TestLiteral(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	literal(&b, ".a -x\n.b 'c' \\d\n")
	if want := ".nf\n\\&.a \\-x\n\\&.b \\(aqc\\(aq \\ed\n.fi\n"; b.String() != want {
		t.Errorf("literal wrote %q, want %q", b.String(), want)
	}
}
