// Package engine builds the engines of a page without a server: the service as WebAssembly, compressed.
package engine

import (
	"bytes"
	"compress/gzip"
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

// An Engine is a set of files for a page without a server, by name. girih serve --static writes these:
//
//	engine.wasm.gz    the module that a first visit loads
//	programs.wasm.gz  the module with everything but the simulator, which is loaded when it is asked for
//	wasm_exec.js      of the Go distribution that built the modules
//
// The files of a site, in addition:
//
//	kernels.wasm.gz   the module that runs kernels, which the pages of kernels load
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
	left  map[string]choice // the functions that it leaves out
	level int               // the best of Brotli; 11 takes a minute for 10 MB, and saves an eighth
	flags []string          // of go build
}

var (
	pageModules = []module{
		{name: "engine", left: left, level: 11},
		{name: "programs", level: 9, flags: []string{"-tags=programs"}},
	}
	// The simulator keeps the inlining of the runtime, whose write barriers take two thirds of a run without it: 0.06 MB.
	siteModules = []module{{
		name: "kernels", left: leftOfKernels, level: 9,
		flags: []string{"-tags=kernels", "-gcflags=runtime/...=", "-gcflags=internal/...="},
	}}
)

// A Source is where engines are built from.
type Source struct {
	Root     string    // the root of the module, whose Go files are built by the Go toolchain of this machine
	Level    int       // of Brotli, up to 11, which takes minutes; gzip hurries, too, at a lower one
	Progress io.Writer // for reports of the work
}

// Page builds the engines that girih serve --static writes. The error says what failed: go is missing, or go printed
// this output.
func (s Source) Page(ctx context.Context) (Engine, error) { return s.build(ctx, pageModules) }

// Site builds the engine that only a site has. It returns the same errors as [Source.Page].
func (s Source) Site(ctx context.Context) (Engine, error) { return s.build(ctx, siteModules) }

func (s Source) build(ctx context.Context, modules []module) (Engine, error) {
	golang, err := exec.LookPath("go")
	if err != nil {
		return nil, errors.New("the engine is built with Go, and there is no go command in the PATH")
	}
	dir, err := os.MkdirTemp("", "girih-engine")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := builder{ctx, golang, s.Root, dir}
	out, err := b.run("env", "GOVERSION", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, goroot, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	fmt.Fprintf(s.Progress, "building the engines with %s from %s\n", version, s.Root)
	e := make(Engine)
	for _, m := range modules {
		wasm, err := b.build(m)
		if err != nil {
			return nil, err
		}
		name := m.name + ".wasm"
		e[name+".gz"] = s.gzip(wasm)
		if e[name+".br"], err = pack(wasm, min(s.Level, m.level)); err != nil {
			return nil, err
		}
		fmt.Fprintf(s.Progress, "%s has %.2f MB, %.2f in Brotli\n", name, float64(len(e[name+".gz"]))/1e6,
			float64(len(e[name+".br"]))/1e6)
	}
	e[support], err = os.ReadFile(filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", support))
	return e, err
}

// gzip compresses for files: as far as gzip goes, which takes a minute, at the highest level only.
func (s Source) gzip(text []byte) []byte {
	if s.Level == brotli.BestCompression {
		return deflate.Gzip(text)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(text) // a buffer returns no error
	w.Close()
	return b.Bytes()
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
	if len(m.left) > 0 {
		name, err := overlay(b.dir, Larger, m.left, b.list(m.flags))
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
