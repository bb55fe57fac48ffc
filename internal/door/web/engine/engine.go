// Package engine builds the engine of a page without a server: the service as WebAssembly, compressed with gzip,
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

// An Engine is the set of additional files for a page without a server.
type Engine struct {
	Module  []byte // the WebAssembly module, compressed with gzip
	Support []byte // wasm_exec.js of the Go distribution that built the engine
}

// source is the package to build, relative to the root of the module.
const source = "cmd/girih-wasm"

// Build builds the engine from the module at root with the Go toolchain of this machine, and reports its work on
// progress. Building takes from seconds to a minute. The error says what failed: go is missing, or go printed
// this output.
func Build(ctx context.Context, root string, progress io.Writer) (Engine, error) {
	golang, err := exec.LookPath("go")
	if err != nil {
		return Engine{}, errors.New("the engine is built with Go, and there is no go command in the PATH")
	}
	dir, err := os.MkdirTemp("", "girih-engine")
	if err != nil {
		return Engine{}, err
	}
	defer os.RemoveAll(dir)
	run := func(args ...string) ([]byte, error) {
		c := exec.CommandContext(ctx, golang, args...)
		c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // lets go remove its temporary files
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
		return Engine{}, err
	}
	version, goroot, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	fmt.Fprintf(progress, "building the engine with %s from %s\n", version, root)
	file := filepath.Join(dir, "engine.wasm")
	// Without inlining, the compressed module is 19% smaller.
	_, err = run("build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w", "-o", file, "./"+source)
	if err != nil {
		return Engine{}, err
	}
	module, err := os.ReadFile(file)
	if err != nil {
		return Engine{}, err
	}
	support, err := os.ReadFile(filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return Engine{}, err
	}
	packed := deflate.Gzip(module)
	fmt.Fprintf(progress, "the engine has %.2f MB\n", float64(len(packed))/1e6)
	return Engine{packed, support}, nil
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
