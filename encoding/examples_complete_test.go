package encoding_test

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Everything exported has an example that runs: a function or a method one of its own, a type one of its own, or of
// a method or a function that returns it. Interfaces here are sealed; go doc shows no examples for their methods, so the interface's counts for them.
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
			if !ofEncoding[m.Name] || typ.Name == "Record" {
				wantExample(t, typ.Name+"."+m.Name, m.Examples)
			}
			all = append(all, m.Examples...)
		}
		wantExample(t, typ.Name, all)
	}
	wantExample(t, "the package", p.Examples)
}

// ofEncoding are the methods of the interface, whose examples are those of the types.
var ofEncoding = map[string]bool{"Layout": true, "Record": true, "String": true}

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

// Every exported identifier has a comment of full sentences that starts with its name.
func TestEveryExportHasASentence(t *testing.T) {
	t.Parallel()
	p := loadDocs(t)
	for _, d := range exports(p) {
		wantSentences(t, p, d)
	}
}

// opening matches the beginning of a comment: an article, the name, and a verb in the third person. The comment on
// a constant may also be "Name: sentence".
var opening = regexp.MustCompile(`^(?:An? |The )?(\w+)(?: \w+s |: )`)

func wantSentences(t *testing.T, p *doc.Package, d export) {
	t.Helper()
	if d.doc == "" {
		t.Errorf("%s has no comment", d.name)
		return
	}
	plain := strings.NewReplacer("[", "", "]", "", "\n", " ").Replace(d.doc)
	short := d.name[strings.LastIndexByte(d.name, '.')+1:]
	if m := opening.FindStringSubmatch(plain); m == nil || m[1] != short {
		t.Errorf("the comment of %s must start with its name and a verb: %.60q", d.name, plain)
	}
	for _, b := range p.Parser().Parse(d.doc).Content {
		if par, ok := b.(*comment.Paragraph); ok && !endsSentence(par) {
			t.Errorf("a paragraph in the comment of %s does not end a sentence:\n%s", d.name, d.doc)
		}
	}
}

// endsSentence reports whether the paragraph ends with a period, or with a colon before a list or code.
func endsSentence(par *comment.Paragraph) bool {
	last, ok := par.Text[len(par.Text)-1].(comment.Plain)
	return ok && (strings.HasSuffix(string(last), ".") || strings.HasSuffix(string(last), ":"))
}

// A comment says which errors come: codes by name, those of another function, or that there are none.
var (
	namesCode   = regexp.MustCompile(`\bCode[A-Z]\w*`)
	namesErrors = regexp.MustCompile(`\b([Tt]he|their) errors?( |\.)|\berror is always nil\b`)
	delegates   = regexp.MustCompile(`^\w+ is \[[\w.]+\]`) // "FlatDivide is [ZippedDivide] with ..."
)

// Every function that returns an error says which.
func TestEveryErrorIsNamed(t *testing.T) {
	t.Parallel()
	p := loadDocs(t)
	known := rootCodes(t)
	for _, d := range exports(p) {
		text := strings.ReplaceAll(d.doc, "\n", " ")
		for _, c := range namesCode.FindAllString(text, -1) {
			if !known[c] {
				t.Errorf("the comment of %s names %s, which does not exist", d.name, c)
			}
		}
		if !returnsError(d.fn) {
			continue
		}
		if !namesCode.MatchString(text) && !namesErrors.MatchString(text) && !delegates.MatchString(text) {
			t.Errorf("%s returns an error, and its comment names no code and nobody whose errors it returns:\n%s", d.name, d.doc)
		}
	}
}

// rootCodes returns the names of the error codes, which are constants of package girih.
func rootCodes(t *testing.T) map[string]bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for name := range f.Scope.Objects {
		known[name] = true
	}
	return known
}

func returnsError(fn *ast.FuncDecl) bool {
	if fn == nil || fn.Type.Results == nil {
		return false
	}
	return slices.ContainsFunc(fn.Type.Results.List, func(f *ast.Field) bool {
		id, ok := f.Type.(*ast.Ident)
		return ok && id.Name == "error"
	})
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
	p, err := doc.NewFromFiles(fset, files, "girih/encoding")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Types) == 0 {
		t.Fatal("found no exported types")
	}
	return p
}

// An export is an exported identifier with its comment; fn is nil for types, constants and variables.
type export struct {
	name, doc string
	fn        *ast.FuncDecl
}

// exports lists the exported identifiers by name.
func exports(p *doc.Package) []export {
	out := values(p.Consts, p.Vars)
	out = append(out, funcs("", p.Funcs)...)
	for _, typ := range p.Types {
		out = append(out, export{name: typ.Name, doc: typ.Doc})
		out = append(out, values(typ.Consts, typ.Vars)...)
		out = append(out, funcs("", typ.Funcs)...)
		out = append(out, funcs(typ.Name+".", typ.Methods)...)
	}
	slices.SortFunc(out, func(a, b export) int { return cmp.Compare(a.name, b.name) })
	return out
}

func funcs(prefix string, fs []*doc.Func) []export {
	var out []export
	for _, f := range fs {
		out = append(out, export{name: prefix + f.Name, doc: f.Doc, fn: f.Decl})
	}
	return out
}

// values lists constants and variables; in a group each has its own comment.
func values(groups ...[]*doc.Value) []export {
	var out []export
	for _, v := range slices.Concat(groups...) {
		for _, s := range v.Decl.Specs {
			spec := s.(*ast.ValueSpec)
			text := spec.Doc.Text() + spec.Comment.Text()
			if text == "" && len(v.Decl.Specs) == 1 {
				text = v.Doc
			}
			for _, id := range spec.Names {
				if id.IsExported() {
					out = append(out, export{name: id.Name, doc: text})
				}
			}
		}
	}
	return out
}
