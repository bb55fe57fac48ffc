package term_test

import (
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// Everything exported has an example that runs: a function or a method one of its own, a type one of its own or of a
// method or a function that returns it. Methods that an embedded type promotes have theirs there.
func TestEveryExportHasAnExample(t *testing.T) {
	t.Parallel()
	p := loadDocs(t)
	for _, f := range p.Funcs {
		wantExample(t, f.Name, f.Examples)
	}
	for _, typ := range p.Types {
		all := typ.Examples
		for _, f := range typ.Funcs {
			wantExample(t, f.Name, f.Examples)
			all = append(all, f.Examples...)
		}
		for _, m := range typ.Methods {
			if m.Level > 0 {
				continue
			}
			wantExample(t, typ.Name+"."+m.Name, m.Examples)
			all = append(all, m.Examples...)
		}
		wantExample(t, typ.Name, all)
	}
	wantExample(t, "the package", p.Examples)
}

// wantExample reports an identifier without an example, or with one that go test does not run.
func wantExample(t *testing.T, name string, examples []*doc.Example) {
	t.Helper()
	if len(examples) == 0 {
		t.Errorf("%s has no example", name)
	}
	for _, e := range examples {
		if e.Output == "" && !e.EmptyOutput {
			t.Errorf("%s: Example%s has no // Output: and is not run", name, e.Name)
		}
	}
}

// loadDocs reads the package and its tests as go doc does.
func loadDocs(t *testing.T) *doc.Package {
	t.Helper()
	dir, err := build.ImportDir(".", 0)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Concat(dir.GoFiles, dir.TestGoFiles, dir.XTestGoFiles) {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, "girih/draw/term")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Types) == 0 {
		t.Fatal("found no exported types")
	}
	return p
}
