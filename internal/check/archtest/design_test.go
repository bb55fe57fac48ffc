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
	"unicode"
)

var update = flag.Bool("update", false, "write tables of docs/design and limits.txt instead of checking them")

// TestDesign compares the table in docs/design/house.md with the floors and with the package comments.
func TestDesign(t *testing.T) {
	comments := map[string]string{}
	for _, p := range tree(t) {
		comments[p.path] = p.doc
	}
	checkGenerated(t, "house.md", "house", designTable(comments))
}

// TestDesignContents compares the contents of docs/design with the headings of its pages.
func TestDesignContents(t *testing.T) {
	checkGenerated(t, "README.md", "contents", designContents(t))
}

// checkGenerated compares the part of a page of docs/design between two marks with text, or writes it with -update.
func checkGenerated(t *testing.T, page, part, text string) {
	t.Helper()
	name := filepath.Join(moduleRoot(t), "docs", "design", page)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	mark := "<!-- " + part + ", by go test ./internal/check/archtest -update -->\n"
	before, rest, ok := strings.Cut(string(data), mark)
	_, after, closed := strings.Cut(rest, "<!-- end -->\n")
	if !ok || !closed {
		t.Fatalf("docs/design/%s has no place for the part %s", page, part)
	}
	got := before + mark + "\n" + text + "\n<!-- end -->\n" + after
	switch {
	case got == string(data):
	case !*update:
		t.Fatalf("docs/design/%s is not up to date: go test ./internal/check/archtest -update", page)
	default:
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// designPages are the pages of docs/design in the order in which a newcomer reads them.
var designPages = []string{
	"house", "algebra", "integers", "memory", "kernels", "simulator", "card", "language", "pictures", "doors",
}

// designContents returns the pages with their headings as lists of links.
func designContents(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, page := range designPages {
		data, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "design", page+".md"))
		if err != nil {
			t.Fatal(err)
		}
		code := false
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSuffix(line, "\n")
			code = code != strings.HasPrefix(line, "```")
			level := len(line) - len(strings.TrimLeft(line, "#"))
			if code || level == 0 {
				continue
			}
			title := strings.TrimSpace(line[level:])
			if level == 1 {
				fmt.Fprintf(&b, "%s- **[%s](%s.md)**\n", strings.Repeat("\n", min(b.Len(), 1)), title, page)
				continue
			}
			fmt.Fprintf(&b, "%s- [%s](%s.md#%s)\n", strings.Repeat("  ", level-1), title, page, anchor(title))
		}
	}
	return b.String()
}

// anchor returns the name under which a heading of Markdown is linked: its letters, digits, - and _, with - for blanks.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, title)
}

// designTable returns the floors in Markdown, from the ground up. comments holds the package comments by path.
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

// whatItDoes returns the first sentence of a package comment without "Package x". Of a long sentence, it returns only
// the part before a colon.
func whatItDoes(comment string) string {
	what := new(doc.Package).Synopsis(comment)
	if len(what) > 140 {
		what, _, _ = strings.Cut(what, ": ")
	}
	words := strings.SplitN(strings.TrimRight(what, "."), " ", 3)
	return docLink.ReplaceAllString(words[len(words)-1], "`$1`")
}

var docLink = regexp.MustCompile(`\[([\w.]+)\]`)
