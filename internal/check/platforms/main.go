// Command platforms type-checks all packages of girih for other platforms, in seconds; compilers would first build Go's
// library for them, which takes minutes. It finds missing files, and numbers that do not fit an int of 32 bits. Only a
// release compiles for all platforms.
//
//	go run ./internal/check/platforms linux/386 windows/amd64
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	status := 0
	for _, p := range os.Args[1:] {
		n, err := check(p)
		if err != nil {
			fmt.Printf("%s: %v\n", p, err)
			status = 1
			continue
		}
		fmt.Printf("%s: %d packages\n", p, n)
	}
	os.Exit(status)
}

// A goPackage is a package as go list describes it.
type goPackage struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Standard        bool
	Module          *struct{ Main bool }
	Error           *struct{ Err string }
}

// own reports whether the package belongs to girih.
func (p *goPackage) own() bool {
	return p.Module != nil && p.Module.Main
}

// check checks the packages for a platform, "linux/386", in import order, and returns the number of girih's packages.
// In other packages it skips the bodies of functions.
func check(platform string) (int, error) {
	system, arch, _ := strings.Cut(platform, "/")
	list := exec.Command("go", "list", "-deps", "-e", "-json=ImportPath,Dir,GoFiles,ImportMap,Standard,Module,Error", "./...")
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := list.Start(); err != nil {
		return 0, err
	}
	known := imports{"unsafe": types.Unsafe}
	d := json.NewDecoder(out)
	n := 0
	var wrong []error
	for {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return 0, err
		}
		// A package without files for the platform is skipped, as go build ./... does.
		if p.ImportPath == "unsafe" || len(p.GoFiles) == 0 {
			continue
		}
		if p.Error != nil && p.own() {
			wrong = append(wrong, errors.New(p.Error.Err))
			continue
		}
		if err := known.add(&p, arch); err != nil {
			wrong = append(wrong, err)
		}
		if p.own() {
			n++
		}
	}
	return n, errors.Join(append(wrong, list.Wait())...)
}

// imports holds the packages that have been checked, by import path.
type imports map[string]*types.Package

func (i imports) add(p *goPackage, arch string) error {
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	var wrong []error
	c := types.Config{
		Importer: mappedImports{i, p.ImportMap}, IgnoreFuncBodies: !p.own(), FakeImportC: true,
		Sizes: types.SizesFor("gc", arch),
		Error: func(err error) { wrong = append(wrong, err) },
	}
	pkg, _ := c.Check(p.ImportPath, set, files, nil) // the returned error is also in wrong
	i[p.ImportPath] = pkg
	if !p.own() {
		return nil // a library declares functions that assembly defines, among other things
	}
	return errors.Join(wrong...)
}

// mappedImports resolves the imports of a package: Go's library has vendored copies of other packages under its own
// names.
type mappedImports struct {
	imports
	names map[string]string
}

func (m mappedImports) Import(path string) (*types.Package, error) {
	if p, ok := m.names[path]; ok {
		path = p
	}
	if p := m.imports[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}
