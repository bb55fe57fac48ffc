// Package engine builds the engines of a page without a server: the service as WebAssembly, compressed.
package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/andybalholm/brotli"

	"girih/internal/door/web/deflate"
)

// An Engine is the set of additional files for a page without a server, by name:
//
//	engine.wasm.gz    the module that a first visit loads
//	programs.wasm.gz  the module with everything, which is loaded when it is asked for
//	wasm_exec.js      of the Go distribution that built the modules
//
// The modules are also there with the ending .br, a quarter smaller, for servers that send Brotli.
type Engine map[string][]byte

const (
	support = "wasm_exec.js"
	// source is the package to build, relative to the root of the module.
	source = "cmd/girih-wasm"
	// window is the distance, as a power of two in bytes, that Brotli looks back: 16 MiB, the most that browsers accept.
	window = 24
)

// A module is one build of the source.
type module struct {
	name  string
	cut   bool     // without the functions of left
	level int      // the best of Brotli; 11 takes a minute for 10 MB, and saves an eighth
	flags []string // of go build
}

var modules = []module{{name: "engine", cut: true, level: 11}, {name: "programs", level: 9, flags: []string{"-tags=programs"}}}

// Build builds both modules from the source at root with the Go toolchain of this machine, and reports its work on
// progress. Building takes minutes, most of them for Brotli at its best level. The error says what failed: go is
// missing, or go printed this output.
func Build(ctx context.Context, root string, level int, progress io.Writer) (Engine, error) {
	golang, err := exec.LookPath("go")
	if err != nil {
		return nil, errors.New("the engine is built with Go, and there is no go command in the PATH")
	}
	dir, err := os.MkdirTemp("", "girih-engine")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := builder{ctx, golang, root, dir}
	out, err := b.run("env", "GOVERSION", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, goroot, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	fmt.Fprintf(progress, "building the engines with %s from %s\n", version, root)
	e := make(Engine)
	for _, m := range modules {
		wasm, err := b.build(m)
		if err != nil {
			return nil, err
		}
		name := m.name + ".wasm"
		e[name+".gz"] = deflate.Gzip(wasm)
		if e[name+".br"], err = pack(wasm, min(level, m.level)); err != nil {
			return nil, err
		}
		fmt.Fprintf(progress, "%s has %.2f MB, %.2f in Brotli\n", name, float64(len(e[name+".gz"]))/1e6,
			float64(len(e[name+".br"]))/1e6)
	}
	e[support], err = os.ReadFile(filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", support))
	return e, err
}

// pack compresses with Brotli.
func pack(text []byte, level int) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: level, LGWin: window})
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// A builder runs the go command for WebAssembly.
type builder struct {
	ctx    context.Context
	golang string // the go command
	root   string // the root of the module
	dir    string // a folder for files while it builds
}

// run returns what the go command prints. The error has what it complains about.
func (b builder) run(args ...string) ([]byte, error) {
	c := exec.CommandContext(b.ctx, b.golang, args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // an interrupt lets go remove its temporary files
	c.WaitDelay = 3 * time.Second
	c.Dir = b.root
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s in %s: %w\n%s", args[0], b.root, err, strings.TrimSpace(said.String()))
	}
	return out, nil
}

// build builds an engine. Without inlining, the compressed module is 19% smaller.
func (b builder) build(m module) ([]byte, error) {
	file := filepath.Join(b.dir, m.name)
	args := []string{"build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w", "-o", file}
	if m.cut {
		name, err := overlay(b.dir, Larger, left, b.list)
		if err != nil {
			return nil, err
		}
		args = append(args, "-overlay="+name)
	}
	if _, err := b.run(append(append(args, m.flags...), "./"+source)...); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}
