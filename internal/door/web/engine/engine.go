// Package engine builds the engine that a page without a server runs: the service as WebAssembly, packed.
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

	"girih/internal/door/web/pack"
)

// An Engine is the files that a page needs besides its own.
type Engine struct {
	Packed  []byte // the engine, as package pack writes it
	Support []byte // wasm_exec.js of the Go distribution that the engine is built with
}

// source is the package that is built, below the root of the module.
const source = "cmd/girih-wasm"

// Build builds the engine with the Go toolchain of this machine from the module at root, and says on progress what it
// does; this takes from seconds to a minute. The error says what failed: there is no go, or what go said.
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
		c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // go removes what it was writing
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
	// Without inlining the code is 9% smaller packed.
	if _, err := run("build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w", "-o", file, "./"+source); err != nil {
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
	fmt.Fprintf(progress, "packing %.1f MB\n", float64(len(module))/1e6)
	done := make(chan shrunk, 1)
	go func() { done <- shrink(module, version) }()
	select {
	case r := <-done:
		if r.err != nil {
			return Engine{}, r.err
		}
		if r.kept != nil {
			fmt.Fprintf(progress, "the engine is a quarter larger than it could be: %v\n", r.kept)
		}
		fmt.Fprintf(progress, "the engine has %.2f MB\n", float64(len(r.packed))/1e6)
		return Engine{r.packed, support}, nil
	case <-ctx.Done(): // the work goes on until the process ends, for nobody
		return Engine{}, ctx.Err()
	}
}

// A shrunk is a packed module.
type shrunk struct {
	packed    []byte
	kept, err error // why it has what it does not need, if it does; why there is none
}

func shrink(module []byte, version string) (r shrunk) {
	smaller, kept, err := pack.Module(module, version)
	if err != nil {
		return shrunk{err: err}
	}
	r.kept = kept
	r.packed, r.err = pack.Pack(smaller)
	return r
}

// Root returns the root of this module's source: around the working directory, or where the program was compiled, whose
// file names are those that runtime.Caller has. The error says where it looked.
func Root(compiled string) (string, error) {
	var looked []string
	start, err := os.Getwd()
	if err == nil {
		looked = append(looked, start)
	}
	if filepath.IsAbs(compiled) { // -trimpath leaves no path
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
