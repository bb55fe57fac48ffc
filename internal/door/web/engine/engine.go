// Package engine builds the engines of a page without a server: the service as WebAssembly, compressed with gzip,
// which browsers decompress while they download it.
package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"girih/internal/door/web/deflate"
)

// An Engine is the set of additional files for a page without a server, by name:
//
//	engine.wasm.gz    the module that a first visit loads
//	programs.wasm.gz  the module with programs and diagnoses, which is loaded when they are asked for
//	wasm_exec.js      of the Go distribution that built the modules
type Engine map[string][]byte

// Names are the names of the files.
var Names = []string{"engine.wasm.gz", "programs.wasm.gz", support}

const support = "wasm_exec.js"

// tags are the build tags of the modules.
var tags = map[string]string{"engine.wasm.gz": "", "programs.wasm.gz": "programs"}

// source is the package to build, relative to the root of the module.
const source = "cmd/girih-wasm"

// Build builds both modules from the source at root with the Go toolchain of this machine, and reports its work on
// progress. Building takes from seconds to two minutes. The error says what failed: go is missing, or go printed
// this output.
func Build(ctx context.Context, root string, progress io.Writer) (Engine, error) {
	golang, err := exec.LookPath("go")
	if err != nil {
		return nil, errors.New("the engine is built with Go, and there is no go command in the PATH")
	}
	dir, err := os.MkdirTemp("", "girih-engine")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	run := func(args ...string) ([]byte, error) {
		c := exec.CommandContext(ctx, golang, args...)
		c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // an interrupt lets go remove its temporary files
		c.WaitDelay = 3 * time.Second
		c.Dir = root
		c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
		var said strings.Builder
		c.Stderr = &said
		out, err := c.Output()
		if err != nil {
			return nil, fmt.Errorf("go %s in %s: %w\n%s", args[0], root, err, strings.TrimSpace(said.String()))
		}
		return out, nil
	}
	out, err := run("env", "GOVERSION", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, goroot, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	fmt.Fprintf(progress, "building the engines with %s from %s\n", version, root)
	e := make(Engine)
	for name, tag := range tags {
		// Without inlining, the compressed module is 19% smaller.
		file := filepath.Join(dir, name)
		_, err := run("build", "-tags="+tag, "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w",
			"-o", file, "./"+source)
		if err != nil {
			return nil, err
		}
		module, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		e[name] = deflate.Gzip(module)
		fmt.Fprintf(progress, "%s has %.2f MB\n", name, float64(len(e[name]))/1e6)
	}
	e[support], err = os.ReadFile(filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", support))
	return e, err
}

// Root returns the root of this module's source: a parent of the working directory, or the folder where the program
// was compiled; compiled must be a file name from runtime.Caller. The error says where Root looked.
func Root(compiled string) (string, error) {
	var looked []string
	start, err := os.Getwd()
	if err == nil {
		looked = append(looked, start)
	}
	if filepath.IsAbs(compiled) { // with -trimpath there is no absolute path
		looked = append(looked, filepath.Dir(compiled))
	}
	for _, dir := range looked {
		for {
			if isRoot(dir) {
				return dir, nil
			}
			parent := filepath.Dir(dir)
			if parent == dir {
				break
			}
			dir = parent
		}
	}
	return "", fmt.Errorf("the source of girih is not around %s", strings.Join(looked, " nor "))
}

func isRoot(dir string) bool {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module girih\n") {
		return false
	}
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(source)))
	return err == nil && info.IsDir()
}
