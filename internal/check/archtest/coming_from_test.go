package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// span matches code in a line of Markdown.
var span = regexp.MustCompile("`([^`]+)`")

// TestComingFrom compiles the Go in the last columns of the tables of docs/kernels/coming_from.md, with the variables
// that the page declares. Code that calls nothing is a name, such as Kernel.Plan.
func TestComingFrom(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "kernels", "coming_from.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, names, _ := strings.Cut(string(text), "```go\n")
	names, tables, _ := strings.Cut(names, "```")
	set := token.NewFileSet()
	config := types.Config{Importer: exported(t, set, "./kernel")}
	n := 0
	for line := range strings.Lines(tables) {
		columns := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || len(columns) < 2 {
			continue
		}
		for _, m := range span.FindAllStringSubmatch(columns[len(columns)-1], -1) {
			if !strings.Contains(m[1], "(") || strings.HasPrefix(m[1], "fmt.") {
				continue
			}
			n++
			if err := compile(set, config, names, m[1]); err != nil {
				t.Errorf("%s: %v", m[1], err)
			}
		}
	}
	if n < 100 {
		t.Errorf("found %d expressions", n)
	}
	if compile(set, config, names, "k.Load(i)") == nil {
		t.Error("an Index is accepted as a Tensor")
	}
}

// compile checks a statement in a file that declares names and imports what they use.
func compile(set *token.FileSet, config types.Config, names, statement string) error {
	source := "package p\n"
	for _, path := range []string{"atom", "cute", "dtype", "kernel", "symbolic"} {
		source += "import \"" + modulePath + "/" + path + "\"\n"
	}
	source += "var _ dtype.Type\n" + names + "func _() {\n" + statement + "\n}\n"
	f, err := parser.ParseFile(set, "page.go", source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	_, err = config.Check("p", set, []*ast.File{f}, nil)
	return err
}
