package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// mostParams limits the parameters of a function: a reader has to count more than four.
const mostParams = 4

// manyParams counts the functions of each folder that still have more parameters. boolParams counts the functions with
// a bool parameter, which says nothing at a call. The numbers may only fall.
var (
	manyParams = map[string]int{
		"cute":                  1,
		"internal/picture/draw": 2,
		"tensor":                4,
	}
	boolParams = map[string]int{
		"internal/lang/codegen": 1,
	}
)

func TestParameters(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	many, bools := map[string][]string{}, map[string][]string{}
	for _, f := range goFiles(t) {
		if f.generated || strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		name := filepath.Join(root, filepath.FromSlash(f.path))
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := path.Dir(f.path)
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			where := fmt.Sprintf("%s: %s", f.path, fn.Name.Name)
			if fn.Type.Params.NumFields() > mostParams {
				many[dir] = append(many[dir], where)
			}
			for _, p := range fn.Type.Params.List {
				if id, ok := p.Type.(*ast.Ident); ok && id.Name == "bool" {
					bools[dir] = append(bools[dir], where)
					break
				}
			}
		}
	}
	mayOnlyFall(t, "functions of more than 4 parameters", many, manyParams)
	mayOnlyFall(t, "functions with a bool parameter", bools, boolParams)
}

// mayOnlyFall compares the functions found in each folder with the number that the table allows.
func mayOnlyFall(t *testing.T, what string, found map[string][]string, most map[string]int) {
	t.Helper()
	for dir, all := range found {
		if len(all) > most[dir] {
			t.Errorf("%s has %d %s, and %d are known:\n\t%s", dir, len(all), what, most[dir], strings.Join(all, "\n\t"))
		}
	}
	for dir, n := range most {
		if len(found[dir]) < n {
			t.Errorf("%s has %d %s, the table says %d: lower it", dir, len(found[dir]), what, n)
		}
	}
}
