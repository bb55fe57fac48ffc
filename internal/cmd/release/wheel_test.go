package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A wheel has the binary as an executable script, and RECORD with the sum of each other file; it is the same when it is
// written twice.
func TestWheel(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	binary := filepath.Join(t.TempDir(), "binary")
	if err := os.WriteFile(binary, []byte("program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for platform := range wheelTags {
		var wheels [2][]byte
		for i := range wheels {
			dir := t.TempDir()
			name, err := writeWheel(root, dir, binary, platform)
			if err != nil {
				t.Fatal(err)
			}
			if wheels[i], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				checkWheel(t, filepath.Join(dir, name), strings.HasPrefix(platform, "windows/"))
			}
		}
		if string(wheels[0]) != string(wheels[1]) {
			t.Errorf("%s: the second wheel differs", platform)
		}
	}
	if _, err := writeWheel(root, t.TempDir(), binary, "plan9/amd64"); err == nil {
		t.Error("there is a wheel for plan9")
	}
	if _, err := writeWheel(t.TempDir(), t.TempDir(), binary, "linux/amd64"); err == nil {
		t.Error("there is a wheel without a package")
	}
}

// checkWheel checks the files of a wheel.
func checkWheel(t *testing.T, name string, windows bool) {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var want strings.Builder
	recorded := ""
	scripts := 0
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name, "/RECORD") {
			recorded = string(data)
			fmt.Fprintf(&want, "%s,,\n", f.Name)
			continue
		}
		sum := sha256.Sum256(data)
		fmt.Fprintf(&want, "%s,sha256=%s,%d\n", f.Name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
		if script := strings.Contains(f.Name, ".data/scripts/"); script {
			scripts++
			if string(data) != "program" || f.Mode().Perm() != 0o755 || strings.HasSuffix(f.Name, ".exe") != windows {
				t.Errorf("%s has mode %v and the content %q", f.Name, f.Mode(), data)
			}
		} else if f.Mode().Perm() != 0o644 {
			t.Errorf("%s has mode %v", f.Name, f.Mode())
		}
	}
	if recorded != want.String() || scripts != 1 {
		t.Errorf("%s: RECORD is\n%swant\n%sand there are %d scripts", name, recorded, want.String(), scripts)
	}
	tag, _, _ := strings.Cut(strings.Split(filepath.Base(name), "-")[4], ".")
	if !strings.Contains(read(t, z, "/WHEEL"), "Tag: py3-none-"+tag+"\n") {
		t.Errorf("WHEEL lacks the tag of %s", name)
	}
}

// read returns the text of the file of an archive whose name ends so.
func read(t *testing.T, z *zip.ReadCloser, end string) string {
	t.Helper()
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, end) {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, _ := io.ReadAll(r)
			return string(data)
		}
	}
	t.Fatalf("there is no %s", end)
	return ""
}

// The generated operations of Python are current.
func TestPythonIsCurrent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := packPython(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "..", "..", "python", "girih", "_operations.py"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(dir, "_operations.py"))
	if err != nil || string(got) != string(want) {
		t.Errorf("python/girih/_operations.py is not current: run go generate ./internal/cmd/release (%v)", err)
	}
}
