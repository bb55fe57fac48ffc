package archtest

import (
	"flag"
	"fmt"
	"go/doc"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of docs/design.md instead of checking it")

// TestDesign: the table of docs/design.md is that of the floors, with what the packages say of themselves.
func TestDesign(t *testing.T) {
	page := filepath.Join(moduleRoot(t), "docs", "design.md")
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "<!-- house, by go test ./internal/check/archtest -update -->\n"
	before, rest, ok := strings.Cut(string(data), mark)
	_, after, closed := strings.Cut(rest, "<!-- end -->\n")
	if !ok || !closed {
		t.Fatal("docs/design.md has no place for the table")
	}
	comments := map[string]string{}
	for _, p := range tree(t) {
		comments[p.path] = p.doc
	}
	got := before + mark + "\n" + designTable(comments) + "\n<!-- end -->\n" + after
	switch {
	case got == string(data):
	case !*update:
		t.Fatal("the table of docs/design.md is another one: go test ./internal/check/archtest -update")
	default:
		if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// designTable returns the floors in Markdown, from the ground up; comments are those of the packages.
func designTable(comments map[string]string) string {
	var b strings.Builder
	b.WriteString("| floor | package | what it does | imports |\n|--|--|--|--|\n")
	for i, f := range floors {
		name := fmt.Sprintf("%d %s", i, f.name)
		for _, r := range f.rows {
			var imports []string
			for _, path := range paths(r.imports) {
				imports = append(imports, strings.TrimPrefix(path, "internal/"))
			}
			for _, mod := range paths(r.modules) {
				imports = append(imports, "*"+mod[strings.LastIndex(mod, "/")+1:]+"*")
			}
			what := whatItDoes(comments[r.path])
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", name, r.path, what, strings.Join(imports, ", "))
			name = ""
		}
	}
	return b.String()
}

// whatItDoes returns the first sentence of a package comment without "Package x", and of a long one what comes before a
// colon.
func whatItDoes(comment string) string {
	what := new(doc.Package).Synopsis(comment)
	if len(what) > 140 {
		what, _, _ = strings.Cut(what, ": ")
	}
	words := strings.SplitN(strings.TrimRight(what, "."), " ", 3)
	return docLink.ReplaceAllString(words[len(words)-1], "`$1`")
}

var docLink = regexp.MustCompile(`\[([\w.]+)\]`)
