package archtest

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExports checks that every export has a comment that says what it is and which errors it returns, and that types
// and constructors have an example that runs. All packages outside internal/ and cmd/ are public.
func TestExports(t *testing.T) {
	all := publicPackages(t)
	codes := map[string]bool{}
	for _, e := range exports(all[modulePath+"/cute"]) {
		codes[e.name] = e.fn == nil
	}
	used := map[string]bool{}
	for _, path := range sortedKeys(all) {
		p := all[path]
		bad := slices.Concat(checkExamples(withoutExample, p, used), checkComments(p), checkErrors(p, codes))
		if len(bad) > 0 {
			t.Errorf("%d faults in what package %s exports:\n  %s", len(bad), path, strings.Join(bad, "\n  "))
		}
	}
	report(t, checkUsed(withoutExample, used))
}

// publicPackages reads the public packages of the module, by import path.
func publicPackages(t *testing.T) map[string]*doc.Package {
	t.Helper()
	all := map[string]*doc.Package{}
	for _, l := range goList(t, platforms[0], "./...") {
		if path, our := ours(l.ImportPath); !our || !isPublic(path) {
			continue
		}
		p, err := loadDocs(l)
		if err != nil {
			t.Fatal(err)
		}
		all[l.ImportPath] = p
	}
	goFiles(t) // opens every file, so that go test does not reuse a cached result after a change
	if all[modulePath+"/cute"] == nil {
		t.Fatalf("go list found %d public packages and not the algebra", len(all))
	}
	return all
}

// isPublic reports whether users of the module may import the package at path below its root.
func isPublic(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return first != "internal" && first != "cmd"
}

// loadDocs reads a package and its tests as go doc does.
func loadDocs(l goPackage) (*doc.Package, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Concat(l.GoFiles, l.TestGoFiles, l.XTestGoFiles) {
		f, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return doc.NewFromFiles(fset, files, l.ImportPath)
}

// checkExamples returns the types and constructors of p without an example that runs, and examples that do not run.
//
// A constructor is a function that returns a type; go doc lists it below the type. An example of a method or a
// constructor is also an example of the type. A package needs an example of its own. checkExamples adds the keys of the
// rows of exempt that it needs to used.
func checkExamples(exempt []exemption, p *doc.Package, used map[string]bool) []string {
	var bad []string
	run := func(examples []*doc.Example) {
		for _, e := range examples {
			if e.Output == "" && !e.EmptyOutput {
				bad = append(bad, fmt.Sprintf("Example%s has no // Output: and is not run", e.Name))
			}
		}
	}
	want := func(name string, examples []*doc.Example) {
		run(examples)
		if len(examples) == 0 && !isExempt(exempt, p.ImportPath, name, used) {
			bad = append(bad, name+" has no example")
		}
	}
	for _, f := range p.Funcs {
		run(f.Examples)
	}
	for _, typ := range p.Types {
		all := slices.Clone(typ.Examples)
		for _, f := range typ.Funcs {
			if !strings.HasPrefix(f.Name, "Must") { // the function without Must has the example
				want(f.Name, f.Examples)
			}
			all = append(all, f.Examples...)
		}
		for _, m := range typ.Methods {
			if m.Level == 0 {
				run(m.Examples)
				all = append(all, m.Examples...)
			}
		}
		want(typ.Name, all)
	}
	want("the package", p.Examples)
	slices.Sort(bad)
	return slices.Compact(bad)
}

// An exemption lists types and constructors of a package that need no example, and the reason.
type exemption struct {
	path   string // import path
	names  []string
	reason string
}

// isExempt reports whether a row of exempt names the export, and notes its key in used.
func isExempt(exempt []exemption, path, name string, used map[string]bool) bool {
	for _, row := range exempt {
		if row.path == path && slices.Contains(row.names, name) {
			used[path+" "+name] = true
			return true
		}
	}
	return false
}

// checkUsed returns an error for each name in exempt that is not needed, and for each row without a reason.
func checkUsed(exempt []exemption, used map[string]bool) []string {
	var bad []string
	for _, row := range exempt {
		for _, n := range row.names {
			if !used[row.path+" "+n] {
				bad = append(bad, fmt.Sprintf("withoutExample lists %s of %s, which has an example or does not exist: remove it",
					n, row.path))
			}
		}
		if row.reason == "" {
			bad = append(bad, fmt.Sprintf("withoutExample lists %s of %s without a reason",
				strings.Join(row.names, ", "), row.path))
		}
	}
	return bad
}

// checkComments returns the exports of p whose comment does not start with the name or does not consist of full
// sentences. A comment on a constant's line may be a phrase, and a constant without a comment has its group's.
func checkComments(p *doc.Package) []string {
	var bad []string
	for _, e := range exports(p) {
		switch {
		case e.doc == "":
			bad = append(bad, e.name+" has no comment")
			continue
		case e.phrase:
			continue
		}
		plain := strings.NewReplacer("[", "", "]", "", "\n", " ").Replace(e.doc)
		short := e.name[strings.LastIndexByte(e.name, '.')+1:]
		if !opensWith(plain, short) {
			bad = append(bad, fmt.Sprintf("the comment of %s must start with its name and a verb: %.60q", e.name, plain))
		}
		for _, b := range p.Parser().Parse(e.doc).Content {
			if par, ok := b.(*comment.Paragraph); ok && !endsSentence(par) {
				bad = append(bad, fmt.Sprintf("a paragraph in the comment of %s does not end a sentence: %.60q", e.name, plain))
			}
		}
	}
	return bad
}

// opening matches the beginning of a comment: an article, the name, and a verb. The comment on a constant may also be
// "Name: sentence".
var opening = regexp.MustCompile(`^(?:An? |The )?(\w+)(?: (\w+),? |: )`)

// opensWith reports whether the comment begins with the name and a verb, in the third person unless the name is plural.
func opensWith(text, name string) bool {
	m := opening.FindStringSubmatch(text)
	return m != nil && m[1] == name && (m[2] == "" || strings.HasSuffix(m[2], "s") || strings.HasSuffix(name, "s"))
}

// endsSentence reports whether the paragraph ends with a period, or with a colon before a list or code.
func endsSentence(par *comment.Paragraph) bool {
	last, ok := par.Text[len(par.Text)-1].(comment.Plain)
	return ok && (strings.HasSuffix(string(last), ".") || strings.HasSuffix(string(last), ":"))
}

// These patterns match how a comment names errors: by code, as another function's errors, or as always nil.
var (
	namesCode   = regexp.MustCompile(`\bCode[A-Z]\w*`)
	namesErrors = regexp.MustCompile(`\b([Tt]he|[Tt]heir|and|only) errors?( |\.|,)|\*\[?(cute\.)?Error\b`)
	alwaysNil   = regexp.MustCompile(`\berrors? (is|are) always nil\b`)
	delegates   = regexp.MustCompile(`^\w+ is \[[\w.]+\]`) // "FlatDivide is [ZippedDivide] with ..."
)

// checkErrors returns the functions of p whose comments do not say which errors they return, and the codes in comments
// that are neither among codes nor declared by p.
func checkErrors(p *doc.Package, codes map[string]bool) []string {
	var bad []string
	all := exports(p)
	own := map[string]bool{}
	for _, e := range all {
		own[e.name] = e.fn == nil
	}
	for _, e := range all {
		text := strings.ReplaceAll(e.doc, "\n", " ")
		for _, c := range namesCode.FindAllString(text, -1) {
			if !codes[c] && !own[c] {
				bad = append(bad, fmt.Sprintf("the comment of %s names %s, which does not exist", e.name, c))
			}
		}
		if returnsError(e.fn) && alwaysNil.MatchString(text) {
			bad = append(bad, e.name+" returns an error that is always nil: take it away")
		}
		if returnsError(e.fn) && !namesCode.MatchString(text) && !namesErrors.MatchString(text) && !delegates.MatchString(text) {
			bad = append(bad, fmt.Sprintf(
				"%s returns an error, and its comment names no code and nobody whose errors it returns", e.name))
		}
	}
	return bad
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

// An export is an exported identifier with its comment; fn is nil for types, constants and variables. phrase is true if
// the comment may be a phrase instead of a sentence.
type export struct {
	name, doc string
	fn        *ast.FuncDecl
	phrase    bool
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
		if f.Level == 0 {
			out = append(out, export{name: prefix + f.Name, doc: f.Doc, fn: f.Decl})
		}
	}
	return out
}

// values lists constants and variables.
func values(groups ...[]*doc.Value) []export {
	var out []export
	for _, v := range slices.Concat(groups...) {
		group := v.Decl.Lparen.IsValid()
		for _, s := range v.Decl.Specs {
			spec := s.(*ast.ValueSpec)
			text, phrase := spec.Doc.Text(), false
			if text == "" && group {
				text, phrase = cmp.Or(spec.Comment.Text(), v.Doc), true
			}
			text = cmp.Or(text, v.Doc)
			for _, id := range spec.Names {
				if id.IsExported() {
					out = append(out, export{name: id.Name, doc: text, phrase: phrase})
				}
			}
		}
	}
	return out
}
