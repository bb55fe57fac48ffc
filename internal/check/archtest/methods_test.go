package archtest

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// This file checks that each method with which kernels are written is shown where it does something useful: in an
// Example of package kernel, or in a kernel of package examples.

// ofInterfaces are the methods that callers reach through an interface of the standard library.
var ofInterfaces = []string{"String", "Error", "Unwrap", "MarshalText"}

func TestKernelMethodsHaveExamples(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	c := checker{set: token.NewFileSet(), used: map[string]bool{}}
	c.config = types.Config{Importer: exported(t, c.set, "./kernel", "./examples"), Error: func(error) {}}
	c.add(t, filepath.Join(root, "kernel", "*_test.go"))
	c.add(t, filepath.Join(root, "examples", "*.go"))
	kernel, err := c.config.Importer.Import(modulePath + "/kernel")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range kernel.Scope().Names() {
		typ, ok := kernel.Scope().Lookup(name).(*types.TypeName)
		if !ok || !typ.Exported() {
			continue
		}
		named, ok := typ.Type().(*types.Named)
		if !ok {
			continue
		}
		for m := range named.Methods() {
			if !m.Exported() || slices.Contains(ofInterfaces, m.Name()) {
				continue
			}
			if n++; !c.used[m.FullName()] {
				t.Errorf("no Example of package kernel and no kernel of package examples calls %s", m.FullName())
			}
		}
	}
	if n < 200 {
		t.Errorf("found only %d methods", n)
	}
}

// A checker collects the functions that files use, by full name.
type checker struct {
	set    *token.FileSet
	config types.Config
	used   map[string]bool
}

// add reads the files of a pattern as a package; of tests it reads the Examples, and all of the files named example.
// Names that other files of the package declare are left unresolved.
func (c checker) add(t *testing.T, pattern string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(names), err)
	}
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(c.set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(filepath.Base(name), "example") && strings.HasSuffix(name, "_test.go") {
			f.Decls = slices.DeleteFunc(f.Decls, isTest)
		}
		files = append(files, f)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	_, _ = c.config.Check(pattern, c.set, files, &info)
	for _, o := range info.Uses {
		if f, ok := o.(*types.Func); ok {
			c.used[f.FullName()] = true
		}
	}
}

// isTest reports whether a declaration is a function that is no Example.
func isTest(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	return ok && !strings.HasPrefix(f.Name.Name, "Example")
}

// exported returns an importer of the export data of packages and of all packages that they and their tests import.
func exported(t *testing.T, set *token.FileSet, packages ...string) types.Importer {
	t.Helper()
	args := slices.Concat([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, packages)
	for _, l := range goList(t, platforms[0], packages...) {
		args = append(args, l.XTestImports...)
	}
	out, err := output(nil, "go", args...)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[path] = file
	}
	return importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}
