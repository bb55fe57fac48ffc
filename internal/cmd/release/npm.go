package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"os"
	"path/filepath"

	"girih/internal/file"
	"girih/internal/version"
)

// This file writes the package girih of npm: the engine of the page, and a module that starts it. The same files give
// the same package.

// npmFiles are the files of the package that are written by hand.
//
//go:embed npm
var npmFiles embed.FS

// writeNPM writes the package with the engine in a folder to another folder, and returns its name. root is the folder
// of the repository.
func writeNPM(root, engine, dir string) (name string, err error) {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	w := tar.NewWriter(zip)
	add := func(name string, data []byte, err error) error {
		if err == nil {
			err = w.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(data)), ModTime: wheelTime})
		}
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	for _, name := range []string{"package.json", "index.js", "index.d.ts", "node.js", "browser.js"} {
		data, err := npmFiles.ReadFile("npm/" + name)
		if err := add(name, bytes.Replace(data, []byte("VERSION"), []byte(version.Number), 1), err); err != nil {
			return "", err
		}
	}
	for _, name := range []string{
		filepath.Join(engine, "programs.wasm.gz"), filepath.Join(engine, "wasm_exec.js"),
		filepath.Join(root, "LICENSE"), filepath.Join(root, "NOTICE"),
	} {
		data, err := os.ReadFile(name)
		if err := add(filepath.Base(name), data, err); err != nil {
			return "", err
		}
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	if err := zip.Close(); err != nil {
		return "", err
	}
	name = fmt.Sprintf("girih-%s.tgz", version.Number)
	return name, file.Replace(filepath.Join(dir, name), b.Bytes(), 0o644)
}
