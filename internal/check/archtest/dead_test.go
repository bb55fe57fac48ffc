package archtest

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// This file counts the functions that nobody uses, for the table of limits_test.go.

// withoutCommands lists the packages that no command needs to reach: packages that several tests share, and the tensor
// packages, a library for Go programs that the language uses in part.
var withoutCommands = []string{
	"internal/check/gen", "internal/check/hostile", "internal/check/long", "internal/check/oracle", "internal/check/product",
	"internal/check/pty", "tensor", "tensor/tiled",
}

// countDead asks the tool deadcode which functions no command reaches. A function that only tests use is dead, with two
// exceptions. In withoutCommands, a function is dead if no test reaches it. In the other public packages, a function is
// alive if an Example uses it, because the Example shows what it is good for in a program of another author.
func countDead(t *testing.T, found tally) {
	t.Helper()
	byDir := map[string][]deadFunc{}
	for _, f := range unreachable(t) {
		if dir := path.Dir(f.file); !slices.Contains(withoutCommands, dir) {
			byDir[dir] = append(byDir[dir], f)
		}
	}
	for dir, all := range byDir {
		used := map[string]bool{}
		if isPublic(dir) {
			files, err := parseDir(filepath.Join(moduleRoot(t), filepath.FromSlash(dir)))
			if err != nil {
				t.Fatal(err)
			}
			used = usedByExamples(files, all)
		}
		for _, f := range all {
			if !used[f.name] {
				found.add(dir, deadFuncs, f.file+": "+f.name)
			}
		}
	}
	for _, f := range unreachable(t, "-test") {
		if dir := path.Dir(f.file); slices.Contains(withoutCommands, dir) {
			found.add(dir, deadFuncs, f.file+": "+f.name)
		}
	}
}

// parseDir parses all Go files of a directory, also its tests.
func parseDir(dir string) ([]*ast.File, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// usedByExamples returns the names of the functions among unreached that an Example in files mentions, and of those
// that their bodies mention in turn. A method counts by its own name, whatever its receiver is.
func usedByExamples(files []*ast.File, unreached []deadFunc) map[string]bool {
	bodies := map[string][]*ast.BlockStmt{}
	var next []*ast.BlockStmt
	for _, f := range files {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			switch {
			case !ok || fn.Body == nil:
			case strings.HasPrefix(fn.Name.Name, "Example"):
				next = append(next, fn.Body)
			default:
				bodies[fn.Name.Name] = append(bodies[fn.Name.Name], fn.Body)
			}
		}
	}
	used := map[string]bool{}
	for len(next) > 0 {
		mentioned := map[string]bool{}
		for _, body := range next {
			ast.Inspect(body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					mentioned[id.Name] = true
				}
				return true
			})
		}
		next = nil
		for _, f := range unreached {
			own := f.name[strings.LastIndexByte(f.name, '.')+1:]
			if !used[f.name] && mentioned[own] {
				used[f.name] = true
				next = append(next, bodies[own]...)
			}
		}
	}
	return used
}

func TestUsedByExamples(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", `package p
		func Parse() { r.read() }
		func (reader) read() {}
		func Print() { write() }
		func write() {}
		func ExampleParse() { Parse() }
		func TestPrint() { Print() }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	unreached := []deadFunc{{"p.go", "Parse"}, {"p.go", "reader.read"}, {"p.go", "Print"}, {"p.go", "write"}}
	got := usedByExamples([]*ast.File{file}, unreached)
	if want := map[string]bool{"Parse": true, "reader.read": true}; !maps.Equal(got, want) {
		t.Errorf("the Example uses %v, want %v", got, want)
	}
}

// A deadFunc is a function that deadcode reports.
type deadFunc struct{ file, name string }

// unreachable runs deadcode on the module.
func unreachable(t *testing.T, flags ...string) []deadFunc {
	t.Helper()
	args := append([]string{"tool", "-modfile=internal/tools/go.mod", "deadcode", "-json"}, flags...)
	out, err := output(nil, "go", append(args, "./...")...)
	if err != nil {
		t.Fatal(err)
	}
	var packages []struct {
		Funcs []struct {
			Name     string
			Position struct{ File string }
		}
	}
	if err := json.Unmarshal(out, &packages); err != nil {
		t.Fatal(err)
	}
	var all []deadFunc
	for _, p := range packages {
		for _, f := range p.Funcs {
			all = append(all, deadFunc{filepath.ToSlash(f.Position.File), f.Name})
		}
	}
	return all
}
