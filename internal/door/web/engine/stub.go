package engine

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file leaves functions out of the first engine. A first visit waits for that engine, and mostly asks for layouts
// of known integers. The linker keeps a function that might be called: the table of the language names all of them. So
// the first engine is built from a copy of the source in which the functions in the table left have no body: they panic
// with [Larger]. The linker leaves out what only they use. A call that gets there is answered with the code
// larger_engine, and the page asks the engine that has everything: no answer of the first engine differs from an answer
// of the whole source.

// Larger is the panic of a function that is left out.
const Larger = "larger_engine"

// cut is the work on one package.
type cut struct {
	text  string // of the panics
	fset  *token.FileSet
	files map[string]*ast.File // by path
	kept  map[string]bool      // names of functions that variables need when the program starts

	changed map[string]bool // the files to replace
}

// overlay writes the files without the functions that are left out to dir, and returns the name of the file for the
// flag -overlay of go. The functions panic with text. list lists the Go files of a package, as absolute paths.
func overlay(dir, text string, left map[string]choice, list func(pkg string) ([]string, error)) (string, error) {
	replace := map[string]string{}
	for _, pkg := range slices.Sorted(maps.Keys(left)) {
		names, err := list(pkg)
		if err != nil {
			return "", err
		}
		c, err := parse(names, left[pkg])
		if err != nil {
			return "", err
		}
		c.text = text
		c.empty(left[pkg])
		c.dropVariables()
		for _, name := range slices.Sorted(maps.Keys(c.changed)) {
			to := filepath.Join(dir, strconv.Itoa(len(replace))+".go")
			if err := c.write(name, to); err != nil {
				return "", err
			}
			replace[name] = to
		}
	}
	table, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, table, 0o644)
}

// parse reads the files of a package, and finds the functions that its variables and its tables of rows call, and what
// runs when the program starts, unless it is left out.
func parse(names []string, out choice) (*cut, error) {
	c := &cut{
		fset: token.NewFileSet(), files: map[string]*ast.File{},
		kept: map[string]bool{"init": !out.starts, "main": true}, changed: map[string]bool{},
	}
	bodies := map[string][]ast.Node{}
	var starts []ast.Node
	for _, name := range names {
		f, err := parser.ParseFile(c.fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		c.files[name] = f
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				bodies[d.Name.Name] = append(bodies[d.Name.Name], d)
				if returns(d, "Builtin") {
					starts = append(starts, d)
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					starts = append(starts, d)
				}
			}
		}
	}
	if !out.starts {
		starts = append(starts, bodies["init"]...)
	}
	for len(starts) > 0 {
		n := starts[len(starts)-1]
		starts = starts[:len(starts)-1]
		for _, name := range calls(n) {
			if !c.kept[name] {
				c.kept[name] = true
				starts = append(starts, bodies[name]...)
			}
		}
	}
	return c, nil
}

// calls returns the names of the functions that n calls outside function literals.
func calls(n ast.Node) (names []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			fun := n.Fun
			for {
				switch f := fun.(type) {
				case *ast.IndexExpr:
					fun = f.X
					continue
				case *ast.IndexListExpr:
					fun = f.X
					continue
				case *ast.Ident:
					names = append(names, f.Name)
				case *ast.SelectorExpr:
					names = append(names, f.Sel.Name)
				}
				break
			}
		}
		return true
	})
	return names
}

// empty takes the bodies out of the functions that a choice leaves out.
func (c *cut) empty(out choice) {
	for name, f := range c.files {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil || c.kept[d.Name.Name] || !out.has(path.Base(filepath.ToSlash(name)), d) {
				continue
			}
			d.Body.List = nil
			if d.Name.Name != "init" || d.Recv != nil {
				d.Body.List = []ast.Stmt{c.missing(d)}
			}
			c.changed[name] = true
		}
	}
}

// missing is the body of a function that is left out. An operation of the service is an empty row, as of any build that
// lacks it.
func (c *cut) missing(d *ast.FuncDecl) ast.Stmt {
	if returns(d, "Operation") {
		return &ast.ReturnStmt{Results: []ast.Expr{&ast.CompositeLit{Type: ast.NewIdent("Operation")}}}
	}
	return &ast.ExprStmt{X: &ast.CallExpr{
		Fun:  ast.NewIdent("panic"),
		Args: []ast.Expr{&ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(c.text)}},
	}}
}

// dropVariables removes variables of the package that nothing uses any more. The linker would keep what makes them when
// the program starts.
func (c *cut) dropVariables() {
	for dropped := true; dropped; {
		dropped = false
		used := map[string]bool{}
		for _, f := range c.files {
			for _, d := range f.Decls {
				use(used, d)
			}
		}
		for name, f := range c.files {
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.VAR {
					continue
				}
				n := len(g.Specs)
				g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool {
					return !slices.ContainsFunc(s.(*ast.ValueSpec).Names, func(i *ast.Ident) bool {
						return i.Name == "_" || i.IsExported() || used[i.Name]
					})
				})
				if len(g.Specs) < n {
					dropped, c.changed[name] = true, true
				}
			}
			f.Decls = slices.DeleteFunc(f.Decls, isEmpty)
		}
	}
}

// use adds the names in a declaration, apart from those that it declares as variables of the package.
func use(used map[string]bool, d ast.Decl) {
	declared := map[*ast.Ident]bool{}
	if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
		for _, s := range g.Specs {
			for _, i := range s.(*ast.ValueSpec).Names {
				declared[i] = true
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if i, ok := n.(*ast.Ident); ok && !declared[i] {
			used[i.Name] = true
		}
		return true
	})
}

func isEmpty(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && len(g.Specs) == 0
}

// write writes a file as it is now.
func (c *cut) write(name, to string) error {
	f := c.files[name]
	f.Comments = directives(f)
	dropImports(f)
	var b bytes.Buffer
	if err := printer.Fprint(&b, c.fset, f); err != nil {
		return err
	}
	return os.WriteFile(to, b.Bytes(), 0o644)
}

// directives returns the comments that the compiler reads. A go:linkname lets other modules use a function, which may
// be left out.
func directives(f *ast.File) (list []*ast.CommentGroup) {
	for _, g := range f.Comments {
		if slices.ContainsFunc(g.List, func(c *ast.Comment) bool {
			return strings.HasPrefix(c.Text, "//go:") && !strings.HasPrefix(c.Text, "//go:linkname ")
		}) {
			list = append(list, g)
		}
	}
	return list
}

// version matches the end of an import path such as math/rand/v2.
var version = regexp.MustCompile(`^v\d+$`)

// dropImports removes the imports that a file no longer uses.
func dropImports(f *ast.File) {
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool {
			i := s.(*ast.ImportSpec)
			name, _ := strconv.Unquote(i.Path.Value)
			if dir, last := path.Split(name); version.MatchString(last) {
				name = path.Clean(dir) // math/rand/v2 is rand
			}
			name = path.Base(name)
			if i.Name != nil {
				name = i.Name.Name
			}
			return name != "_" && !used[name]
		})
	}
	f.Decls = slices.DeleteFunc(f.Decls, isEmpty)
}

// list returns what lists the Go files of a package, for flags of the go command.
func (b builder) list(flags []string) func(pkg string) ([]string, error) {
	return func(pkg string) ([]string, error) {
		args := append([]string{"list", "-f", "{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}\n{{end}}"}, flags...)
		out, err := b.run(append(args, "./"+pkg)...)
		return strings.Fields(string(out)), err
	}
}
