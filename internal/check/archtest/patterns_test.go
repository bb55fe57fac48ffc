package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// TestPatterns compiles all constants of type pattern.Pattern; otherwise a broken pattern fails only at first use.
func TestPatterns(t *testing.T) {
	n := 0
	for _, l := range goList(t, nil, "./...") {
		for _, name := range l.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(l.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for text := range patternsOf(f) {
				n++
				if _, err := regexp.Compile(text); err != nil {
					t.Errorf("%s/%s: %v", l.ImportPath, name, err)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no pattern was found")
	}
}

// patternsOf returns the texts of the conversions to pattern.Pattern.
func patternsOf(f *ast.File) map[string]bool {
	texts := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		to, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || to.Sel.Name != "Pattern" {
			return true
		}
		if pkg, ok := to.X.(*ast.Ident); !ok || pkg.Name != "pattern" {
			return true
		}
		if lit, ok := call.Args[0].(*ast.BasicLit); ok {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				texts[text] = true
			}
		}
		return true
	})
	return texts
}
